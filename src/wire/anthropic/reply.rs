//! A reply of the messages API.

use serde_json::Value;

use crate::protocol::{Code, Wire};
use crate::wire::blocks::{kind, sorted};
use crate::wire::closed::{Closed, ClosedCall, End};
use crate::wire::{Codec, ModelFault, Reply, Usage};

/// What a call is called.
pub(super) const CALL: &str = "tool_use";

/// A whole reply (WR-40).
pub(crate) fn parse(body: &Value) -> Result<Reply, ModelFault> {
    read(body, &[])
}

/// A reply with its blocks. `open` says which of them were not closed.
pub(super) fn read(body: &Value, open: &[bool]) -> Result<Reply, ModelFault> {
    let usage = body.get("usage").and_then(usage);
    if let Some(fault) = reported(body) {
        return Err(fault.with_usage(usage));
    }
    let content = body.get("content").unwrap_or(&Value::Null);
    let closed = sorted(content, CALL).and_then(|sorted| {
        let blocks = content.as_array().map_or(0, Vec::len);
        let call = |&(place, block): &(usize, &Value)| {
            // A limit breaks off the last block. The provider closes it all the same, so closing proves nothing.
            let last = place + 1 == blocks || open.get(place) == Some(&true);
            call(block, last)
        };
        let calls = sorted.calls.iter().map(call).collect();
        Closed { text: sorted.text, calls, end: end(body), state: sorted.state, usage }
            .judge(Codec::Anthropic)
    });
    closed.map_err(|fault| fault.with_usage(usage))
}

/// The fault of an error that stands where a reply or a piece of one should be.
pub(super) fn reported(body: &Value) -> Option<ModelFault> {
    let error = body.get("error").filter(|_| kind(body) == Some("error"))?;
    let text = |name: &str| error.get(name).and_then(Value::as_str).unwrap_or("nothing more is known");
    let message = format!("The provider reported {}: {}", text("type"), text("message"));
    Some(ModelFault::new(Code::ModelReplyIncomplete, message))
}

fn call(block: &Value, last: bool) -> ClosedCall {
    let text = |name: &str| block.get(name).and_then(Value::as_str).map(str::to_owned);
    let arguments = match block.get("input") {
        None => Wire::Absent,
        Some(Value::String(text)) => Wire::Text(text.clone()),
        Some(other) => Wire::Json(other.clone()),
    };
    ClosedCall { id: text("id"), name: text("name"), arguments, last }
}

fn end(body: &Value) -> End {
    match body.get("stop_reason").and_then(Value::as_str) {
        Some("max_tokens" | "model_context_window_exceeded") => End::Length,
        Some("pause_turn") => End::Paused,
        Some("refusal") => {
            let words = body.get("stop_details").and_then(|details| details.get("explanation"));
            End::Refused(words.and_then(Value::as_str).unwrap_or_default().to_owned())
        }
        _ => End::Natural,
    }
}

/// The provider counts what it read from its cache, or wrote there, beside the other tokens of the request.
fn usage(reported: &Value) -> Option<Usage> {
    let figures = reported.as_object()?;
    let figure = |name: &str| figures.get(name).and_then(Value::as_u64).unwrap_or_default();
    let cached_input_tokens = figure("cache_read_input_tokens");
    let input_tokens = figure("input_tokens")
        .saturating_add(cached_input_tokens)
        .saturating_add(figure("cache_creation_input_tokens"));
    let output_tokens = figure("output_tokens");
    let total_tokens = input_tokens.saturating_add(output_tokens);
    Some(Usage { input_tokens, output_tokens, total_tokens, cached_input_tokens, reasoning_tokens: 0 })
}
