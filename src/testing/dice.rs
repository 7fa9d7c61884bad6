use serde_json::{Value, json};

use super::{Verdict, case};
use crate::tool;

pub fn run(input: &Value, expect: &Value) -> Verdict {
    check(input, expect).into()
}

fn check(input: &Value, expect: &Value) -> Result<(), String> {
    let rolls = input.get("rolls").and_then(Value::as_array).into_iter().flatten();
    let mut faces = rolls.filter_map(|face| u32::try_from(face.as_u64()?).ok());
    let rolled = tool::roll(case::text_of(input, "formula").trim(), |_| faces.next().unwrap_or_default());
    let (actual, text) = match rolled {
        Ok(outcome) => (json!({"isError": false, "structured": outcome.structured}), outcome.text()),
        Err(refusal) => (json!({"isError": true, "code": refusal.code}), refusal.message),
    };
    for key in ["isError", "code", "structured"] {
        if let Some(wanted) = expect.get(key) {
            case::same_json(key, actual.get(key).unwrap_or(&Value::Null), wanted)?;
        }
    }
    case::check_text(&text, expect)
}
