//! The open calls of a batch, as plain facts.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::builtins;
use super::passage::Passage;
use super::task::Log;
use crate::arguments::Checked;
use crate::gate::Found;
use crate::identity::ToolId;
use crate::permission::Permitted;
use crate::project::{Stop, Stored};
use crate::protocol::{AbortReason, Call, FileChange, Note, Outcome};
use crate::schedule::{Lanes, Plan};
use crate::wire::Assistant;
use crate::workspace::Port;

/// The calls of one reply, in the model's order.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Batch {
    /// The reply. It enters history together with the results, so that a call never stands there without one.
    pub said: Assistant,
    pub calls: Vec<OpenCall>,
    pub plan: Plan,
    /// The run is lost and the calls know it.
    pub stopped: bool,
}

impl Default for Batch {
    fn default() -> Self {
        Self {
            said: Assistant::default(),
            calls: Vec::new(),
            plan: Plan::new(Lanes::Barrier, 1),
            stopped: false,
        }
    }
}

/// One call on its way.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OpenCall {
    pub call: Arc<Call>,
    pub tool_id: Option<ToolId>,
    pub arguments_ref: Arc<str>,
    pub queued_at: u64,
    pub started_at: Option<u64>,
    pub ended_at: u64,
    /// The effect that performs it.
    pub effect_id: Option<String>,
    /// The waiting limit it was given, in milliseconds.
    pub limit_ms: Option<u64>,
    /// What its function returns are blocks (RS-30), as it was registered when it was called.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub returns_blocks: bool,
    /// It was told to stop.
    pub abort: Option<AbortReason>,
    /// The call whose failure stopped it.
    pub stopped_by: Option<String>,
    /// What it did to files.
    pub changes: Vec<FileChange>,
    /// Remarks for the record.
    pub notes: Vec<Note>,
    /// What it has put out so far, if it may go on in the background.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub log: Box<Log>,
    /// The receipt's payload, for the audit file (RS-54).
    pub raw: Option<Value>,
    /// It ended, but what is shown of it is decided with the rest of the batch (RS-47).
    pub outcome: Option<Outcome>,
    /// It is stored.
    pub record: Option<Stored>,
    /// What was asked and said about it in the corridor, if anything was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passage: Option<Box<Passage>>,
    /// The call in the corridor; made anew from the facts when it is missing.
    #[serde(skip)]
    pub checked: Option<Checked<Found>>,
    #[serde(skip)]
    pub permitted: Option<Permitted>,
    /// What the tool got, once it has started; found anew when it is missing.
    #[serde(skip)]
    pub arguments: Option<Arc<Map<String, Value>>>,
    /// That is exactly what the model asked for.
    #[serde(skip)]
    pub as_asked: bool,
    /// The file port of the program that does it; what it touched is written down beside the batch.
    #[serde(skip)]
    pub port: Option<Box<Port>>,
}

impl OpenCall {
    /// A call of a closed reply.
    pub fn new(call: Arc<Call>, tool_id: Option<ToolId>, arguments_ref: Arc<str>, queued_at: u64) -> Self {
        Self {
            call,
            tool_id,
            arguments_ref,
            queued_at,
            started_at: None,
            ended_at: queued_at,
            effect_id: None,
            limit_ms: None,
            returns_blocks: false,
            abort: None,
            stopped_by: None,
            changes: Vec::new(),
            notes: Vec::new(),
            log: Box::default(),
            raw: None,
            outcome: None,
            record: None,
            passage: None,
            checked: None,
            permitted: None,
            arguments: None,
            as_asked: false,
            port: None,
        }
    }

    /// Why it was told to stop, as its result says it.
    pub fn stop(&self) -> Option<Stop<'_>> {
        Some(match self.abort? {
            AbortReason::User | AbortReason::Loop => Stop::User,
            AbortReason::Timeout => Stop::Timeout,
            AbortReason::Cascade => Stop::Failure(self.stopped_by.as_deref().unwrap_or("another call")),
            AbortReason::RunEnd => Stop::RunEnd,
        })
    }

    /// The kind of the effect that performs it.
    pub fn kind(&self) -> &'static str {
        builtins::outside(self.tool_id.as_ref()).map_or("extension.call", |outside| outside.kind)
    }

    /// Whether it has ended; hooks may still look at its result.
    pub fn is_over(&self) -> bool {
        self.settled() || self.passage.as_ref().is_some_and(|passage| passage.over.is_some())
    }

    /// Whether it has its result.
    pub fn settled(&self) -> bool {
        self.record.is_some() || self.outcome.is_some()
    }
}

fn is_empty(log: &Log) -> bool {
    log.is_empty()
}
