//! What the driver asks a JavaScript instance to do.

use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// The request of `start`: one program in a fresh instance (SH-30).
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Request {
    /// The command line, the command's own name first (SH-31).
    pub argv: Vec<String>,
    /// The working directory, absolute.
    #[serde(default = "root")]
    pub cwd: String,
    /// The environment of the call, `process.env` (SH-46).
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// Where `Date.now()` starts, in milliseconds since the Unix epoch; the clock of the port otherwise (SH-42).
    pub now: Option<f64>,
    /// Everything random in the program follows from this text (SH-42).
    #[serde(default)]
    pub seed: String,
    /// When the program must have ended, on the clock of the port.
    pub deadline_ms: Option<f64>,
    /// Bounds that differ from the built-in ones.
    #[serde(default)]
    pub limits: Bounds,
    /// The members that the host supplied for `context` of `handrail:workspace` (SH-35).
    #[serde(default)]
    pub context: BTreeMap<String, Value>,
    /// Names of tools that reach the network, for the error of `fetch` (SH-33).
    #[serde(default)]
    pub network_tools: Vec<String>,
    /// The macros that the host supplied for `macros.render`; absent when it supplied none (SH-35).
    pub macros: Option<BTreeMap<String, String>>,
}

/// Bounds of one program.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Bounds {
    /// Instructions of the interpreter.
    pub instructions: Option<u32>,
}

fn root() -> String {
    "/".into()
}
