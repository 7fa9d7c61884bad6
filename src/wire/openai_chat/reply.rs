//! A reply of chat completions.

use serde_json::{Map, Value};

use crate::protocol::{Code, Wire};
use crate::wire::closed::{Closed, ClosedCall, End};
use crate::wire::{Codec, ModelFault, Reply, Usage, object};

/// Members of a message that go back verbatim: the reasoning that some servers want to see again (WR-14).
const MESSAGE_STATE: [&str; 3] = ["reasoning_content", "reasoning", "reasoning_details"];
/// The same of a call: signatures of the provider.
const CALL_STATE: [&str; 1] = ["extra_content"];

/// A whole reply (WR-20).
pub(crate) fn parse(body: &Value) -> Result<Reply, ModelFault> {
    read(body).map_err(|fault| fault.with_usage(body.get("usage").and_then(usage)))
}

fn read(body: &Value) -> Result<Reply, ModelFault> {
    let fault = |message: &str| ModelFault::new(Code::ModelInvalidToolCall, message);
    let choice = first_choice(body).ok_or_else(|| fault("The reply has no choices[0]."))?;
    let message = choice.get("message").and_then(Value::as_object);
    let message = message.ok_or_else(|| fault("The reply has no choices[0].message."))?;
    let entries = match message.get("tool_calls") {
        None | Some(Value::Null) => &[],
        Some(Value::Array(entries)) => entries.as_slice(),
        Some(_) => return Err(fault("The tool_calls of the reply are no list.")),
    };
    let refusal = message.get("refusal").and_then(Value::as_str).unwrap_or_default();
    let states: Vec<_> = entries.iter().map(call_state).collect();
    let closed = Closed {
        text: message.get("content").map(text_of).unwrap_or_default(),
        calls: entries.iter().map(call).collect(),
        end: end(choice.get("finish_reason").and_then(Value::as_str), refusal),
        state: state(message_state(message), states),
        usage: body.get("usage").and_then(usage),
    };
    closed.judge_in_order(Codec::OpenaiChat)
}

/// The choice that counts; more than one is never asked for.
pub(super) fn first_choice(body: &Value) -> Option<&Value> {
    let choices = body.get("choices")?.as_array()?;
    let is_first =
        |choice: &&Value| choice.get("index").is_none_or(|index| index.as_u64().is_none_or(|n| n == 0));
    choices.iter().find(is_first)
}

/// The text of a `content`: a string, or the text parts of a list.
pub(super) fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            parts.iter().filter_map(|part| part.get("text").and_then(Value::as_str)).collect()
        }
        _ => String::new(),
    }
}

pub(super) fn end(finish_reason: Option<&str>, refusal: &str) -> End {
    match finish_reason {
        Some("length") => End::Length,
        Some("content_filter") => End::Refused(refusal.to_owned()),
        _ if !refusal.is_empty() => End::Refused(refusal.to_owned()),
        _ => End::Natural,
    }
}

fn call(entry: &Value) -> ClosedCall {
    let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
    let function = entry.get("function");
    let arguments = match function.and_then(|function| function.get("arguments")) {
        None => Wire::Absent,
        Some(Value::String(text)) => Wire::Text(text.clone()),
        Some(other) => Wire::Json(other.clone()),
    };
    ClosedCall {
        id: text(entry.get("id")),
        name: text(function.and_then(|function| function.get("name"))),
        arguments,
        last: false,
    }
}

pub(super) fn message_state(message: &Map<String, Value>) -> Map<String, Value> {
    kept(message, &MESSAGE_STATE)
}

pub(super) fn call_state(entry: &Value) -> Map<String, Value> {
    entry.as_object().map(|entry| kept(entry, &CALL_STATE)).unwrap_or_default()
}

fn kept(from: &Map<String, Value>, names: &[&str]) -> Map<String, Value> {
    let member = |name: &&str| from.get(*name).map(|value| ((*name).to_owned(), value.clone()));
    names.iter().filter_map(member).filter(|(_, value)| !value.is_null()).collect()
}

/// What goes back verbatim: `{message, calls}`, or nothing.
pub(super) fn state(message: Map<String, Value>, calls: Vec<Map<String, Value>>) -> Option<Value> {
    let empty = message.is_empty() && calls.iter().all(Map::is_empty);
    (!empty).then(|| {
        let calls: Value = calls.into_iter().map(Value::Object).collect();
        object([("message", message.into()), ("calls", calls)])
    })
}

pub(super) fn usage(reported: &Value) -> Option<Usage> {
    let figures = reported.as_object()?;
    let figure = |value: Option<&Value>| value.and_then(Value::as_u64).unwrap_or_default();
    let detail = |group: &str, name: &str| figure(figures.get(group).and_then(|details| details.get(name)));
    let input_tokens = figure(figures.get("prompt_tokens"));
    let output_tokens = figure(figures.get("completion_tokens"));
    let total = figures.get("total_tokens").and_then(Value::as_u64);
    Some(Usage {
        input_tokens,
        output_tokens,
        total_tokens: total.unwrap_or_else(|| input_tokens.saturating_add(output_tokens)),
        cached_input_tokens: detail("prompt_tokens_details", "cached_tokens"),
        reasoning_tokens: detail("completion_tokens_details", "reasoning_tokens"),
    })
}
