use proptest::prelude::*;
use serde_json::json;

use crate::project::*;
use crate::protocol::{BoundNames, Code, Outcome, Part, Status};

const PATH: &str = "tool-results/inv_1/x.txt";
const AUDIT: &str = "tool-results/inv_1/x.json";

fn names(bound: &[(&str, &str)]) -> BoundNames {
    bound.iter().map(|(native, name)| ((*native).to_owned(), (*name).to_owned())).collect()
}

fn long<'a>(text: &'a str, limit: Limit, names: &'a BoundNames) -> LongResult<'a> {
    LongResult { text, limit, path: PATH, audit_path: AUDIT, names, image_notes: "" }
}

#[test]
fn who_is_bounded() {
    let cases = [
        (Origin::Builtin, None, None),
        (Origin::Builtin, Some(Budget::Chars(1)), None),
        (Origin::External, None, Some(50_000)),
        (Origin::External, Some(Budget::Chars(1)), Some(1)),
        (Origin::External, Some(Budget::Unlimited), None),
    ];
    for (origin, declared, expected) in cases {
        assert_eq!(inline_limit(origin, 50_000, declared), expected, "{origin:?} {declared:?}");
    }
}

#[test]
fn the_text_in_full() {
    let names = names(&[("workspace.read_file", "read_it"), ("workspace.search_files", "find_it")]);
    let text = format!("{}😀tail", "x".repeat(2_999));
    let result =
        LongResult { image_notes: "Image 2 was left out.", ..long(&text, Limit::Inline(3_000), &names) };
    let externalised = externalise(&result);
    let expected = format!(
        "The result has 3,004 characters, more than the 3,000 shown inline; all of it is in {PATH}.\n\
         Read it with read_it: give this path and a start_line, then continue from the line after the last one you \
         got.\n\
         Find a passage in it with find_it: give this path and the words to look for.\n\
         Image 2 was left out.\n\n\
         Preview\n\
         This is at most the first 3,000 characters, NOT the whole result.\n\n\
         {}😀",
        "x".repeat(2_999)
    );
    assert_eq!(externalised.text, expected);
    assert_eq!(externalised.file_text, format!("{}😀\ntail", "x".repeat(2_999)));
}

#[test]
fn it_takes_the_place_of_the_text() {
    let none = BoundNames::default();
    let mut outcome = Outcome::failure(Status::Error, Code::McpToolError, "a");
    outcome.parts.extend([
        Part::Image { image: 0 },
        Part::Text { text: "b".into() },
        Part::Image { image: 1 },
    ]);
    let whole = outcome.text();
    let externalised = externalise(&long(&whole, Limit::Inline(2), &none));
    let shown = externalised.text.clone();
    assert_eq!(externalised.put_into(&mut outcome), "a\n\nb");
    let parts = [Part::Text { text: shown }, Part::Image { image: 0 }, Part::Image { image: 1 }];
    assert_eq!(outcome.parts, parts, "images stay");
    assert_eq!((outcome.status, outcome.code), (Status::Error, Some(Code::McpToolError)));
    assert_eq!(outcome.resource_refs, [PATH, AUDIT]);
    let structured =
        json!({"externalized": true, "path": PATH, "auditPath": AUDIT, "charCount": 4, "charLimit": 2});
    assert_eq!(outcome.structured, Some(structured));
}

#[test]
fn a_batch_limit_is_named_as_one() {
    let none = BoundNames::default();
    let text = externalise(&long("short", Limit::Batch(4), &none)).text;
    let first = "The result has 5 characters, and the results of this batch together more than the 4 shown inline; \
                 all of it is in tool-results/inv_1/x.txt.";
    assert_eq!(text.lines().next(), Some(first));
}

#[test]
fn the_largest_of_a_batch_go_first() {
    let external = |chars| BatchResult { chars, projected_chars: Some(10) };
    let fixed = |chars| BatchResult { chars, projected_chars: None };
    let cases: &[(&[BatchResult], usize, &[usize])] = &[
        (&[], 0, &[]),
        (&[external(50), external(50)], 100, &[]),
        (&[external(50), external(51)], 100, &[1]),
        (&[external(50), external(50), external(50)], 100, &[0, 1]),
        (&[external(20), external(90), fixed(500), external(30)], 580, &[1]),
        (&[external(20), external(90), fixed(500), external(30)], 10, &[1, 3, 0]),
        // What would grow, or not shrink, stays.
        (&[external(5), external(10), external(11)], 0, &[2]),
    ];
    for (results, limit, expected) in cases {
        assert_eq!(over_batch_limit(results, *limit), *expected, "{results:?} {limit}");
    }
}

#[test]
fn a_result_as_the_batch_sees_it() {
    let inline = Some(Limit::Inline(10));
    let seen = |text: &str, inline| {
        let result = batch_result(text, inline);
        (result.chars, result.projected_chars)
    };
    assert_eq!(seen("灯塔", None), (2, None));
    assert_eq!(seen(&"x".repeat(11), None), (11, None));
    assert_eq!(seen(&"灯".repeat(10), inline), (10, Some(910)));
    assert_eq!(seen(&"x".repeat(11), inline), (911, None), "externalised for itself");
    assert_eq!(seen(&"x".repeat(9_000), Some(Limit::Inline(50_000))), (9_000, Some(3_900)));

    // The frame is never longer than it is counted.
    let name = "n".repeat(64);
    let names = names(&[("workspace.read_file", &name), ("workspace.search_files", &name)]);
    let path =
        CallFiles::new(crate::protocol::Scenario::Session, &"r".repeat(128), "", 9_999_999, "c").readable();
    let text = "x".repeat(9_000_000);
    let result = LongResult { path: path.as_str(), ..long(&text, Limit::Batch(8_000_000), &names) };
    assert!(externalise(&result).text.len() <= 3_900);
}

proptest! {
    /// IV-70: the file is the whole text once the wraps are taken out, no line of it is too long, and the preview is
    /// the start of the text.
    #[test]
    fn the_file_holds_the_whole(
        pieces in prop::collection::vec(("[a灯]", 0_usize..7_000), 0..5),
    ) {
        let text = pieces.iter().map(|(piece, times)| piece.repeat(*times)).collect::<Vec<_>>().join("\n");
        let none = BoundNames::default();
        let externalised = externalise(&long(&text, Limit::Inline(1), &none));
        let wrap = |line: &str| -> String {
            let chars: Vec<char> = line.chars().collect();
            chars.chunks(3_000).map(String::from_iter).collect::<Vec<_>>().join("\n")
        };
        let wrapped: Vec<String> = text.split('\n').map(wrap).collect();
        prop_assert_eq!(&externalised.file_text, &wrapped.join("\n"));
        let preview: String = text.chars().take(3_000).collect();
        let end = format!("\n\n{preview}");
        prop_assert!(externalised.text.ends_with(&end));
    }
}
