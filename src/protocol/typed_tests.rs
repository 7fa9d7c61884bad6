use proptest::prelude::*;
use serde::de::value::Error;
use serde_json::{Map, Value, json};

use super::super::{Command, Fields, from_tree};
use super::command;

/// Where the commands and their members are declared.
const DECLARED: &str = include_str!("command.rs");

fn kinds() -> Vec<&'static str> {
    DECLARED
        .lines()
        .filter_map(|line| line.trim().strip_prefix("#[serde(rename = \"")?.strip_suffix("\")]"))
        .collect()
}

fn derived(kind: &str, members: &Map<String, Value>) -> Result<Command, Error> {
    from_tree(json!({kind: members}))
}

/// Names of members, most of them of some command.
fn name() -> impl Strategy<Value = String> {
    let names: Vec<String> = DECLARED
        .lines()
        .filter_map(|line| {
            let (name, _) = line.trim().trim_start_matches("pub ").split_once(": ")?;
            name.chars().all(|c| c.is_ascii_lowercase() || c == '_').then(|| camel(name))
        })
        .collect();
    prop::sample::select(names)
}

fn camel(name: &str) -> String {
    let mut upper = false;
    let letters = name.chars().filter_map(|c| match c {
        '_' => {
            upper = true;
            None
        }
        c if std::mem::take(&mut upper) => Some(c.to_ascii_uppercase()),
        c => Some(c),
    });
    letters.collect()
}

fn value() -> impl Strategy<Value = Value> {
    let values = [
        json!(null),
        json!(true),
        json!("text"),
        json!("chat"),
        json!("all"),
        json!(7),
        json!(-1),
        json!([]),
        json!(["a"]),
        json!([{"role": "user", "text": "a"}]),
        json!({}),
        json!({"a": "b"}),
        json!({"images": true}),
    ];
    prop::sample::select(values.to_vec())
}

/// Members of every command, each with a value that fits.
fn all() -> Map<String, Value> {
    let all = json!({
        "tools": [], "strict": true, "toolId": "a", "enabled": true, "toolIds": ["a"], "context": "chat",
        "profile": {}, "id": "a", "runId": "r", "callId": "c", "sessionId": "s", "invocationId": "i", "name": "n",
        "startedAt": 1, "path": "p", "text": "t", "blob": "b", "events": "run", "acceptUnknown": true,
        "driven": true, "rules": [], "hooks": [], "mode": "m", "afterSeq": 1, "beforeSeq": 2, "limit": 3,
        "seed": "s", "scenario": "session", "promptMessages": [], "messages": [{"role": "user", "text": "a"}],
        "model": 1, "capabilities": {"images": true}, "files": {"a": "b"}, "toolChoice": 1, "subject": 1,
        "canPrompt": true, "unattended": true, "route": "r", "platform": "p", "target": 1,
    });
    serde_json::from_value(all).unwrap()
}

#[test]
fn every_member_is_read_as_it_is_derived() {
    for kind in kinds() {
        let mut members = all();
        let known = |name: &str| {
            !derived(kind, &Map::from_iter([(name.to_owned(), Value::Null)]))
                .is_err_and(|error| error.to_string().starts_with("unknown field"))
        };
        members.retain(|name, _| known(name));
        let read = command(kind, Fields::new(members.clone()));
        assert!(read.is_ok(), "{kind}: {read:?}");
        assert_eq!(read, derived(kind, &members));
        for name in all().keys() {
            let mut fewer = members.clone();
            fewer.shift_remove(name);
            assert_eq!(
                command(kind, Fields::new(fewer.clone())),
                derived(kind, &fewer),
                "{kind} without {name}"
            );
        }
    }
}

#[test]
fn an_unknown_kind_is_told_all() {
    assert_eq!(command("other", Fields::new(Map::new())), derived("other", &Map::new()));
}

proptest! {
    #[test]
    fn what_is_wrong_is_told_as_it_is_derived(
        kind in prop::sample::select(kinds()),
        members in prop::collection::vec((name(), value()), 0..6),
    ) {
        let members: Map<String, Value> = members.into_iter().collect();
        prop_assert_eq!(command(kind, Fields::new(members.clone())), derived(kind, &members));
    }
}
