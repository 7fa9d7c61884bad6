//! A tool call as the model asked for it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What stands in the argument position of a call, as it came from the provider (AR-01). Nothing is decided here.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Wire {
    /// The member is missing.
    #[default]
    Absent,
    /// A JSON string with this decoded content.
    Text(String),
    /// Any other JSON value.
    Json(Value),
}

/// One call of a closed model reply, before anything is looked up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Call {
    /// Unique in the invocation (ID-21).
    pub call_id: Arc<str>,
    /// The provider's own id, sent back unchanged to the same codec (ID-22).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider_id: Option<String>,
    /// The name the model used.
    pub name: Arc<str>,
    /// The arguments as they came.
    #[serde(default)]
    pub arguments: Wire,
    /// The reply was cut off inside this call: it must not run (WR-12).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
}
