//! `workspace.shell_status`: how a command in the background is doing (BT-110).

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::members::{read, required};
use super::schema::schema_of;
use super::{Context, Done, Effect, Refused, Run, Spec, ToolEffect};
use crate::arguments::Rules;
use crate::project::{Bounds, Keep, truncate};
use crate::protocol::{BackgroundCommand, BoundNames, Code, Outcome, Refusal, StoppedBy};
use crate::workspace::refusal::grouped;
use crate::workspace::text::first_chars;

pub(super) const SPEC: Spec = Spec {
    native: "workspace.shell_status",
    title: "Look at a command",
    effect: Effect::Read,
    parallel: true,
    schema: schema_of::<Args<'static>>,
    description,
    summary: "Look at {command_id}",
    about: None,
    rules: Rules::BUILTIN,
    run: Run::Here(run),
};

/// The arguments, also of the tool that stops one.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args<'a> {
    /// The id of the command, as it was given when it went to the background.
    pub(super) command_id: &'a str,
}

fn description(names: &BoundNames) -> String {
    let mut text = String::from(
        "Shows how a command in the background is doing: whether it still runs, its exit code once it has ended, how \
         long it has taken, and the last of what it has put out, at most 30,000 bytes. The result is delivered without \
         asking as soon as the command has ended.",
    );
    if let Some(shell) = names.of("workspace.shell") {
        text.push_str(&format!(" Commands are started with {shell}."));
    }
    text
}

fn run(context: &Context<'_>, arguments: &Map<String, Value>) -> Result<Done, Refused> {
    let args: Args<'_> = read(arguments)?;
    let command = find(context, args.command_id)?;
    Ok(Done {
        outcome: Outcome::ok(text(command, context.now), Some(json!(command))),
        effect: ToolEffect::None,
    })
}

/// The command with this id.
pub(super) fn find<'a>(context: &'a Context<'_>, id: &str) -> Result<&'a BackgroundCommand<'a>, Refusal> {
    let id = required("command_id", id)?;
    context.commands.iter().find(|command| command.command_id == id).ok_or_else(|| {
        let shown = first_chars(id, 100);
        let others = match running(context).as_slice() {
            [] => "No command runs in the background.".to_owned(),
            ids => format!("Running in the background: {}.", ids.join(", ")),
        };
        let text = format!("There is no command `{shown}` in the background. {others}");
        Refusal::new(Code::WorkspaceShellCommandNotFound, text)
    })
}

/// The ids of the commands that run, as a text shows them.
pub(super) fn running(context: &Context<'_>) -> Vec<String> {
    let running = context.commands.iter().filter(|command| command.running);
    running.map(|command| format!("`{}`", command.command_id)).collect()
}

fn text(command: &BackgroundCommand<'_>, now: u64) -> String {
    let seconds = command.ended_at.unwrap_or(now).saturating_sub(command.started_at) / 1_000;
    let after = format!("{} second{}", grouped(seconds), if seconds == 1 { "" } else { "s" });
    let mut text = match (command.running, command.stopped_by, command.exit_code) {
        (true, ..) => format!("running for {after}"),
        (false, None, Some(code)) => format!("ended after {after}\nexit code: {code}"),
        (false, None, None) => format!("ended after {after} without an exit code"),
        (false, Some(by), _) => format!("stopped after {after}, {}", stopped_by(by)),
    };
    let output = output(command);
    if output.is_empty() {
        text.push_str("\nIt has put out nothing.");
        return text;
    }
    let cut = truncate(&output, Keep::Tail, Bounds::of(Keep::Tail)).map(|cut| cut.text(None));
    text.push('\n');
    text.push_str(cut.as_deref().unwrap_or(&output).trim_end_matches('\n'));
    text
}

/// Who stopped a command, in words.
pub(super) fn stopped_by(by: StoppedBy) -> &'static str {
    match by {
        StoppedBy::User => "by the user",
        StoppedBy::Model => "as it was asked to",
        StoppedBy::Session => "because its run ended",
        StoppedBy::Trap => "because the shell broke down",
    }
}

/// Both streams, labelled, with what of them is not kept.
fn output(command: &BackgroundCommand<'_>) -> String {
    let mut text = String::new();
    let streams = [
        ("stdout", command.stdout, command.stdout_dropped),
        ("stderr", command.stderr, command.stderr_dropped),
    ];
    for (name, output, dropped) in streams {
        if output.is_empty() {
            continue;
        }
        text.push_str(name);
        if dropped > 0 {
            text.push_str(&format!(" (the first {} bytes are not kept)", grouped(dropped)));
        }
        text.push_str(":\n");
        text.push_str(output);
        if !output.ends_with('\n') {
            text.push('\n');
        }
    }
    text
}
