//! The interpreter that a run starts with: its environment, its bounds and its commands.

use super::absent::{self, Absent};
use super::commands;
use super::files::Files;
use super::request::Request;
use super::spawn::{Program, Waiting};
use crate::program::port::Port;
use crate::protocol::limits;
use bashkit::{Bash, ExecutionLimits, MemoryLimits, SessionLimits};
use std::sync::Arc;
use std::time::Duration;

/// The environment of every command (SH-03). `PWD` follows the working directory.
const ENVIRONMENT: [(&str, &str); 12] = [
    ("HOME", "/"),
    ("PATH", "/bin"),
    ("LANG", "C.UTF-8"),
    ("TERM", "dumb"),
    ("NO_COLOR", "1"),
    ("PAGER", "cat"),
    ("MANPAGER", "cat"),
    ("GIT_PAGER", "cat"),
    ("EDITOR", "true"),
    ("VISUAL", "true"),
    ("GIT_EDITOR", "true"),
    ("TMPDIR", "/tmp"),
];

/// The programs that are commands in every shell (SH-30).
const PROGRAMS: [&str; 3] = ["js", "node", "deno"];

/// A fresh interpreter for one command.
pub(crate) fn build(request: &Request, port: &'static dyn Port, waiting: &Waiting, deadline_ms: f64) -> Bash {
    let files = Files::new(port);
    let commands = files.commands();
    let mut builder = Bash::builder()
        .fs(Arc::new(files))
        .rootfs(false)
        .username("agent")
        .hostname("handrail")
        .cwd(&request.cwd)
        .limits(bounds(deadline_ms - port.now()))
        .session_limits(SessionLimits::unlimited())
        .memory_limits(
            MemoryLimits::new()
                .max_variable_count(limits::SHELL_FIELDS)
                .max_total_variable_bytes(limits::SHELL_VARIABLE_BYTES)
                .max_array_entries(limits::SHELL_FIELDS),
        )
        .builtin_filter(|name| absent::reason(name).is_none())
        .command_resolver(Arc::new(Absent));
    builder = commands::install(builder, port);
    for (name, value) in ENVIRONMENT {
        builder = builder.env(name, value);
    }
    for (name, value) in &request.env {
        builder = builder.env(name, value);
    }
    for name in PROGRAMS.into_iter().chain(request.programs.iter().map(String::as_str)) {
        let program = Program {
            name: name.into(),
            port,
            waiting: waiting.clone(),
            seed: request.seed.clone(),
            deadline_ms,
        };
        builder = builder.builtin(name, Box::new(program));
    }
    let bash = builder.build();
    commands.set(bash.builtin_names());
    bash
}

/// Bounds that only a runaway reaches: the time is what ends a long script, and memory what ends a large one.
fn bounds(left_ms: f64) -> ExecutionLimits {
    ExecutionLimits::new()
        .timeout(Duration::from_millis(left_ms.max(0.0) as u64))
        .max_commands(usize::MAX)
        .max_loop_iterations(limits::SHELL_LOOP)
        .max_total_loop_iterations(usize::MAX)
        .max_work_units(u64::MAX)
        .max_aggregate_input_bytes(u64::MAX)
        .max_live_intermediate_bytes(limits::SHELL_BUFFER_BYTES)
        .max_parser_operations(limits::SHELL_PARSER_STEPS)
        .max_stdout_bytes(limits::SHELL_STREAM_BYTES)
        .max_stderr_bytes(limits::SHELL_STREAM_BYTES)
        .max_word_split_fields(limits::SHELL_FIELDS)
        .max_word_split_bytes(limits::SHELL_VARIABLE_BYTES)
        .max_background_jobs(limits::SHELL_JOBS)
        .max_history_entries(0)
}
