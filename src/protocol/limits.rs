//! Every bound of the runtime, in one place. Reaching one is always said.

/// Deepest nesting of JSON that is read anywhere (AR-11).
pub const JSON_DEPTH: usize = 128;
/// Characters of a broken argument text that a refusal shows (AR-08).
pub const ARGUMENT_ECHO_CHARS: usize = 200;
/// Problems of one call that are listed (AR-26).
pub const ARGUMENT_PROBLEMS: usize = 5;
/// Names that an unknown tool call is answered with (NM-14).
pub const NAME_CANDIDATES: usize = 50;
/// Bytes of a call name (NM-05, NM-20).
pub const CALL_NAME_BYTES: usize = 64;
/// Inline limit of external results when the profile says nothing (PF-04).
pub const EXTERNAL_RESULT_CHARS: usize = 50_000;
/// Characters of a long result that are shown (RS-43).
pub const PREVIEW_CHARS: usize = 3_000;
/// Longest line of a readable result file (RS-42).
pub const READABLE_LINE_CHARS: usize = 3_000;
/// Characters of a thrown message that the model is shown (RS-31).
pub const THROWN_MESSAGE_CHARS: usize = 2_000;
/// Bytes of a file (WS-14).
pub const FILE_BYTES: usize = 8 * 1024 * 1024;
/// Entries of a directory (WS-14).
pub const DIRECTORY_ENTRIES: usize = 4_096;
/// Entries of a workspace (WS-14).
pub const WORKSPACE_ENTRIES: usize = 65_536;
/// Bytes of a workspace (WS-14).
pub const WORKSPACE_BYTES: u64 = 256 * 1024 * 1024;
/// Bytes of an extension's input schema (XT-08).
pub const SCHEMA_BYTES: usize = 256 * 1024;
/// Tools of one extension (XT-08).
pub const TOOLS_PER_EXTENSION: usize = 512;
/// Extra messages of one call, and characters of each (RS-13).
pub const EXTRA_MESSAGES: usize = 4;
/// Characters of one extra message (RS-13).
pub const EXTRA_MESSAGE_CHARS: usize = 8_000;
/// Waiting limit of an external call without a declared one, when the profile has no background (SC-40).
pub const EXTERNAL_TIMEOUT_MS: u64 = 60_000;
/// The same with background (SC-40).
pub const EXTERNAL_TIMEOUT_BACKGROUND_MS: u64 = 180_000;
/// How long an aborted call may still answer (SC-34).
pub const ABORT_GRACE_MS: u64 = 5_000;
/// Events that one read of the journal returns (AU-09).
pub const EVENTS_PER_READ: usize = 500;
/// Waiting limit of a shell call that names no deadline (SH-04).
pub const SHELL_DEADLINE_MS: f64 = 30_000.0;
/// Nested calls of a JavaScript program (SH-30).
pub const JAVASCRIPT_CALL_DEPTH: usize = 512;
/// Instructions of a JavaScript program, some 30 s of ordinary code: what stops it where no poll can (SH-43).
pub const JAVASCRIPT_INSTRUCTIONS: u32 = 1_500_000_000;
/// How long one poll of a JavaScript program lasts where the engine can stop, in milliseconds.
pub const JAVASCRIPT_POLL_MS: f64 = 4.0;
/// Bytes of a JavaScript program on standard input (SH-31).
pub const JAVASCRIPT_STDIN_BYTES: usize = 128 * 1024;
