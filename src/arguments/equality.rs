//! When two JSON values are the same: numbers by their value, objects whatever the order of their members.

use serde_json::{Map, Value};

use super::number;
use crate::protocol::order::sort;
use crate::protocol::write_quoted;

/// Bytes that the spelling of an object makes room for at once.
const ROOM: usize = 64;

/// Whether two values are the same.
pub(super) fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => number::same_value(a.as_str(), b.as_str()),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| equal(a, b)))
        }
        _ => a == b,
    }
}

/// One spelling for all values that are the same.
pub(crate) fn canonical(value: &Value) -> String {
    let mut spelling = String::new();
    spell(value, &mut spelling);
    spelling
}

/// The same of an object.
pub(crate) fn canonical_object(members: &Map<String, Value>) -> String {
    let mut spelling = String::with_capacity(ROOM);
    spell_object(members, &mut spelling);
    spelling
}

fn spell(value: &Value, spelling: &mut String) {
    match value {
        Value::Number(number) => number::spell(number.as_str(), spelling),
        Value::Array(items) => {
            spelling.push('[');
            for item in items {
                spell(item, spelling);
                spelling.push(',');
            }
            spelling.push(']');
        }
        Value::Object(members) => spell_object(members, spelling),
        Value::String(text) => write_quoted(spelling, text),
        other => spelling.push_str(&other.to_string()),
    }
}

fn spell_object(members: &Map<String, Value>, spelling: &mut String) {
    let mut sorted: Vec<_> = members.iter().collect();
    sort(&mut sorted, |(a, _), (b, _)| a.cmp(b));
    spelling.push('{');
    for (name, member) in sorted {
        write_quoted(spelling, name);
        spelling.push(':');
        spell(member, spelling);
        spelling.push(',');
    }
    spelling.push('}');
}
