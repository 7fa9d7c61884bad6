use std::sync::Arc;

use serde_json::{Value, json};

use super::*;
use crate::protocol::{SortedSet, Wire};

fn snapshot(id: &str, tools: &[(&str, &str, &str)]) -> Snapshot {
    let bindings: Vec<Value> = tools
        .iter()
        .map(|(id, alias, exposure)| json!({"descriptor": {"id": id}, "modelAlias": alias, "exposure": exposure}))
        .collect();
    Snapshot::decode(&json!({"schemaVersion": 1, "id": id, "bindings": bindings})).unwrap()
}

fn sample() -> Snapshot {
    snapshot(
        "s",
        &[
            ("builtin:dice.roll", "dice_roll", "resident"),
            ("builtin:tool.search", "tool_search", "resident"),
            ("extension/e:get_data", "get_data", "resident"),
            ("extension/e:get_date", "get_date", "deferred"),
            ("extension/e:get_dots", "get_dots", "hidden"),
            ("builtin:workspace.finish", "workspace_finish", "resident"),
        ],
    )
}

fn id(text: &str) -> ToolId {
    ToolId::parse(text).unwrap()
}

/// A step that offers these tools, by alias.
fn turn(snapshot: &Snapshot, aliases: &[&str], choice: Choice) -> Turn {
    let tools = aliases.iter().map(|alias| snapshot.resolve(alias).unwrap().id().clone()).collect();
    Turn::new(snapshot, tools, choice).unwrap()
}

fn usual(snapshot: &Snapshot) -> Turn {
    turn(snapshot, &["dice_roll", "tool_search", "get_data", "workspace_finish"], Choice::Auto)
}

fn call(name: &str) -> Arc<Call> {
    Arc::new(Call {
        call_id: "c1".into(),
        provider_id: None,
        name: name.into(),
        arguments: Wire::Absent,
        cut: false,
    })
}

/// The code and the text of a refusal.
fn refused(turn: &Turn, snapshot: &Snapshot, name: &str) -> (Code, String) {
    match find(turn, snapshot, &call(name)) {
        Err(Miss::Refused(refusal, _)) => (refusal.code, refusal.message),
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
fn a_call_of_a_tool_that_is_offered_is_found() {
    let snapshot = sample();
    let call = call("functions.get_data");
    let turn = usual(&snapshot);
    let found = find(&turn, &snapshot, &call).unwrap();
    assert_eq!(found.binding().id(), &id("extension/e:get_data"));
    assert_eq!(found.call(), &*call);
}

#[test]
fn a_step_of_another_snapshot_is_fatal_whatever_is_called() {
    let (ours, other) = (sample(), snapshot("t", &[]));
    for name in ["dice_roll", "nothing"] {
        let Err(Miss::Fatal(fault)) = find(&usual(&ours), &other, &call(name)) else { panic!("not fatal") };
        assert_eq!(fault.code, Code::ToolTurnSnapshotMismatch);
    }
}

#[test]
fn the_first_check_that_hits_decides() {
    let snapshot = sample();
    let none = turn(&snapshot, &["dice_roll"], Choice::None);
    let (unknown, denied) = (Code::ModelUnknownToolCall, Code::AgentToolDenied);
    let (not_loaded, choice) = (Code::ToolNotLoaded, Code::ModelToolChoiceViolation);
    for (name, wanted) in [
        ("get_nothing", unknown),
        ("get_dots", denied),
        ("tool_search", denied),
        ("get_date", not_loaded),
        ("dice_roll", choice),
    ] {
        assert_eq!(refused(&none, &snapshot, name).0, wanted, "{name}");
    }
    let off = SortedSet::from_iter([id("builtin:dice.roll"), id("extension/e:get_date")]);
    let off = usual(&snapshot).with_off(off);
    assert_eq!(refused(&off, &snapshot, "dice_roll").0, denied);
    assert_eq!(refused(&off, &snapshot, "get_date").0, denied);
}

#[test]
fn a_refusal_tells_which_tool_was_named() {
    let snapshot = sample();
    let miss = find(&usual(&snapshot), &snapshot, &call("get_date")).unwrap_err();
    let Miss::Refused(_, Some(named)) = miss else { panic!("{miss:?}") };
    assert_eq!(named, id("extension/e:get_date"));
    let miss = find(&usual(&snapshot), &snapshot, &call("x")).unwrap_err();
    assert!(matches!(miss, Miss::Refused(_, None)));
}

#[test]
fn a_loaded_tool_is_called_like_any_other() {
    let snapshot = sample();
    let loaded = turn(&snapshot, &["get_date"], Choice::Auto);
    find(&loaded, &snapshot, &call("get_date")).unwrap();
    let required = turn(&snapshot, &["get_date"], Choice::Required);
    find(&required, &snapshot, &call("get_date")).unwrap();
}

#[test]
fn how_to_load_depends_on_what_is_bound() {
    let deferred = ("extension/e:x-y", "x-y", "deferred");
    let loader = |native: &str, alias: &str| {
        let id = format!("builtin:{native}");
        let snapshot = snapshot("s", &[deferred, (&id, alias, "resident")]);
        refused(&turn(&snapshot, &[alias], Choice::Auto), &snapshot, "x-y").1
    };
    assert!(loader("tool.search", "tool_search").contains("`tool_search` with the query `select:x-y`"));
    assert!(loader("tool.run_code", "tool_run_code").contains("`tools[\"x-y\"]`"));
    let alone = loader("dice.roll", "dice_roll");
    assert!(!alone.contains('`'), "{alone}");
}

#[test]
fn a_tool_choice_says_what_may_be_called() {
    let snapshot = sample();
    let only = Choice::Specific(id("builtin:dice.roll"));
    let only = turn(&snapshot, &["dice_roll", "get_data"], only);
    find(&only, &snapshot, &call("dice_roll")).unwrap();
    assert!(refused(&only, &snapshot, "get_data").1.contains("`dice_roll`"));
    let none = turn(&snapshot, &["dice_roll"], Choice::None);
    assert!(!refused(&none, &snapshot, "dice_roll").1.contains('`'));
}

#[test]
fn an_unknown_name_is_answered_with_those_that_exist() {
    let snapshot = sample();
    let turn = usual(&snapshot);
    let text = |name: &str| refused(&turn, &snapshot, name).1;
    assert_eq!(
        text("get_dat"),
        "There is no tool named `get_dat`. Did you mean `get_data`, `get_date`? \
         Available: `dice_roll`, `tool_search`, `workspace_finish`."
    );
    assert_eq!(
        text("weather"),
        "There is no tool named `weather`. Available: `dice_roll`, `tool_search`, `get_data`, `get_date`, \
         `workspace_finish`."
    );
    // Hidden tools and those that are not offered are not named.
    let few = Turn::new(&snapshot, vec![id("builtin:dice.roll")], Choice::Auto).unwrap();
    assert_eq!(
        refused(&few, &snapshot, "get_dot").1,
        "There is no tool named `get_dot`. Did you mean `get_date`? Available: `dice_roll`."
    );
    let bare = snapshot_without_tools();
    let nothing = Turn::new(&bare, Vec::new(), Choice::Auto).unwrap();
    assert_eq!(
        refused(&nothing, &bare, "x").1,
        "There is no tool named `x`. No tool is available now; answer with text."
    );
}

fn snapshot_without_tools() -> Snapshot {
    snapshot("s", &[])
}

#[test]
fn foreign_names_are_repeated_with_care() {
    let snapshot = sample();
    let turn = usual(&snapshot);
    let text = |name: &str| refused(&turn, &snapshot, name).1;
    for name in
        ["", "  ", "builtin:x", "mcp/r:x", "extension/e:x", "workspace.delete", "functions.workspace.delete"]
    {
        assert!(text(name).starts_with("There is no tool of that name."), "{name:?}: {}", text(name));
    }
    assert!(text("a`b\nc").contains("`a b c`"));
    assert!(text("weather.get").contains("`weather.get`"));
    let long = text(&"é".repeat(1_000_000));
    assert!(long.contains(&format!("`{}…`", "é".repeat(64))) && long.len() < 1_000);
}

#[test]
fn at_most_fifty_names_are_offered_and_the_rest_is_counted() {
    let tools: Vec<(String, String)> =
        (0..60).map(|n| (format!("extension/e:t{n:02}"), format!("t{n:02}"))).collect();
    let list: Vec<_> = tools.iter().map(|(id, alias)| (id.as_str(), alias.as_str(), "resident")).collect();
    let aliases: Vec<&str> = tools.iter().map(|(_, alias)| alias.as_str()).collect();
    let snapshot = snapshot("s", &list);
    let turn = turn(&snapshot, &aliases, Choice::Auto);
    let near = refused(&turn, &snapshot, "t599").1;
    assert!(near.contains("Did you mean `t59`, `t09`, `t19`? Available: `t00`,"), "{near}");
    assert!(near.ends_with("`t48` and 10 more."), "{near}");
    assert_eq!(near.matches("`t").count(), 1 + 50);
    let far = refused(&turn, &snapshot, "something").1;
    assert!(far.ends_with("`t49` and 10 more."), "{far}");
    assert_eq!(far.matches("`t").count(), 50);
}

#[test]
fn only_completion_tools_have_a_place() {
    let snapshot = sample();
    let turn = usual(&snapshot);
    let place = |name: &str, is_last| {
        let call = call(name);
        misplaced(&find(&turn, &snapshot, &call).unwrap(), is_last).map(|refusal| refusal.code)
    };
    assert_eq!(place("workspace_finish", true), None);
    assert_eq!(place("workspace_finish", false), Some(Code::AgentToolAfterFinish));
    assert_eq!(place("dice_roll", false), None);
    assert_eq!(place("get_data", false), None);
}
