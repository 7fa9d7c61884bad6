//! The gate, the object check and the place of completion tools, without the rooms in between.

use std::sync::Arc;

use serde_json::{Value, json};

use super::Verdict;
use super::case::{same_json, text_of, wire};
use crate::arguments::{ToolArguments, decode, unreadable};
use crate::catalog::{Snapshot, Turn};
use crate::gate::{Miss, find, misplaced};
use crate::protocol::{Call, Fault};

pub fn run(input: &Value, expect: &Value) -> Verdict {
    outcome(input).and_then(|found| same_json("calls", &found, expect)).into()
}

fn outcome(input: &Value) -> Result<Value, String> {
    let (snapshot, calls) = (snapshot(input)?, calls(input)?);
    let turn = match Turn::decode(input.get("turn").unwrap_or(&Value::Null), &snapshot) {
        Ok(turn) => turn,
        Err(fault) => return Ok(fatal(&fault)),
    };
    let mut results = Vec::new();
    for (index, call) in calls.iter().enumerate() {
        match judge(&turn, &snapshot, call, index + 1 == calls.len()) {
            Ok(tool_id) => results.push(json!({
                "callId": call.call_id, "outcome": "dispatch", "toolId": tool_id,
            })),
            Err(Miss::Refused(refusal, _)) if refusal.message.trim().is_empty() => {
                return Err(format!("{} has no text", refusal.code));
            }
            Err(Miss::Refused(refusal, _)) => results.push(json!({
                "callId": call.call_id, "outcome": "error", "code": refusal.code, "isError": true,
            })),
            Err(Miss::Fatal(fault)) => return Ok(fatal(&fault)),
        }
    }
    Ok(json!({"results": results}))
}

fn judge(turn: &Turn, snapshot: &Snapshot, call: &Arc<Call>, is_last: bool) -> Result<Value, Miss> {
    let found = find(turn, snapshot, call)?;
    let id = found.binding().id();
    let refused = |refusal| Miss::Refused(refusal, Some(id.clone()));
    if let ToolArguments::Invalid(raw) = decode(&found.call().arguments) {
        return Err(refused(unreadable(&raw)));
    }
    match misplaced(&found, is_last) {
        Some(refusal) => Err(refused(refusal)),
        None => Ok(json!(id)),
    }
}

fn snapshot(input: &Value) -> Result<Snapshot, String> {
    let given = input.get("snapshot").cloned().unwrap_or_default();
    let tools = given.get("bindings").and_then(Value::as_array).into_iter().flatten();
    let bindings: Vec<Value> = tools
        .map(|tool| json!({"descriptor": {"id": tool.get("id"), "inputSchema": {}}, "modelAlias": tool.get("alias")}))
        .collect();
    let document = json!({"schemaVersion": 1, "id": given.get("id"), "bindings": bindings});
    Snapshot::decode(&document).map_err(|fault| fault.to_string())
}

fn calls(input: &Value) -> Result<Vec<Arc<Call>>, String> {
    let calls = input.get("calls").and_then(Value::as_array).into_iter().flatten();
    let read = |call: &Value| {
        Ok(Arc::new(Call {
            call_id: text_of(call, "callId").into(),
            provider_id: None,
            name: text_of(call, "callName").into(),
            arguments: wire(call.get("arguments").unwrap_or(&Value::Null))?,
            cut: false,
        }))
    };
    calls.map(read).collect()
}

fn fatal(fault: &Fault) -> Value {
    json!({"fatal": fault.code})
}
