//! What a function's result or failure comes to.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use handrail::protocol::{Effect, Receipt, ReceiptError, ReceiptOutcome};
use handrail::testing::{Verdict, case};
use serde_json::{Value, json};

use super::replay::{Options, Replay, receipt};

/// The smallest image there is: one pixel.
const PIXEL: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

pub fn run(input: &Value, expect: &Value) -> Verdict {
    check(input, expect).into()
}

fn check(input: &Value, expect: &Value) -> Result<(), String> {
    let mut replay = Replay::new();
    let attached = input["attached"].as_u64().unwrap_or_default();
    let allow = replay.register(vec![json!({
        "extensionId": "case", "name": "tool", "description": "A tool.", "inputSchema": {"type": "object"},
        "returnsImages": attached > 0,
    })])?;
    replay.begin(allow, Options { images: true, ..Options::default() })?;
    let digest = replay.session.put_blob(STANDARD.decode(PIXEL).map_err(|error| error.to_string())?);
    let images = vec![digest; usize::try_from(attached).unwrap_or_default()];
    let answer = answer(input, &images)?;
    let ended = replay.call_extension("tool", &json!({}), |effect| answer(effect))?;
    let record = &ended.record;
    case::same_json("isError", &record["isError"], &expect["isError"])?;
    case::same_json("code", &record["errorCode"], expect.get("code").unwrap_or(&Value::Null))?;
    case::same_json("images", &record["images"].as_array().map_or(0, Vec::len).into(), &expect["images"])?;
    if let Some(wanted) = expect["structuredJson"].as_str() {
        case::same_json("structured", &record["structured"], &case::json_text(wanted)?)?;
    }
    case::check_text(record["content"].as_str().unwrap_or_default(), expect)?;
    let shown = expect.get("text").into_iter().chain(expect["contains"].as_array().into_iter().flatten());
    case::check_text(&ended.shown, &json!({"contains": shown.collect::<Vec<_>>()}))
}

/// What the host says after it called the function.
fn answer(input: &Value, images: &[String]) -> Result<impl Fn(&Effect) -> Receipt, String> {
    let thrown = input.get("throws").map(|thrown| ReceiptError {
        code: "threw".into(),
        message: case::text(thrown),
        ..ReceiptError::default()
    });
    let payload = match input["returns"]["json"].as_str() {
        Some(value) => json!({"value": case::json_text(value)?, "images": images}),
        None => json!({"images": images}),
    };
    Ok(move |effect: &Effect| match &thrown {
        Some(error) => {
            Receipt { error: Some(error.clone()), ..receipt(effect, ReceiptOutcome::Failed, Value::Null) }
        }
        None => receipt(effect, ReceiptOutcome::Ok, payload.clone()),
    })
}
