use super::*;

const AUTHOR: Author<'_> = Author { call_id: "call_1", invocation_id: "inv_1" };

fn path(text: &str) -> WorkspacePath {
    WorkspacePath::parse(text).unwrap()
}

fn change(place: &str, before: Option<&str>, after: Option<&str>) -> Change {
    let file = |text: &str| Arc::new(File::of_text(text));
    let operation = if before.is_none() { FileOperation::Create } else { FileOperation::Modify };
    Change { path: path(place), operation, before: before.map(file), after: after.map(file) }
}

fn some_changes() -> Changes {
    let mut changes = Changes::default();
    changes.keep(change("output/a", Some("0"), Some("1")), AUTHOR);
    changes.keep(change("output/b", None, Some("new")), AUTHOR);
    changes.keep(change("output/a", Some("1"), Some("2")), AUTHOR);
    changes
}

#[test]
fn changes_are_numbered_and_carry_digests() {
    let kept = some_changes().keep(change("output/a", Some("2"), None), AUTHOR);
    assert_eq!((kept.change_id.as_str(), kept.existed_before, kept.exists_after), ("chg_4", true, false));
    assert_eq!(kept.sha256_before, Some(Digest::of(b"2").to_string()));
    assert_eq!(kept.sha256_after, None);
}

#[test]
fn the_baseline_is_before_the_first_change() {
    let changes = some_changes();
    assert_eq!(changes.baseline(&path("output/a")).unwrap().unwrap().text(), Some("0"));
    assert_eq!(changes.baseline(&path("output/b")), Some(None));
    assert_eq!(changes.baseline(&path("output/c")), None);
}

#[test]
fn backwards_they_give_the_start() {
    let (start, end) = ([("output/a", "0")], [("output/a", "2"), ("output/b", "new")]);
    let mut files: BTreeMap<&str, &str> = end.into();
    let changes = some_changes();
    for change in changes.list().iter().rev() {
        let before =
            change.sha256_before.as_ref().map(|digest| changes.content(&digest.parse().unwrap()).unwrap());
        match before {
            Some(file) => files.insert(&change.path, file.text().unwrap()),
            None => files.remove(change.path.as_str()),
        };
    }
    assert_eq!(files, start.into());
}

#[test]
fn the_token_follows_the_last_contents() {
    let mut changes = some_changes();
    let token = changes.state_token();
    changes.keep(change("output/a", Some("2"), Some("3")), AUTHOR);
    assert_ne!(changes.state_token(), token);
    changes.keep(change("output/a", Some("3"), Some("2")), AUTHOR);
    assert_eq!(changes.state_token(), token);
}

#[test]
fn they_are_stored_and_come_back() {
    let changes = some_changes();
    let fetch = |digest: &Digest| changes.content(digest).map(|file| file.shared());
    let back = Changes::restore(changes.list().to_vec(), fetch).unwrap();
    assert_eq!((back.list(), back.state_token()), (changes.list(), changes.state_token()));
    assert_eq!(back.contents(), changes.contents());
    assert_eq!(back.baseline(&path("output/b")), Some(None));
    let corrupt = |fault: Fault| assert_eq!(fault.code, Code::StateSnapshotCorrupt);
    corrupt(Changes::restore(changes.list().to_vec(), |_| None).unwrap_err());
    corrupt(Changes::restore(changes.list().to_vec(), |_| Some(Arc::from(&b"other"[..]))).unwrap_err());
    let mut list = changes.list().to_vec();
    list[0].path = "../x".into();
    corrupt(Changes::restore(list, fetch).unwrap_err());
}
