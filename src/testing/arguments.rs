//! Topics `arguments` and `argument_repair`.

use serde_json::{Value, json};

use super::{Verdict, case};
use crate::arguments::{Rules, Schema, ToolArguments, accept, decode, replay, unreadable};

pub fn arguments(input: &Value, expect: &Value) -> Verdict {
    let run = || -> Result<(), String> {
        let decoded = decode(&case::wire(&input["wire"])?);
        match input["op"].as_str() {
            Some("decode") => decoding(&decoded, expect),
            Some("refuse") => refusing(&decoded, expect),
            Some("replay") => replaying(&decoded, expect),
            other => Err(format!("no such op: {other:?}")),
        }
    };
    run().into()
}

fn decoding(decoded: &ToolArguments, expect: &Value) -> Result<(), String> {
    match (decoded, expect["kind"].as_str()) {
        (ToolArguments::Object(members), Some("object")) => {
            same_json_text("json", &Value::Object(members.clone()), &expect["json"])
        }
        (ToolArguments::Invalid(raw), Some("invalid")) => {
            case::same_text("raw", raw, &case::text(&expect["raw"]))
        }
        (_, kind) => Err(format!("expected {kind:?}, got the other kind")),
    }
}

fn refusing(decoded: &ToolArguments, expect: &Value) -> Result<(), String> {
    let ToolArguments::Invalid(raw) = decoded else {
        return Err("not refused".into());
    };
    let refusal = unreadable(raw);
    case::pins(&json!({"code": refusal.code, "isError": true}), &pinned(expect, &["code", "isError"]))?;
    case::check_text(&refusal.message, expect)?;
    let echo = format!("`{}", case::text(&expect["echo"]));
    let follows = |end: &str| refusal.message.contains(&format!("{echo}{end}"));
    let is_cut = ["`…", "`...", "…`", "...`"].iter().any(|end| follows(end));
    let wanted = expect["ellipsis"] == json!(true);
    if is_cut != wanted || (!wanted && !follows("`")) {
        return Err(format!("the echo is wrong: {}", refusal.message));
    }
    Ok(())
}

fn replaying(decoded: &ToolArguments, expect: &Value) -> Result<(), String> {
    let shown = Value::Object(replay(decoded.clone()));
    // History keeps the text of what is sent back, so that order and spelling count here.
    case::same_text("replay", &shown.to_string(), &case::text(&expect["replay"]))?;
    match (decoded, &expect["record"]) {
        (ToolArguments::Object(_), record) if record.get("json").is_some() => {
            same_json_text("record", &shown, &record["json"])
        }
        (ToolArguments::Invalid(raw), record) if record.get("string").is_some() => {
            case::same_text("record", raw, &case::text(&record["string"]))
        }
        _ => Err("the record is of the other kind".into()),
    }
}

pub fn argument_repair(input: &Value, expect: &Value) -> Verdict {
    let run = || -> Result<(), String> {
        let (schema, not_enforced) = Schema::compile(&input["schema"]);
        if !not_enforced.is_empty() {
            return Err("a part of the schema is not enforced".into());
        }
        let wire = case::wire(&input["wire"])?;
        match (accept(&wire, &schema, &Rules::EXTERNAL, true), expect["accepted"] == json!(true)) {
            (Ok(accepted), true) => {
                case::same_json("arguments", &json!(accepted.arguments), &expect["arguments"])?;
                case::same_json("repaired", &json!(accepted.repaired), &expect["repaired"])
            }
            (Err(refusal), false) => {
                case::same_json("code", &json!(refusal.code), &expect["code"])?;
                case::check_text(&refusal.message, expect)
            }
            (Ok(_), false) => Err("accepted, but it must be refused".into()),
            (Err(refusal), true) => Err(format!("refused: {}", refusal.message)),
        }
    };
    run().into()
}

/// JSON is compared as JSON, with the text of the case read as we read it.
fn same_json_text(what: &str, actual: &Value, expected: &Value) -> Result<(), String> {
    case::same_json(what, actual, &case::json_text(&case::text(expected))?)
}

fn pinned(expect: &Value, keys: &[&str]) -> Value {
    let members = keys.iter().filter_map(|key| Some(((*key).to_owned(), expect.get(*key)?.clone())));
    Value::Object(members.collect())
}

#[cfg(test)]
#[path = "arguments_tests.rs"]
mod tests;
