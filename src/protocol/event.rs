//! What people and hosts watch: the journal, which lasts, and live events, which do not.

use std::borrow::Cow;
use std::fmt::{self, Display};
use std::sync::Arc;

use super::Facts;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

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

/// The id of a journal event: its number, and as text `evt_<seq>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventId(pub u64);

impl Display for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "evt_{}", self.0)
    }
}

impl Serialize for EventId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for EventId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let number = text.strip_prefix("evt_").and_then(|number| number.parse().ok());
        number.map(Self).ok_or_else(|| D::Error::custom("expected the id of an event"))
    }
}

#[cfg(feature = "testing")]
impl schemars::JsonSchema for EventId {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "EventId".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        String::json_schema(generator)
    }
}

/// One line of the journal (AU-01).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "testing", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct JournalEvent {
    /// 1, 2, 3, … in its run, without gaps.
    pub seq: u64,
    /// `evt_<seq>`.
    pub id: EventId,
    /// The run.
    pub run_id: Arc<str>,
    /// Milliseconds since the Unix epoch.
    pub timestamp: u64,
    /// How loud.
    pub level: Level,
    /// What happened, for example `tool_call_completed`.
    #[serde(rename = "type")]
    pub kind: Cow<'static, str>,
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
    pub run_id: Arc<str>,
    /// What happened.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The facts.
    pub payload: Facts,
}
