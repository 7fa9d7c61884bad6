//! The neutral wire format, for hosts with a model layer of their own (WR-60, WR-61).

use serde_json::Value;

use super::{Choice, Delta, Entry, ModelFault, Reply, ResultPart, ResultView, Tool};
use crate::arguments::{decode, replay};
use crate::protocol::{Call, EMPTY_TEXT, FactsWriter, JsonText, Wire};
use crate::wire::blocks::{self, sorted};
use crate::wire::closed::{Closed, ClosedCall, End};
use crate::wire::ids::{wire_id, wire_name};
use crate::wire::message::list;
use crate::wire::pieces::{Piece, Pieces};
use crate::wire::{Codec, Message, Request, Usage, object};

/// What a call is called.
const CALL: &str = "call";

/// The body of a request.
pub(crate) fn request(messages: Vec<Message>, tools: &[Value], choice: &Choice) -> Request {
    let mut body = FactsWriter::default();
    if !tools.is_empty() {
        body.member("choice", &choice.plain(|name| object([("specific", name.into())])));
        body.member("tools", tools);
    }
    body.text("messages", &list(&messages));
    Request { body, messages: messages.len() }
}

/// The tools of a request: the author's schemas, as they are.
pub(crate) fn tools(tools: &[Tool]) -> Vec<Value> {
    let tool = |tool: &Tool| {
        object([
            ("name", tool.name.as_str().into()),
            ("description", tool.description.as_str().into()),
            ("inputSchema", tool.input_schema.clone()),
        ])
    };
    tools.iter().map(tool).collect()
}

/// The messages of entries of history.
pub(crate) fn messages(entries: &[Entry]) -> Vec<Message> {
    let mut messages = Vec::new();
    for entry in entries {
        let (role, parts): (&'static str, Vec<Value>) = match entry {
            Entry::System(text) => ("system", blocks::text(text).into_iter().collect()),
            Entry::User(text) => ("user", blocks::text(text).into_iter().collect()),
            Entry::Assistant(said) => ("assistant", blocks::of(said, Codec::Neutral, call)),
            Entry::Results(results) => {
                messages.extend(results.iter().map(result));
                continue;
            }
        };
        messages.extend(Message::of_blocks(role, "parts", &parts));
    }
    messages
}

fn call(call: &Call) -> Value {
    object([
        ("type", CALL.into()),
        ("id", wire_id(&call.call_id, call.provider_id.as_deref(), fits).into()),
        ("name", wire_name(&call.name).into()),
        ("args", replay(decode(&call.arguments)).into()),
    ])
}

fn result(result: &ResultView) -> Message {
    let part = |part: &ResultPart| match part {
        ResultPart::Text(text) | ResultPart::OmittedImage(text) => blocks::text(text),
        ResultPart::Image { path, mime_type, .. } => Some(object([
            ("type", "image".into()),
            ("path", (**path).into()),
            ("mimeType", (**mime_type).into()),
        ])),
    };
    let mut parts: Vec<Value> = result.parts.iter().filter_map(part).collect();
    if parts.is_empty() {
        parts.push(blocks::block(EMPTY_TEXT));
    }
    let id = wire_id(&result.call_id, result.provider_id.as_deref(), fits);
    let mut json = JsonText::default();
    json.piece("{\"role\":\"tool\",\"id\":").string(&id).piece(",\"name\":").string(&wire_name(&result.name));
    json.piece(",\"isError\":").value(&result.is_error).piece(",\"parts\":").value(&parts).piece("}");
    Message::new("tool", json)
}

fn fits(id: &str) -> bool {
    !id.is_empty()
}

/// A whole reply.
pub(crate) fn parse(body: &Value) -> Result<Reply, ModelFault> {
    let usage = body.get("usage").and_then(usage);
    let closed = sorted(body.get("parts").unwrap_or(&Value::Null), CALL).and_then(|sorted| {
        let stop = body.get("stop").and_then(Value::as_str);
        let calls = sorted.calls.iter().map(|(_, part)| closed_call(part)).collect();
        let closed = Closed { text: sorted.text, calls, end: end(stop, ""), state: sorted.state, usage };
        closed.judge_in_order(Codec::Neutral)
    });
    closed.map_err(|fault| fault.with_usage(usage))
}

fn closed_call(part: &Value) -> ClosedCall {
    let text = |name: &str| part.get(name).and_then(Value::as_str).map(str::to_owned);
    let arguments = match part.get("args") {
        None => Wire::Absent,
        Some(Value::String(text)) => Wire::Text(text.clone()),
        Some(other) => Wire::Json(other.clone()),
    };
    ClosedCall { id: text("id"), name: text("name"), arguments, last: false }
}

fn end(stop: Option<&str>, _: &str) -> End {
    match stop {
        Some("length") => End::Length,
        Some("refusal") => End::Refused(String::new()),
        _ => End::Natural,
    }
}

/// Token figures in the runtime's own words.
fn usage(reported: &Value) -> Option<Usage> {
    let figures = reported.as_object()?;
    let figure = |name: &str| figures.get(name).and_then(Value::as_u64);
    let [input_tokens, output_tokens] =
        ["inputTokens", "outputTokens"].map(|name| figure(name).unwrap_or_default());
    Some(Usage {
        input_tokens,
        output_tokens,
        total_tokens: figure("totalTokens").unwrap_or_else(|| input_tokens.saturating_add(output_tokens)),
        cached_input_tokens: figure("cachedInputTokens").unwrap_or_default(),
        reasoning_tokens: figure("reasoningTokens").unwrap_or_default(),
    })
}

/// Takes one piece of a streamed reply in: `{text}`, `{index, id?, name?, argsText?}` or `{done, stop}`.
pub(crate) fn push(pieces: &mut Pieces, piece: &Value) -> Vec<Delta> {
    let mut deltas = Vec::new();
    if let Some(usage) = piece.get("usage").and_then(usage) {
        pieces.usage = Some(usage);
    }
    if piece.get("done") == Some(&Value::Bool(true)) {
        let stop = piece.get("stop").and_then(Value::as_str).unwrap_or_default();
        pieces.end = Some(stop.to_owned());
    }
    let text = piece.get("text").and_then(Value::as_str).unwrap_or_default();
    pieces.text(text.to_owned(), &mut deltas);
    if piece.get("index").is_some() {
        let [place, id, name, arguments] = ["index", "id", "name", "argsText"].map(|name| piece.get(name));
        let piece = Piece { place, id, name, arguments, announce: true, ..Piece::default() };
        pieces.call(piece, &mut deltas);
    }
    deltas
}

/// The stream was closed.
pub(crate) fn finish(pieces: Pieces) -> Result<Reply, ModelFault> {
    pieces.finish(end, |_, _| None)
}
