//! When two JSON values are the same: numbers by their value, objects whatever the order of their members.

use serde_json::Value;

use super::number;
use crate::protocol::order::sort;

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

fn spell(value: &Value, spelling: &mut String) {
    match value {
        Value::Number(number) => spelling.push_str(&number::canonical(number.as_str())),
        Value::Array(items) => {
            spelling.push('[');
            for item in items {
                spell(item, spelling);
                spelling.push(',');
            }
            spelling.push(']');
        }
        Value::Object(members) => {
            let mut sorted: Vec<_> = members.iter().collect();
            sort(&mut sorted, |(a, _), (b, _)| a.cmp(b));
            spelling.push('{');
            for (name, member) in sorted {
                quote(name, spelling);
                spelling.push(':');
                spell(member, spelling);
                spelling.push(',');
            }
            spelling.push('}');
        }
        Value::String(text) => quote(text, spelling),
        other => spelling.push_str(&other.to_string()),
    }
}

/// A text as JSON.
fn quote(text: &str, spelling: &mut String) {
    if text.bytes().any(|b| b < 0x20 || matches!(b, b'"' | b'\\')) {
        return spelling.push_str(&Value::from(text).to_string());
    }
    spelling.push('"');
    spelling.push_str(text);
    spelling.push('"');
}
