//! The stream of a reply of the messages API (WR-13, WR-41).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::reply::{CALL, read, reported};
use crate::arguments::{decode, replay};
use crate::protocol::{Code, Wire};
use crate::wire::blocks::kind;
use crate::wire::pieces::append;
use crate::wire::{Delta, ModelFault, Reply};

/// A reply of the messages API while it arrives. At its end it is put together and read like a whole one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct MessageStream {
    /// The message without its content.
    message: Map<String, Value>,
    /// Its content, by the provider's index.
    blocks: BTreeMap<u64, OpenBlock>,
    announced: usize,
    ended: bool,
    /// The first thing that was wrong.
    fault: Option<ModelFault>,
}

/// A block while it arrives.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct OpenBlock {
    block: Value,
    /// Its `input`, as text.
    input: String,
    /// The number it was announced under, if it is a call.
    number: Option<usize>,
    closed: bool,
}

impl MessageStream {
    /// Takes one event in. Events of unknown types, and all that comes after the end, are passed over (WR-18).
    pub(crate) fn push(&mut self, event: &Value) -> Vec<Delta> {
        let mut deltas = Vec::new();
        if self.ended {
            return deltas;
        }
        let index = event.get("index").and_then(Value::as_u64);
        let problem = match kind(event) {
            Some("message_start") => {
                merge(&mut self.message, event.get("message"));
                self.message.shift_remove("content");
                None
            }
            Some("content_block_start") => self.open(index, event.get("content_block"), &mut deltas),
            Some("content_block_delta") => self.take(index, event.get("delta"), &mut deltas),
            Some("content_block_stop") => {
                if let Some(block) = index.and_then(|index| self.blocks.get_mut(&index)) {
                    block.closed = true;
                }
                None
            }
            Some("message_delta") => {
                merge(&mut self.message, event.get("delta"));
                let usage = self.message.entry("usage").or_insert_with(|| Map::new().into());
                if let Value::Object(usage) = usage {
                    merge(usage, event.get("usage"));
                }
                None
            }
            Some("message_stop") => {
                self.ended = true;
                None
            }
            _ => {
                self.fault = self.fault.take().or_else(|| reported(event));
                None
            }
        };
        if let Some(problem) = problem.filter(|_| self.fault.is_none()) {
            self.fault = Some(ModelFault::new(Code::ModelInvalidToolCall, problem));
        }
        deltas
    }

    /// The stream was closed.
    pub(crate) fn finish(self) -> Result<Reply, ModelFault> {
        let open: Vec<bool> = self.blocks.values().map(|block| !block.closed).collect();
        let mut body = self.message;
        body.insert("content".into(), self.blocks.into_values().map(OpenBlock::whole).collect());
        let reply = read(&Value::Object(body), &open);
        let missing =
            || ModelFault::new(Code::ModelReplyIncomplete, "The stream ended without message_stop.");
        match self.fault.or_else(|| (!self.ended).then(missing)) {
            Some(fault) => Err(fault.with_usage(match reply {
                Ok(reply) => reply.usage,
                Err(fault) => fault.usage,
            })),
            None => reply,
        }
    }

    /// Opens a block. What is wrong with it is returned.
    fn open(&mut self, index: Option<u64>, block: Option<&Value>, deltas: &mut Vec<Delta>) -> Option<String> {
        let (Some(index), Some(block)) = (index, block) else { return Some("A block has no index.".into()) };
        if self.blocks.contains_key(&index) {
            return Some(format!("Block {index} of the reply was opened twice."));
        }
        let text = |name: &str| block.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
        let mut number = None;
        match kind(block) {
            Some(CALL) => {
                number = Some(self.announced);
                let [provider_id, name] = ["id", "name"].map(|name| text(name).map(str::to_owned));
                deltas.push(Delta::Begin { index: self.announced, provider_id, name });
                self.announced += 1;
            }
            Some("text") => deltas.extend(text("text").map(|text| Delta::Text(text.to_owned()))),
            _ => {}
        }
        self.blocks.insert(index, OpenBlock { block: block.clone(), number, ..OpenBlock::default() });
        None
    }

    /// Takes a piece of a block in. What is wrong with it is returned.
    fn take(&mut self, index: Option<u64>, piece: Option<&Value>, deltas: &mut Vec<Delta>) -> Option<String> {
        let open = index.and_then(|index| self.blocks.get_mut(&index)).filter(|block| !block.closed);
        let (Some(open), Some(piece)) = (open, piece) else {
            return Some("A piece came for a block of the reply that is not open.".into());
        };
        let text = |name: &str| piece.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
        if kind(piece) == Some("input_json_delta") {
            let text = text("partial_json")?;
            open.input.push_str(text);
            deltas.extend(open.number.map(|index| Delta::Arguments { index, text: text.to_owned() }));
            return None;
        }
        if kind(&open.block) == Some("text") {
            deltas.extend(text("text").map(|text| Delta::Text(text.to_owned())));
        }
        if let (Value::Object(block), Value::Object(piece), None) = (&mut open.block, piece, open.number) {
            let mut piece = piece.clone();
            piece.shift_remove("type");
            // The one piece that is called otherwise than what it becomes a part of.
            if let Some(citation) = piece.shift_remove("citation") {
                piece.insert("citations".into(), vec![citation].into());
            }
            append(block, piece);
        }
        None
    }
}

impl OpenBlock {
    /// The block as it would stand in a whole reply. The arguments of a call stay text: nothing is decoded here.
    fn whole(self) -> Value {
        let Self { mut block, input, number, .. } = self;
        let Value::Object(members) = &mut block else { return block };
        match (number, input.is_empty()) {
            (Some(_), false) => members.insert("input".into(), input.into()),
            (None, false) => members.insert("input".into(), replay(decode(&Wire::Text(input))).into()),
            // Where no piece came the input it was opened with counts, unless it is only a place for the pieces.
            (Some(_), true) if members.get("input") == Some(&Map::new().into()) => {
                members.shift_remove("input")
            }
            _ => None,
        };
        block
    }
}

/// Takes members over; null says nothing.
fn merge(into: &mut Map<String, Value>, from: Option<&Value>) {
    let members = from.and_then(Value::as_object).into_iter().flatten().filter(|(_, value)| !value.is_null());
    into.extend(members.map(|(name, value)| (name.clone(), value.clone())));
}
