//! What the host hands in.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Command;

/// One input of a step. As JSON: an object with one member, the kind.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "testing", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Input {
    /// Something the host or a person wants; answered by one reply.
    Command(
        #[serde(deserialize_with = "super::typed::typed")]
        #[cfg_attr(feature = "testing", schemars(with = "Command"))]
        Box<Command>,
    ),
    /// The final answer to an effect.
    Receipt(Receipt),
    /// News about an open effect.
    Progress(Progress),
    /// Time passed.
    Tick {},
}

/// How an effect ended (EF-04).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "testing", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ReceiptOutcome {
    /// Performed; the payload is valid.
    Ok,
    /// Known to have failed; nothing is pending.
    Failed,
    /// Certainly never left the host.
    NotSent,
    /// May have been performed; no further answer will come.
    Unknown,
    /// Ended because of an abort.
    Cancelled,
    /// Ended by the host's own deadline.
    TimedOut,
}

/// Why an effect failed, in the host's words.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "testing", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
// The core forgives a host that says neither; the types of the package do not.
#[cfg_attr(feature = "testing", schemars(extend("required" = ["code", "message"])))]
pub struct ReceiptError {
    /// The host's code, for example `timeout`.
    pub code: String,
    /// One sentence.
    pub message: String,
    /// Where it failed, for effects with stages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stage: Option<String>,
    /// The model request may be tried again (RN-05); absent means yes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retryable: Option<bool>,
    /// Wait at least this long before trying again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u64>,
}

/// Why the instance of a program was thrown away (SH-40).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "testing", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)] // The contract with the host names them.
pub enum Discarded {
    Trap,
    Timeout,
    Killed,
    Memory,
}

/// The final answer to one effect. The first one counts (EF-05).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "testing", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Receipt {
    /// The effect it answers.
    pub effect_id: String,
    /// How it ended.
    pub outcome: ReceiptOutcome,
    /// What an `ok` brings; its shape depends on the effect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payload: Option<Value>,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ReceiptError>,
    /// The work certainly stopped; missing means no (EF-07).
    #[serde(default)]
    pub stopped: bool,
    /// The instance of the program that did the work is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub discarded: Option<Discarded>,
}

impl Receipt {
    /// That an effect was performed, and brings nothing.
    pub fn ok(effect_id: String) -> Self {
        let (payload, error, discarded) = (None, None, None);
        Self { effect_id, outcome: ReceiptOutcome::Ok, payload, error, stopped: false, discarded }
    }
}

/// News about an open effect (EF-11). `data` has one of the members `chunk`, `text`, `stdout`, `stderr`, …
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "testing", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Progress {
    /// The effect it is about.
    pub effect_id: String,
    /// The news.
    pub data: Value,
}
