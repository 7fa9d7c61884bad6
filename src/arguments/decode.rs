//! What stands in the argument position becomes an object, or is kept as what it is (AR-02).

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::passing::is_compact_object;
use super::reader::read;
use crate::protocol::{Wire, limits};

/// The arguments of a call, decoded. Tools only ever see an object (IV-30).
#[derive(Clone, Debug, PartialEq)]
pub enum ToolArguments {
    /// One JSON object; an empty one for the forms of "no arguments" (AR-10).
    Object(Map<String, Value>),
    /// Anything else, verbatim; a JSON value that is no text as compact JSON (AR-05).
    Invalid(String),
}

/// Decodes an argument position. Exactly one string layer is peeled (AR-03).
pub fn decode(wire: &Wire) -> ToolArguments {
    match wire {
        Wire::Absent | Wire::Json(Value::Null) => ToolArguments::Object(Map::new()),
        Wire::Text(text) | Wire::Json(Value::String(text)) => decode_text(text),
        Wire::Json(Value::Object(members)) if !has_too_deep(members) => {
            ToolArguments::Object(members.clone())
        }
        Wire::Json(other) => ToolArguments::Invalid(other.to_string()),
    }
}

fn decode_text(text: &str) -> ToolArguments {
    if text.trim().is_empty() {
        return ToolArguments::Object(Map::new());
    }
    match read(text) {
        Ok(Value::Object(members)) => ToolArguments::Object(members),
        Ok(Value::Null) => ToolArguments::Object(Map::new()),
        Ok(Value::String(inner)) if inner.is_empty() => ToolArguments::Object(Map::new()),
        _ => ToolArguments::Invalid(text.to_owned()),
    }
}

/// Whether a value is nested deeper than text may be (AR-11): one that came already read has the same bound.
pub fn is_too_deep(value: &Value) -> bool {
    is_deeper(value, limits::JSON_DEPTH)
}

/// The same of an object, given its members.
pub(super) fn has_too_deep(members: &Map<String, Value>) -> bool {
    members.values().any(|value| is_deeper(value, limits::JSON_DEPTH - 1))
}

fn is_deeper(value: &Value, levels: usize) -> bool {
    let Some(below) = levels.checked_sub(1) else {
        return value.is_array() || value.is_object();
    };
    match value {
        Value::Array(items) => items.iter().any(|item| is_deeper(item, below)),
        Value::Object(members) => members.values().any(|member| is_deeper(member, below)),
        _ => false,
    }
}

/// The object that history shows to a provider (AR-09): a legal one unchanged, `{}` for anything else.
pub fn replay(arguments: ToolArguments) -> Map<String, Value> {
    match arguments {
        ToolArguments::Object(members) => members,
        ToolArguments::Invalid(_) => Map::new(),
    }
}

/// The same as compact JSON (WR-01).
pub(crate) fn replayed(wire: &Wire) -> Cow<'_, str> {
    match wire {
        Wire::Text(text) if is_compact_object(text) => Cow::Borrowed(text),
        _ => Cow::Owned(Value::Object(replay(decode(wire))).to_string()),
    }
}

#[cfg(test)]
#[path = "decode_tests.rs"]
mod tests;
