use serde_json::json;

use super::Desk;
use crate::protocol::Code;

#[test]
fn what_a_search_shows() {
    let mut desk = Desk::new(&[("output/a.md", "alpha\nblue lantern\nomega"), ("plan/b.md", "a lantern")]);
    desk.put("output/bin", &[0xff]);
    let outcome = desk.call("workspace.search_files", json!({"query": "Blue Lantern", "context_lines": 1}));
    assert_eq!(
        outcome.text(),
        "2 places found for `Blue Lantern`, the best first. Read more with workspace_read_file, giving path, \
         start_line and line_count.\n\n\
         output/a.md score 1.000 ref workspace:output/a.md#L1-L3\n1 | alpha\n2 | blue lantern\n3 | omega\n\n\
         plan/b.md score 0.636 ref workspace:plan/b.md#L1-L1\n1 | a lantern\n\n\
         1 file was skipped because it is not text."
    );
    assert_eq!(outcome.display.unwrap()["hits"][0], json!({"path": "output/a.md", "line": 2}));
}

#[test]
fn nothing_found_is_a_sentence() {
    let mut desk = Desk::new(&[("output/a.md", "alpha")]);
    let text = desk.call("workspace.search_files", json!({"query": "omega"})).text();
    assert_eq!(text, "No line holds any of the words of `omega`.");
    let text = desk.call("workspace.search_files", json!({"query": "--"})).text();
    assert_eq!(text, "Nothing was found: `--` holds no letters or digits to look for.");
}

#[test]
fn a_search_that_was_cut_short_says_so() {
    let mut desk = Desk::new(&[("output/1/2/3/4/5/6/7/8.md", "deep"), ("output/a.md", "alpha")]);
    let (code, text) = desk.refused("workspace.search_files", json!({"query": "deep"}));
    assert_eq!(code, Code::WorkspaceSearchIncomplete);
    assert!(text.contains("8 levels") && text.contains("Narrow"), "{text}");
    let outcome = desk.call("workspace.search_files", json!({"query": "alpha"}));
    assert!(outcome.text().contains("Not everything was searched"), "{}", outcome.text());
    assert_eq!(outcome.structured.unwrap()["truncated"], true);
    let below = json!({"query": "deep", "path": "output/1"});
    assert_eq!(desk.call("workspace.search_files", below).code, None);

    for number in 0..1_001 {
        desk.put(&format!("plan/{number:04}"), if number < 1_000 { b"x" } else { b"last" });
    }
    let (code, text) = desk.refused("workspace.search_files", json!({"query": "last", "path": "plan"}));
    assert_eq!(code, Code::WorkspaceSearchIncomplete);
    assert!(text.contains("first 1,000 files"), "{text}");
    let last = json!({"query": "last", "path": "plan/1000"});
    assert_eq!(desk.call("workspace.search_files", last).code, None);
}

#[test]
fn a_search_that_was_cut_short_names_the_files_that_were_left_out() {
    let mut desk = Desk::new(&[("output/0.env", "lost"), ("output/1/2/3/4/5/6/7/8.md", "deep")]);
    let (code, text) = desk.refused("workspace.search_files", json!({"query": "deep"}));
    assert_eq!(code, Code::WorkspaceSearchIncomplete);
    let expected = " file. `output/0.env` was not searched because reading it needs a permission of its own. Give it as path \
                    to ask for that.";
    assert!(text.ends_with(expected), "{text}");
}

#[test]
fn more_hits_than_shown_are_told() {
    let mut desk = Desk::new(&[("output/a.md", "hit\n\nhit\n\nhit")]);
    let text = |limit| json!({"query": "hit", "limit": limit, "context_lines": 0});
    assert!(desk.call("workspace.search_files", text(2)).text().contains("More places were found"));
    assert!(!desk.call("workspace.search_files", text(3)).text().contains("More places were found"));
}

#[test]
fn files_that_nobody_may_be_shown_unasked_are_left_out_and_named() {
    let mut desk = Desk::new(&[("output/a.md", "alpha")]);
    let expected = [
        "`output/0.env` was not searched because reading it needs a permission of its own. Give it as path to ask for that.",
        "`output/0.env`, `output/1.env` were not searched because reading them needs a permission of its own. Give one as \
         path to ask for that.",
        "`output/0.env`, `output/1.env`, `output/2.env` were not searched because reading them needs a permission of its \
         own. Give one as path to ask for that.",
        "`output/0.env`, `output/1.env`, `output/2.env` and 1 more were not searched because reading them needs a \
         permission of its own. Give one as path to ask for that.",
    ];
    for (number, expected) in expected.into_iter().enumerate() {
        desk.put(&format!("output/{number}.env"), b"alpha");
        let outcome = desk.call("workspace.search_files", json!({"query": "alpha"}));
        assert_eq!(outcome.text().split("\n\n").last(), Some(expected));
        let structured = outcome.structured.unwrap();
        assert_eq!(structured["closedFiles"], number + 1);
        assert_eq!(structured["hits"].as_array().unwrap().len(), 1);
    }
}
