//! Everything a run is, as plain facts. The corridor's values are made anew from these after a wait or a restore.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::ledger::Batch;
use super::paged::{Paged, Sealed};
use super::run_hooks::RunRound;
use super::task::Task;
use super::terms::Terms;
use super::timers::Timers;
use crate::catalog::{Profile, Snapshot, Turn};
use crate::protocol::{
    BoundNames, Capabilities, Fault, JournalEvent, Scenario, SortedMap, SortedSet, limits,
};
use crate::run::history::Kept;
use crate::schedule::LoopGuard;
use crate::wire::{Choice, Codec, Stream, Usage};
use crate::workspace::{Changes, ReadState, Roots};

/// One run.
pub(crate) struct Run {
    pub id: Arc<str>,
    /// Counts the runs of the session in the order in which they were started.
    pub number: u64,
    pub session_id: String,
    pub invocation_id: Arc<str>,
    pub scenario: Scenario,
    pub seed: String,
    pub driven: bool,
    pub target: Arc<Value>,
    pub model: Option<Value>,
    pub capabilities: Capabilities,
    pub codec: Codec,
    pub profile: Profile,
    pub roots: Roots,
    /// For whom it works, and how freely.
    pub terms: Terms,
    pub tools: Snapshot,
    pub names: BoundNames,
    pub turn: Turn,
    /// The tool choice of every step, as the wire names it.
    pub choice: Choice,
    pub round: u32,
    pub history: Paged<Kept>,
    /// Provider messages that the host was given so far (`capabilities.incremental`).
    pub sent: Sent,
    /// The same once the open request is answered.
    pub pending: Sent,
    pub call_ids: BTreeSet<Arc<str>>,
    pub journal: Paged<Arc<JournalEvent>>,
    pub usage: Usage,
    /// How often hooks let it go on that had come to its end (HK-15).
    pub continued: u32,
    /// Empty replies so far (FN-14).
    pub drift: u32,
    /// What it tried and did so far, as the loop guard remembers it.
    pub guard: LoopGuard,
    pub phase: Phase,
    /// The calls of the last reply.
    pub batch: Batch,
    pub timers: Timers,
    /// Work that goes on behind its calls, or whose result is kept, by id.
    pub tasks: SortedMap<String, Task>,
    pub read_state: ReadState,
    /// What the run did to files.
    pub changes: Changes,
    /// What of the list of changes is written down.
    pub change_pages: Sealed,
    pub open: SortedMap<String, Purpose>,
    /// Effects whose call was settled without them; a receipt is late (EF-06).
    pub expired: SortedSet<String>,
    /// Open effects that can be made anew, and that a host asked for which is gone (RN-10).
    pub orphaned: SortedSet<String>,
    /// Calls of which the model reads that they were interrupted, whatever is stored (RN-11, FN-21).
    pub interrupted: SortedSet<Arc<str>>,
    pub cancelling: bool,
    /// `store.append` effects without a receipt.
    pub appends: SortedSet<String>,
    pub new_blobs: Vec<String>,
    /// Events of this step, for the store.
    pub unstored: Vec<Arc<JournalEvent>>,
    /// An append failed: nothing more is handed to the store (EF-09).
    pub storage_lost: bool,
    /// What ends the run when its batch has settled (SC-30).
    pub lost: Option<Fault>,
    /// Digest of what it was started with, once that is written down.
    pub given: Option<String>,
    /// Digests of what was written down since the last snapshot, beside the pages.
    pub fresh: Vec<String>,
    /// Digest of all of it, once it is over and written down.
    pub over: Option<String>,
}

/// How much of the conversation the host already has.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Sent {
    /// Entries of the history.
    pub entries: usize,
    /// Provider messages made of them.
    pub messages: usize,
    /// What does not change in a run: the tools, and the system prompt where the codec sends it apart.
    pub lasting: bool,
}

/// What an open effect is for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Purpose {
    /// The model's reply.
    Model,
    /// The result of a call, by its place in the batch.
    Call(usize),
    /// What a call in the corridor waits for.
    Passage {
        /// Its place in the batch.
        place: usize,
        /// What it waits for.
        wait: Wait,
    },
    /// What a hook of the run says.
    Hook,
    /// The result of work in the background, by its id.
    Task(String),
    /// What a hook says about that result.
    TaskHook(String),
    /// A rule to keep. It is kept even where the call that brought it did not wait for that.
    Save {
        /// The place of that call in the batch.
        place: usize,
        /// The rule.
        rule: Value,
    },
}

/// What a call in the corridor waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Wait {
    /// A hook.
    Hook,
    /// What its command consists of.
    Analysis,
    /// What its tool says of it.
    Inspection,
    /// The word of the reviewer.
    Review,
    /// The word of a person.
    Approval,
}

impl Wait {
    /// The kind of the effect.
    pub fn kind(self) -> &'static str {
        match self {
            Wait::Hook => "hook.run",
            Wait::Analysis => "shell.analyze",
            Wait::Inspection => "extension.inspect",
            Wait::Review => "review.request",
            Wait::Approval => "approval.request",
        }
    }

    /// Its limit in milliseconds, if nothing outside changes by it: then it may be asked for again (EF-03).
    pub fn repeats_within(self) -> Option<u64> {
        match self {
            Wait::Analysis => Some(limits::ANALYSIS_TIMEOUT_MS),
            Wait::Inspection => Some(limits::INSPECTION_TIMEOUT_MS),
            Wait::Review => Some(limits::REVIEW_TIMEOUT_MS),
            Wait::Hook | Wait::Approval => None,
        }
    }

    /// What screens call the state of the call (05, section 2), where it is one.
    pub fn state(self) -> Option<&'static str> {
        match self {
            Wait::Hook => Some("awaiting_hook"),
            Wait::Analysis | Wait::Review => Some("awaiting_review"),
            Wait::Approval => Some("awaiting_approval"),
            // It may not even be admitted yet.
            Wait::Inspection => None,
        }
    }
}

/// Where a run stands.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Phase {
    /// The model was asked.
    Model(Box<Asked>),
    /// A failed request is asked again when its timer rings.
    Retry {
        /// Attempts so far.
        attempt: u32,
        /// A reply of this step was cut off before.
        truncated: bool,
    },
    /// Hooks of the run are being called.
    Hooks(Box<RunRound>),
    /// The calls of a reply are being worked on.
    Batch,
    /// The next step waits for hooks that look at results from the background.
    Results {
        /// As the step is told whether the reply before it had an end.
        done: Option<bool>,
    },
    /// A step ends and the next begins; never seen outside of one input.
    Between,
    /// Over.
    Ended(Ending),
}

/// An open model request.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Asked {
    pub effect_id: String,
    /// 1 for the first.
    pub attempt: u32,
    /// A reply of this step was cut off before (RN-06).
    pub truncated: bool,
    /// What has arrived of a streamed reply.
    pub stream: Option<Stream>,
    /// Ids of the calls that screens know of, in the order in which they were announced.
    #[serde(default)]
    pub announced: Vec<String>,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Ending {
    Completed,
    Cancelled,
    Failed,
}
