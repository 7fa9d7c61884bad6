//! Names of properties that the provider refuses, and what stands for them on the wire (WR-43).

use serde_json::{Map, Value};

use crate::arguments::{ToolArguments, decode};
use crate::identity::CallNames;
use crate::protocol::Wire;
use crate::protocol::limits::CALL_NAME_BYTES;

/// The properties of a schema that have another name on the wire: their own, and that one.
pub(super) fn renamed(schema: &Value) -> Vec<(String, String)> {
    let names =
        schema.get("properties").and_then(Value::as_object).into_iter().flatten().map(|(name, _)| name);
    let (legal, illegal): (Vec<&String>, Vec<&String>) = names.partition(|name| is_legal(name));
    let mut taken = CallNames::new();
    legal.into_iter().for_each(|name| taken.reserve(name, None));
    let wish = |name: &String| -> String {
        let name = if name.is_empty() { "_" } else { name };
        name.chars().map(|c| if is_legal_char(c) { c } else { '_' }).take(CALL_NAME_BYTES).collect()
    };
    illegal.into_iter().map(|name| (name.clone(), taken.claim_for_nobody(&wish(name)))).collect()
}

/// The arguments of a call as the wire names them.
pub(crate) fn to_wire(schema: &Value, arguments: &mut Wire) {
    let names = renamed(schema);
    rename_arguments(arguments, names.iter().map(|(own, sent)| (own.as_str(), sent.as_str())).collect());
}

/// The arguments of a call as the schema names them. Both names are taken.
pub(crate) fn from_wire(schema: &Value, arguments: &mut Wire) {
    let names = renamed(schema);
    rename_arguments(arguments, names.iter().map(|(own, sent)| (sent.as_str(), own.as_str())).collect());
}

fn rename_arguments(arguments: &mut Wire, names: Vec<(&str, &str)>) {
    if names.is_empty() {
        return;
    }
    if let ToolArguments::Object(members) = decode(arguments) {
        *arguments = Wire::Json(Value::Object(rename(members, &names)));
    }
}

/// The same members in the same order. A name that is there already is not given to another.
pub(super) fn rename(members: Map<String, Value>, names: &[(&str, &str)]) -> Map<String, Value> {
    let renames: std::collections::BTreeMap<&str, &str> =
        names.iter().copied().filter(|(_, to)| !members.contains_key(*to)).collect();
    let renamed = |name: String| renames.get(name.as_str()).map_or(name.clone(), |to| (*to).to_owned());
    members.into_iter().map(|(name, value)| (renamed(name), value)).collect()
}

fn is_legal(name: &str) -> bool {
    (1..=CALL_NAME_BYTES).contains(&name.len()) && name.chars().all(is_legal_char)
}

fn is_legal_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-')
}
