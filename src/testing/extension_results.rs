use serde_json::{Value, json};

use super::{Verdict, case};
use crate::project::{ExtensionCall, extension};
use crate::protocol::{Receipt, ReceiptError, ReceiptOutcome};

pub fn run(input: &Value, expect: &Value) -> Verdict {
    check(input, expect).into()
}

fn check(input: &Value, expect: &Value) -> Result<(), String> {
    let outcome = extension(&receipt(input)?, &ExtensionCall::default());
    let code = outcome.code.map(|code| code.as_str());
    case::same_json("isError", &outcome.status.is_error().into(), &expect["isError"])?;
    case::same_json("code", &json!(code), expect.get("code").unwrap_or(&Value::Null))?;
    case::same_json("images", &outcome.images.len().into(), &expect["images"])?;
    if let Some(wanted) = expect.get("structuredJson").and_then(Value::as_str) {
        let structured = outcome.structured.clone().unwrap_or_default();
        case::same_json("structured", &structured, &case::json_text(wanted)?)?;
    }
    case::check_text(&outcome.text(), expect)
}

fn receipt(input: &Value) -> Result<Receipt, String> {
    let answer = Receipt {
        effect_id: "e1".into(),
        outcome: ReceiptOutcome::Failed,
        payload: None,
        error: None,
        stopped: false,
        discarded: None,
    };
    if let Some(message) = input.get("throws") {
        let error =
            ReceiptError { code: "threw".into(), message: case::text(message), ..ReceiptError::default() };
        return Ok(Receipt { error: Some(error), ..answer });
    }
    let digests: Vec<String> =
        (0..input["attached"].as_u64().unwrap_or_default()).map(|image| format!("{image:064x}")).collect();
    let payload = match input["returns"].get("json").and_then(Value::as_str) {
        Some(value) => json!({"value": case::json_text(value)?, "images": digests}),
        None => json!({"images": digests}),
    };
    Ok(Receipt { outcome: ReceiptOutcome::Ok, payload: Some(payload), ..answer })
}
