use serde_json::{Value, json};

use super::{Desk, path};
use crate::protocol::Code;

const PLACE: &str = "output/x.md";
/// `one` and `end` occur once, `two` twice; a read of lines 2 to 3 shows the first `two` and `mid`.
const TEXT: &str = "one\ntwo\nmid\ntwo\nend\n";

fn patch(old: &str, new: &str, all: bool) -> Value {
    json!({"path": PLACE, "old_string": old, "new_string": new, "replace_all": all})
}

/// How much of the file was read.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Known {
    Nothing,
    Part,
    PartWithFlag,
    Whole,
}

/// What happened to the file since.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Since {
    Same,
    Changed,
    Gone,
}

fn desk(known: Known, since: Since) -> Desk {
    let mut desk = Desk::new(&[(PLACE, TEXT)]);
    match known {
        Known::Nothing => {}
        Known::Part | Known::PartWithFlag => {
            desk.call("workspace.read_file", json!({"path": PLACE, "start_line": 2, "line_count": 2}));
        }
        Known::Whole => {
            desk.call("workspace.read_file", json!({"path": PLACE}));
        }
    }
    if known == Known::PartWithFlag {
        desk.refused("workspace.apply_patch", patch("never seen", "x", false));
    }
    match since {
        Since::Same => {}
        Since::Changed => desk.put(PLACE, format!("{TEXT}more").as_bytes()),
        Since::Gone => assert!(desk.tree.remove(&path(PLACE))),
    }
    desk
}

/// The table of the specification: what happens, and whether a full read is needed afterwards.
fn expected(known: Known, since: Since, old: &str, all: bool) -> (Option<Code>, bool) {
    let occurrences = TEXT.matches(old).count();
    let observed = "two\nmid".contains(old);
    match known {
        Known::Nothing => (Some(Code::WorkspacePatchRequiresRead), false),
        Known::PartWithFlag => (Some(Code::WorkspacePatchRequiresFullRead), true),
        Known::Part if all || !observed => (Some(Code::WorkspacePatchRequiresFullRead), true),
        Known::Part if since != Since::Same => (Some(Code::WorkspacePatchStaleFile), true),
        Known::Part if occurrences > 1 => (Some(Code::WorkspacePatchOldStringNotUnique), true),
        Known::Part => (None, false),
        Known::Whole if since != Since::Same => (Some(Code::WorkspacePatchStaleFile), false),
        Known::Whole if occurrences == 0 => (Some(Code::WorkspacePatchOldStringNotFound), false),
        Known::Whole if occurrences > 1 && !all => (Some(Code::WorkspacePatchOldStringNotUnique), false),
        Known::Whole => (None, false),
    }
}

#[test]
fn the_read_state_decides() {
    for known in [Known::Nothing, Known::Part, Known::PartWithFlag, Known::Whole] {
        for since in [Since::Same, Since::Changed, Since::Gone] {
            for old in ["one", "two", "mid", "two\nmid", "absent"] {
                for all in [false, true] {
                    let mut desk = desk(known, since);
                    let before = desk.text(PLACE).map(str::to_owned);
                    let outcome = desk.call("workspace.apply_patch", patch(old, "new", all));
                    let (code, flag) = expected(known, since, old, all);
                    let case = format!("{known:?} {since:?} {old:?} {all}: {}", outcome.text());
                    assert_eq!(outcome.code, code, "{case}");
                    let seen = desk.state.get(&path(PLACE));
                    assert_eq!(seen.is_some_and(|seen| seen.patch_requires_full_read), flag, "{case}");
                    let replaced = before.clone().map(|text| text.replace(old, "new"));
                    let after = if code.is_none() { replaced } else { before };
                    assert_eq!(desk.text(PLACE), after.as_deref(), "{case}");
                    // A full read helps in every case in which there is a file.
                    if code.is_some() && since != Since::Gone && TEXT.matches(old).count() == 1 {
                        desk.call("workspace.read_file", json!({"path": PLACE}));
                        assert_eq!(
                            desk.call("workspace.apply_patch", patch(old, "new", all)).code,
                            None,
                            "{case}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn what_a_patch_answers() {
    let mut desk = desk(Known::Whole, Since::Same);
    let outcome = desk.call("workspace.apply_patch", patch("two", "2 3", true));
    assert_eq!(outcome.text(), "Made 2 replacements in output/x.md; it now has chars 20, words 7.");
    let display = outcome.display.unwrap();
    assert_eq!((&display["kind"], &display["path"]), (&json!("file_diff"), &json!(PLACE)));
    assert_eq!(
        display["hunks"],
        json!([
            {"oldStart": 2, "newStart": 2, "removed": "two", "added": "2 3"},
            {"oldStart": 4, "newStart": 4, "removed": "two", "added": "2 3"},
        ])
    );
    let (_, text) = desk.refused("workspace.apply_patch", patch("2 3", "x", false));
    assert_eq!(
        text,
        "`old_string` occurs 2 times in output/x.md. Include more surrounding text, or set replace_all to true."
    );
}

#[test]
fn hints_say_how_the_text_differs() {
    let mut desk = desk(Known::Whole, Since::Same);
    let hints = [
        ("1 | one", "line numbers"),
        ("  one", "indentation"),
        ("one\nnothing", "the lines after it differ"),
        ("nothing", "Read the file again with workspace_read_file"),
    ];
    for (old, hint) in hints {
        let (code, text) = desk.refused("workspace.apply_patch", patch(old, "x", false));
        assert_eq!(code, Code::WorkspacePatchOldStringNotFound);
        assert!(text.contains(hint), "{text}");
    }
}

#[test]
fn a_patch_cannot_blow_up_a_file() {
    // Known whole because it was written here.
    let mut desk = Desk::new(&[]);
    desk.call("workspace.write_file", json!({"path": PLACE, "content": "a".repeat(1_000_000)}));
    let (code, _) = desk.refused("workspace.apply_patch", patch("a", &"b".repeat(1_000_000), true));
    assert_eq!(code, Code::WorkspaceFileTooLarge);
}

#[test]
fn a_directory_in_place_of_the_file() {
    let mut desk = desk(Known::Whole, Since::Gone);
    desk.put("output/x.md/inner", b"x");
    assert_eq!(
        desk.refused("workspace.apply_patch", patch("one", "1", false)).0,
        Code::WorkspacePathIsDirectory
    );
}
