use proptest::prelude::*;

use super::{Roots, WorkspacePath};
use crate::protocol::Code;

#[test]
fn a_path_knows_its_parts() {
    let path = WorkspacePath::parse("./output\\drafts//a.md").unwrap();
    assert_eq!(path.as_str(), "output/drafts/a.md");
    assert_eq!(path.root(), "output");
    assert_eq!(path.parent().unwrap().as_str(), "output/drafts");
    assert!(!path.is_top());
    let root = WorkspacePath::parse("output").unwrap();
    assert!(root.is_top() && root.parent().is_none());
    assert!(path.is_within(&root) && root.is_within(&root) && !root.is_within(&path));
    assert!(!WorkspacePath::parse("output2/a").unwrap().is_within(&root));
}

#[test]
fn a_drive_hidden_behind_a_dot_is_a_drive() {
    for text in ["./C:x", ".\\c:/x", "C:", "c:\\x"] {
        assert_eq!(WorkspacePath::parse(text).unwrap_err().code, Code::WorkspaceInvalidPath, "{text}");
    }
}

#[test]
fn refusals_say_what_is_wrong_and_what_to_do() {
    let roots = Roots::narrowed(
        Some(&["output/".into(), "plan".into(), "nonsense".into()]),
        Some(&["output".into()]),
    );
    let text = |result: Result<WorkspacePath, crate::protocol::Refusal>| result.unwrap_err().message;
    let invalid = text(roots.read("../x"));
    assert!(invalid.contains("`../x`") && invalid.contains("without `..`"), "{invalid}");
    let hidden = text(roots.read("scratch/x"));
    assert!(hidden.contains("scratch/x") && hidden.contains("output/, plan/"), "{hidden}");
    let fixed = text(roots.write("plan/x"));
    assert!(fixed.contains("plan/x") && fixed.contains("output/") && !fixed.contains("plan/,"), "{fixed}");
    let narrow = Roots::narrowed(Some(&["output".into()]), None);
    assert!(narrow.write("plan/x").is_err() && narrow.write("output/x").is_ok());
    // Hostile lengths are not sent back.
    assert!(text(roots.read(&"../".repeat(100_000))).len() < 500);
}

/// Texts that are likely to be nearly paths.
fn texts() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("..".to_owned()),
        Just(".".to_owned()),
        Just("/".to_owned()),
        Just("\\".to_owned()),
        Just("C:".to_owned()),
        Just("output".to_owned()),
        Just("\0".to_owned()),
        "[a-zä. :~%-]{1,4}",
        any::<String>(),
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn paths_never_escape(text in texts()) {
        if let Ok(path) = WorkspacePath::parse(&text) {
            prop_assert!(path.segments().all(WorkspacePath::is_segment), "{path}");
            prop_assert!(path.segments().count() <= 64 && path.as_str().len() <= 1_024);
            // The normal form is its own normal form, also through a snapshot.
            prop_assert_eq!(&WorkspacePath::parse(path.as_str()).unwrap(), &path);
            let stored = serde_json::to_string(&path).unwrap();
            prop_assert_eq!(&serde_json::from_str::<WorkspacePath>(&stored).unwrap(), &path);
        }
        let roots = Roots::default();
        if let Ok(path) = roots.read(&text) {
            prop_assert!(roots.visible().any(|root| root == path.root()));
        }
        if let Ok(path) = roots.write(&text) {
            prop_assert!(roots.writable().any(|root| root == path.root()) && !path.is_top());
        }
    }
}
