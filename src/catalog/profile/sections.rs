//! The sections of a profile; their defaults are those of a new one (PF-06).

use serde::Serialize;

use crate::catalog::description::DescriptionOverride;
use crate::catalog::reading::words;
use crate::identity::ToolId;
use crate::protocol::SortedMap;
use crate::protocol::limits::EXTERNAL_RESULT_CHARS;

words! {
    /// Where the prompt comes from.
    #[allow(missing_docs)]
    pub enum PresetMode {
        CurrentPromptSnapshot = "currentPromptSnapshot",
        Ref = "ref",
        None = "none",
    }

    /// Where the model comes from.
    #[allow(missing_docs)]
    pub enum ModelMode {
        CurrentPromptSnapshot = "currentPromptSnapshot",
        ConnectionRef = "connectionRef",
        /// Can be saved, not started (PF-03).
        RequiresConfiguration = "requiresConfiguration",
    }

    /// The order in which tools are sent (CT-31).
    pub enum Order {
        /// As the allow list has them.
        Allow = "allow",
        /// Builtins as the registry has them, then the others by call name.
        Registry = "registry",
    }

    /// The policy tier of a tool, from lax to strict (PM-13).
    #[derive(PartialOrd, Ord)]
    pub enum Tier {
        /// As the rules and the mode say.
        Auto = "auto",
        /// A person is asked.
        Ask = "ask",
        /// Hidden and blocked.
        Off = "off",
    }

    /// Whether arguments are repaired (AR-30).
    pub enum ArgumentRepair {
        /// Never.
        None = "none",
        /// Where nothing has to be invented.
        Lossless = "lossless",
    }

    /// What the model is sent of the tools (SR-01).
    pub enum ExposureMode {
        /// `search` or `native`, by number and size.
        Auto = "auto",
        /// All with their schemas.
        Native = "native",
        /// Deferred tools by name; a search loads them.
        Search = "search",
        /// Deferred tools as functions for code.
        Code = "code",
    }

    /// How long a loaded tool stays loaded (SR-55).
    pub enum Activation {
        /// For this run.
        Turn = "turn",
        /// For later runs of the session too.
        Session = "session",
    }

    /// Whether a run has to publish through a commit.
    pub enum Presentation {
        /// It has to.
        Foreground = "foreground",
        /// It need not.
        Background = "background",
    }

    /// How the parallel and the serial lane go together (SC-23, SC-24).
    pub enum Lanes {
        /// Neither passes the other.
        Barrier = "barrier",
        /// They overlap.
        Free = "free",
    }

    /// What becomes of a call whose outcome is not known (SC-43).
    pub enum UnknownOutcome {
        /// An error for the model.
        Report = "report",
        /// The end of the run.
        End = "end",
    }
}

macro_rules! sections {
    ($($(#[$doc:meta])* $name:ident { $($(#[$member_doc:meta])* $member:ident: $kind:ty = $default:expr,)* })+) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Serialize)]
        #[serde(rename_all = "camelCase")]
        pub struct $name { $($(#[$member_doc])* pub $member: $kind,)* }

        impl Default for $name {
            fn default() -> Self {
                Self { $($member: $default,)* }
            }
        }
    )+};
}

fn texts(list: &[&str]) -> Vec<String> {
    list.iter().map(|&text| text.into()).collect()
}

sections! {
    /// The prompt.
    Preset {
        /// Where it comes from.
        mode: PresetMode = PresetMode::CurrentPromptSnapshot,
        /// A run needs it.
        required: bool = false,
    }

    /// The model.
    Model {
        /// Where it comes from.
        mode: ModelMode = ModelMode::CurrentPromptSnapshot,
    }

    /// Instructions of the profile itself.
    Instructions {
        /// A system prompt of its own.
        agent_system_prompt: Option<String> = None,
    }

    /// What the model is given to begin with.
    Context {
        /// Messages of the chat; −1 means all.
        initial_chat_history_messages: i64 = -1,
        /// World info that is active.
        include_activated_world_info: bool = true,
        /// Characters of tool results in a request before old ones are shortened; `None`: never (RS-77).
        tool_result_window_chars: Option<u64> = Some(200_000),
    }

    /// Which tools, and how they are treated.
    Tools {
        /// Selected, in this order.
        allow: Vec<ToolId> = super::default_allow(),
        /// Never; beats `allow` (CT-31).
        deny: Vec<ToolId> = Vec::new(),
        /// The order in which they are sent.
        order: Order = Order::Allow,
        /// Tiers by pattern over call name or id (PM-13).
        policy: SortedMap<String, Tier> = SortedMap::new(),
        /// Characters of an external result that are shown without projection (PF-04).
        external_result_inline_char_limit: u64 = EXTERNAL_RESULT_CHARS as u64,
        /// Characters of all external results of a batch (RS-47).
        aggregate_result_char_limit: Option<u64> = None,
        /// Other descriptions, by tool.
        tool_descriptions: SortedMap<ToolId, DescriptionOverride> = SortedMap::new(),
        /// Whether arguments are repaired.
        argument_repair: ArgumentRepair = ArgumentRepair::Lossless,
    }

    /// What the model is sent of the tools.
    ExposureSettings {
        /// How.
        mode: ExposureMode = ExposureMode::Auto,
        /// Visible tools above which `auto` means `search`.
        search_threshold: u64 = 20,
        /// Characters of deferrable definitions above which `auto` means `search`.
        search_threshold_chars: u64 = 40_000,
        /// Patterns of tools that can be deferred.
        on_demand: Vec<String> = texts(&["mcp__*"]),
        /// Hits of one search.
        search_limit: u64 = 5,
        /// How long a loaded tool stays loaded.
        activation: Activation = Activation::Turn,
        /// Tools that the mode denies anyway are left out (VS-05).
        hide_by_mode: bool = false,
    }

    /// How permission is decided.
    Permissions {
        /// The mode or one of its synonyms (PM-53), as it was given; `None`: by level.
        mode: Option<String> = None,
        /// How long a person may think, in milliseconds.
        ask_timeout_ms: u64 = 60_000,
        /// Somebody can be asked.
        can_prompt: bool = true,
        /// A model reviews actions.
        reviewer: bool = false,
    }

    /// Skills, by pattern.
    Skills {
        /// Which.
        visible: Vec<String> = texts(&["*"]),
        /// Which not; beats `visible`.
        deny: Vec<String> = Vec::new(),
    }

    /// Which roots of the workspace; a subset of all (PF-08).
    Workspace {
        /// Can be seen.
        visible_roots: Vec<String> = texts(&super::VISIBLE_ROOTS),
        /// Can be written.
        writable_roots: Vec<String> = texts(&super::WRITABLE_ROOTS),
    }

    /// Features that bring builtin tools (CT-17).
    Features {
        /// Deleting into the trash.
        trash: bool = false,
        /// Shell commands in the background.
        shell_background: bool = false,
        /// Several edits in one call.
        multi_edit: bool = false,
    }

    /// How a run goes.
    Run {
        /// Whether it has to publish.
        presentation: Presentation = Presentation::Foreground,
        /// The model's reply is streamed.
        stream: bool = true,
        /// It may be the root of a run.
        direct_runnable: bool = true,
        /// When a model request fails.
        model_retry: ModelRetry = ModelRetry::default(),
        /// How the lanes go together.
        lanes: Lanes = Lanes::Barrier,
        /// Parallel calls at the same time.
        parallel_limit: u64 = 5,
        /// Calls may go on in the background.
        background: bool = true,
        /// What becomes of a call whose outcome is not known.
        unknown_outcome: UnknownOutcome = UnknownOutcome::Report,
        /// Repeated failures are stopped (LG-01).
        loop_guard: bool = true,
    }

    /// How a failed model request is repeated.
    ModelRetry {
        /// How often.
        max_retries: u64 = 3,
        /// After which pause, in milliseconds.
        interval_ms: u64 = 3_000,
    }

    /// Other agents.
    Delegation {
        /// It may start agents.
        can_delegate: bool = false,
        /// It may hand over.
        can_handoff: bool = false,
        /// Others may call it.
        callable: bool = false,
        /// As a child.
        allow_as_subagent: bool = false,
        /// As the target of a handoff.
        allow_as_handoff_target: bool = false,
        /// Who may; `*` means any.
        allowed_callers: Vec<String> = texts(&["*"]),
        /// What others are told about it.
        description_for_agents: Option<String> = None,
        /// Children that run at the same time.
        max_concurrent_invocations: u64 = 3,
        /// Handoffs in a row.
        max_handoff_depth: u64 = 8,
    }

    /// What a run brings forth.
    Output {
        /// The files.
        artifacts: Vec<Artifact> = vec![Artifact::default()],
    }

    /// A file that a run brings forth.
    Artifact {
        /// Its id in the profile.
        id: String = "main".into(),
        /// Where it lies.
        path: String = "output/main.md".into(),
        /// What it is.
        kind: String = "markdown".into(),
        /// Where its text goes.
        target: String = "messageBody".into(),
        /// It must not be empty.
        required: bool = true,
    }
}
