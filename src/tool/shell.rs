//! `workspace.shell`: a command in the shell, over the files of the workspace (SH-01 to SH-10). The host runs it.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::members::{bad, read, required};
use super::schema::schema_of;
use super::shell_status::running;
use super::{Context, Effect, Outside, Run, Spec};
use crate::arguments::Rules;
use crate::project::{self, Projected, RunCall};
use crate::protocol::digest::sha256_hex;
use crate::protocol::limits::{
    BACKGROUND_COMMAND_MS, BACKGROUND_COMMANDS, SHELL_COMMAND_BYTES, SHELL_TIMEOUT_MS,
};
use crate::protocol::{BoundNames, Code, Payload, Receipt, Refusal};
use crate::workspace::Entry;
use crate::workspace::refusal::{self, grouped, with};
use crate::workspace::text::first_chars;

pub(super) const SPEC: Spec = Spec {
    native: "workspace.shell",
    title: "Run command",
    effect: Effect::Exec,
    parallel: false,
    schema,
    description,
    summary: "Run {command}",
    about: Some("command"),
    rules: Rules::BUILTIN,
    run: Run::Outside(Outside {
        kind: "shell.exec",
        timeout_ms: SHELL_TIMEOUT_MS,
        cascades: true,
        background: Some(schema_of::<Args<'static>>),
        told: "command",
        ask,
        answer,
    }),
};

/// The arguments.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args<'a> {
    /// The bash script to run, of one line or many.
    command: &'a str,
    /// The directory it starts in, for example /output; / if left out.
    #[schemars(extend("default" = "/"))]
    workdir: Option<&'a str>,
    /// Whether it runs in the background from the start, without a time limit: the call is answered at once, and the
    /// result is delivered later. false if left out.
    #[schemars(extend("default" = false))]
    background: Option<bool>,
}

/// The schema without the feature (SH-54).
fn schema() -> Value {
    let mut schema = schema_of::<Args<'static>>();
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        properties.shift_remove("background");
    }
    schema
}

fn description(names: &BoundNames) -> String {
    let mut text = String::from(
        "Runs a bash script over the files of the workspace and gives its exit code, stdout and stderr. The files stand \
         below /, for example /output/notes.md. What the script does to them stays, everything else is gone after the \
         call: variables, the working directory, /tmp. It has the usual commands for texts and files (grep, sed, awk, \
         find, sort, jq, diff, tar and others) and runs JavaScript with js or node. It has no network, no package \
         manager and no programs of the machine. ",
    );
    text.push_str(match names.of("workspace.shell_status") {
        Some(_) => "A call that takes longer than 30 seconds goes on in the background, and its result is delivered later",
        None => "A call is stopped after 30 seconds",
    });
    text.push_str("; of long output the last 2,000 lines, at most 30,000 bytes, are shown.");
    let writers = [names.of("workspace.write_file"), names.of("workspace.apply_patch")];
    let writers: Vec<&str> = writers.into_iter().flatten().collect();
    if !writers.is_empty() {
        text.push_str(&format!(" To write or change a single file, use {}.", writers.join(" or ")));
    }
    if let Some(reader) = names.of("workspace.read_file") {
        text.push_str(&format!(
            " A file that was only seen or changed here counts as not read: use {reader} before changing it with \
             another tool."
        ));
    }
    text
}

fn ask(context: &Context<'_>, arguments: &Map<String, Value>) -> Result<Payload, Refusal> {
    let args: Args<'_> = read(arguments)?;
    required("command", args.command)?;
    if args.command.len() > SHELL_COMMAND_BYTES {
        let (limit, bytes) = (grouped(SHELL_COMMAND_BYTES as u64), grouped(args.command.len() as u64));
        return Err(bad(format!(
            "`command` may have at most {limit} bytes; received {bytes}. Put the data into a file first, or split the \
             work over several calls."
        )));
    }
    let background = args.background.unwrap_or_default();
    if background {
        check_free(context)?;
    }
    // One that may go on has no limit that ends it; waiting for it has (SH-50).
    let limit = if background || context.moves { BACKGROUND_COMMAND_MS } else { SHELL_TIMEOUT_MS };
    let deadline = context.deadline.filter(|_| limit == SHELL_TIMEOUT_MS);
    Ok(Payload::ShellExec {
        command: args.command.to_owned(),
        workdir: workdir(context, args.workdir.unwrap_or_default())?,
        deadline: deadline.unwrap_or(context.now.saturating_add(limit)),
        now: context.now,
        seed: sha256_hex(format!("{}{}", context.dice.seed, context.dice.call_id).as_bytes()),
        background,
    })
}

/// Whether one more command may run in the background (SH-52).
fn check_free(context: &Context<'_>) -> Result<(), Refusal> {
    let running = running(context);
    if running.len() < BACKGROUND_COMMANDS {
        return Ok(());
    }
    let stop = with(context.names, "workspace.shell_cancel");
    let text = format!(
        "{} commands run in the background already: {}. Wait until one of them has ended, or stop one{stop}; or run this \
         one without `background`.",
        running.len(),
        running.join(", ")
    );
    Err(Refusal::new(Code::WorkspaceShellBusy, text))
}

/// The directory to start in, as an absolute path: one that is there and visible.
fn workdir(context: &Context<'_>, text: &str) -> Result<String, Refusal> {
    let relative = text.trim().trim_start_matches('/');
    if matches!(relative, "" | "." | "./") {
        return Ok("/".into());
    }
    let path = context.roots.read(relative).map_err(|_| no_workdir(text, context.names))?;
    match context.workspace.get(&path) {
        Some(Entry::Directory(_)) => Ok(format!("/{path}")),
        Some(Entry::File(_)) => Err(refusal::not_directory(&path)),
        None => Err(refusal::path_not_found(&path, context.names)),
    }
}

/// No path of the workspace, or none that is visible: both are answered like one that is missing (IV-62).
fn no_workdir(text: &str, names: &BoundNames) -> Refusal {
    let shown = first_chars(text.trim(), 200);
    let list = with(names, "workspace.list_files");
    Refusal::new(
        Code::WorkspacePathNotFound,
        format!(
            "`{shown}` is no directory of the workspace; nothing was run. List the workspace{list} to see what is there, or leave `workdir` out."
        ),
    )
}

fn answer(receipt: &Receipt, arguments: &Map<String, Value>, call: &RunCall<'_>) -> Projected {
    let command = arguments.get("command").and_then(Value::as_str).unwrap_or_default();
    project::shell(receipt, command, call)
}
