//! Every bound of the runtime, in one place. Reaching one is always said.

/// Deepest nesting of JSON that is read anywhere (AR-11).
pub const JSON_DEPTH: usize = 128;
/// Characters of a broken argument text that a refusal shows (AR-08).
pub const ARGUMENT_ECHO_CHARS: usize = 200;
/// Problems of one call that are listed (AR-26).
pub const ARGUMENT_PROBLEMS: usize = 5;
/// Names of members or allowed values that one problem lists.
pub const ARGUMENT_NAMES: usize = 30;
/// Work of checking one call's arguments against a schema, in subschemas visited (AR-31).
pub const SCHEMA_STEPS: u64 = 2_000_000;
/// Subschemas inside one another while a value is checked (AR-31).
pub const SCHEMA_DEPTH: usize = 1_024;
/// Subschemas that refer to one another in a row (AR-31).
pub const SCHEMA_CHAIN: usize = 64;
/// Subschemas that apply to one value (AR-31).
pub const SCHEMA_APPLIED: usize = 10_000;
/// States of a schema's `pattern`, repetitions written out (AR-31).
pub const PATTERN_STATES: u64 = 10_000;
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
