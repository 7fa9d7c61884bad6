use std::sync::Arc;

use serde_json::json;

use super::{Desk, path};
use crate::protocol::Code;
use crate::workspace::{File, Roots};

#[test]
fn what_a_listing_shows() {
    let mut desk = Desk::new(&[("output/a/z.md", ""), ("output/a-b.md", ""), ("output/a/b/c.md", "")]);
    let outcome = desk.call("workspace.list_files", json!({"path": "output"}));
    assert_eq!(outcome.text(), "output/a-b.md\noutput/a/\noutput/a/b/\noutput/a/z.md");
    assert_eq!(
        desk.call("workspace.list_files", json!({"path": "output/a", "depth": 0})).text(),
        "output/a/"
    );
    assert_eq!(desk.call("workspace.list_files", json!({"path": "output/a-b.md"})).text(), "output/a-b.md");
    assert_eq!(desk.call("workspace.list_files", json!({"path": "plan"})).text(), "Nothing to list in plan.");
    assert_eq!(
        desk.call("workspace.list_files", json!({"path": " . ", "depth": 0})).text(),
        "Nothing to list in the workspace."
    );
}

#[test]
fn a_long_listing_says_what_is_missing() {
    let mut desk = Desk::new(&[]);
    for number in 0..1_234 {
        desk.put(&format!("output/{number:04}"), b"");
    }
    let outcome = desk.call("workspace.list_files", json!({"path": "output"}));
    let text = outcome.text();
    let last = text.lines().last().unwrap();
    assert!(last.starts_with("Only the first 200 of 1,234 entries are shown"), "{last}");
    assert_eq!(outcome.structured.unwrap()["truncated"], true);
}

#[test]
fn what_is_hidden_cannot_be_detected() {
    let mut desk = Desk::new(&[("plan/p.md", "")]);
    desk.tree.record(&path("tool-args/inv_1/a.json"), Arc::new(File::of_text("{}"))).unwrap();
    desk.roots = Roots::narrowed(Some(&["output".into()]), None);
    for (there, missing) in [("tool-args/inv_1/a.json", "tool-args/inv_1/b.json"), ("plan/p.md", "plan/q.md")]
    {
        let (code, text) = desk.refused("workspace.list_files", json!({"path": there}));
        assert_eq!(code, Code::WorkspacePathNotVisible);
        let (_, other) = desk.refused("workspace.list_files", json!({"path": missing}));
        assert_eq!(text.replace(there, ""), other.replace(missing, ""));
    }
    assert_eq!(desk.call("workspace.list_files", json!({"depth": 4})).text(), "output/");
}
