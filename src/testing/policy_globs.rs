//! The pattern language, on names and on commands.

use serde_json::Value;

use super::{Verdict, case};
use crate::catalog::matches;
use crate::permission::matches_command;

pub fn run(input: &Value, expect: &Value) -> Verdict {
    let (pattern, text) = (case::text_of(input, "pattern"), case::text_of(input, "text"));
    let found = match input["op"].as_str() {
        Some("name") => matches(&pattern, &text),
        Some("command") => matches_command(&pattern, &text, input["verified"] == true),
        other => return Verdict::Failed(format!("unknown op {other:?}")),
    };
    case::same_json("matches", &found.into(), &expect["matches"]).into()
}
