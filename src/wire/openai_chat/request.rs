//! A request to chat completions (WR-22, WR-23).

use serde_json::{Map, Value};

use crate::arguments::{decode, replay};
use crate::protocol::{Call, Mutant, Wire};
use crate::wire::ids::{wire_id, wire_name};
use crate::wire::{Assistant, Choice, Codec, Entry, ResultView, Tool, object, results};

/// Longest id of a call.
const ID_CHARS: usize = 64;

/// The body of a request.
pub(crate) fn request(messages: Vec<Value>, tools: &[Value], choice: &Choice) -> Map<String, Value> {
    let mut body = Map::new();
    body.insert("messages".into(), Value::Array(messages));
    if tools.is_empty() {
        return body;
    }
    body.insert("tools".into(), Value::Array(tools.to_vec()));
    let choice = choice
        .plain(|name| object([("type", "function".into()), ("function", object([("name", name.into())]))]));
    body.insert("tool_choice".into(), choice);
    body
}

/// The tools of a request.
pub(crate) fn tools(tools: &[Tool]) -> Vec<Value> {
    let entry = |tool: &Tool| {
        let function = object([
            ("name", tool.name.as_str().into()),
            ("description", tool.description.as_str().into()),
            ("parameters", projected(&tool.input_schema)),
        ]);
        object([("type", "function".into()), ("function", function)])
    };
    tools.iter().map(entry).collect()
}

/// The schema as it is sent: without `$schema`, and with `properties`.
fn projected(schema: &Value) -> Value {
    let empty = || object([]);
    let Value::Object(members) = schema else {
        return object([("type", "object".into()), ("properties", empty())]);
    };
    let mut sent: Map<String, Value> =
        members.iter().filter(|(name, _)| *name != "$schema").map(|(n, v)| (n.clone(), v.clone())).collect();
    sent.entry("properties").or_insert_with(empty);
    Value::Object(sent)
}

/// The messages of entries of history. A message without text is not sent (WR-07).
pub(crate) fn messages(entries: &[Entry]) -> Vec<Value> {
    let mut messages = Vec::new();
    for entry in entries {
        match entry {
            Entry::System(text) if !text.is_empty() => messages.push(message("system", text.as_str().into())),
            Entry::User(text) if !text.is_empty() => messages.push(message("user", text.as_str().into())),
            Entry::System(_) | Entry::User(_) => {}
            Entry::Assistant(said) => messages.extend(assistant(said)),
            Entry::Results(results) => {
                messages.extend(results.iter().map(result));
                messages.extend(image_carrier(results));
            }
        }
    }
    messages
}

fn message(role: &str, content: Value) -> Value {
    object([("role", role.into()), ("content", content)])
}

fn assistant(said: &Assistant) -> Option<Value> {
    if said.text.is_empty() && said.calls.is_empty() {
        return None;
    }
    let state = said.provider_state.as_ref().filter(|state| state.codec == Codec::OpenaiChat);
    let state = state.map(|state| &state.items);
    let mut message = Map::new();
    message.insert("role".into(), "assistant".into());
    let content = if said.text.is_empty() { Value::Null } else { said.text.as_str().into() };
    message.insert("content".into(), content);
    message.extend(members(state.and_then(|state| state.get("message"))));
    if !said.calls.is_empty() {
        let states = state.and_then(|state| state.get("calls"));
        let entry = |(index, sent): (usize, &Call)| call(sent, states.and_then(|states| states.get(index)));
        message.insert("tool_calls".into(), said.calls.iter().enumerate().map(entry).collect());
    }
    Some(Value::Object(message))
}

fn call(call: &Call, state: Option<&Value>) -> Value {
    let mut arguments = Value::Object(replay(decode(&call.arguments)));
    if let (true, Wire::Text(text)) = (Mutant::BrokenReplayed.is_on(), &call.arguments) {
        arguments = Value::String(text.clone());
    }
    let function =
        object([("name", wire_name(&call.name).into()), ("arguments", arguments.to_string().into())]);
    let id = wire_id(&call.call_id, call.provider_id.as_deref(), fits);
    let mut entry = object([("id", id.into()), ("type", "function".into()), ("function", function)]);
    if let Value::Object(entry) = &mut entry {
        entry.extend(members(state));
    }
    entry
}

fn members(object: Option<&Value>) -> Map<String, Value> {
    object.and_then(Value::as_object).cloned().unwrap_or_default()
}

fn result(result: &ResultView) -> Value {
    let id = wire_id(&result.call_id, result.provider_id.as_deref(), fits);
    object([("role", "tool".into()), ("tool_call_id", id.into()), ("content", result_text(result).into())])
}

/// What stands in the tool message; an error says so (WR-08).
fn result_text(result: &ResultView) -> String {
    let text = results::text(result);
    match (result.is_error, result.code) {
        (false, _) => text,
        (true, Some(code)) => format!("Error ({code}):\n{text}"),
        (true, None) => format!("Error:\n{text}"),
    }
}

/// The images of a batch: one user message after all its results.
fn image_carrier(results: &[ResultView]) -> Option<Value> {
    let image = |mime_type: &str, base64: &str| {
        let url = format!("data:{mime_type};base64,{base64}");
        object([("type", "image_url".into()), ("image_url", object([("url", url.into())]))])
    };
    let content = results::images(results, |_| true, image);
    (!content.is_empty()).then(|| message("user", content.into()))
}

fn fits(id: &str) -> bool {
    !id.is_empty() && id.chars().count() <= ID_CHARS
}
