use proptest::prelude::*;

use crate::project::text::{grouped, span};
use crate::project::{Bounds, Keep, first_chars, truncate};

#[test]
fn notices() {
    let bounds = Bounds { lines: 2, bytes: 12 };
    // The end that stays, the text, what stays of it, and the notice.
    let cases = [
        (Keep::Head, "a\nb\nc", "a\nb", "[Last 1 line (2 bytes) omitted; limits 2 lines, 12 bytes]"),
        (Keep::Tail, "a\nb\nc", "b\nc", "[First 1 line (2 bytes) omitted; limits 2 lines, 12 bytes]"),
        (Keep::Tail, "a\nb\nc\n", "b\nc\n", "[First 1 line (2 bytes) omitted; limits 2 lines, 12 bytes]"),
        (Keep::Head, "a\nb\nc\n", "a\nb", "[Last 1 line (3 bytes) omitted; limits 2 lines, 12 bytes]"),
        (
            Keep::Head,
            "0123456789abXY",
            "0123456789ab",
            "[The rest of the line above (2 bytes) omitted; limits 2 lines, 12 bytes]",
        ),
        (
            Keep::Tail,
            "x\ny\n0123456789abXY",
            "23456789abXY",
            "[The start of the line below and 2 more lines (6 bytes) omitted; limits 2 lines, 12 bytes]",
        ),
        (
            Keep::Head,
            "0123456789ab\n",
            "0123456789ab",
            "[The line break at the end (1 byte) omitted; limits 2 lines, 12 bytes]",
        ),
        (Keep::Head, "\n\n\n", "\n", "[Last 1 line (2 bytes) omitted; limits 2 lines, 12 bytes]"),
    ];
    for (keep, text, kept, notice) in cases {
        let cut = truncate(text, keep, bounds).unwrap();
        assert_eq!((cut.kept, cut.notice(None).as_str()), (kept, notice), "{text:?}");
    }
    for text in ["", "a", "a\nb", "a\nb\n", "\n", "\n\n", "0123456789ab"] {
        assert_eq!(truncate(text, Keep::Head, bounds), None, "{text:?}");
        assert_eq!(truncate(text, Keep::Tail, bounds), None, "{text:?}");
    }
}

#[test]
fn the_notice_stands_where_the_text_was_cut() {
    let bounds = Bounds { lines: 1, bytes: 10 };
    let head = truncate("a\nb", Keep::Head, bounds).unwrap().text(Some("tool-results/x.txt"));
    let notice = "omitted; limits 1 line, 10 bytes; full output: tool-results/x.txt]";
    assert_eq!(head, format!("a\n[Last 1 line (2 bytes) {notice}"));
    let tail = truncate("a\nb", Keep::Tail, bounds).unwrap().text(Some("tool-results/x.txt"));
    assert_eq!(tail, format!("[First 1 line (2 bytes) {notice}\nb"));
}

#[test]
fn numbers_for_people() {
    assert_eq!(
        [0, 999, 1_000, 182_340, 1_000_000].map(grouped),
        ["0", "999", "1,000", "182,340", "1,000,000"]
    );
    let spans = [1, 250, 1_000, 1_500, 60_000, 61_050].map(span);
    let expected =
        ["1 millisecond", "250 milliseconds", "1 second", "1.5 seconds", "60 seconds", "61.05 seconds"];
    assert_eq!(spans, expected);
    assert_eq!(
        [first_chars("灯塔x", 2), first_chars("灯塔x", 3), first_chars("灯", 0)],
        ["灯塔", "灯塔x", ""]
    );
}

/// Texts with short and long lines and characters of every width.
fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(prop_oneof!["[a-c]{0,9}", "[灯😀é]{0,5}", Just("\n".to_owned())], 0..30)
        .prop_map(|pieces| pieces.concat())
}

proptest! {
    /// IV-72, RS-71: one end stays, within the bounds, and no further line or character would have fitted.
    #[test]
    fn kept_and_omitted_are_the_whole(
        text in text(), head in any::<bool>(), lines in 1_usize..5, bytes in 1_usize..30,
    ) {
        let keep = if head { Keep::Head } else { Keep::Tail };
        let count = |text: &str| text.lines().count();
        let Some(cut) = truncate(&text, keep, Bounds { lines, bytes }) else {
            prop_assert!(text.len() <= bytes && count(&text) <= lines);
            return Ok(());
        };
        prop_assert!(text.len() > bytes || count(&text) > lines);
        prop_assert!(cut.kept.len() <= bytes);
        prop_assert!(count(cut.kept) <= lines);
        prop_assert_eq!(cut.kept.len() + cut.omitted_bytes, text.len());
        let rest = if head { text.strip_prefix(cut.kept) } else { text.strip_suffix(cut.kept) };
        let rest = rest.unwrap();
        let whole_lines = match keep {
            Keep::Head => rest.starts_with('\n'),
            Keep::Tail => rest.ends_with('\n'),
        };
        let partial = usize::from(!whole_lines);
        // Lines begin after each break but the last, so this counts blank ones as well.
        let all = 1 + text.strip_suffix('\n').unwrap_or(&text).matches('\n').count();
        let stay = 1 + cut.kept.strip_suffix('\n').filter(|_| !head).unwrap_or(cut.kept).matches('\n').count();
        if whole_lines {
            prop_assert_eq!(stay + cut.omitted_lines, all);
            // The next line is too much for one of the bounds.
            let next = match keep {
                Keep::Head => rest.strip_prefix('\n').unwrap().split('\n').next().unwrap_or_default(),
                Keep::Tail => rest.strip_suffix('\n').unwrap().rsplit('\n').next().unwrap_or_default(),
            };
            prop_assert!(stay == lines || cut.omitted_lines == 0 || cut.kept.len() + 1 + next.len() > bytes);
        } else {
            prop_assert_eq!(cut.omitted_lines + partial, all);
            let next = if head { rest.chars().next() } else { rest.chars().next_back() };
            prop_assert!(cut.kept.len() + next.unwrap().len_utf8() > bytes);
        }
    }
}
