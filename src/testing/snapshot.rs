use serde_json::{Value, json};

use super::Verdict;
use super::case::{pins, same_json, text_of};
use crate::catalog::{Snapshot, Turn};

pub fn run(input: &Value, expect: &Value) -> Verdict {
    let verdict = match text_of(input, "op").as_str() {
        "decode" => decode(input, expect),
        "turn" => turn(input).and_then(|found| pins(&found, expect)),
        other => Err(format!("no such op: {other}")),
    };
    verdict.into()
}

fn decode(input: &Value, expect: &Value) -> Result<(), String> {
    let snapshot = match Snapshot::decode(input.get("snapshot").unwrap_or(&Value::Null)) {
        Ok(snapshot) => snapshot,
        Err(fault) => return pins(&json!({"ok": false, "code": fault.code}), expect),
    };
    let pairs: Vec<Value> = snapshot.bindings().iter().map(|b| json!([b.id(), b.alias()])).collect();
    let encoded = snapshot.encode();
    let still = |pointer: &&Value| pointer.as_str().is_some_and(|pointer| encoded.pointer(pointer).is_some());
    let gone: Vec<&Value> =
        expect.get("gone").and_then(Value::as_array).into_iter().flatten().filter(|p| !still(p)).collect();
    pins(&json!({"ok": true, "aliases": pairs, "gone": gone}), expect)?;
    let again = Snapshot::decode(&encoded).map_err(|fault| format!("refused again: {fault}"))?;
    same_json("read and written again", &again.encode(), &encoded)
}

fn turn(input: &Value) -> Result<Value, String> {
    let snapshot = input.get("snapshot").cloned().unwrap_or_default();
    let tools = snapshot.get("tools").and_then(Value::as_array).cloned().unwrap_or_default();
    let bindings: Vec<Value> = tools
        .iter()
        .enumerate()
        .map(|(n, id)| json!({"descriptor": {"id": id, "inputSchema": {}}, "modelAlias": format!("t{n}")}))
        .collect();
    let document = json!({"schemaVersion": 1, "id": snapshot.get("id"), "bindings": bindings});
    let snapshot = Snapshot::decode(&document).map_err(|fault| fault.to_string())?;
    Ok(match Turn::decode(input.get("turn").unwrap_or(&Value::Null), &snapshot) {
        Ok(_) => json!({"ok": true}),
        Err(fault) => json!({"ok": false, "code": fault.code}),
    })
}
