//! What the driver asks a shell instance to do.

use serde::Deserialize;
use std::collections::BTreeMap;

/// The request of `start`: one command in a fresh environment (SH-03).
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Request {
    /// The script.
    pub command: String,
    /// The working directory, absolute.
    #[serde(default = "root")]
    pub cwd: String,
    /// Variables beside those of SH-03; they win.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// Everything random in the command follows from this text (SH-42).
    #[serde(default)]
    pub seed: String,
    /// When the command must have ended, on the clock of the port: milliseconds since the Unix epoch.
    pub deadline_ms: Option<f64>,
    /// Programs that the driver runs as commands, beside `js`, `node` and `deno` (SH-57).
    #[serde(default)]
    pub programs: Vec<String>,
}

fn root() -> String {
    "/".into()
}
