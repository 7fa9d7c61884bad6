//! A message of a request.

use serde_json::Value;

use crate::protocol::{FactsWriter, JsonText};

/// What ends a message of blocks.
const END: &str = "]}";

/// A message as a provider takes it. It is made once and never looked into, so it is text.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    role: &'static str,
    json: String,
}

impl Message {
    /// A message of this role with this JSON text.
    pub(super) fn new(role: &'static str, json: JsonText) -> Self {
        Self { role, json: json.end() }
    }

    /// A message `{role, <list>: [blocks]}`, or none if there are no blocks.
    pub(super) fn of_blocks(role: &'static str, list: &str, blocks: &[Value]) -> Option<Self> {
        if blocks.is_empty() {
            return None;
        }
        let mut json = JsonText::default();
        json.piece("{\"role\":").string(role).piece(",").string(list).piece(":").value(blocks).piece("}");
        Some(Self::new(role, json))
    }

    /// Puts the blocks of another message of the same shape behind its own.
    pub(super) fn append(&mut self, other: &Message) {
        self.json.truncate(self.json.len().saturating_sub(END.len()));
        self.json.push(',');
        self.json.push_str(other.blocks());
        self.json.push_str(END);
    }

    /// The blocks of a message of blocks, as they stand in its list.
    pub(super) fn blocks(&self) -> &str {
        let list = self.json.split_once('[').and_then(|(_, list)| list.strip_suffix(END));
        list.unwrap_or_default()
    }

    /// Who speaks.
    pub fn role(&self) -> &'static str {
        self.role
    }

    /// Its JSON text.
    pub fn json(&self) -> &str {
        &self.json
    }
}

/// The body of a request, which may be given more members.
#[derive(Clone, Debug)]
pub struct Request {
    /// Its members so far.
    pub body: FactsWriter,
    /// How many messages it holds: those that were joined are one, and some are none (see [`super::Codec::joins`]).
    pub messages: usize,
}

/// The messages as a JSON list.
pub(super) fn list(messages: &[Message]) -> String {
    let bytes: usize = messages.iter().map(|message| message.json.len() + 1).sum();
    let mut list = JsonText::with_capacity(bytes + 1);
    for (at, message) in messages.iter().enumerate() {
        list.piece(if at == 0 { "[" } else { "," }).piece(&message.json);
    }
    list.piece(if messages.is_empty() { "[]" } else { "]" });
    list.end()
}
