use super::*;
use crate::protocol::Code;

fn path() -> WorkspacePath {
    WorkspacePath::parse("output/a.md").unwrap()
}

fn written(text: &str, mode: WriteMode, guard: Guard) -> FileEffect {
    FileEffect::Written { path: path(), file: Arc::new(File::of_text(text)), mode, guard }
}

fn patched(before: &str, old: &str, new: &str) -> FileEffect {
    let file = Arc::new(File::of_text(before.replace(old, new)));
    FileEffect::Patched {
        path: path(),
        file,
        before: Digest::of(before.as_bytes()),
        old: old.into(),
        new: new.into(),
    }
}

fn tree(text: Option<&str>) -> Tree {
    let mut tree = Tree::default();
    if let Some(text) = text {
        tree.write(&path(), Arc::new(File::of_text(text))).unwrap();
    }
    tree
}

#[test]
fn a_lost_race_changes_nothing_and_is_told_as_what_it_is() {
    let old = Digest::of(b"old");
    let cases = [
        (Some("x"), written("y", WriteMode::Replace, Guard::MustNotExist), Code::WorkspaceWriteRequiresRead),
        (Some("x"), written("y", WriteMode::Replace, Guard::MustMatch(old)), Code::WorkspaceWriteStaleFile),
        (None, written("y", WriteMode::Replace, Guard::MustMatch(old)), Code::WorkspaceWriteStaleFile),
        (Some("x"), patched("old", "o", "y"), Code::WorkspacePatchStaleFile),
        (None, patched("old", "o", "y"), Code::WorkspacePatchStaleFile),
    ];
    for (there, effect, code) in cases {
        let (mut tree, mut state) = (tree(there), ReadState::default());
        let digest = tree.digest();
        let refusal = apply(&mut tree, &mut state, effect.clone(), &BoundNames::default()).unwrap_err();
        assert_eq!(refusal.code, code, "{effect:?}");
        assert_eq!(refusal.message.contains("List output/"), there.is_none(), "{}", refusal.message);
        assert_eq!((tree.digest(), state), (digest, ReadState::default()));
    }
}

#[test]
fn two_replaces_of_one_content_one_succeeds() {
    let (mut tree, mut state) = (tree(Some("old")), ReadState::default());
    let guard = Guard::MustMatch(Digest::of(b"old"));
    let names = BoundNames::default();
    assert!(apply(&mut tree, &mut state, written("a", WriteMode::Replace, guard), &names).is_ok());
    assert!(apply(&mut tree, &mut state, written("b", WriteMode::Replace, guard), &names).is_err());
    assert_eq!(tree.file(&path()).unwrap().text(), Some("a"));
}

#[test]
fn changes_tell_what_happened() {
    let old = Guard::MustMatch(Digest::of(b"old"));
    let cases = [
        (None, written("x", WriteMode::Replace, Guard::MustNotExist), FileOperation::Create),
        (None, written("x", WriteMode::Append, Guard::MustNotExist), FileOperation::Create),
        (Some("old"), written("x", WriteMode::Replace, old), FileOperation::Modify),
        (Some("old"), written("oldx", WriteMode::Append, old), FileOperation::Append),
        (Some("old"), patched("old", "o", "x"), FileOperation::Modify),
    ];
    for (there, effect, operation) in cases {
        let (mut tree, mut state) = (tree(there), ReadState::default());
        let change = apply(&mut tree, &mut state, effect, &BoundNames::default()).unwrap().unwrap();
        assert_eq!(change.operation, operation);
        assert_eq!(change.before.as_ref().and_then(|file| file.text()), there);
        assert_eq!(change.after.as_ref(), tree.file(&path()));
    }
}

#[test]
fn limits_hold_at_the_last_moment_too() {
    let mut tree = Tree::new(crate::workspace::Limits { file_bytes: 2, ..Default::default() });
    let effect = written("abc", WriteMode::Replace, Guard::MustNotExist);
    let refusal = apply(&mut tree, &mut ReadState::default(), effect, &BoundNames::default()).unwrap_err();
    assert_eq!(refusal.code, Code::WorkspaceFileTooLarge);
}
