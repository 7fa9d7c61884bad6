//! What the model is told when its arguments are refused.

use serde_json::Value;

use super::fault::ReadFault;
use super::problem::Report;
use super::reader::read;
use crate::protocol::{Code, Refusal, limits};

/// The refusal of arguments that are no JSON object: the rule, the fault if it is recognised, and the start of what
/// arrived (AR-07, AR-08, AR-14). `raw` is what [`super::ToolArguments::Invalid`] holds.
pub fn unreadable(raw: &str) -> Refusal {
    refusal(raw, "")
}

/// The same for a text that would be a readable object once mended, but one with these problems: so that the model
/// need not find out one after the other.
pub(super) fn unreadable_and(raw: &str, report: &Report) -> Refusal {
    refusal(raw, &format!(" Also: {report}"))
}

fn refusal(raw: &str, also: &str) -> Refusal {
    let rule = "Arguments of this tool must be one JSON object; send {} if there are none.";
    Refusal::new(Code::ToolInvalidArguments, format!("{rule} {}{also} Received: {}", fault(raw), echo(raw)))
}

fn fault(raw: &str) -> String {
    let kind = match read(raw) {
        Err(ReadFault::CutOff) => return "The text is cut off: send the whole call again.".into(),
        Err(ReadFault::Unexpected(_)) if !raw.trim_start().starts_with('{') => {
            return match raw.contains('{') {
                true => "Text stands before the object: send the object alone.".into(),
                false => "It is text, not JSON.".into(),
            };
        }
        Err(fault) => return fault.to_string(),
        Ok(Value::String(inner)) if read(&inner).is_ok() || inner.trim_start().starts_with(['{', '"']) => {
            return "It is encoded twice: send the object itself, not a string that holds it.".into();
        }
        Ok(Value::String(_)) => "a string",
        Ok(Value::Array(items)) if matches!(items.as_slice(), [Value::Object(_)]) => {
            return "Expected an object, got an array: send the object without brackets around it.".into();
        }
        Ok(Value::Array(_)) => "an array",
        Ok(Value::Number(_)) => "a number",
        Ok(Value::Bool(_)) => "a boolean",
        Ok(Value::Null | Value::Object(_)) => "something else",
    };
    format!("Expected an object, got {kind}.")
}

/// The start of a text in backticks, with an ellipsis only if there is more of it (AR-08).
fn echo(raw: &str) -> String {
    match raw.char_indices().nth(limits::ARGUMENT_ECHO_CHARS) {
        Some((end, _)) => format!("`{}`…", raw.get(..end).unwrap_or_default()),
        None => format!("`{raw}`"),
    }
}
