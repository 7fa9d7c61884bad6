//! Templates of the wire cases: an object must match member by member (others are free), a list element by element.

use serde_json::{Map, Value};

use super::case;

/// Whether a value, or its absence, matches; the error says where it does not.
pub fn matches(at: &str, actual: Option<&Value>, template: &Value) -> Result<(), String> {
    match (template, actual) {
        (Value::Object(wanted), _) if is_predicate(wanted) => predicate(at, actual, wanted),
        (Value::Object(wanted), Some(Value::Object(members))) => wanted
            .iter()
            .try_for_each(|(key, wanted)| matches(&format!("{at}.{key}"), members.get(key), wanted)),
        (Value::Array(wanted), Some(Value::Array(items))) if wanted.len() == items.len() => {
            let mut pairs = items.iter().zip(wanted).enumerate();
            pairs.try_for_each(|(index, (item, wanted))| {
                matches(&format!("{at}[{index}]"), Some(item), wanted)
            })
        }
        (_, Some(actual)) => case::same_json(at, actual, template),
        (_, None) => Err(format!("{at} is missing")),
    }
}

fn is_predicate(template: &Map<String, Value>) -> bool {
    template.keys().any(|key| key.starts_with('$'))
}

fn predicate(at: &str, actual: Option<&Value>, wanted: &Map<String, Value>) -> Result<(), String> {
    for (name, argument) in wanted {
        let holds = match name.as_str() {
            "$text" => text_matches(at, &text_of(actual), argument).map(|()| true)?,
            "$json" => {
                let inner = case::json_text(actual.and_then(Value::as_str).unwrap_or_default())?;
                case::same_json(at, &inner, &case::json_text(argument.as_str().unwrap_or_default())?)?;
                true
            }
            "$absent" => actual.is_none(),
            "$absentOrFalse" => actual.is_none_or(|value| *value == Value::Bool(false)),
            other => return Err(format!("{at}: the template {other} is not known")),
        };
        if !holds {
            return Err(format!("{at}: {name} does not hold for {actual:?}"));
        }
    }
    Ok(())
}

/// A string, or the text parts of a list joined by line breaks.
fn text_of(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => {
            let texts: Vec<&str> =
                parts.iter().filter_map(|part| part.get("text").and_then(Value::as_str)).collect();
            texts.join("\n")
        }
        _ => String::new(),
    }
}

fn text_matches(at: &str, text: &str, wanted: &Value) -> Result<(), String> {
    let list = |key: &str| wanted.get(key).and_then(Value::as_array).into_iter().flatten().map(case::text);
    if let Some(equal) = wanted.get("equals") {
        case::same_text(at, text, &case::text(equal))?;
    }
    if let Some(other) = wanted.get("not")
        && case::text(other) == text
    {
        return Err(format!("{at} must differ from {text:?}"));
    }
    if wanted.get("nonEmpty") == Some(&Value::Bool(true)) && text.trim().is_empty() {
        return Err(format!("{at} is blank"));
    }
    for piece in list("contains") {
        if !text.contains(&piece) {
            return Err(format!("{at} lacks {piece:?}: {text:?}"));
        }
    }
    let mut rest = text;
    for piece in list("inOrder") {
        let Some((_, after)) = rest.split_once(&piece) else {
            return Err(format!("{at} lacks {piece:?}, or has it too early: {text:?}"));
        };
        rest = after;
    }
    Ok(())
}
