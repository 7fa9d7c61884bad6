//! What a step gives back.

use serde::Serialize;
use serde_json::Value;

use super::{Code, Effect, Event};

/// Everything one step asks for and tells, each list in order.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "testing", derive(schemars::JsonSchema))]
pub struct Output {
    /// What the host has to perform.
    pub effects: Vec<Effect>,
    /// What people and hosts watch.
    pub events: Vec<Event>,
    /// One answer per command.
    pub replies: Vec<Reply>,
}

/// The answer to one command (CM-01).
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "testing", derive(schemars::JsonSchema))]
pub struct Reply {
    /// Place of the command in the inputs of the step.
    pub input: usize,
    /// Whether it was done.
    pub ok: bool,
    /// What it gives.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// Why it was refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<Code>,
    /// The sentence for the developer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Data to act on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub details: Option<Value>,
}
