use proptest::prelude::*;

use super::*;

#[test]
fn why_a_text_is_not_found() {
    let file = "fn main() {\n    work();\n\tdone();\n}\n";
    let windows = "one\r\ntwo\r\n";
    let cases = [
        (file, "2 |     work();", Absence::LineNumbers),
        (file, " 1 | fn main() {\n 2 |     work();\n 3 | \tdone();\n    nothing", Absence::LineNumbers),
        (file, "1\tfn main() {", Absence::LineNumbers),
        (file, "1 |\n2 | x", Absence::LineNumbers),
        (file, "work();\ndone();", Absence::Blanks),
        (file, "fn main() {  \n  work();", Absence::Blanks),
        (windows, "one\ntwo", Absence::LineBreaks),
        (file, "fn main() {\n    other();", Absence::LaterLines),
        (file, "nothing like it", Absence::Unknown),
        (file, "\nnothing like it", Absence::Unknown),
        // A number alone is text like any other, and the first three lines decide.
        (file, "12 apples | pears", Absence::Unknown),
        (file, "1 | x\n2 | y\nthree\n4 | z", Absence::Unknown),
        (file, "7\n8\n9", Absence::Unknown),
    ];
    for (text, old, absence) in cases {
        assert_eq!(Absence::of(text, old), absence, "{old:?}");
    }
}

#[test]
fn hunks_are_whole_lines() {
    let hunk = |old_start, new_start, removed: &str, added: &str| Hunk {
        old_start,
        new_start,
        removed: removed.into(),
        added: added.into(),
    };
    assert_eq!(hunks("a\nb b\nc\nb", "b", "x\ny"), [hunk(2, 2, "b b", "x\ny x\ny"), hunk(4, 6, "b", "x\ny")]);
    assert_eq!(hunks("a\nb\nc\n", "b\nc", ""), [hunk(2, 2, "b\nc", "")]);
    assert_eq!(hunks("one", "two", "x"), []);
    assert_eq!(hunks("one", "", "x"), []);
    // Two replacements on lines that touch are one hunk.
    assert_eq!(hunks("b\nb", "b\n", "c"), [hunk(1, 1, "b\nb", "cb")]);
}

#[test]
fn a_screen_gets_no_megabytes() {
    let line = "b".repeat(3_000_000);
    assert_eq!(hunks(&line, "b", "cc"), []);
    let lines = "b\n".repeat(1_000_000);
    let shown = hunks(&lines, "b", "c");
    assert!(!shown.is_empty() && shown.len() < DIFF_BYTES);
}

#[test]
fn lengths_do_not_overflow() {
    assert_eq!(length_after("aaa", "a", "bb", 3), 6);
    assert_eq!(length_after("a", "a", "bb", usize::MAX), usize::MAX);
}

proptest! {
    #[test]
    fn replacing_is_that_of_strings(text in "[ab\n]{0,40}", old in "[ab\n]{1,3}", new in "[abc\n]{0,3}") {
        let count = occurrences(&text, &old);
        let replaced = text.replace(&old, &new);
        prop_assert_eq!(length_after(&text, &old, &new, count), replaced.len());
        prop_assert_eq!(count == 0, !text.contains(&old));
        // The hunks alone lead from one text to the other.
        let mut lines: Vec<&str> = text.split('\n').collect();
        let hunks = hunks(&text, &old, &new);
        for hunk in hunks.iter().rev() {
            let removed = hunk.removed.split('\n').count();
            let at = hunk.old_start - 1;
            prop_assert_eq!(lines[at..at + removed].join("\n"), hunk.removed.as_str());
            lines.splice(at..at + removed, hunk.added.split('\n'));
        }
        prop_assert_eq!(lines.join("\n"), replaced.clone());
        let after: Vec<&str> = replaced.split('\n').collect();
        for hunk in &hunks {
            let at = hunk.new_start - 1;
            let added = hunk.added.split('\n').count();
            prop_assert_eq!(after[at..at + added].join("\n"), hunk.added.as_str());
        }
    }

    #[test]
    fn some_reason_is_always_found(text in any::<String>(), old in any::<String>()) {
        let _ = Absence::of(&text, &old);
    }
}
