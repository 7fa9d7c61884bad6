//! Names of properties that the provider refuses, and what stands for them on the wire (WR-43).

use serde_json::{Map, Value};

use crate::arguments::{ToolArguments, decode};
use crate::identity::CallNames;
use crate::protocol::Wire;
use crate::protocol::limits::CALL_NAME_BYTES;

/// The properties of a schema that have another name on the wire, with that name.
pub(super) fn renamed(schema: &Value) -> Map<String, Value> {
    let mut renamed = Map::new();
    let Some(Value::Object(properties)) = schema.get("properties") else { return renamed };
    let mut taken = CallNames::new();
    properties.keys().filter(|name| is_legal(name)).for_each(|name| taken.reserve(name, None));
    for name in properties.keys().filter(|name| !is_legal(name)) {
        let wish = if name.is_empty() { "_" } else { name };
        let wish: String =
            wish.chars().map(|c| if is_legal_char(c) { c } else { '_' }).take(CALL_NAME_BYTES).collect();
        renamed.insert(name.clone(), taken.claim_for_nobody(&wish).into());
    }
    renamed
}

/// The arguments of a call as the wire names them.
pub(crate) fn to_wire(schema: &Value, arguments: &mut Wire) {
    rename_arguments(arguments, &renamed(schema));
}

/// The arguments of a call as the schema names them. Both names are taken.
pub(crate) fn from_wire(schema: &Value, arguments: &mut Wire) {
    let mut names = Map::new();
    for (own, sent) in renamed(schema) {
        if let Value::String(sent) = sent {
            names.insert(sent, own.into());
        }
    }
    rename_arguments(arguments, &names);
}

fn rename_arguments(arguments: &mut Wire, names: &Map<String, Value>) {
    if names.is_empty() {
        return;
    }
    if let ToolArguments::Object(members) = decode(arguments) {
        *arguments = Wire::Json(rename(&members, names).into());
    }
}

/// The same members in the same order. A name that is there already is not given to another.
pub(super) fn rename(members: &Map<String, Value>, names: &Map<String, Value>) -> Map<String, Value> {
    let mut renamed = Map::new();
    for (name, value) in members {
        let to = names.get(name).and_then(Value::as_str).filter(|to| !members.contains_key(*to));
        renamed.insert(to.unwrap_or(name).to_owned(), value.clone());
    }
    renamed
}

fn is_legal(name: &str) -> bool {
    (1..=CALL_NAME_BYTES).contains(&name.len()) && name.chars().all(is_legal_char)
}

fn is_legal_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-')
}
