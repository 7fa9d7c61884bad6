//! The schemas that models are sent, made from the types the tools read.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

/// The schema of some arguments as models get it: without `$schema`, titles, formats and references; what may be left
/// out may not be null; nothing but the declared members.
pub(super) fn schema_of<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.meta_schema = None;
        settings.inline_subschemas = true;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    if let Some(root) = schema.as_object_mut() {
        // The description of the type is for readers of the code.
        root.shift_remove("description");
        root.shift_remove("title");
        for property in
            root.get_mut("properties").and_then(Value::as_object_mut).into_iter().flat_map(Map::values_mut)
        {
            simplify(property);
        }
    }
    schema
}

fn simplify(property: &mut Value) {
    let Some(members) = property.as_object_mut() else { return };
    for noise in ["title", "format"] {
        members.shift_remove(noise);
    }
    if members.get("default") == Some(&Value::Null) {
        members.shift_remove("default");
    }
    if let Some(kind) = members.get_mut("type")
        && let Some([only, Value::String(null)]) = kind.as_array().map(Vec::as_slice)
        && null == "null"
    {
        *kind = only.clone();
    }
}
