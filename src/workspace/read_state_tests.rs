use super::*;

fn path() -> WorkspacePath {
    WorkspacePath::parse("output/a.md").unwrap()
}

fn read(content: &str, part: Option<&str>) -> ReadObservation {
    ReadObservation { path: path(), sha256: Digest::of(content.as_bytes()), part: part.map(Arc::from) }
}

#[test]
fn parts_add_up_until_the_content_changes() {
    let mut state = ReadState::default();
    state.observe(read("one two", Some("one")));
    state.observe(read("one two", Some("two")));
    state.observe(read("one two", Some("tw")));
    let seen = state.get(&path()).unwrap();
    assert_eq!(seen.observed_texts.len(), 2);
    assert!(seen.observed("on") && seen.observed("two") && !seen.observed("e t"));
    state.observe(read("new", Some("ne")));
    let seen = state.get(&path()).unwrap();
    assert!(seen.observed("ne") && !seen.observed("one") && !seen.full_read);
}

#[test]
fn a_whole_read_is_not_undone_by_a_part_of_the_same() {
    let mut state = ReadState::default();
    state.observe(read("one two", None));
    state.observe(read("one two", Some("one")));
    assert!(state.get(&path()).unwrap().full_read);
    state.observe(read("changed", Some("chan")));
    assert!(!state.get(&path()).unwrap().full_read);
}

#[test]
fn the_flag_outlives_partial_reads_and_changes() {
    let mut state = ReadState::default();
    state.require_full_read(&path());
    assert_eq!(state.get(&path()), None);
    state.observe(read("one two", Some("one")));
    state.require_full_read(&path());
    state.observe(read("one two", Some("two")));
    state.observe(read("changed", Some("chan")));
    assert!(state.get(&path()).unwrap().patch_requires_full_read);
    state.observe(read("changed", None));
    assert!(!state.get(&path()).unwrap().patch_requires_full_read);
}

#[test]
fn a_patch_moves_what_is_known_along() {
    let mut state = ReadState::default();
    state.observe(read("one two", Some("one t")));
    state.patched(&path(), Digest::of(b"1 two"), "one", "1");
    let seen = state.get(&path()).unwrap();
    assert!(seen.observed("1 t") && !seen.observed("one") && !seen.full_read);
    assert_eq!(seen.sha256, Digest::of(b"1 two"));
}

#[test]
fn forgetting_takes_what_is_below() {
    let mut state = ReadState::default();
    for place in ["output/d/a", "output/d/b/c", "output/dd"] {
        state.know(WorkspacePath::parse(place).unwrap(), Digest::of(b""));
    }
    state.forget(&WorkspacePath::parse("output/d").unwrap());
    assert!(state.get(&WorkspacePath::parse("output/d/b/c").unwrap()).is_none());
    assert!(state.get(&WorkspacePath::parse("output/dd").unwrap()).is_some());
}

#[test]
fn it_is_stored_and_comes_back() {
    let mut state = ReadState::default();
    state.observe(read("one two", Some("one")));
    state.require_full_read(&path());
    let stored = serde_json::to_value(&state).unwrap();
    assert_eq!(stored["output/a.md"]["observedTexts"][0], "one");
    assert_eq!(serde_json::from_value::<ReadState>(stored).unwrap(), state);
}
