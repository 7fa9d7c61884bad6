//! The builtin tools there are, in the order in which they are sent to the model. New ones are appended, never
//! inserted: the order is part of the prompt-cache prefix (CT-03, CT-16).

use crate::identity::{ToolId, builtin_call_name};
use crate::protocol::Scenario;

/// One builtin tool.
#[derive(Debug, PartialEq)]
pub struct Builtin {
    /// Its native name, with dots.
    pub native: &'static str,
    /// What has to be on for it; `None`: a profile may select it.
    pub feature: Option<Feature>,
    /// Ends the invocation: must be the last call of its batch (GT-06).
    pub completion: bool,
    /// Only steers the run.
    pub control: bool,
}

/// What brings in a builtin that no profile can name in its selection (CT-17, CT-35).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The rules of each are in `bind`.
pub enum Feature {
    Trash,
    ShellBackground,
    MultiEdit,
    ToolSearch,
    CodeMode,
    ContextProjection,
    ReturningChild,
}

impl Builtin {
    const fn new(native: &'static str) -> Self {
        Self { native, feature: None, completion: false, control: false }
    }

    const fn with(native: &'static str, feature: Feature) -> Self {
        Self { feature: Some(feature), ..Self::new(native) }
    }

    const fn control(self) -> Self {
        Self { control: true, ..self }
    }

    const fn completion(self) -> Self {
        Self { completion: true, control: true, ..self }
    }

    /// Its identity.
    pub fn id(&self) -> ToolId {
        ToolId::builtin(self.native)
    }

    /// Its call name, always the same (NM-02).
    pub fn call_name(&self) -> String {
        builtin_call_name(self.native)
    }

    /// Whether it exists where a run lives: a session never has the tools of chats, of publishing and of agents
    /// (CT-34).
    pub fn fits(&self, scenario: Scenario) -> bool {
        scenario == Scenario::Chat || !NOT_IN_SESSION.contains(&self.native)
    }

    /// Whether a child that returns to its parent may have it (CT-35).
    pub fn fits_child(&self) -> bool {
        !NOT_IN_CHILD.contains(&self.native)
    }
}

const NOT_IN_SESSION: [&str; 9] = [
    "chat.search",
    "chat.read_messages",
    "worldinfo.read_activated",
    "workspace.commit",
    "workspace.finish",
    "agent.delegate",
    "agent.handoff",
    "agent.await",
    "task.return",
];

const NOT_IN_CHILD: [&str; 5] =
    ["workspace.commit", "workspace.finish", "agent.delegate", "agent.handoff", "agent.await"];

/// All of them, in their order.
pub static BUILTINS: [Builtin; 23] = [
    Builtin::new("agent.delegate").control(),
    Builtin::new("agent.handoff").completion(),
    Builtin::new("agent.await").control(),
    Builtin::with("task.return", Feature::ReturningChild).completion(),
    Builtin::new("chat.search"),
    Builtin::new("chat.read_messages"),
    Builtin::new("worldinfo.read_activated"),
    Builtin::new("dice.roll"),
    Builtin::new("workspace.list_files"),
    Builtin::new("workspace.search_files"),
    Builtin::new("workspace.read_file"),
    Builtin::new("workspace.write_file"),
    Builtin::new("workspace.apply_patch"),
    Builtin::new("workspace.shell"),
    Builtin::new("workspace.commit").control(),
    Builtin::new("workspace.finish").completion(),
    Builtin::with("workspace.delete", Feature::Trash),
    Builtin::with("workspace.shell_status", Feature::ShellBackground),
    Builtin::with("workspace.shell_cancel", Feature::ShellBackground),
    Builtin::with("tool.search", Feature::ToolSearch).control(),
    Builtin::with("tool.run_code", Feature::CodeMode),
    Builtin::with("history.read_tool_result", Feature::ContextProjection),
    Builtin::with("workspace.edit", Feature::MultiEdit),
];

/// The builtin with this native name.
pub fn builtin(native: &str) -> Option<&'static Builtin> {
    BUILTINS.iter().find(|builtin| builtin.native == native)
}

/// The builtin that an id names; `None` for every other source and for a name that does not exist.
pub fn builtin_of(id: &ToolId) -> Option<&'static Builtin> {
    builtin(id.builtin_name()?)
}

/// The one tool of a feature that has one tool; the first of several.
pub(super) fn feature_tool(feature: Feature) -> Option<&'static Builtin> {
    BUILTINS.iter().find(|builtin| builtin.feature == Some(feature))
}
