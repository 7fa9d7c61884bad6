//! What people and hosts watch: the journal, which lasts, and live events, which do not.

use std::sync::Arc;

use super::Facts;
use serde::{Deserialize, Serialize};

/// One event. A journal event has `seq`; a live event has not.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "testing", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Event {
    /// Durable.
    Journal(Arc<JournalEvent>),
    /// For screens.
    Live(LiveEvent),
}

/// How loud a journal event is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "testing", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs)]
pub enum Level {
    Debug,
    Info,
    Warn,
    Error,
}

/// One line of the journal (AU-01).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "testing", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct JournalEvent {
    /// 1, 2, 3, … in its run, without gaps.
    pub seq: u64,
    /// `evt_<seq>`.
    pub id: String,
    /// The run.
    pub run_id: String,
    /// Milliseconds since the Unix epoch.
    pub timestamp: u64,
    /// How loud.
    pub level: Level,
    /// What happened, for example `tool_call_completed`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The facts.
    pub payload: Facts,
    /// The effect that caused it, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effect_id: Option<String>,
}

/// One live event: `tool_begin`, `tool_update`, `tool_end`, `model_delta`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "testing", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct LiveEvent {
    /// The run.
    pub run_id: String,
    /// What happened.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The facts.
    pub payload: Facts,
}
