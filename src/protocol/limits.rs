//! Every bound of the runtime, in one place. Reaching one is always said.

/// Deepest nesting of JSON that is read anywhere (AR-11).
pub const JSON_DEPTH: usize = 128;
/// Deepest nesting of a list of inputs: what a value of [`JSON_DEPTH`] is wrapped in comes on top of it.
pub const INPUT_DEPTH: usize = 160;
/// Deepest nesting of a snapshot and its pages: whatever came in as an input can be written down and read back.
pub const SNAPSHOT_DEPTH: usize = 256;
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
/// Lines of a self-bounded text, from either end (RS-71).
pub const TRUNCATED_LINES: usize = 2_000;
/// Bytes of a self-bounded text that keeps its head (RS-71).
pub const TRUNCATED_HEAD_BYTES: usize = 50_000;
/// Bytes of a self-bounded text that keeps its tail (RS-71).
pub const TRUNCATED_TAIL_BYTES: usize = 30_000;
/// Characters of the message of a call event (AU-07).
pub const EVENT_MESSAGE_CHARS: usize = 300;
/// Characters of a thrown message that the model is shown (RS-31).
pub const THROWN_MESSAGE_CHARS: usize = 2_000;
/// Bytes of a workspace path (WS-03).
pub const PATH_BYTES: usize = 1_024;
/// Bytes of one name in a workspace path (WS-03).
pub const SEGMENT_BYTES: usize = 255;
/// Names in a workspace path (WS-03).
pub const PATH_DEPTH: usize = 64;
/// Bytes of a file (WS-14).
pub const FILE_BYTES: usize = 8 * 1024 * 1024;
/// Entries of a directory (WS-14).
pub const DIRECTORY_ENTRIES: usize = 4_096;
/// Entries of a workspace (WS-14).
pub const WORKSPACE_ENTRIES: usize = 65_536;
/// Bytes of a workspace (WS-14).
pub const WORKSPACE_BYTES: u64 = 256 * 1024 * 1024;
/// Entries that the runtime itself keeps beside the files: arguments, results, trash. A ceiling against damaged
/// snapshots; some 300,000 calls reach it.
pub const RECORD_ENTRIES: u64 = 1 << 20;
/// Bytes that the runtime itself keeps beside the files.
pub const RECORD_BYTES: u64 = 1 << 30;
/// Lines that one read of a file shows (BT-62).
pub const READ_LINES: usize = 1_200;
/// Characters that one read of a file shows (BT-62).
pub const READ_CHARS: usize = 80_000;
/// Bytes that one read of a file shows (BT-62).
pub const READ_BYTES: usize = 256 * 1024;
/// Entries of one listing (BT-41).
pub const LIST_ENTRIES: usize = 200;
/// Levels of one listing (BT-40).
pub const LIST_DEPTH: usize = 4;
/// Levels of a listing when none are asked for (BT-40).
pub const LIST_DEPTH_DEFAULT: usize = 2;
/// Files of one search (BT-50).
pub const SEARCH_FILES: usize = 1_000;
/// Levels of one search (BT-50).
pub const SEARCH_DEPTH: usize = 8;
/// Hits of one search.
pub const SEARCH_HITS: usize = 50;
/// Hits of a search when no number is asked for.
pub const SEARCH_HITS_DEFAULT: usize = 20;
/// Lines shown around a hit.
pub const SEARCH_CONTEXT: usize = 5;
/// Lines shown around a hit when no number is asked for.
pub const SEARCH_CONTEXT_DEFAULT: usize = 2;
/// Distinct words of a query that count (BT-50).
pub const SEARCH_TOKENS: usize = 64;
/// Characters of a line that a search shows.
pub const SEARCH_LINE_CHARS: usize = 500;
/// Bytes of a file whose changes are shown as a diff (FC-40).
pub const DIFF_BYTES: usize = 256 * 1024;
/// Dice of one roll (BT-30).
pub const DICE: u32 = 100;
/// Sides of a die (BT-30).
pub const DICE_SIDES: u32 = 1_000_000;
/// Largest modifier of a roll, either way (BT-30).
pub const DICE_MODIFIER: u32 = 1_000_000;
/// Bytes of an extension's input schema (XT-08).
pub const SCHEMA_BYTES: usize = 256 * 1024;
/// Tools of one extension (XT-08).
pub const TOOLS_PER_EXTENSION: usize = 512;
/// Characters of an extension's id and of a registered name (XT-08).
pub const REGISTERED_NAME_CHARS: usize = 128;
/// Bytes of a profile's id (PF-05).
pub const PROFILE_ID_BYTES: usize = 128;
/// Deepest nesting of the parts of an action template (PM-01).
pub const ACTION_DEPTH: usize = 8;
/// Characters of a reason that a person, a hook or a tool gives for a denial.
pub const REASON_CHARS: usize = 2_000;
/// Waiting limit of a question of the tool to the user (PM-29).
pub const CHOICE_TIMEOUT_MS: u64 = 3_600_000;
/// Lines of a file or a change that a question shows.
pub const PREVIEW_LINES: usize = 40;
/// Characters of each of those lines.
pub const PREVIEW_LINE_CHARS: usize = 300;
/// Times that hooks may rewrite the arguments of one call (HK-09).
pub const HOOK_REWRITES: u32 = 3;
/// Bytes of a text from a hook (HK-13).
pub const HOOK_TEXT_BYTES: usize = 64 * 1024;
/// Waiting limit of a reviewer (PM-60, step 14).
pub const REVIEW_TIMEOUT_MS: u64 = 8_000;

/// Waiting limit of what a tool says of its call (AR-34).
pub const INSPECTION_TIMEOUT_MS: u64 = 5_000;
/// Waiting limit of the analysis of a command (PM-55).
pub const ANALYSIS_TIMEOUT_MS: u64 = 2_000;
/// Times that hooks may let a run go on that has come to its end (HK-15).
pub const RUN_CONTINUATIONS: u32 = 3;
/// Waiting limit of a hook when its registration says nothing (HK-13).
pub const HOOK_TIMEOUT_MS: u64 = 60_000;
/// Shortest waiting limit of a hook (HK-13).
pub const HOOK_TIMEOUT_MIN_MS: u64 = 1_000;
/// Longest waiting limit of a hook (HK-13).
pub const HOOK_TIMEOUT_MAX_MS: u64 = 600_000;
/// Longest declared limit of synchronous waiting: a day (`timeoutMs`).
pub const TRAIT_TIMEOUT_MS: u64 = 86_400_000;
/// Extra messages of one call, and characters of each (RS-13).
pub const EXTRA_MESSAGES: usize = 4;
/// Characters of one extra message (RS-13).
pub const EXTRA_MESSAGE_CHARS: usize = 8_000;
/// Waiting limit of an external call without a declared one, when the profile has no background (SC-40).
pub const EXTERNAL_TIMEOUT_MS: u64 = 60_000;
/// The same with background (SC-40).
pub const EXTERNAL_TIMEOUT_BACKGROUND_MS: u64 = 180_000;

/// Commands of the shell that may run in the background at a time, per session (SH-52).
pub const BACKGROUND_COMMANDS: usize = 4;
/// Bytes of each stream that the log of work in the background keeps: the last ones (SC-47, SH-51).
pub const BACKGROUND_LOG_BYTES: usize = 128 * 1024;
/// Delivered pieces of work that a session remembers; the oldest are forgotten first.
pub const BACKGROUND_KEPT: usize = 32;
/// How long a command without a limit may take: the longest waiting limit there is, in milliseconds.
pub const BACKGROUND_COMMAND_MS: u64 = 86_400_000;
/// Parallel calls of one batch that run at once, when the profile says nothing (SC-25).
pub const PARALLEL_CALLS: usize = 5;
/// Waiting limit of a shell call (SH-04).
pub const SHELL_TIMEOUT_MS: u64 = 30_000;
/// How long after its deadline a program is told to stop by the core, which the host should have done (SH-41).
pub const DEADLINE_SLACK_MS: u64 = 1_000;
/// Bytes of a shell command (SH-02).
pub const SHELL_COMMAND_BYTES: usize = 128 * 1024;
/// Bytes of the private files of one program call, `/tmp` and `/dev` (FP-05).
pub const PRIVATE_BYTES: u64 = 16 * 1024 * 1024;
/// How long an aborted call may still answer (SC-34).
pub const ABORT_GRACE_MS: u64 = 5_000;
/// Runs that have ended and can still be read (`readEvents`); the oldest go first.
pub const ENDED_RUNS: usize = 100;
/// Events that one read of the journal returns (AU-09).
pub const EVENTS_PER_READ: usize = 500;
/// Longest pause before a failed model request is sent again, whatever the provider asks for (RN-05).
pub const RETRY_AFTER_MS: u64 = 60_000;
/// Waiting limit of a shell call that names no deadline (SH-04).
pub const SHELL_DEADLINE_MS: u64 = 30_000;
/// Bytes of what one program call writes below `/dev` (FP-05); `/tmp` is behind the port.
pub const DEVICE_BYTES: u64 = 1024 * 1024;
/// Bytes that one read of `/dev/zero` gives: as many as a file may have.
pub const ZERO_BYTES: usize = 8 * 1024 * 1024;
/// Bytes that one read of `/dev/urandom` gives.
pub const RANDOM_BYTES: usize = 1024 * 1024;
/// Bytes of the buffers between the commands of one shell call, all together (SH-43).
pub const SHELL_BUFFER_BYTES: u64 = 128 * 1024 * 1024;
/// Bytes of one output stream of a shell call that reach the driver, which keeps the first 128 KiB (SH-04).
pub const SHELL_STREAM_BYTES: usize = 64 * 1024 * 1024;
/// Bytes of all variables of a shell (SH-43).
pub const SHELL_VARIABLE_BYTES: usize = 64 * 1024 * 1024;
/// Elements of one array, fields of one word splitting (SH-43).
pub const SHELL_FIELDS: usize = 1_000_000;
/// Rounds of one loop, in the shell and in its awk (SH-43).
pub const SHELL_LOOP: usize = 50_000_000;
/// Steps of the parser for one script (SH-43).
pub const SHELL_PARSER_STEPS: usize = 1_000_000;
/// Shell programs that run beside each other in one call, `&` and the stages of a pipeline (SH-43).
pub const SHELL_JOBS: usize = 64;
/// Nested calls of a JavaScript program (SH-30).
pub const JAVASCRIPT_CALL_DEPTH: usize = 512;
/// Instructions of a JavaScript program, some 30 s of ordinary code: what stops it where no poll can (SH-43).
pub const JAVASCRIPT_INSTRUCTIONS: u32 = 1_500_000_000;
/// How long one poll of a JavaScript program lasts where the engine can stop, in milliseconds.
pub const JAVASCRIPT_POLL_MS: u64 = 4;
/// Bytes of a JavaScript program on standard input (SH-31).
pub const JAVASCRIPT_STDIN_BYTES: usize = 128 * 1024;
/// Elements of an array that a method of JavaScript walks over: more would not fit into the memory (SH-40).
pub const JAVASCRIPT_ELEMENTS: usize = 16 * 1024 * 1024;
