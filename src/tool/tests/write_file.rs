use serde_json::json;

use super::{Desk, path};
use crate::protocol::{Code, FileOperation};
use crate::workspace::{Limits, Tree};

#[test]
fn what_a_write_answers() {
    let mut desk = Desk::new(&[]);
    let outcome = desk.call("workspace.write_file", json!({"path": "output/new/a.md", "content": "one two"}));
    assert_eq!(outcome.text(), "Wrote output/new/a.md; it now has chars 7, words 2.");
    assert_eq!(outcome.display.unwrap()["created"], true);
    let append = json!({"path": "output/new/a.md", "content": " three", "mode": "append"});
    let outcome = desk.call("workspace.write_file", append);
    assert_eq!(outcome.text(), "Appended to output/new/a.md; it now has chars 13, words 3.");
    assert_eq!(outcome.display.unwrap()["created"], false);
    let operations: Vec<FileOperation> = desk.changes.iter().map(|change| change.operation).collect();
    assert_eq!(operations, [FileOperation::Create, FileOperation::Append]);
}

#[test]
fn bytes_that_are_no_text_can_grow() {
    let mut desk = Desk::new(&[]);
    desk.put("output/a", &[0xff]);
    let outcome =
        desk.call("workspace.write_file", json!({"path": "output/a", "content": "x", "mode": "append"}));
    assert_eq!(outcome.text(), "Appended to output/a; it now has 2 bytes, which are no text.");
    assert_eq!(desk.tree.file(&path("output/a")).unwrap().bytes(), [0xff, b'x']);
}

#[test]
fn modes_are_told() {
    let (code, text) = Desk::new(&[])
        .refused("workspace.write_file", json!({"path": "../x", "content": "", "mode": "Replace"}));
    assert_eq!(code, Code::WorkspaceWriteModeInvalid);
    assert!(text.contains("replace or append") && text.contains("`Replace`"), "{text}");
}

#[test]
fn an_append_to_a_partly_read_file_is_no_read() {
    let mut desk = Desk::new(&[("output/a", "one\ntwo")]);
    desk.call("workspace.read_file", json!({"path": "output/a", "line_count": 1}));
    desk.call("workspace.write_file", json!({"path": "output/a", "content": "!", "mode": "append"}));
    let patch = json!({"path": "output/a", "old_string": "one", "new_string": "1"});
    assert_eq!(desk.refused("workspace.apply_patch", patch).0, Code::WorkspacePatchStaleFile);
}

#[test]
fn limits_are_refused_before_anything_is_done() {
    let mut desk = Desk::new(&[]);
    desk.tree = Tree::new(Limits { file_bytes: 10, bytes: 15, ..Limits::default() });
    let write = |content: &str, mode: &str| json!({"path": "output/a", "content": content, "mode": mode});
    assert_eq!(desk.call("workspace.write_file", write("12345678", "replace")).code, None);
    assert_eq!(
        desk.refused("workspace.write_file", write("12345678901", "replace")).0,
        Code::WorkspaceFileTooLarge
    );
    assert_eq!(desk.refused("workspace.write_file", write("123", "append")).0, Code::WorkspaceFileTooLarge);
    let other = json!({"path": "output/b", "content": "12345678"});
    let (code, text) = desk.refused("workspace.write_file", other);
    assert_eq!(code, Code::WorkspaceStorageFull);
    assert!(text.contains("15 bytes") && text.contains("Nothing was written"), "{text}");
    let below = json!({"path": "output/a/b", "content": ""});
    assert_eq!(desk.refused("workspace.write_file", below).0, Code::WorkspacePathNotDirectory);
}
