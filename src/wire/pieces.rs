//! A reply while it arrives, in formats whose pieces say which call of the reply they belong to.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::closed::{Closed, ClosedCall, End};
use super::{Codec, Delta, ModelFault, Reply, Usage};
use crate::protocol::{Code, Wire};

/// Members that go back verbatim.
type Members = Map<String, Value>;

/// What has arrived so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Pieces {
    pub(super) codec: Codec,
    text: String,
    pub(super) refusal: String,
    /// What the provider says about the end, once it has said it.
    pub(super) end: Option<String>,
    /// By the provider's index, which is the place in the reply.
    calls: BTreeMap<u64, OpenCall>,
    /// The place of each call that has its id.
    places: BTreeMap<String, u64>,
    /// The call that the last piece without an index belonged to, or opened.
    last: Option<u64>,
    announced: usize,
    pub(super) state: Members,
    pub(super) usage: Option<Usage>,
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
    state: Members,
    /// Arguments came in forms that do not go together.
    mixed: bool,
}

/// A piece of a call. Without a place it belongs to the call with its id, to a new call if the id is new, and without
/// an id to the last call (WR-21).
#[derive(Default)]
pub(super) struct Piece<'a> {
    pub(super) place: Option<&'a Value>,
    pub(super) id: Option<&'a Value>,
    pub(super) name: Option<&'a Value>,
    pub(super) arguments: Option<&'a Value>,
    pub(super) state: Members,
    /// Announce the call although it has no id yet: it may never get one.
    pub(super) announce: bool,
}

impl Pieces {
    /// Nothing yet.
    pub(super) fn of(codec: Codec) -> Self {
        Self { codec, ..Self::default() }
    }

    /// Takes text in.
    pub(super) fn text(&mut self, text: String, deltas: &mut Vec<Delta>) {
        if !text.is_empty() {
            self.text.push_str(&text);
            deltas.push(Delta::Text(text));
        }
    }

    /// Takes a piece of a call in.
    pub(super) fn call(&mut self, piece: Piece, deltas: &mut Vec<Delta>) {
        let [id, name] = [piece.id, piece.name]
            .map(|text| text.and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned));
        let place = piece.place.and_then(Value::as_u64).unwrap_or_else(|| self.place(id.as_deref()));
        self.last = Some(place);
        let call = self.calls.entry(place).or_default();
        if let (None, Some(id)) = (&call.id, id) {
            call.id = Some(id.clone());
            self.places.entry(id).or_insert(place);
        }
        if call.name.is_none() {
            call.name = name;
        }
        append(&mut call.state, piece.state);
        let shown = piece.arguments.and_then(|arguments| call.take_arguments(arguments));
        match call.number {
            Some(index) => deltas.extend(shown.map(|text| Delta::Arguments { index, text })),
            None if call.id.is_some() || piece.announce => {
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

    /// The stream was closed. `end` reads what the provider said about it, and the refusal; `state` makes what goes
    /// back verbatim of the members of the message and of its calls.
    pub(super) fn finish(
        self,
        end: fn(Option<&str>, &str) -> End,
        state: fn(Members, Vec<Members>) -> Option<Value>,
    ) -> Result<Reply, ModelFault> {
        let usage = self.usage;
        let closed = || {
            let Some(said) = self.end else {
                let message = "The stream ended before it said how the reply ends.";
                return Err(ModelFault::new(Code::ModelReplyIncomplete, message));
            };
            if let Some(place) = self.calls.values().position(|call| call.mixed) {
                let message =
                    format!("Call {} of the reply has arguments both as text and as JSON.", place + 1);
                return Err(ModelFault::new(Code::ModelInvalidToolCall, message));
            }
            let mut states = Vec::with_capacity(self.calls.len());
            let mut calls = Vec::with_capacity(self.calls.len());
            for OpenCall { id, name, arguments, state, .. } in self.calls.into_values() {
                states.push(state);
                calls.push(ClosedCall { id, name, arguments, last: false });
            }
            let end = end(Some(&said), &self.refusal);
            Closed { text: self.text, calls, end, state: state(self.state, states), usage }
                .judge_in_order(self.codec)
        };
        closed().map_err(|fault| fault.with_usage(usage))
    }

    /// Where a piece without an index belongs.
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
pub(super) fn append(kept: &mut Members, pieces: Members) {
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
