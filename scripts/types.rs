//! Prints the JSON Schemas of what crosses the border, for `scripts/types.mjs`: what goes in as it is read, what comes
//! out as it is written, and the bounds that both sides keep.

// A script, not part of the crate.
#![allow(missing_docs, clippy::print_stdout)]

use handrail::protocol::{Diagnostic, Input, Output, PortError, Record, Status, limits};
use schemars::generate::SchemaSettings;
use serde_json::json;

fn main() {
    let mut input = SchemaSettings::draft2020_12().for_deserialize().into_generator();
    input.subschema_for::<Input>();
    let mut output = SchemaSettings::draft2020_12().for_serialize().into_generator();
    output.subschema_for::<Output>();
    output.subschema_for::<Diagnostic>();
    output.subschema_for::<Record>();
    output.subschema_for::<Status>();
    output.subschema_for::<PortError>();
    println!(
        "{:#}",
        json!({
            "input": input.take_definitions(true),
            "output": output.take_definitions(true),
            "limits": {
                "JSON_DEPTH": {
                    "description": "Deepest nesting of lists and objects in a value; the core reads no deeper.",
                    "value": limits::JSON_DEPTH,
                },
            },
        })
    );
}
