//! What the host or a person wants.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::SortedMap;

/// A command; as JSON an object whose `type` names it. Each is answered by one reply in the same step (CM-01).
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "testing", derive(schemars::JsonSchema))]
#[serde(rename_all_fields = "camelCase", deny_unknown_fields)]
// `typed` reads it; what is derived here says what it has to read.
#[cfg_attr(feature = "testing", schemars(tag = "type"))]
pub enum Command {
    /// Register extension tools (XT-01). Reply: `{toolIds, notices, diagnostics}`.
    #[serde(rename = "registerTools")]
    RegisterTools {
        /// The registrations, as chapter 14 describes them.
        tools: Vec<Value>,
        /// A tool that is registered already is an error instead of being replaced (NM-24).
        #[serde(default)]
        strict: bool,
    },
    /// Allow or block new calls of an extension tool (XT-02).
    #[serde(rename = "setEnabled")]
    SetEnabled {
        /// Which.
        tool_id: String,
        /// Whether new calls are allowed.
        enabled: bool,
    },
    /// Forget extension tools.
    #[serde(rename = "unregisterTools")]
    UnregisterTools {
        /// Which.
        tool_ids: Vec<String>,
    },
    /// List the catalog (CT-20). Reply: `{tools, diagnostics}`.
    #[serde(rename = "tools.list")]
    ToolsList {
        /// Only tools of this scenario.
        #[serde(default)]
        context: Option<Scenario>,
    },
    /// Check a profile, bring it to schema 5 and keep it (PF-11). Reply: `{profile}`.
    #[serde(rename = "profile.save")]
    ProfileSave {
        /// The profile.
        profile: Value,
    },
    /// Read a kept profile. Reply: `{profile}`.
    #[serde(rename = "profile.load")]
    ProfileLoad {
        /// Its id.
        id: String,
    },
    /// Start a run (CM-02). Reply: `{runId, invocationId, diagnostics, notices}`.
    #[serde(rename = "startRun")]
    StartRun(Box<StartRun>),
    /// Cancel a run (SC-32).
    #[serde(rename = "cancelRun")]
    CancelRun {
        /// Which.
        run_id: String,
    },
    /// Stop one call; its run goes on with the result (SC-11). One that must not be broken off goes on (SC-35).
    #[serde(rename = "cancelCall")]
    CancelCall {
        /// The run it belongs to.
        run_id: String,
        /// Which.
        call_id: String,
    },
    /// Let a running call go on in the background; it is answered with a placeholder (SC-47). Reply: `{id}`.
    #[serde(rename = "backgroundCall")]
    BackgroundCall {
        /// The run it belongs to.
        run_id: String,
        /// Which.
        call_id: String,
    },
    /// List the work in the background, oldest first. Reply: `{tasks}`.
    #[serde(rename = "background.list")]
    BackgroundList {
        /// Only that of this session.
        #[serde(default)]
        session_id: Option<String>,
        /// Only that which this run began.
        #[serde(default)]
        run_id: Option<String>,
    },
    /// List that of one invocation, oldest first. Reply: `{tasks}`.
    #[serde(rename = "background.listFor")]
    BackgroundListFor {
        /// The run of the invocation.
        run_id: String,
        /// Which.
        invocation_id: String,
    },
    /// Take on work that the host does by itself (SC-47). Its result is delivered like that of a call; it ends by a
    /// receipt for the effect id of the reply, tells news by progress for it, and is told to stop by an `abort` of it.
    /// Reply: `{task, effectId}`.
    #[serde(rename = "background.adopt")]
    BackgroundAdopt {
        /// What it is, in one line; the model reads it.
        name: String,
        /// The session it belongs to, `default` if missing; with `runId` that of the run.
        #[serde(default)]
        session_id: Option<String>,
        /// The run whose invocation it belongs to; cancelling it stops the work.
        #[serde(default)]
        run_id: Option<String>,
        /// When it began; now if missing.
        #[serde(default)]
        started_at: Option<u64>,
    },
    /// Read what is known of one piece of work, with its log. Reply: `{task}`.
    #[serde(rename = "background.get")]
    BackgroundGet {
        /// Which.
        id: String,
    },
    /// Say that it is alive (SC-47). Reply: `{task}`.
    #[serde(rename = "background.touch")]
    BackgroundTouch {
        /// Which.
        id: String,
    },
    /// Stop it; what it comes to is delivered like any other result. Reply: `{task}`.
    #[serde(rename = "background.cancel")]
    BackgroundCancel {
        /// Which.
        id: String,
    },
    /// Take the message that would bring its result; it counts as delivered, and the model is not told. Reply: `{text}`.
    #[serde(rename = "background.deliver")]
    BackgroundDeliver {
        /// Which.
        id: String,
    },
    /// Forget what was delivered. Reply: `{pruned}`, a number.
    #[serde(rename = "background.prune")]
    BackgroundPrune {
        /// Only that of this session.
        #[serde(default)]
        session_id: Option<String>,
    },
    /// Delete a session (RN-14): its run is cancelled, its work in the background is told to stop, what was allowed in it
    /// and what it has kept are gone; its id is refused from then on. Files of the workspace stay. Reply: `{runId}`, the
    /// run that is being cancelled, if one goes on.
    #[serde(rename = "session.delete")]
    SessionDelete {
        /// Which.
        session_id: String,
    },
    /// Read a file. Reply: `{text}` for text, `{blob}` (a digest) for other bytes.
    #[serde(rename = "workspace.read")]
    WorkspaceRead {
        /// Which.
        path: String,
    },
    /// Write a file, as the host: any visible root. Exactly one of `text` and `blob`. Reply: `{sha256, bytes}`.
    #[serde(rename = "workspace.write")]
    WorkspaceWrite {
        /// Which.
        path: String,
        /// Text content.
        #[serde(default)]
        text: Option<String>,
        /// Digest of bytes handed over before.
        #[serde(default)]
        blob: Option<String>,
    },
    /// List files below a path. Reply: `{entries: [{path, kind, bytes?}]}`, all levels.
    #[serde(rename = "workspace.list")]
    WorkspaceList {
        /// Where; the whole workspace if missing.
        #[serde(default)]
        path: Option<String>,
    },
    /// Delete a file or a directory, as the host. Reply: `{removed}` (number of files).
    #[serde(rename = "workspace.delete")]
    WorkspaceDelete {
        /// Which.
        path: String,
    },
    /// Choose which events of a run the outputs carry from now on. Reply: `{seq}`, the last line of the journal so far.
    #[serde(rename = "watch")]
    Watch {
        /// Which run.
        run_id: String,
        /// Which events.
        events: Watch,
    },
    /// A new host takes over after a restore (RN-10), before anything else: the next model request of each run holds the
    /// whole conversation, what was to wake the session is set anew, and pure effects that wait have their whole time
    /// again; the first receipt `not_sent` for one makes it anew under another id. Reply:
    /// `{runs: [{runId, sessionId, driven}], inFlight}`: the runs that go on,
    /// and the effects that wait for a receipt.
    #[serde(rename = "attach")]
    Attach {},
    /// Continue a run that has failed (RN-11), with a new request to the model. Reply: `{runId, invocationId, sessionId}`.
    #[serde(rename = "resumeRun")]
    ResumeRun {
        /// Which.
        run_id: String,
        /// The model may be told of calls that nobody knows the outcome of; without this they refuse it.
        #[serde(default)]
        accept_unknown: bool,
        /// The host drives the model itself. It must do so if and only if it did at the start.
        #[serde(default)]
        driven: bool,
    },
    /// Set the rules; they replace those there are (PM-06). A snapshot does not hold them (RN-13): after a restore they
    /// are to be set before anything else.
    #[serde(rename = "rules.set")]
    RulesSet {
        /// The rules, as chapter 04 describes them.
        rules: Value,
    },
    /// Register hooks; they replace those there are (HK-02).
    #[serde(rename = "registerHooks")]
    RegisterHooks {
        /// The hooks: `{hookId, point, order?, include?, exclude?, timeoutMs?}` each.
        hooks: Value,
    },
    /// Set the mode that the caller of a run wants; that of its profile counts beside it (PM-53).
    #[serde(rename = "setMode")]
    SetMode {
        /// Which run.
        run_id: String,
        /// A mode or one of its synonyms.
        mode: String,
    },
    /// Let a run write below one more directory without leaving its bounds (PM-64).
    #[serde(rename = "addWorkingDirectory")]
    AddWorkingDirectory {
        /// Which run.
        run_id: String,
        /// The directory.
        path: String,
    },
    /// Read the journal of a run (AU-09). Reply: `{events, more}`.
    #[serde(rename = "readEvents")]
    ReadEvents {
        /// Which run.
        run_id: String,
        /// Only later ones.
        #[serde(default)]
        after_seq: Option<u64>,
        /// Only earlier ones.
        #[serde(default)]
        before_seq: Option<u64>,
        /// At most this many, 500 at the highest.
        #[serde(default)]
        limit: Option<usize>,
        /// Only this invocation.
        #[serde(default)]
        invocation_id: Option<String>,
    },
}

/// Where a run lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "testing", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Scenario {
    /// A chat with committed messages.
    Chat,
    /// A plain conversation: a reply without calls is the answer (FN-06).
    Session,
}

/// A message of the conversation before this run, or of the host's prompt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "testing", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Message {
    /// Whose.
    #[cfg_attr(feature = "testing", schemars(extend("enum" = ["system", "user", "assistant"])))]
    pub role: String,
    /// The text.
    pub text: String,
}

/// An image handed over out of band.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "testing", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Image {
    /// Digest of its bytes.
    pub blob: String,
}

/// Which events of a run the outputs carry. The journal is kept whole in any case, see `readEvents`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "testing", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Watch {
    /// All.
    #[default]
    All,
    /// Those of the journal: nobody looks at a screen.
    Journal,
    /// Those of the run as a whole, and failed model requests: nobody watches.
    Run,
}

/// What the other side can do.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "testing", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Capabilities {
    /// The model takes images; missing means not known.
    pub images: Option<bool>,
    /// The wire format; `openai-chat` if missing.
    pub codec: Option<String>,
    /// Options of the wire format.
    pub wire_options: Option<Value>,
    /// The host keeps the messages of earlier requests: send only the new ones.
    pub incremental: bool,
    /// Which events the outputs carry; the command `watch` changes it.
    pub events: Watch,
    /// The host answers `review.request`; it counts only where the profile wants a reviewer (PM-60).
    pub reviewer: bool,
    /// The host has a store: emit `store.append` before the effects it covers (EF-08).
    pub store: bool,
}

/// What a run starts with (CM-02). Chat data, files and prompt are inputs; the runtime never fetches them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "testing", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StartRun {
    /// The session it belongs to; `default` if missing.
    #[serde(default)]
    pub session_id: Option<String>,
    /// Its id; `run_<n>` if missing.
    #[serde(default)]
    pub run_id: Option<String>,
    /// Randomness for dice and the like; any text.
    #[serde(default)]
    pub seed: String,
    /// Where it lives.
    pub scenario: Scenario,
    /// The profile: an object, or the id of a kept one as a string; the default profile if missing.
    #[serde(default)]
    pub profile: Option<Value>,
    /// The host's prompt.
    #[serde(default)]
    pub prompt_messages: Vec<Message>,
    /// The conversation so far, newest last.
    #[serde(default)]
    pub messages: Vec<Message>,
    /// The model, as the host calls it.
    #[serde(default)]
    pub model: Option<Value>,
    /// What the other side can do.
    #[serde(default)]
    pub capabilities: Capabilities,
    /// Files to put into the workspace first.
    #[serde(default)]
    pub files: SortedMap<String, String>,
    /// The tool choice of every step; `auto` if missing.
    #[serde(default)]
    pub tool_choice: Option<Value>,
    /// The host drives the model itself: it answers each `model.request` when it likes, and a reply without calls
    /// ends nothing; the next request then carries what the host adds.
    #[serde(default)]
    pub driven: bool,
    /// For whom it is: `{id?, level?, roles?, groups?}`; the host's own user if missing (PM-52).
    #[serde(default)]
    pub subject: Option<Value>,
    /// The mode the caller wants, or one of its synonyms (PM-53).
    #[serde(default)]
    pub mode: Option<String>,
    /// Those that others want beside it, such as the route and plugins; the strictest verdict counts (PM-53).
    #[serde(default)]
    pub modes: Vec<String>,
    /// Directories below which the run may write without leaving its bounds, beside the writable roots (PM-64).
    #[serde(default)]
    pub working_directories: Vec<String>,
    /// Hosts that it may reach so, as patterns (PM-64).
    #[serde(default)]
    pub allowed_hosts: Vec<String>,
    /// Whether somebody can be asked; yes if missing (PM-23).
    #[serde(default)]
    pub can_prompt: Option<bool>,
    /// Nobody watches; shown with each question (PM-53).
    #[serde(default)]
    pub unattended: bool,
    /// The way the request came in, as the host calls it; rules can be about it.
    #[serde(default)]
    pub route: Option<String>,
    /// The platform, as the host calls it; rules can be about it.
    #[serde(default)]
    pub platform: Option<String>,
    /// Data for `context.target` of extension functions.
    #[serde(default)]
    pub target: Option<Value>,
}
