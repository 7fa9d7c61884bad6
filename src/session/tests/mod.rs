mod batch;
mod inputs;
mod permission;
mod port;
mod properties;
mod runs;
mod scene;
mod script;
mod snapshot;
mod verdicts;
mod watch;
mod world;

use std::path::Path;

use serde_json::{Value, json};

use super::{Session, drive};
use crate::protocol::{Class, Effect, Event, Facts, Input, Output, Payload, Receipt, ReceiptOutcome};

fn command(value: Value) -> Input {
    serde_json::from_value(json!({"command": value})).unwrap()
}

fn receipt(effect: &Effect, outcome: ReceiptOutcome, payload: Value) -> Receipt {
    Receipt {
        effect_id: effect.effect_id.clone(),
        outcome,
        payload: Some(payload),
        error: None,
        stopped: false,
        discarded: None,
    }
}

fn weather() -> Value {
    json!({"type": "registerTools", "tools": [{
        "extensionId": "weather", "name": "get_weather", "description": "Current weather of a city.",
        "inputSchema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    }]})
}

fn profile() -> Value {
    json!({
        "schemaVersion": 5, "kind": "handrail.agentProfile", "id": "p", "displayName": "P",
        "tools": {"allow": [
            "builtin:workspace.read_file", "builtin:workspace.write_file", "builtin:dice.roll",
            "extension/weather:get_weather",
        ]},
    })
}

fn reply(calls: Value) -> Value {
    json!({"reply": {"choices": [{"message": {"role": "assistant", "content": null, "tool_calls": calls},
        "finish_reason": "tool_calls"}]}})
}

fn call(id: &str, name: &str, arguments: &str) -> Value {
    json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}})
}

fn said(text: &str) -> Value {
    json!({"reply": {"choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}]}})
}

/// A host with a list of replies and a weather function.
fn host(mut replies: Vec<Value>) -> impl FnMut(&Effect) -> Option<Receipt> {
    replies.reverse();
    move |effect| match &effect.payload {
        Payload::ModelRequest { .. } => Some(receipt(effect, ReceiptOutcome::Ok, replies.pop()?)),
        Payload::ExtensionCall { args, .. } => {
            let value = json!({"city": args["city"], "celsius": 21});
            Some(receipt(effect, ReceiptOutcome::Ok, json!({"value": value})))
        }
        Payload::StoreAppend { .. } => Some(receipt(effect, ReceiptOutcome::Ok, json!({}))),
        _ => None,
    }
}

fn start(more: Value) -> Input {
    let mut start = json!({"type": "startRun", "scenario": "session", "seed": "s", "profile": profile(),
        "messages": [{"role": "user", "text": "Plan a picnic."}]});
    start.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap_or_default());
    command(start)
}

fn journal(output: &Output) -> Vec<String> {
    output
        .events
        .iter()
        .filter_map(|event| match event {
            Event::Journal(event) => Some(event.kind.to_string()),
            Event::Live(_) => None,
        })
        .collect()
}

/// The effects that wait for an answer.
fn effects(output: &Output) -> Vec<Effect> {
    let waits = |effect: &&Effect| !matches!(effect.class, Class::OneWay | Class::Storage);
    output.effects.iter().filter(waits).cloned().collect()
}

/// The facts of an event.
fn facts(payload: &Facts) -> Value {
    serde_json::from_str(payload.text()).unwrap()
}

/// The cases of a file of `tests/session`.
fn read_cases(file: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/session").join(file);
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn messages(effect: &Effect) -> Vec<Value> {
    match &effect.payload {
        Payload::ModelRequest { request, .. } => facts(request)["messages"].as_array().unwrap().clone(),
        _ => panic!("no model request"),
    }
}

#[test]
fn a_run_goes_through_every_room() {
    let mut session = Session::new();
    let mut requests = Vec::new();
    let mut perform = host(vec![
        reply(json!([
            call("a", "get_weather", "{\"city\":\"Oslo\",}"),
            call("b", "no_such_tool", "{}"),
            call("c", "workspace_write_file", "{\"path\":\"output/a.md\",\"content\":\"hi\"}"),
        ])),
        said("Done."),
    ]);
    let output = drive(&mut session, vec![command(weather()), start(json!({}))], 1_000, |effect| {
        if matches!(effect.payload, Payload::ModelRequest { .. }) {
            requests.push(messages(effect));
        }
        perform(effect)
    });
    assert!(output.replies.iter().all(|reply| reply.ok), "{:?}", output.replies);
    assert_eq!(requests.len(), 2);
    let second = &requests[1];
    assert_eq!(second.len(), 5);
    // The mended call goes back as an object, and every call has its result, in call order.
    assert_eq!(second[1]["tool_calls"][0]["function"]["arguments"], "{\"city\":\"Oslo\"}");
    let ids: Vec<&Value> = second[2..].iter().map(|message| &message["tool_call_id"]).collect();
    assert_eq!(ids, ["a", "b", "c"]);
    assert_eq!(second[2]["content"], "{\"city\":\"Oslo\",\"celsius\":21}");
    assert!(second[3]["content"].as_str().unwrap().starts_with("Error (model.unknown_tool_call):"));
    let kinds = journal(&output);
    assert_eq!(kinds.first().map(String::as_str), Some("run_created"));
    assert_eq!(kinds.last().map(String::as_str), Some("run_completed"));
    let read = session.step(vec![command(json!({"type": "workspace.read", "path": "output/a.md"}))], 1_000);
    assert_eq!(read.replies[0].value, Some(json!({"text": "hi"})));
}

#[test]
fn a_snapshot_taken_after_every_step_changes_nothing() {
    let inputs = || vec![command(weather()), start(json!({}))];
    let replies = || {
        let calls =
            (0..3).map(|n| call(&format!("c{n}"), "get_weather", "{\"city\":\"Oslo\"}")).collect::<Vec<_>>();
        vec![
            reply(json!([call(
                "w",
                "workspace_write_file",
                "{\"path\":\"output/a.md\",\"content\":\"hi\"}"
            )])),
            reply(Value::Array(calls)),
            reply(json!([call("d", "dice_roll", "{\"formula\":\"3d6\"}")])),
            said("Done."),
        ]
    };
    let run = |restore: bool| {
        let mut session = Session::new();
        let mut perform = host(replies());
        let mut texts = Vec::new();
        let mut next = inputs();
        while !next.is_empty() {
            if restore {
                session = restored(&mut session);
            }
            let output = session.step(std::mem::take(&mut next), 5);
            texts.push(serde_json::to_string(&output).unwrap());
            next.extend(output.effects.iter().filter_map(&mut perform).map(Input::Receipt));
        }
        texts
    };
    assert_eq!(run(false), run(true));
}

/// A new session from a snapshot and its blobs, which gives the same snapshot again.
fn restored(session: &mut Session) -> Session {
    let state = session.snapshot().unwrap();
    let mut fresh = Session::new();
    for digest in session.snapshot_blobs() {
        let bytes = session.blob(&digest).unwrap_or_else(|| panic!("{digest} is not there"));
        assert_eq!(fresh.put_blob(bytes.to_vec()), digest);
    }
    fresh.restore(&state).unwrap();
    assert_eq!(fresh.in_flight(), session.in_flight());
    assert_eq!(fresh.snapshot().unwrap(), state);
    fresh
}
