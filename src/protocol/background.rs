//! Work that goes on after its call was answered: who moved it there, who stopped it, and a command of the shell as its
//! snapshot shows it (SH-51).

use serde::{Deserialize, Serialize};

/// Who moved a call to the background.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum MovedBy {
    /// The model asked for it.
    Request,
    /// The limit of waiting passed.
    Timeout,
    /// The user did.
    User,
    /// The host: it is work of its own, and no call was moved.
    Host,
}

/// What ended work in the background before it came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum StoppedBy {
    /// The user.
    User,
    /// The model.
    Model,
    /// The end of its run.
    Session,
    /// Its program crashed, or was thrown away.
    Trap,
}

/// A command of the shell in the background, as its snapshot shows it (SH-51).
#[derive(Clone, Copy, Debug, Serialize)]
pub struct BackgroundCommand<'a> {
    /// Its id.
    pub command_id: &'a str,
    /// The session it belongs to.
    pub session_id: &'a str,
    /// The script.
    pub command: &'a str,
    /// Whether it still runs.
    pub running: bool,
    /// The exit code, once it came to its end.
    pub exit_code: Option<i64>,
    /// The last of what it put out, at most [`super::limits::BACKGROUND_LOG_BYTES`].
    pub stdout: &'a str,
    /// The same of the other stream.
    pub stderr: &'a str,
    /// Bytes of `stdout` that are not kept.
    pub stdout_dropped: u64,
    /// Bytes of `stderr` that are not kept.
    pub stderr_dropped: u64,
    /// When it began; milliseconds since the Unix epoch.
    pub started_at: u64,
    /// When it ended.
    pub ended_at: Option<u64>,
    /// Who moved it to the background.
    pub backgrounded_by: MovedBy,
    /// What ended it before its end.
    pub stopped_by: Option<StoppedBy>,
}
