//! A reply of chat completions.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::arguments::Reader;
use crate::protocol::{Code, Wire, limits};
use crate::wire::closed::{Closed, ClosedCall, End};
use crate::wire::{Codec, ModelFault, Reply, Usage, object};

/// Members of a message that go back verbatim: the reasoning that some servers want to see again (WR-14).
const MESSAGE_STATE: [&str; 3] = ["reasoning_content", "reasoning", "reasoning_details"];
/// The same of a call: signatures of the provider.
const CALL_STATE: [&str; 1] = ["extra_content"];

/// A whole reply (WR-20).
pub(crate) fn parse(body: &Value) -> Result<Reply, ModelFault> {
    let text = body.to_string();
    let mut reader = Reader::within(&text, limits::INPUT_DEPTH);
    read(&mut reader)
        .unwrap_or_else(|| Err(ModelFault::new(Code::ModelInvalidToolCall, reader.fault().to_string())))
}

/// The same of one that comes next in a text. `None`: there is no JSON.
pub(crate) fn read(reader: &mut Reader) -> Option<Result<Reply, ModelFault>> {
    let body = body(reader)?;
    let usage = body.usage;
    Some(closed(body).map_err(|fault| fault.with_usage(usage)))
}

fn closed(body: Body) -> Result<Reply, ModelFault> {
    let fault = |message: &str| ModelFault::new(Code::ModelInvalidToolCall, message);
    let choice = body.choice.ok_or_else(|| fault("The reply has no choices[0]."))?;
    let message = choice.message.ok_or_else(|| fault("The reply has no choices[0].message."))?;
    let Calls { calls, mut states } =
        message.calls.ok_or_else(|| fault("The tool_calls of the reply are no list."))?;
    if !message.state.is_empty() || !states.is_empty() {
        states.resize(calls.len(), Map::new());
    }
    let closed = Closed {
        text: message.text,
        calls,
        end: end(choice.finish_reason.as_deref(), &message.refusal),
        state: state(message.state, states),
        usage: body.usage,
    };
    closed.judge_in_order(Codec::OpenaiChat)
}

/// What is looked at in a reply.
#[derive(Default)]
struct Body {
    choice: Option<Choice>,
    usage: Option<Usage>,
}

#[derive(Default)]
struct Choice {
    index: u64,
    message: Option<Message>,
    finish_reason: Option<String>,
}

#[derive(Default)]
struct Calls {
    calls: Vec<ClosedCall>,
    /// What goes back verbatim with each of them, up to the last one with which anything does.
    states: Vec<Map<String, Value>>,
}

struct Message {
    text: String,
    refusal: String,
    /// None if they are no list.
    calls: Option<Calls>,
    state: Map<String, Value>,
}

// A reply is read piece by piece, without a tree: it is most of what comes in. Of members with one name the last counts.

fn body(reader: &mut Reader) -> Option<Body> {
    let mut body = Body::default();
    let mut more = reader.members()?;
    while more {
        match &*reader.name()? {
            "choices" => body.choice = choices(reader)?,
            "usage" => body.usage = usage(&reader.value()?),
            _ => reader.skip()?,
        }
        more = reader.goes_on(b'}')?;
    }
    Some(body)
}

/// The choice that counts; more than one is never asked for.
fn choices(reader: &mut Reader) -> Option<Option<Choice>> {
    let mut first = None;
    let mut more = reader.items()?;
    while more {
        let choice = choice(reader)?;
        if first.is_none() && choice.index == 0 {
            first = Some(choice);
        }
        more = reader.goes_on(b']')?;
    }
    Some(first)
}

fn choice(reader: &mut Reader) -> Option<Choice> {
    let mut choice = Choice::default();
    let mut more = reader.members()?;
    while more {
        match &*reader.name()? {
            "index" => choice.index = reader.value()?.as_u64().unwrap_or_default(),
            "message" => choice.message = message(reader)?,
            "finish_reason" => choice.finish_reason = text(reader)?,
            _ => reader.skip()?,
        }
        more = reader.goes_on(b'}')?;
    }
    Some(choice)
}

fn message(reader: &mut Reader) -> Option<Option<Message>> {
    if reader.next_byte() != b'{' {
        return reader.skip().map(|()| None);
    }
    let mut opaque = Map::new();
    let mut message = Message {
        text: String::new(),
        refusal: String::new(),
        calls: Some(Calls::default()),
        state: Map::new(),
    };
    let mut more = reader.members()?;
    while more {
        match &*reader.name()? {
            "content" => {
                message.text = match reader.value()? {
                    Value::String(text) => text,
                    other => text_of(&other),
                }
            }
            "refusal" => message.refusal = text(reader)?.unwrap_or_default(),
            "tool_calls" => message.calls = calls(reader)?,
            name if MESSAGE_STATE.contains(&name) => {
                opaque.insert(name.to_owned(), reader.value()?);
            }
            _ => reader.skip()?,
        }
        more = reader.goes_on(b'}')?;
    }
    message.state = message_state(&opaque);
    Some(Some(message))
}

fn calls(reader: &mut Reader) -> Option<Option<Calls>> {
    let mut read = Calls::default();
    if reader.next_byte() != b'[' {
        return Some(reader.value()?.is_null().then_some(read));
    }
    let mut more = reader.items()?;
    while more {
        let mut closed = ClosedCall::default();
        let state = call(reader, &mut closed)?;
        if !state.is_empty() {
            read.states.resize(read.calls.len(), Map::new());
            read.states.push(state);
        }
        read.calls.push(closed);
        more = reader.goes_on(b']')?;
    }
    Some(Some(read))
}

/// Reads a call: what goes back verbatim with it.
fn call(reader: &mut Reader, call: &mut ClosedCall) -> Option<Map<String, Value>> {
    let mut state = Map::new();
    let mut more = reader.members()?;
    while more {
        match &*reader.name()? {
            "id" => call.id = text(reader)?,
            "function" => function(reader, call)?,
            name if CALL_STATE.contains(&name) => {
                state.insert(name.to_owned(), reader.value()?);
            }
            _ => reader.skip()?,
        }
        more = reader.goes_on(b'}')?;
    }
    Some(if state.is_empty() { state } else { kept(&state, &CALL_STATE) })
}

fn function(reader: &mut Reader, call: &mut ClosedCall) -> Option<()> {
    (call.name, call.arguments) = (None, Wire::Absent);
    let mut more = reader.members()?;
    while more {
        match &*reader.name()? {
            "name" => call.name = text(reader)?,
            "arguments" => {
                call.arguments = match reader.value()? {
                    Value::String(text) => Wire::Text(text),
                    other => Wire::Json(other),
                }
            }
            _ => reader.skip()?,
        }
        more = reader.goes_on(b'}')?;
    }
    Some(())
}

/// A text, or none where something else stands.
fn text(reader: &mut Reader) -> Option<Option<String>> {
    Some(reader.text()?.map(Cow::into_owned))
}

/// The choice of a piece of a streamed reply that counts.
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
