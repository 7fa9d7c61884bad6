//! Lossless repair of a text that is nearly one JSON object (AR-30, 1): a trailing comma, a code fence, surplus
//! closing brackets or a closing tag behind the object, raw control characters in strings. Nothing else is touched,
//! and nothing is ever made up.

use serde_json::{Map, Value};

use super::reader::read;

/// The object that a text was meant to be, or `None`.
pub(super) fn mend(text: &str) -> Option<Map<String, Value>> {
    let text = text.trim_matches(BLANK);
    let (inner, is_fenced) = match text.strip_prefix(FENCE) {
        Some(rest) => (rest.trim_start_matches(is_info).trim_start_matches(BLANK), true),
        None => (text, false),
    };
    let (object, rest) = object(inner)?;
    if !is_surplus(rest, is_fenced) {
        return None;
    }
    match read(&object).ok()? {
        Value::Object(members) => Some(members),
        _ => None,
    }
}

const FENCE: &str = "```";
/// White space of JSON.
const BLANK: [char; 4] = [' ', '\t', '\r', '\n'];

/// What may stand behind the fence that opens a block: the name of a language.
fn is_info(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+' | '.')
}

/// The object at the beginning of a text, its commas and control characters put right, and what stands behind it.
fn object(text: &str) -> Option<(String, &str)> {
    if !text.starts_with('{') {
        return None;
    }
    let mut object = String::with_capacity(text.len());
    let (mut depth, mut last) = (0usize, '{');
    let mut rest = text.char_indices();
    while let Some((place, c)) = rest.next() {
        match c {
            '"' => {
                object.push('"');
                string(&mut rest, &mut object)?;
            }
            ',' if !matches!(last, '{' | '[' | ',' | ':') && is_trailing(rest.as_str()) => {}
            '{' | '[' => {
                object.push(c);
                depth += 1;
            }
            '}' | ']' => {
                object.push(c);
                depth -= 1;
                if depth == 0 {
                    return Some((object, text.get(place + 1..)?));
                }
            }
            other => object.push(other),
        }
        if !BLANK.contains(&c) {
            last = c;
        }
    }
    None
}

/// Copies a string from behind its opening quote to its closing one; `None` if it has none.
fn string(rest: &mut std::str::CharIndices, object: &mut String) -> Option<()> {
    while let Some((_, c)) = rest.next() {
        match c {
            '"' => {
                object.push('"');
                return Some(());
            }
            '\\' => {
                object.push('\\');
                object.push(rest.next()?.1);
            }
            control if control < ' ' => {
                // JSON writes one of these characters as an escape between quotes.
                object.push_str(Value::from(control.to_string()).to_string().trim_matches('"'));
            }
            other => object.push(other),
        }
    }
    None
}

/// Whether a comma before this text has nothing to separate.
fn is_trailing(rest: &str) -> bool {
    rest.trim_start_matches(BLANK).starts_with(['}', ']'])
}

/// Whether what stands behind the object may be left out: closing brackets or one closing tag, and the end of a
/// fence, which has to be there if the fence was opened.
fn is_surplus(rest: &str, is_fenced: bool) -> bool {
    let rest = rest.trim_matches(BLANK);
    let (rest, has_fence) = match rest.strip_suffix(FENCE) {
        Some(before) => (before.trim_end_matches(BLANK), true),
        None => (rest, false),
    };
    (has_fence || !is_fenced)
        && (is_tag(rest) || rest.chars().all(|c| matches!(c, '}' | ']') || BLANK.contains(&c)))
}

fn is_tag(text: &str) -> bool {
    let name = text.strip_prefix("</").and_then(|rest| rest.strip_suffix('>'));
    name.is_some_and(|name| !name.is_empty() && !name.contains(['<', '>']))
}

#[cfg(test)]
#[path = "mend_tests.rs"]
mod tests;
