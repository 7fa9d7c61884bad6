//! A request to chat completions (WR-22, WR-23).

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::arguments::replayed;
use crate::protocol::{Call, FactsWriter, JsonText, Mutant, Wire};
use crate::wire::ids::{wire_id, wire_name};
use crate::wire::message::list;
use crate::wire::{Assistant, Choice, Codec, Entry, Message, Request, ResultView, Tool, object, results};

/// Longest id of a call.
const ID_CHARS: usize = 64;
/// Bytes that a call or a message mostly needs beside its text.
const ROOM: usize = 160;

/// The body of a request.
pub(crate) fn request(messages: Vec<Message>, tools: &[Value], choice: &Choice) -> Request {
    let mut body = FactsWriter::default();
    body.text("messages", &list(&messages));
    let messages = messages.len();
    if tools.is_empty() {
        return Request { body, messages };
    }
    body.member("tools", tools);
    let choice = choice
        .plain(|name| object([("type", "function".into()), ("function", object([("name", name.into())]))]));
    body.member("tool_choice", &choice);
    Request { body, messages }
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
pub(crate) fn messages(entries: &[Entry]) -> Vec<Message> {
    let mut messages = Vec::new();
    for entry in entries {
        match entry {
            Entry::System(text) => messages.extend(message("system", text)),
            Entry::User(text) => messages.extend(message("user", text)),
            Entry::Assistant(said) => messages.extend(assistant(said)),
            Entry::Results(results) => {
                messages.extend(results.iter().map(result));
                messages.extend(image_carrier(results));
            }
        }
    }
    messages
}

fn message(role: &'static str, text: &str) -> Option<Message> {
    if text.is_empty() {
        return None;
    }
    let mut json = JsonText::with_capacity(text.len() + ROOM);
    json.piece("{\"role\":").string(role).piece(",\"content\":").string(text).piece("}");
    Some(Message::new(role, json))
}

fn assistant(said: &Assistant) -> Option<Message> {
    if said.text.is_empty() && said.calls.is_empty() {
        return None;
    }
    let state = said.provider_state.as_ref().filter(|state| state.codec == Codec::OpenaiChat);
    let state = state.map(|state| &state.items);
    let mut json = JsonText::with_capacity(said.text.len() + ROOM * (said.calls.len() + 1));
    json.piece("{\"role\":\"assistant\",\"content\":");
    match said.text.as_str() {
        "" => json.piece("null"),
        text => json.string(text),
    };
    members(&mut json, state.and_then(|state| state.get("message")));
    let states = state.and_then(|state| state.get("calls"));
    for (index, sent) in said.calls.iter().enumerate() {
        json.piece(if index == 0 { ",\"tool_calls\":[" } else { "," });
        call(&mut json, sent, states.and_then(|states| states.get(index)));
    }
    json.piece(if said.calls.is_empty() { "}" } else { "]}" });
    Some(Message::new("assistant", json))
}

fn call(json: &mut JsonText, call: &Call, state: Option<&Value>) {
    let mut arguments = replayed(&call.arguments);
    if let (true, Wire::Text(text)) = (Mutant::BrokenReplayed.is_on(), &call.arguments) {
        arguments = Value::from(text.as_str()).to_string().into();
    }
    json.piece("{\"id\":").string(&wire_id(&call.call_id, call.provider_id.as_deref(), fits));
    json.piece(",\"type\":\"function\",\"function\":{\"name\":").string(&wire_name(&call.name));
    json.piece(",\"arguments\":").string(&arguments).piece("}");
    members(json, state);
    json.piece("}");
}

/// Adds the members of an object to one that has some already, and none of these.
fn members(json: &mut JsonText, object: Option<&Value>) {
    for (name, value) in object.and_then(Value::as_object).into_iter().flatten() {
        json.piece(",").string(name).piece(":").value(value);
    }
}

fn result(result: &ResultView) -> Message {
    let text = result_text(result);
    let mut json = JsonText::with_capacity(text.len() + ROOM);
    json.piece("{\"role\":\"tool\",\"tool_call_id\":");
    json.string(&wire_id(&result.call_id, result.provider_id.as_deref(), fits));
    json.piece(",\"content\":").string(&text).piece("}");
    Message::new("tool", json)
}

/// What stands in the tool message; an error says so (WR-08).
fn result_text<'a>(result: &'a ResultView) -> Cow<'a, str> {
    let text = results::text(result);
    match (result.is_error, result.code) {
        (false, _) => text,
        (true, Some(code)) => format!("Error ({code}):\n{text}").into(),
        (true, None) => format!("Error:\n{text}").into(),
    }
}

/// The images of a batch: one user message after all its results.
fn image_carrier(results: &[ResultView]) -> Option<Message> {
    let image = |mime_type: &str, base64: &str| {
        let url = format!("data:{mime_type};base64,{base64}");
        object([("type", "image_url".into()), ("image_url", object([("url", url.into())]))])
    };
    Message::of_blocks("user", "content", &results::images(results, |_| true, image))
}

fn fits(id: &str) -> bool {
    !id.is_empty() && (id.len() <= ID_CHARS || id.chars().count() <= ID_CHARS)
}
