use crate::protocol::SortedSet;
use serde_json::{Map, Value, json};

use super::Verdict;
use super::case::{same_json, text_of};
use crate::catalog::{Catalog, Profile};
use crate::identity::{Source, ToolId};

pub fn run(input: &Value, expect: &Value) -> Verdict {
    let verdict = match text_of(input, "op").as_str() {
        "decode" => decode(input, expect),
        "new" => new(expect),
        "save" => save(input, expect),
        other => Err(format!("no such op: {other}")),
    };
    verdict.into()
}

/// The profile of a case, put over the members that every profile has.
fn document(members: &Value) -> Value {
    let mut document = Map::new();
    document.insert("id".into(), "case".into());
    document.insert("displayName".into(), "Case".into());
    document.extend(members.as_object().cloned().unwrap_or_default());
    Value::Object(document)
}

fn decode(input: &Value, expect: &Value) -> Result<(), String> {
    let profile = Profile::decode(&document(input.get("profile").unwrap_or(&Value::Null)));
    let ok = expect.get("ok") == Some(&Value::Bool(true));
    let profile = match profile {
        Ok(profile) if ok => profile,
        Ok(_) => return Err("the profile was read although it must be refused".into()),
        Err(fault) if ok => return Err(format!("refused: {fault}")),
        Err(_) => return Ok(()),
    };
    let encoded = profile.encode();
    for (pointer, wanted) in expect.get("values").and_then(Value::as_object).into_iter().flatten() {
        same_json(pointer, encoded.pointer(pointer).unwrap_or(&Value::Null), wanted)?;
    }
    for pointer in expect.get("gone").and_then(Value::as_array).into_iter().flatten() {
        let pointer = pointer.as_str().unwrap_or_default();
        if encoded.pointer(pointer).is_some() {
            return Err(format!("{pointer} is still there"));
        }
    }
    let again = Profile::decode(&encoded).map_err(|fault| format!("refused again: {fault}"))?;
    same_json("read and written again", &again.encode(), &encoded)
}

fn new(expect: &Value) -> Result<(), String> {
    let profile = Profile::new_default();
    for id in ids(expect, "allowIncludes")? {
        if !profile.tools.allow.contains(&id) {
            return Err(format!("a new profile does not allow {id}"));
        }
    }
    Ok(())
}

fn save(input: &Value, expect: &Value) -> Result<(), String> {
    let mut catalog = Catalog::new();
    for id in ids(input, "loaded")? {
        let Source::Extension { extension_id } = id.source() else {
            return Err(format!("not an extension tool: {id}"));
        };
        let registration = json!({"extensionId": extension_id, "name": id.native(), "description": "d"});
        catalog.register(&[registration], true).map_err(|fault| fault.to_string())?;
    }
    let tools = json!({"tools": {"allow": input.get("allow"), "deny": input.get("deny")}});
    let profile = Profile::decode(&document(&tools)).map_err(|fault| fault.to_string())?;
    let enabled: SortedSet<ToolId> = ids(input, "previouslyEnabled")?.into_iter().collect();
    let found = match profile.check_save(&enabled, &catalog) {
        Ok(()) => json!({"ok": true, "allow": profile.tools.allow}),
        Err(fault) => {
            let named = fault.details.as_ref().and_then(|details| details.get("toolIds")).cloned();
            for id in ids(expect, "toolIds")? {
                if !fault.message.contains(id.as_str()) {
                    return Err(format!("the message does not name {id}: {}", fault.message));
                }
            }
            json!({"ok": false, "code": fault.code, "toolIds": named})
        }
    };
    same_json("save", &found, expect)
}

fn ids(value: &Value, key: &str) -> Result<Vec<ToolId>, String> {
    let list = value.get(key).cloned().unwrap_or_else(|| json!([]));
    serde_json::from_value(list).map_err(|e| e.to_string())
}
