use serde_json::{Value, json};

use super::Verdict;
use super::case::{pins, same_json, text_of};
use crate::identity::{Source, ToolId};
use crate::protocol::Fault;

pub fn run(input: &Value, expect: &Value) -> Verdict {
    let op = text_of(input, "op");
    let verdict = match op.as_str() {
        "parse" => pins(&outcome(ToolId::parse(&text_of(input, "text"))), expect),
        "make" => {
            pins(&outcome(ToolId::make(&text_of(input, "provider"), &text_of(input, "native"))), expect)
        }
        "source" => source(&text_of(input, "text")).and_then(|found| same_json("source", &found, expect)),
        "sort" => sort(input).and_then(|found| same_json("order", &found, expect)),
        other => Err(format!("no such op: {other}")),
    };
    verdict.into()
}

fn outcome(id: Result<ToolId, Fault>) -> Value {
    match id {
        Ok(id) => json!({"ok": true, "provider": id.provider(), "native": id.native(), "text": id}),
        Err(fault) => json!({"ok": false, "code": fault.code}),
    }
}

fn source(text: &str) -> Result<Value, String> {
    let id = ToolId::parse(text).map_err(|fault| fault.to_string())?;
    Ok(match id.source() {
        Source::Builtin => json!({"source": "builtin"}),
        Source::Mcp { registration_id } => json!({"source": "mcp", "registrationId": registration_id}),
        Source::Extension { extension_id } => json!({"source": "extension", "extensionId": extension_id}),
        Source::Other => json!({"source": "other"}),
    })
}

fn sort(input: &Value) -> Result<Value, String> {
    let ids = input.get("ids").cloned().unwrap_or_default();
    let mut ids: Vec<ToolId> = serde_json::from_value(ids).map_err(|e| e.to_string())?;
    ids.sort();
    Ok(json!({"ids": ids}))
}
