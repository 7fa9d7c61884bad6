//! What a builtin tool gets of its arguments: required strings without the white space around them, and no nulls
//! where a member is optional (AR-20).

use serde_json::{Map, Value};

use super::rules::is_raw;
use super::schema::{Applied, NodeId, ObjectRules, Schema, Types};
use crate::protocol::limits;

/// The tidied value, or `None` if it is tidy as it is.
pub(super) fn tidied(schema: &Schema, given: &Value) -> Option<Value> {
    value(schema, schema.root(), given, limits::SCHEMA_CHAIN)
}

/// `depth` bounds how far down it looks; builtin schemas are flat.
fn value(schema: &Schema, id: NodeId, given: &Value, depth: usize) -> Option<Value> {
    let depth = depth.checked_sub(1)?;
    let node = schema.node(id)?;
    let mut tidy = match (given, &node.object, &node.array) {
        (Value::Object(members), Some(rules), _) => object(schema, rules, members, depth).map(Value::Object),
        (Value::Array(items), _, Some(rules)) => {
            let item = |(index, item): (usize, &Value)| value(schema, rules.item(index)?, item, depth);
            let changes: Vec<Option<Value>> = items.iter().enumerate().map(item).collect();
            let merged =
                || items.iter().zip(&changes).map(|(old, new)| new.clone().unwrap_or_else(|| old.clone()));
            changes.iter().any(Option::is_some).then(|| Value::Array(merged().collect()))
        }
        _ => None,
    };
    for applied in &node.applied {
        if let Applied::All(id) = applied {
            let changed = value(schema, *id, tidy.as_ref().unwrap_or(given), depth);
            tidy = changed.or(tidy);
        }
    }
    tidy
}

fn object(
    schema: &Schema,
    rules: &ObjectRules,
    members: &Map<String, Value>,
    depth: usize,
) -> Option<Map<String, Value>> {
    let admits = |id: NodeId, types| schema.node(id).is_some_and(|node| node.admits.has(types));
    let mut changes = Vec::new();
    for (name, given) in members {
        let Some(node) = rules.member(name).map(|member| member.node) else {
            continue;
        };
        let required = rules.requires(name);
        match given {
            Value::Null if !required && !admits(node, Types::NULL) => changes.push((name, None)),
            Value::String(text) if required && !is_raw(name) && text.trim() != text => {
                changes.push((name, Some(Value::from(text.trim()))));
            }
            other => changes.extend(value(schema, node, other, depth).map(|tidy| (name, Some(tidy)))),
        }
    }
    if changes.is_empty() {
        return None;
    }
    let mut changes = changes.into_iter().peekable();
    let mut tidy = Map::with_capacity(members.len());
    for (name, given) in members {
        match changes.next_if(|(changed, _)| *changed == name) {
            Some((_, None)) => {}
            Some((_, Some(changed))) => drop(tidy.insert(name.clone(), changed)),
            None => drop(tidy.insert(name.clone(), given.clone())),
        }
    }
    Some(tidy)
}
