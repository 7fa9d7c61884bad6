//! Bringing stored profiles to schema 5. Everything here works on the document, before it is read.

use serde_json::{Map, Value};

use super::{KIND, SCHEMA_VERSION};
use crate::catalog::reading::Place;
use crate::identity::{Source, ToolId};
use crate::protocol::order::repeats;
use crate::protocol::{Code, Fault};

/// Members that no longer exist, by section; the empty section is the document (PF-10).
const RETIRED: [(&str, &[&str]); 4] = [
    ("", &["plan"]),
    ("tools", &["maxRounds", "maxCallsPerRun", "maxCallsPerTool"]),
    ("skills", &["maxReadCharsPerCall", "maxReadCharsPerRun"]),
    ("delegation", &["maxInvocationsPerRun", "resultBudgetTokens", "allowNestedDelegation"]),
];

/// The document as schema 5 has it. Doing it twice is doing it once (IV-87).
pub(in crate::catalog) fn migrate(document: &Value, place: &Place) -> Result<Value, Fault> {
    let mut root = document.as_object().cloned().ok_or_else(|| place.expected("an object", document))?;
    let version = version(&root, place)?;
    check_kind(&root, place)?;
    if let Some(tools) = section(&mut root, "tools") {
        rename_limit(tools);
        if version == 1 {
            each_id(tools, name_provider);
            drop_repeats(tools);
        }
        if version <= 3 {
            each_id(tools, drop_removed);
        }
    }
    if version < SCHEMA_VERSION {
        add_roots(&mut root);
    }
    for (name, retired) in RETIRED {
        let Some(members) = section(&mut root, name) else { continue };
        for member in retired {
            members.shift_remove(*member);
        }
    }
    root.insert("schemaVersion".into(), SCHEMA_VERSION.into());
    root.insert("kind".into(), KIND.into());
    Ok(Value::Object(root))
}

/// A missing version means the present one, so that a host can write a short profile by hand.
fn version(root: &Map<String, Value>, place: &Place) -> Result<u64, Fault> {
    let Some(value) = root.get("schemaVersion") else { return Ok(SCHEMA_VERSION) };
    let place = place.member("schemaVersion");
    match value.as_u64() {
        Some(version @ 1..=SCHEMA_VERSION) => Ok(version),
        Some(version) if version > SCHEMA_VERSION => {
            let place = place.with_code(Code::AgentProfileSchemaUnsupported);
            Err(place.fault(format_args!("is {version}; this runtime reads up to {SCHEMA_VERSION}")))
        }
        _ => Err(place.fault(format_args!("must be an integer from 1 to {SCHEMA_VERSION}"))),
    }
}

fn check_kind(root: &Map<String, Value>, place: &Place) -> Result<(), Fault> {
    let Some(kind) = root.get("kind") else { return Ok(()) };
    if kind.as_str().is_some_and(|kind| kind.ends_with(".agentProfile")) {
        return Ok(());
    }
    Err(place.member("kind").fault(format_args!("must be `{KIND}`")))
}

/// A section that is there and an object; the empty name is the document itself.
fn section<'a>(root: &'a mut Map<String, Value>, name: &str) -> Option<&'a mut Map<String, Value>> {
    if name.is_empty() { Some(root) } else { root.get_mut(name)?.as_object_mut() }
}

/// PF-04. Where both names stand, the new one counts.
fn rename_limit(tools: &mut Map<String, Value>) {
    if let Some(limit) = tools.shift_remove("mcpResultInlineCharLimit") {
        tools.entry("externalResultInlineCharLimit").or_insert(limit);
    }
}

/// Changes each tool id of the selection and of the descriptions; `None` drops it.
fn each_id(tools: &mut Map<String, Value>, change: impl Fn(&str) -> Option<String>) {
    for list in ["allow", "deny"] {
        let Some(ids) = tools.get_mut(list).and_then(Value::as_array_mut) else { continue };
        ids.retain_mut(|value| {
            let Some(id) = value.as_str() else { return true };
            let Some(new) = change(id) else { return false };
            *value = Value::String(new);
            true
        });
    }
    let Some(texts) = tools.get_mut("toolDescriptions").and_then(Value::as_object_mut) else { return };
    for (id, text) in std::mem::take(texts) {
        if let Some(new) = change(&id) {
            texts.entry(new).or_insert(text);
        }
    }
}

fn drop_repeats(tools: &mut Map<String, Value>) {
    for list in ["allow", "deny"] {
        let Some(ids) = tools.get_mut(list).and_then(Value::as_array_mut) else { continue };
        let texts: Vec<Option<&str>> = ids.iter().map(Value::as_str).collect();
        let mut again = repeats(&texts).into_iter();
        ids.retain(|value| !again.next().unwrap_or_default() || !value.is_string());
    }
}

/// Schema 1 wrote builtin tools without their provider.
fn name_provider(id: &str) -> Option<String> {
    Some(if id.contains(':') { id.into() } else { format!("builtin:{id}") })
}

/// Tools that no longer exist. Tools of other providers with such names stay.
fn drop_removed(id: &str) -> Option<String> {
    let removed = ToolId::parse(id).is_ok_and(|id| {
        id.source() == Source::Builtin && (id.native().starts_with("skill.") || id.native() == "agent.list")
    });
    (!removed).then(|| id.into())
}

/// PF-08: roots that older profiles could not know.
fn add_roots(root: &mut Map<String, Value>) {
    let workspace = section(root, "workspace");
    let roots = workspace.and_then(|section| section.get_mut("visibleRoots")).and_then(Value::as_array_mut);
    let Some(roots) = roots else { return };
    for name in ["tool-results", "skills"] {
        if !roots.iter().any(|root| root.as_str() == Some(name)) {
            roots.push(name.into());
        }
    }
}
