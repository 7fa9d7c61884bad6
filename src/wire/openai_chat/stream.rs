//! The stream of a reply of chat completions (WR-13, WR-21).

use serde_json::Value;

use super::reply;
use crate::wire::pieces::{Piece, Pieces, append};
use crate::wire::{Delta, ModelFault, Reply};

/// Takes one payload in. What is no chunk of a reply (`[DONE]`, a comment of a proxy) is passed over.
pub(crate) fn push(pieces: &mut Pieces, chunk: &Value) -> Vec<Delta> {
    let mut deltas = Vec::new();
    if let Some(usage) = chunk.get("usage").and_then(reply::usage) {
        pieces.usage = Some(usage);
    }
    let Some(choice) = reply::first_choice(chunk) else { return deltas };
    if let Some(reason) = choice.get("finish_reason").and_then(Value::as_str) {
        pieces.end = Some(reason.to_owned());
    }
    let Some(delta) = choice.get("delta").and_then(Value::as_object) else { return deltas };
    pieces.text(delta.get("content").map(reply::text_of).unwrap_or_default(), &mut deltas);
    pieces.refusal.push_str(delta.get("refusal").and_then(Value::as_str).unwrap_or_default());
    append(&mut pieces.state, reply::message_state(delta));
    for piece in delta.get("tool_calls").and_then(Value::as_array).into_iter().flatten() {
        let function = |name: &str| piece.get("function").and_then(|function| function.get(name));
        let piece = Piece {
            place: piece.get("index"),
            id: piece.get("id"),
            name: function("name"),
            arguments: function("arguments"),
            state: reply::call_state(piece),
            announce: false,
        };
        pieces.call(piece, &mut deltas);
    }
    deltas
}

/// The stream was closed.
pub(crate) fn finish(pieces: Pieces) -> Result<Reply, ModelFault> {
    pieces.finish(reply::end, reply::state)
}
