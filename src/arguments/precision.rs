//! Which numbers a JavaScript host would not keep.

use serde_json::{Map, Value};

use super::number::same_value;

/// JSON pointers of the numbers that JSON.parse of JavaScript would round, in document order: `9007199254740993`,
/// `1e400`; not `0.1`, whose nearest double is written `0.1` again.
pub fn rounded(arguments: &Map<String, Value>) -> Vec<String> {
    let mut found = Vec::new();
    let mut pointer = String::new();
    for (name, value) in arguments {
        visit_member(name, value, &mut pointer, &mut found);
    }
    found
}

fn visit_member(name: &str, value: &Value, pointer: &mut String, found: &mut Vec<String>) {
    // Most values have nothing to point to.
    match value {
        Value::Array(_) | Value::Object(_) => {}
        Value::Number(number) if !is_kept(number.as_str()) => {}
        _ => return,
    }
    let length = pointer.len();
    push_token(pointer, name);
    visit(value, pointer, found);
    pointer.truncate(length);
}

fn visit(value: &Value, pointer: &mut String, found: &mut Vec<String>) {
    match value {
        Value::Number(_) => found.push(pointer.clone()),
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                visit_member(&index.to_string(), item, pointer, found);
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                visit_member(name, member, pointer, found);
            }
        }
        _ => {}
    }
}

/// Whether the nearest double, written in its shortest form, still has the same value.
fn is_kept(text: &str) -> bool {
    // Any double holds fifteen digits.
    if text.len() <= 15 && text.bytes().all(|b| b.is_ascii_digit()) {
        return true;
    }
    match text.parse::<f64>() {
        Ok(double) if double.is_finite() => same_value(text, &double.to_string()),
        _ => false,
    }
}

/// Appends one reference token of a JSON pointer.
pub(crate) fn push_token(pointer: &mut String, name: &str) {
    pointer.push('/');
    for c in name.chars() {
        match c {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            other => pointer.push(other),
        }
    }
}

#[cfg(test)]
#[path = "precision_tests.rs"]
mod tests;
