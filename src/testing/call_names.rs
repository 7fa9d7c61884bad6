use serde_json::{Value, json};

use super::Verdict;
use super::case::{same_json, text_of};
use crate::catalog::profile::Order;
use crate::catalog::{Wish, name};
use crate::identity::{Source, ToolId, builtin_call_name, extension_call_name, is_call_name, mcp_call_name};
use crate::protocol::Fault;

pub fn run(input: &Value, expect: &Value) -> Verdict {
    let text = |key: &str| text_of(input, key);
    let verdict = match text("op").as_str() {
        "builtin" => one(builtin_call_name(&text("native")), expect),
        "extension" => one(extension_call_name(&text("name")), expect),
        "mcp" => one(mcp_call_name(&text("server"), &text("tool")), expect),
        "assign" => assign(input).and_then(|found| same_json("names", &found, expect)),
        other => Err(format!("no such op: {other}")),
    };
    verdict.into()
}

fn one(alias: String, expect: &Value) -> Result<(), String> {
    if !is_call_name(&alias) {
        return Err(format!("not a legal call name: {alias:?}"));
    }
    same_json("name", &json!({"alias": alias}), expect)
}

fn assign(input: &Value) -> Result<Value, String> {
    let tools = input.get("tools").and_then(Value::as_array).into_iter().flatten();
    let wishes = tools.map(wish).collect::<Result<Vec<_>, _>>().map_err(|fault| fault.to_string())?;
    let order = if text_of(input, "order") == "registry" { Order::Registry } else { Order::Allow };
    let named = match name(&wishes, &[], order) {
        Ok(named) => named,
        Err(fault) => return Ok(json!({"code": fault.code})),
    };
    if let Some((_, alias)) = named.tools.iter().find(|(_, alias)| !is_call_name(alias)) {
        return Err(format!("not a legal call name: {alias:?}"));
    }
    let pairs: Vec<Value> = named
        .tools
        .iter()
        .filter_map(|(index, alias)| Some(json!([wishes.get(*index)?.id, alias])))
        .collect();
    Ok(json!({"aliases": pairs}))
}

fn wish(tool: &Value) -> Result<Wish, Fault> {
    let id = ToolId::parse(&text_of(tool, "id"))?;
    let name = match id.source() {
        Source::Builtin => builtin_call_name(id.native()),
        Source::Mcp { .. } => mcp_call_name(&text_of(tool, "server"), &text_of(tool, "tool")),
        Source::Extension { .. } | Source::Other => extension_call_name(&text_of(tool, "name")),
    };
    Ok(Wish { id, name })
}
