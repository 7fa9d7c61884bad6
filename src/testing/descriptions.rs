use serde_json::{Value, json};

use super::Verdict;
use super::case::{pins, same_json, text_of};
use crate::catalog::{DescriptionOverride, Descriptor};
use crate::protocol::Fault;

pub fn run(input: &Value, expect: &Value) -> Verdict {
    let verdict = match text_of(input, "op").as_str() {
        "override" => replace(input, expect),
        "effective" => effective(input).and_then(|found| same_json("description", &found, expect)),
        other => Err(format!("no such op: {other}")),
    };
    verdict.into()
}

fn replace(input: &Value, expect: &Value) -> Result<(), String> {
    let member = |key: &str| input.get(key).cloned().unwrap_or_default();
    let descriptor = Descriptor::decode(&member("descriptor")).map_err(|fault| fault.to_string())?;
    let changed = DescriptionOverride::decode(&member("override")).and_then(|texts| texts.apply(&descriptor));
    pins(&outcome(changed), expect)
}

fn outcome(changed: Result<Descriptor, Fault>) -> Value {
    match changed {
        Ok(descriptor) => json!({"ok": true, "descriptor": descriptor}),
        Err(fault) => json!({"ok": false, "code": fault.code}),
    }
}

/// The server's text, then the override of the registration, then that of the profile.
fn effective(input: &Value) -> Result<Value, String> {
    let server = json!({"id": "mcp/r:t", "description": input.get("server"), "inputSchema": {}});
    let mut descriptor = Descriptor::decode(&server).map_err(|fault| fault.to_string())?;
    for source in ["registration", "profile"] {
        let Some(text) = input.get(source) else { continue };
        let texts = DescriptionOverride::decode(&json!({"description": text}));
        descriptor = texts.and_then(|texts| texts.apply(&descriptor)).map_err(|fault| fault.to_string())?;
    }
    Ok(json!({"description": descriptor.description}))
}
