//! What a host stores about an agent: schema 5 (chapter 02, section 7). One service migrates and saves, for chats and
//! sessions alike; loading never rewrites what is stored (PF-11).

mod migrate;
mod read;
mod save;
mod sections;

use serde::Serialize;
use serde_json::{Map, Value};

pub(crate) use read::MODES;
pub use sections::{
    Activation, ArgumentRepair, Artifact, Context, Delegation, ExposureMode, ExposureSettings, Features,
    Instructions, Lanes, Model, ModelMode, ModelRetry, Order, Output, Permissions, Presentation, Preset,
    PresetMode, Run, Skills, Tier, Tools, UnknownOutcome, Workspace,
};

#[cfg(test)]
pub(super) use migrate::migrate;
pub(super) use save::check_selection;

use super::pattern::matches;
use super::reading::{Members, Place, echo};
use super::registry::BUILTINS;
use crate::identity::ToolId;
use crate::protocol::limits::PROFILE_ID_BYTES;
use crate::protocol::{Code, Fault, SortedSet};

const SCHEMA_VERSION: u64 = 5;
const KIND: &str = "handrail.agentProfile";

/// The roots of the workspace (WS-01).
const VISIBLE_ROOTS: [&str; 7] =
    ["output", "scratch", "plan", "summaries", "persist", "tool-results", "skills"];
/// Those of them that can be written (WS-01).
const WRITABLE_ROOTS: [&str; 5] = ["output", "scratch", "plan", "summaries", "persist"];

/// Builtins that a profile can select but a new one does not: those of agents (PF-06).
const NOT_BY_DEFAULT: [&str; 3] = ["agent.delegate", "agent.handoff", "agent.await"];

/// A profile.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs)] // Each section says what it is for.
pub struct Profile {
    /// Its id (PF-05).
    pub id: String,
    /// Its name for screens.
    pub display_name: String,
    /// What it is for.
    pub description: String,
    pub preset: Preset,
    pub model: Model,
    pub instructions: Instructions,
    pub context: Context,
    pub tools: Tools,
    pub exposure: ExposureSettings,
    pub permissions: Permissions,
    pub skills: Skills,
    pub workspace: Workspace,
    pub features: Features,
    pub run: Run,
    pub delegation: Delegation,
    pub output: Output,
}

impl Profile {
    /// A new profile, called `default`: all builtin tools that need no feature and concern no other agents (CT-36).
    pub fn new_default() -> Self {
        Self {
            id: "default".into(),
            display_name: "Default".into(),
            description: String::new(),
            preset: Preset::default(),
            model: Model::default(),
            instructions: Instructions::default(),
            context: Context::default(),
            tools: Tools::default(),
            exposure: ExposureSettings::default(),
            permissions: Permissions::default(),
            skills: Skills::default(),
            workspace: Workspace::default(),
            features: Features::default(),
            run: Run::default(),
            delegation: Delegation::default(),
            output: Output::default(),
        }
    }

    /// Reads a stored profile of any schema up to 5.
    ///
    /// # Errors
    /// `agent.profile_schema_unsupported`, `agent.profile_id_empty`, `agent.profile_id_too_long`,
    /// `agent.profile_id_invalid`, and `agent.profile_invalid` naming the member.
    pub fn decode(document: &Value) -> Result<Self, Fault> {
        let place = Place::document("profile", Code::AgentProfileInvalid);
        let document = migrate::migrate(document, &place)?;
        let mut members = Members::open(&document, &place)?;
        members.raw("schemaVersion");
        members.raw("kind");
        let mut profile = Self { id: String::new(), ..Self::new_default() };
        members.set("id", &mut profile.id);
        members.checked()?;
        profile.id = profile_id(&profile.id)?;
        members.require("displayName", &mut profile.display_name);
        members.set("description", &mut profile.description);
        members.section("preset", &mut profile.preset);
        members.section("model", &mut profile.model);
        members.section("instructions", &mut profile.instructions);
        members.section("context", &mut profile.context);
        members.require_section("tools", &mut profile.tools);
        members.section("exposure", &mut profile.exposure);
        members.section("permissions", &mut profile.permissions);
        members.section("skills", &mut profile.skills);
        members.section("workspace", &mut profile.workspace);
        members.section("features", &mut profile.features);
        members.section("run", &mut profile.run);
        members.section("delegation", &mut profile.delegation);
        members.section("output", &mut profile.output);
        members.end()?;
        Ok(profile)
    }

    /// The document in schema 5, every member written.
    pub fn encode(&self) -> Value {
        let mut document = Map::new();
        document.insert("schemaVersion".into(), SCHEMA_VERSION.into());
        document.insert("kind".into(), KIND.into());
        if let Ok(Value::Object(members)) = serde_json::to_value(self) {
            document.extend(members);
        }
        Value::Object(document)
    }

    /// The tools it enables: allowed and not denied.
    pub fn enabled(&self) -> SortedSet<ToolId> {
        let denied: SortedSet<&ToolId> = self.tools.deny.iter().collect();
        self.tools.allow.iter().filter(|id| !denied.contains(id)).cloned().collect()
    }

    /// The policy tier of a tool: of the patterns that match its call name or id the longest counts, of equally long
    /// ones the stricter (PM-13).
    pub fn tier(&self, id: &ToolId, alias: &str) -> Tier {
        let hits =
            self.tools.policy.iter().filter(|(glob, _)| matches(glob, alias) || matches(glob, id.as_str()));
        hits.max_by_key(|(glob, tier)| (glob.chars().count(), **tier)).map_or(Tier::Auto, |(_, tier)| *tier)
    }

    /// Whether a run can start with it.
    ///
    /// # Errors
    /// `agent.profile_requires_model` (PF-03); `agent.profile_not_runnable` for the root of a run (RN-01).
    pub fn check_start(&self, root: bool) -> Result<(), Fault> {
        if root && !self.run.direct_runnable {
            let text = "This profile cannot be the root of a run: `run.directRunnable` is false.";
            return Err(Fault::new(Code::AgentProfileNotRunnable, text));
        }
        if self.model.mode == ModelMode::RequiresConfiguration {
            let text = "This profile needs a model: set `model.mode` before it is started.";
            return Err(Fault::new(Code::AgentProfileRequiresModel, text));
        }
        Ok(())
    }
}

/// The allow list of a new profile (PF-06).
fn default_allow() -> Vec<ToolId> {
    let selectable = BUILTINS.iter().filter(|builtin| builtin.feature.is_none());
    selectable.filter(|builtin| !NOT_BY_DEFAULT.contains(&builtin.native)).map(|b| b.id()).collect()
}

/// An id is trimmed and then 1 to 128 of `[a-z0-9_-]` (PF-05).
fn profile_id(text: &str) -> Result<String, Fault> {
    let id = text.trim();
    if id.is_empty() {
        return Err(Fault::new(Code::AgentProfileIdEmpty, "A profile needs an id."));
    }
    if id.len() > PROFILE_ID_BYTES {
        let text = format!("The id of a profile must not be longer than {PROFILE_ID_BYTES} bytes.");
        return Err(Fault::new(Code::AgentProfileIdTooLong, text));
    }
    if !id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'_' | b'-')) {
        let text = format!("A profile id is made of a-z, 0-9, `_` and `-`; found `{}`.", echo(id));
        return Err(Fault::new(Code::AgentProfileIdInvalid, text));
    }
    Ok(id.into())
}
