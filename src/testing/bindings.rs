use serde_json::{Value, json};

use super::Verdict;
use super::case::{same_json, text_of};
use crate::catalog::{BUILTINS, Catalog, Descriptor, InvocationKind, Profile, Traits, bind};
use crate::identity::{Source, ToolId};
use crate::protocol::{Fault, Scenario};

pub fn run(input: &Value, expect: &Value) -> Verdict {
    let found = match bound(input) {
        Ok(found) => found,
        Err(fault) => json!({"code": fault.code}),
    };
    compare(&found, expect).into()
}

fn compare(found: &Value, expect: &Value) -> Result<(), String> {
    let Some(wanted) = expect.get("diagnostics") else {
        return same_json("selection", found, expect);
    };
    same_json("bound", found.get("bound").unwrap_or(found), expect.get("bound").unwrap_or(&Value::Null))?;
    let sorted = |list: &Value| {
        let mut list = list.as_array().cloned().unwrap_or_default();
        list.sort_by_key(Value::to_string);
        Value::Array(list)
    };
    let found = found.get("diagnostics").unwrap_or(&Value::Null);
    same_json("diagnostics", &sorted(found), &sorted(wanted))
}

fn bound(input: &Value) -> Result<Value, Fault> {
    let mut catalog = Catalog::new();
    for builtin in &BUILTINS {
        catalog.add_builtin(Descriptor::new(builtin.id(), "A tool.", json!({}), Traits::builtin())?)?;
    }
    for tool in input.get("catalog").and_then(Value::as_array).into_iter().flatten() {
        add(&mut catalog, tool)?;
    }
    let tools = input.get("profile").cloned().unwrap_or_default();
    let profile = Profile::decode(&json!({"id": "case", "displayName": "Case", "tools": tools}))?;
    let scenario = if text_of(input, "scenario") == "session" { Scenario::Session } else { Scenario::Chat };
    let kind = match text_of(input, "invocation").as_str() {
        "return-child" => InvocationKind::ReturnChild,
        _ => InvocationKind::Root,
    };
    let images = input.get("acceptsImages").and_then(Value::as_bool);
    let bound = bind(&catalog, &profile, scenario, kind, images)?;
    let pairs: Vec<Value> = bound.bindings.iter().map(|b| json!([b.id(), b.alias()])).collect();
    let diagnostics: Vec<Value> =
        bound.diagnostics.iter().map(|d| json!({"code": d.code, "toolId": d.tool_id})).collect();
    Ok(json!({"bound": pairs, "diagnostics": diagnostics}))
}

fn add(catalog: &mut Catalog, tool: &Value) -> Result<(), Fault> {
    let id = ToolId::parse(&text_of(tool, "id"))?;
    let Source::Extension { extension_id } = id.source() else {
        let descriptor = Descriptor::new(id, "A tool.", json!({}), Traits::default())?;
        return catalog.add_discovered(descriptor, &text_of(tool, "server"));
    };
    let mut registration = json!({"extensionId": extension_id, "name": text_of(tool, "name")});
    for member in ["contexts", "enabled", "returnsImages"] {
        if let (Some(value), Some(members)) = (tool.get(member), registration.as_object_mut()) {
            members.insert(member.into(), value.clone());
        }
    }
    catalog.register(&[registration], true).map(|_| ())
}
