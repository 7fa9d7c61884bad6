//! What a call wants to perform (PM-01): what the dialog shows, what rules and grants look at.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{path, template};
use crate::catalog::reading::{Members, Place};
use crate::catalog::{EffectTrait, Risk};
use crate::protocol::limits::ACTION_DEPTH;
use crate::protocol::{Code, Fault};

/// What a command writes.
pub(super) const SHELL_WRITE: &str = "shell:write";

/// An action. Nothing that a tool does is judged by its name alone.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Action {
    /// What it is called in rules, for example `notes:read`.
    pub name: String,
    /// What it is about: `{path}`, `{command}`, `{url}` or anything else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<Value>,
    /// How dangerous it says it is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub risk: Vec<Risk>,
    /// What it can touch; absent: what the whole, or the tool, can.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effect: Option<EffectTrait>,
    /// What it consists of; each part is judged by itself (PM-05).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Action>,
    /// Whether an answer to a question about it may last.
    pub remember: bool,
    /// What it is and what it is about could not be found out: it may be what a rule forbids, or wants to be asked.
    #[serde(skip)]
    pub unknown: bool,
}

impl Action {
    /// An action with nothing but a name.
    pub fn named(name: impl Into<String>) -> Self {
        let name = name.into();
        Self {
            name,
            target: None,
            risk: Vec::new(),
            effect: None,
            parts: Vec::new(),
            remember: true,
            unknown: false,
        }
    }

    /// The action of a tool that declares none (PM-02).
    pub fn of_tool(alias: &str) -> Self {
        Self::named(format!("tool:{alias}"))
    }

    /// The action of a tool whose own could not be computed: somebody should look, and it may do anything (step 2).
    pub fn careful(alias: &str) -> Self {
        let (risk, effect) = (vec![Risk::Review], Some(EffectTrait::Exec));
        Self { risk, effect, unknown: true, ..Self::of_tool(alias) }
    }

    /// The action of a call whose tool declares a template, or none.
    pub fn from_template(template: Option<&Value>, alias: &str, args: &Map<String, Value>) -> Self {
        let Some(template) = template else { return Self::of_tool(alias) };
        template::value(template, args)
            .map_or_else(|| Self::careful(alias), |filled| Self::computed(&filled, alias))
    }

    /// The action that a tool computed (`extension.inspect`).
    pub fn computed(value: &Value, alias: &str) -> Self {
        Self::decode(value).unwrap_or_else(|_| Self::careful(alias))
    }

    /// Reads an action.
    ///
    /// # Errors
    /// `tool.descriptor_invalid`, naming the member.
    pub fn decode(value: &Value) -> Result<Self, Fault> {
        read(value, &Place::document("action", Code::ToolDescriptorInvalid), ACTION_DEPTH)
    }

    /// The action of a shell command with what the analysis found in it, and whether that is all of it (PM-55).
    /// Relative paths are meant from a directory. What was not all understood stays a part of itself: nothing but a word
    /// on the whole of it then lets it pass.
    pub fn analysed(mut self, analysis: &Value, directory: &str) -> (Self, bool) {
        let told = analysis.get("parts").and_then(Value::as_array);
        let parts = told.into_iter().flatten().map(|part| analysed_part(part, directory));
        let parts: Vec<Action> = parts.flatten().collect();
        let is_all = told.is_some_and(|told| told.len() == parts.len())
            && analysis.get("complete") == Some(&Value::Bool(true));
        let whole = (!is_all && !parts.is_empty()).then(|| self.clone());
        self.parts = parts.into_iter().chain(whole).collect();
        (self, is_all)
    }

    /// Whether a part of this is all of it: it was not taken apart.
    pub(super) fn is_rest(&self, part: &Self) -> bool {
        self.name == part.name && self.target == part.target
    }
}

/// What one call of a tool can touch: what it declares, unless its look at the input says otherwise (AR-34). That an
/// input is not only read may be anything.
pub fn effect_of(declared: EffectTrait, read_only: Option<bool>) -> EffectTrait {
    match read_only {
        Some(true) => EffectTrait::Read,
        Some(false) if declared == EffectTrait::Read => EffectTrait::Exec,
        _ => declared,
    }
}

fn analysed_part(part: &Value, directory: &str) -> Option<Action> {
    let (kind, target) = (part.get("kind")?.as_str()?, part.get("target")?.as_str()?);
    // The workspace is the root of its programs: `..` leads nowhere above it.
    let path = || {
        let from = if target.starts_with('/') { "" } else { directory };
        path::normal(&format!("/{from}/{target}")).trim_start_matches('/').to_owned()
    };
    let part = |name: &str, target: Value, effect: EffectTrait| Action {
        target: Some(target),
        effect: Some(effect),
        ..Action::named(name)
    };
    Some(match kind {
        "read" => part("shell:read", json!({"path": path()}), EffectTrait::Read),
        "write" => part(SHELL_WRITE, json!({"path": path()}), EffectTrait::Write),
        // A rule may be about the program, or about what it is called with.
        "program" => match target.split_once(' ') {
            Some((program, _)) => Action {
                parts: vec![part("shell:command", json!({"command": target}), EffectTrait::Exec)],
                ..part("shell:program", json!({"command": program}), EffectTrait::Exec)
            },
            None => part("shell:program", json!({"command": target}), EffectTrait::Exec),
        },
        _ => return None,
    })
}

fn read(value: &Value, place: &Place, depth: usize) -> Result<Action, Fault> {
    let mut members = Members::open(value, place)?;
    // What rules and safety look at is text: a tool might take something else for the same.
    if let Some(name) =
        ["path", "command", "url"].into_iter().find(|name| is_no_text(members.raw("target"), name))
    {
        return Err(place.member("target").member(name).fault("must be text"));
    }
    let action = Action {
        name: members.need("name")?,
        target: members.raw("target").filter(|target| !target.is_null()).cloned(),
        risk: members.get("risk", Vec::new())?,
        effect: members.opt("effect")?,
        remember: members.get("remember", true)?,
        parts: match members.raw("parts") {
            Some(parts) => read_parts(parts, &members.place("parts"), depth)?,
            None => Vec::new(),
        },
        unknown: false,
    };
    members.end()?;
    Ok(action)
}

fn is_no_text(target: Option<&Value>, name: &str) -> bool {
    target.and_then(|target| target.get(name)).is_some_and(|about| !about.is_string() && !about.is_null())
}

fn read_parts(parts: &Value, place: &Place, depth: usize) -> Result<Vec<Action>, Fault> {
    if depth == 0 {
        return Err(place.fault("are nested too deep"));
    }
    let parts = parts.as_array().ok_or_else(|| place.expected("a list", parts))?;
    parts.iter().enumerate().map(|(index, part)| read(part, &place.item(index), depth - 1)).collect()
}
