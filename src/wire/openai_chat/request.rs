//! A request to chat completions (WR-22, WR-23).

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use crate::arguments::{decode, replay};
use crate::identity::{extension_call_name, is_call_name};
use crate::protocol::{Call, EMPTY_TEXT};
use crate::wire::ids::wire_id;
use crate::wire::{Assistant, Choice, Codec, Entry, ResultPart, ResultView, Tool};

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
    let choice = match choice {
        Choice::None => json!("none"),
        Choice::Auto => json!("auto"),
        Choice::Required => json!("required"),
        Choice::Specific(name) => json!({"type": "function", "function": {"name": name}}),
    };
    body.insert("tool_choice".into(), choice);
    body
}

/// The tools of a request.
pub(crate) fn tools(tools: &[Tool]) -> Vec<Value> {
    let entry = |tool: &Tool| {
        json!({
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                "parameters": projected(&tool.input_schema),
            },
        })
    };
    tools.iter().map(entry).collect()
}

/// The schema as it is sent: without `$schema`, and with `properties`.
fn projected(schema: &Value) -> Value {
    let Value::Object(members) = schema else { return json!({"type": "object", "properties": {}}) };
    let mut sent: Map<String, Value> =
        members.iter().filter(|(name, _)| *name != "$schema").map(|(n, v)| (n.clone(), v.clone())).collect();
    sent.entry("properties").or_insert_with(|| json!({}));
    Value::Object(sent)
}

/// The messages of entries of history. A message without text is not sent (WR-07).
pub(crate) fn messages(entries: &[Entry]) -> Vec<Value> {
    let mut messages = Vec::new();
    for entry in entries {
        match entry {
            Entry::System(text) if !text.is_empty() => {
                messages.push(json!({"role": "system", "content": text}))
            }
            Entry::User(text) if !text.is_empty() => messages.push(json!({"role": "user", "content": text})),
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

fn assistant(said: &Assistant) -> Option<Value> {
    if said.text.is_empty() && said.calls.is_empty() {
        return None;
    }
    let state = said.provider_state.as_ref().filter(|state| state.codec == Codec::OpenaiChat);
    let state = state.map(|state| &state.items);
    let mut message = Map::new();
    message.insert("role".into(), json!("assistant"));
    let content = if said.text.is_empty() { Value::Null } else { json!(said.text) };
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
    let arguments = Value::Object(replay(&decode(&call.arguments)));
    let mut entry = Map::new();
    entry.insert("id".into(), json!(wire_id(&call.call_id, call.provider_id.as_deref(), fits)));
    entry.insert("type".into(), json!("function"));
    entry.insert(
        "function".into(),
        json!({"name": wire_name(&call.name), "arguments": arguments.to_string()}),
    );
    entry.extend(members(state));
    Value::Object(entry)
}

fn members(object: Option<&Value>) -> Map<String, Value> {
    object.and_then(Value::as_object).cloned().unwrap_or_default()
}

fn result(result: &ResultView) -> Value {
    let id = wire_id(&result.call_id, result.provider_id.as_deref(), fits);
    json!({"role": "tool", "tool_call_id": id, "content": result_text(result)})
}

/// What stands in the tool message: images are only announced there, and an error says so (WR-08).
fn result_text(result: &ResultView) -> String {
    let mut images = 0;
    let mut pieces: Vec<Cow<'_, str>> = Vec::new();
    for part in &result.parts {
        match part {
            ResultPart::Text(text) | ResultPart::OmittedImage(text) => pieces.push(text.into()),
            ResultPart::Image { .. } => {
                images += 1;
                pieces.push(format!("[Image {images} of this result: image attached below.]").into());
            }
        }
    }
    pieces.retain(|piece| !piece.is_empty());
    let text = if pieces.is_empty() { EMPTY_TEXT.to_owned() } else { pieces.join("\n\n") };
    match (result.is_error, result.code) {
        (false, _) => text,
        (true, Some(code)) => format!("Error ({code}):\n{text}"),
        (true, None) => format!("Error:\n{text}"),
    }
}

/// The images of a batch: one user message after all its results.
fn image_carrier(results: &[ResultView]) -> Option<Value> {
    let mut content = Vec::new();
    for (place, result) in results.iter().enumerate() {
        let mut images = 0;
        for part in &result.parts {
            let ResultPart::Image { mime_type, base64 } = part else { continue };
            images += 1;
            let name = &result.name;
            let caption = format!("Image {images} of the result of call {}, `{name}`:", place + 1);
            content.push(json!({"type": "text", "text": caption}));
            let url = format!("data:{mime_type};base64,{base64}");
            content.push(json!({"type": "image_url", "image_url": {"url": url}}));
        }
    }
    (!content.is_empty()).then(|| json!({"role": "user", "content": content}))
}

fn fits(id: &str) -> bool {
    !id.is_empty() && id.chars().count() <= ID_CHARS
}

/// The name of a call of history: as recorded (WR-03). A name that no tool can have came from the model and resolved
/// to nothing; the provider would refuse the whole request for it.
fn wire_name(name: &str) -> Cow<'_, str> {
    if is_call_name(name) {
        return Cow::Borrowed(name);
    }
    if name.is_empty() { Cow::Borrowed("unnamed") } else { Cow::Owned(extension_call_name(name)) }
}
