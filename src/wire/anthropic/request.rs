//! A request to the messages API (WR-42 to WR-44).

use serde_json::Value;

use super::properties::{rename, renamed};
use super::reply::CALL;
use crate::arguments::{decode, replay};
use crate::protocol::{Call, FactsWriter};
use crate::wire::blocks::{self, kind};
use crate::wire::ids::{wire_id, wire_name};
use crate::wire::message::list;
use crate::wire::{
    Assistant, Choice, Codec, Entry, Message, Request, ResultPart, ResultView, Tool, object, results,
};

/// Combinations that the root of a schema may not have, and how they are told.
const COMBINATIONS: [(&str, &str); 3] =
    [("oneOf", "exactly one"), ("anyOf", "at least one"), ("allOf", "each")];

/// The body of a request. System messages are a member of their own, and neighbours of one role are one message.
pub(crate) fn request(messages: Vec<Message>, tools: &[Value], choice: &Choice) -> Request {
    let mut system: Option<Message> = None;
    let mut sent: Vec<Message> = Vec::new();
    for message in messages {
        let is_system = message.role() == "system";
        let before = if is_system { system.as_mut() } else { sent.last_mut() };
        match before.filter(|before| before.role() == message.role()) {
            Some(before) => before.append(&message),
            None if is_system => system = Some(message),
            None => sent.push(message),
        }
    }
    let mut body = FactsWriter::default();
    if let Some(system) = system {
        body.text("system", &format!("[{}]", system.blocks()));
    }
    body.text("messages", &list(&sent));
    let messages = sent.len();
    if tools.is_empty() {
        return Request { body, messages };
    }
    body.member("tools", tools);
    let choice = match choice {
        Choice::None => object([("type", "none".into())]),
        Choice::Auto => object([("type", "auto".into())]),
        Choice::Required => object([("type", "any".into())]),
        Choice::Specific(name) => object([("type", "tool".into()), ("name", name.as_str().into())]),
    };
    body.member("tool_choice", &choice);
    Request { body, messages }
}

/// The tools of a request.
pub(crate) fn tools(tools: &[Tool]) -> Vec<Value> {
    tools.iter().map(tool).collect()
}

fn tool(tool: &Tool) -> Value {
    let mut description = tool.description.clone();
    let mut schema = tool.input_schema.as_object().cloned().unwrap_or_default();
    for (keyword, words) in COMBINATIONS {
        if let Some(schemas) = schema.shift_remove(keyword) {
            description += &format!("\n\nThe arguments must match {words} of these JSON schemas: {schemas}");
        }
    }
    let names = renamed(&tool.input_schema);
    if let (Some(Value::Object(properties)), false) = (schema.get_mut("properties"), names.is_empty()) {
        *properties = rename(properties, &names);
    }
    for required in schema.get_mut("required").and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some(sent) = required.as_str().and_then(|own| names.get(own)) {
            *required = sent.clone();
        }
    }
    schema.insert("type".into(), "object".into());
    object([
        ("name", tool.name.as_str().into()),
        ("description", description.into()),
        ("input_schema", schema.into()),
    ])
}

/// The messages of entries of history, one for each that has content. [`request`] joins neighbours.
pub(crate) fn messages(entries: &[Entry]) -> Vec<Message> {
    let message = |entry: &Entry| {
        let (role, content) = match entry {
            Entry::System(text) => ("system", blocks::text(text).into_iter().collect()),
            Entry::User(text) => ("user", blocks::text(text).into_iter().collect()),
            Entry::Assistant(said) => ("assistant", said_blocks(said)),
            Entry::Results(results) => ("user", result_blocks(results)),
        };
        Message::of_blocks(role, "content", &content)
    };
    entries.iter().filter_map(message).collect()
}

fn said_blocks(said: &Assistant) -> Vec<Value> {
    let mut content = blocks::of(said, Codec::Anthropic, call);
    // A message must not end with thinking.
    while content.last().is_some_and(|last| matches!(kind(last), Some("thinking" | "redacted_thinking"))) {
        content.pop();
    }
    content
}

fn call(call: &Call) -> Value {
    object([
        ("type", CALL.into()),
        ("id", wire_id(&call.call_id, call.provider_id.as_deref(), fits).into()),
        ("name", wire_name(&call.name).into()),
        ("input", replay(decode(&call.arguments)).into()),
    ])
}

/// The results of a batch, then the images of those that failed: beside an error there may only be text.
fn result_blocks(results: &[ResultView]) -> Vec<Value> {
    let mut content: Vec<Value> = results.iter().map(result).collect();
    content.extend(results::images(results, |result| result.is_error, image));
    content
}

fn result(result: &ResultView) -> Value {
    let part = |part: &ResultPart| match part {
        ResultPart::Text(text) | ResultPart::OmittedImage(text) => blocks::text(text),
        ResultPart::Image { mime_type, base64, .. } => Some(image(mime_type, base64)),
    };
    let has_image = result.parts.iter().any(|part| matches!(part, ResultPart::Image { .. }));
    let content: Value = match has_image && !result.is_error {
        true => result.parts.iter().filter_map(part).collect(),
        false => results::text(result).into(),
    };
    let mut block = object([
        ("type", "tool_result".into()),
        ("tool_use_id", wire_id(&result.call_id, result.provider_id.as_deref(), fits).into()),
        ("content", content),
    ]);
    if let (Value::Object(block), true) = (&mut block, result.is_error) {
        block.insert("is_error".into(), true.into());
    }
    block
}

fn image(mime_type: &str, base64: &str) -> Value {
    let source =
        object([("type", "base64".into()), ("media_type", mime_type.into()), ("data", base64.into())]);
    object([("type", "image".into()), ("source", source)])
}

fn fits(id: &str) -> bool {
    !id.is_empty() && id.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
}
