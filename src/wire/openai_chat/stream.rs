//! The stream of a reply of chat completions (WR-13, WR-21).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::reply;
use crate::protocol::{Code, Wire};
use crate::wire::closed::{Closed, ClosedCall};
use crate::wire::{Codec, Delta, ModelFault, Reply, Usage};

/// A reply of chat completions while it arrives.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ChatStream {
    text: String,
    refusal: String,
    finish_reason: Option<String>,
    /// By the provider's index, which is the place in the reply.
    calls: BTreeMap<u64, OpenCall>,
    /// The place of each call that has its id.
    places: BTreeMap<String, u64>,
    /// The call that the last piece without an index belonged to, or opened.
    last: Option<u64>,
    announced: usize,
    state: Map<String, Value>,
    usage: Option<Usage>,
}

/// A call while it arrives.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct OpenCall {
    id: Option<String>,
    name: Option<String>,
    arguments: Wire,
    /// The number it was announced under.
    number: Option<usize>,
    state: Map<String, Value>,
    /// Arguments came in forms that do not go together.
    mixed: bool,
}

impl ChatStream {
    /// Takes one payload in. What is no chunk of a reply (`[DONE]`, a comment of a proxy) is passed over.
    pub(crate) fn push(&mut self, chunk: &Value) -> Vec<Delta> {
        let mut deltas = Vec::new();
        if let Some(usage) = chunk.get("usage").and_then(reply::usage) {
            self.usage = Some(usage);
        }
        let Some(choice) = reply::first_choice(chunk) else { return deltas };
        if let Some(reason) = choice.get("finish_reason").and_then(Value::as_str) {
            self.finish_reason = Some(reason.to_owned());
        }
        let Some(delta) = choice.get("delta").and_then(Value::as_object) else { return deltas };
        let text = delta.get("content").map(reply::text_of).unwrap_or_default();
        if !text.is_empty() {
            self.text.push_str(&text);
            deltas.push(Delta::Text(text));
        }
        self.refusal.push_str(delta.get("refusal").and_then(Value::as_str).unwrap_or_default());
        append(&mut self.state, reply::message_state(delta));
        for piece in delta.get("tool_calls").and_then(Value::as_array).into_iter().flatten() {
            self.take_piece(piece, &mut deltas);
        }
        deltas
    }

    /// The stream was closed.
    pub(crate) fn finish(self) -> Result<Reply, ModelFault> {
        let usage = self.usage;
        self.closed().map_err(|fault| fault.with_usage(usage))
    }

    fn closed(self) -> Result<Reply, ModelFault> {
        let Some(reason) = self.finish_reason else {
            let message = "The stream ended without a finish_reason.";
            return Err(ModelFault::new(Code::ModelReplyIncomplete, message));
        };
        if let Some(place) = self.calls.values().position(|call| call.mixed) {
            let message = format!("Call {} of the reply has arguments both as text and as JSON.", place + 1);
            return Err(ModelFault::new(Code::ModelInvalidToolCall, message));
        }
        let mut states = Vec::with_capacity(self.calls.len());
        let mut calls = Vec::with_capacity(self.calls.len());
        for call in self.calls.into_values() {
            states.push(call.state);
            calls.push(ClosedCall { id: call.id, name: call.name, arguments: call.arguments });
        }
        let closed = Closed {
            text: self.text,
            calls,
            end: reply::end(Some(&reason), &self.refusal),
            state: reply::state(self.state, states),
            usage: self.usage,
        };
        closed.judge(Codec::OpenaiChat)
    }

    fn take_piece(&mut self, piece: &Value, deltas: &mut Vec<Delta>) {
        let member = |name: &str| piece.get("function").and_then(|function| function.get(name));
        let id = piece.get("id").and_then(Value::as_str).filter(|id| !id.is_empty());
        let place = piece.get("index").and_then(Value::as_u64).unwrap_or_else(|| self.place(id));
        self.last = Some(place);
        let call = self.calls.entry(place).or_default();
        let name = member("name").and_then(Value::as_str).filter(|name| !name.is_empty());
        if let (None, Some(id)) = (&call.id, id) {
            call.id = Some(id.to_owned());
            self.places.entry(id.to_owned()).or_insert(place);
        }
        if call.name.is_none() {
            call.name = name.map(str::to_owned);
        }
        append(&mut call.state, reply::call_state(piece));
        let shown = member("arguments").and_then(|arguments| call.take_arguments(arguments));
        match call.number {
            Some(index) => deltas.extend(shown.map(|text| Delta::Arguments { index, text })),
            None if call.id.is_some() => {
                let index = self.announced;
                self.announced += 1;
                call.number = Some(index);
                deltas.push(Delta::Begin { index, provider_id: call.id.clone(), name: call.name.clone() });
                // All that came before the id came.
                if let Wire::Text(text) = &call.arguments
                    && !text.is_empty()
                {
                    deltas.push(Delta::Arguments { index, text: text.clone() });
                }
            }
            None => {}
        }
    }

    /// Where a piece without an index belongs: to the call with its id, to a new call if the id is new, and without
    /// an id to the last call.
    fn place(&self, id: Option<&str>) -> u64 {
        let next = self.calls.last_key_value().map_or(0, |(place, _)| place.saturating_add(1));
        match id {
            Some(id) => self.places.get(id).copied().unwrap_or(next),
            None => self.last.unwrap_or(next),
        }
    }
}

impl OpenCall {
    /// Adds a piece of the arguments; the text it adds is returned for the screen.
    fn take_arguments(&mut self, piece: &Value) -> Option<String> {
        let empty = match &self.arguments {
            Wire::Absent | Wire::Json(Value::Null) => true,
            Wire::Text(text) => text.is_empty(),
            Wire::Json(_) => false,
        };
        match (piece, &mut self.arguments) {
            (Value::Null, Wire::Absent) => self.arguments = Wire::Json(Value::Null),
            (Value::Null, _) => {}
            (Value::String(piece), Wire::Text(text)) => text.push_str(piece),
            (Value::String(piece), _) if empty => self.arguments = Wire::Text(piece.clone()),
            (Value::String(piece), _) => self.mixed |= !piece.is_empty(),
            (json, _) if empty => self.arguments = Wire::Json(json.clone()),
            _ => self.mixed = true,
        }
        piece.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
    }
}

/// Adds pieces of opaque members: texts and lists grow, anything else is replaced.
fn append(kept: &mut Map<String, Value>, pieces: Map<String, Value>) {
    for (name, piece) in pieces {
        match (kept.get_mut(&name), piece) {
            (Some(Value::String(text)), Value::String(piece)) => text.push_str(&piece),
            (Some(Value::Array(items)), Value::Array(piece)) => items.extend(piece),
            (_, piece) => {
                kept.insert(name, piece);
            }
        }
    }
}
