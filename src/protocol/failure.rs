//! The two failures that are values: a refusal for the model, a fault for the developer of the host.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Code;

/// A failure the model can mend. The text is imperative: what is wrong and what to do next (ER-02).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Refusal {
    /// Why.
    pub code: Code,
    /// What the model reads.
    pub message: String,
}

impl Refusal {
    /// A refusal with this code and text.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }
}

/// A failure that the developer of the host can mend: an exception in JavaScript, an `err` in WIT.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fault {
    /// Why.
    pub code: Code,
    /// What is wrong: the member, what was expected and what came.
    pub message: String,
    /// Data to act on, for example `{"toolIds": […]}`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<Value>,
}

impl Fault {
    /// A fault with this code and text and no details.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), details: None }
    }

    /// The same fault with details.
    pub fn with_details(mut self, details: Value) -> Self {
        self.details = Some(details);
        self
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}

impl std::error::Error for Fault {}

/// Something worth knowing that stops nothing (CT-22).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "testing", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Diagnostic {
    /// The tool it is about, if it is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_id: Option<String>,
    /// What kind of thing happened.
    pub code: Code,
    /// The sentence for the developer.
    pub message: String,
}
