//! Messages whose content is a list of typed blocks: `text`, calls, and others that are kept as they are.

use serde_json::Value;

use super::{Assistant, Codec, ModelFault, object};
use crate::protocol::{Call, Code};

/// The content of a reply, sorted.
pub(super) struct Content<'a> {
    /// The text blocks, joined.
    pub(super) text: String,
    /// The calls, each with its place among the blocks.
    pub(super) calls: Vec<(usize, &'a Value)>,
    /// All blocks but the calls, if the text alone does not say what they say (WR-14, WR-18).
    pub(super) state: Option<Value>,
}

/// Sorts the blocks of a reply. `call` is what its calls are called.
pub(super) fn sorted<'a>(content: &'a Value, call: &str) -> Result<Content<'a>, ModelFault> {
    let fault = |message: String| Err(ModelFault::new(Code::ModelInvalidToolCall, message));
    let Value::Array(blocks) = content else { return fault("The reply has no list of content.".into()) };
    let mut sorted = Content { text: String::new(), calls: Vec::new(), state: None };
    let mut kept = Vec::new();
    let mut is_plain = true;
    for (place, block) in blocks.iter().enumerate() {
        let Some(kind) = kind(block) else {
            return fault(format!("Entry {} of the reply's content has no type.", place + 1));
        };
        if kind == call {
            sorted.calls.push((place, block));
            continue;
        }
        let text = block.get("text").and_then(Value::as_str).filter(|_| kind == "text");
        sorted.text.push_str(text.unwrap_or_default());
        if text.is_some_and(|text| text.trim().is_empty()) {
            continue;
        }
        let more = |(name, value): (&String, &Value)| name != "type" && name != "text" && !value.is_null();
        is_plain &= text.is_some() && !block.as_object().is_some_and(|block| block.iter().any(more));
        kept.push(block.clone());
    }
    sorted.state = (!is_plain).then_some(Value::Array(kept));
    Ok(sorted)
}

/// The blocks of a message of the model: what was kept of it or its text, then its calls. None is empty (WR-07).
pub(super) fn of(said: &Assistant, codec: Codec, call: fn(&Call) -> Value) -> Vec<Value> {
    let state = said.provider_state.as_ref().filter(|state| state.codec == codec);
    let mut blocks = match state.and_then(|state| state.items.as_array()) {
        Some(kept) => kept.clone(),
        None => text(&said.text).into_iter().collect(),
    };
    blocks.extend(said.calls.iter().map(call));
    blocks
}

/// A text as a block, unless it is blank: providers refuse those.
pub(super) fn text(text: &str) -> Option<Value> {
    (!text.trim().is_empty()).then(|| block(text))
}

/// A block of text.
pub(super) fn block(text: &str) -> Value {
    object([("type", "text".into()), ("text", text.into())])
}

/// What a block is.
pub(super) fn kind(block: &Value) -> Option<&str> {
    block.get("type").and_then(Value::as_str)
}
