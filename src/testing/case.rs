//! Reading the parts that all case files share, and comparing by their rules.

use serde_json::Value;

use crate::protocol::Wire;

/// A Text: a string, or `{"parts": [[piece, count], …]}`.
pub fn text(value: &Value) -> String {
    if let Some(text) = value.as_str() {
        return text.into();
    }
    let mut all = String::new();
    for part in value.get("parts").and_then(Value::as_array).into_iter().flatten() {
        let piece = part.get(0).and_then(Value::as_str).unwrap_or_default();
        let count = part.get(1).and_then(Value::as_u64).unwrap_or_default();
        all.push_str(&piece.repeat(usize::try_from(count).unwrap_or_default()));
    }
    all
}

/// The argument position of a call: `{present: false}`, `{string: Text}` or `{json: Text}`. The JSON of a case is
/// read with serde_json here (no case nests it deeper than that reads).
pub fn wire(value: &Value) -> Result<Wire, String> {
    if let Some(content) = value.get("string") {
        return Ok(Wire::Text(text(content)));
    }
    if let Some(json) = value.get("json") {
        let parsed = json_text(&text(json))?;
        return Ok(match parsed {
            Value::String(content) => Wire::Text(content),
            other => Wire::Json(other),
        });
    }
    Ok(Wire::Absent)
}

/// JSON from a text of the case file, however deep.
pub fn json_text(text: &str) -> Result<Value, String> {
    let mut reader = serde_json::Deserializer::from_str(text);
    reader.disable_recursion_limit();
    serde::Deserialize::deserialize(&mut reader).map_err(|e| format!("the case holds no JSON: {e}"))
}

/// The member `key` as a Text, or empty.
pub fn text_of(value: &Value, key: &str) -> String {
    value.get(key).map(text).unwrap_or_default()
}

/// Checks the pins `contains`, `absent`, `once`, `numbers`, `text` and `nonEmpty` of `expect` on a model-facing text.
pub fn check_text(shown: &str, expect: &Value) -> Result<(), String> {
    let list = |key: &str| -> Vec<String> {
        expect.get(key).and_then(Value::as_array).into_iter().flatten().map(text).collect()
    };
    for piece in list("contains") {
        if !shown.contains(&piece) {
            return Err(format!("the text lacks {piece:?}: {shown:?}"));
        }
    }
    for piece in list("absent") {
        if shown.contains(&piece) {
            return Err(format!("the text must not hold {piece:?}: {shown:?}"));
        }
    }
    for piece in list("once") {
        if shown.matches(&piece).count() != 1 {
            return Err(format!("the text must hold {piece:?} exactly once: {shown:?}"));
        }
    }
    for number in expect.get("numbers").and_then(Value::as_array).into_iter().flatten() {
        let wanted = number.to_string();
        if !numbers(shown).contains(&wanted) {
            return Err(format!("the text does not state {wanted}: {shown:?}"));
        }
    }
    if let Some(exact) = expect.get("text") {
        same_text("text", shown, &text(exact))?;
    }
    if expect.get("nonEmpty") == Some(&Value::Bool(true)) && shown.trim().is_empty() {
        return Err("the text is blank".into());
    }
    Ok(())
}

/// The integers a text states, thousands separators removed.
fn numbers(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut digits = String::new();
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let separator = c == ',' && !digits.is_empty() && rest.peek().is_some_and(char::is_ascii_digit);
        if c.is_ascii_digit() {
            digits.push(c);
        } else if !separator && !digits.is_empty() {
            found.push(std::mem::take(&mut digits));
        }
    }
    if !digits.is_empty() {
        found.push(digits);
    }
    found
}

/// Two texts must be equal; the report shows where they part, not megabytes.
pub fn same_text(what: &str, actual: &str, expected: &str) -> Result<(), String> {
    if actual == expected {
        return Ok(());
    }
    let short = |s: &str| s.chars().take(300).collect::<String>();
    Err(format!("{what}: expected {:?}, got {:?}", short(expected), short(actual)))
}

/// Two JSON values must be equal: member order is free, numbers compare by their exact value.
pub fn same_json(what: &str, actual: &Value, expected: &Value) -> Result<(), String> {
    if equal(actual, expected) {
        return Ok(());
    }
    let short = |v: &Value| v.to_string().chars().take(600).collect::<String>();
    Err(format!("{what}: expected {}, got {}", short(expected), short(actual)))
}

fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            crate::arguments::number::same_value(&a.to_string(), &b.to_string())
        }
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(k, v)| b.get(k).is_some_and(|w| equal(v, w)))
        }
        _ => a == b,
    }
}

/// Every member that `expect` lists must be equal in `actual`; members it does not list are free.
pub fn pins(actual: &Value, expect: &Value) -> Result<(), String> {
    for (key, wanted) in expect.as_object().into_iter().flatten() {
        same_json(key, actual.get(key).unwrap_or(&Value::Null), wanted)?;
    }
    Ok(())
}
