//! `workspace.shell_cancel`: stops a command in the background (BT-111).

use serde_json::{Map, Value, json};

use super::members::read;
use super::schema::schema_of;
use super::shell_status::{Args, find, stopped_by};
use super::{Context, Done, Effect, Refused, Run, Spec, ToolEffect};
use crate::arguments::Rules;
use crate::protocol::{BackgroundCommand, BoundNames, Outcome, StoppedBy};

pub(super) const SPEC: Spec = Spec {
    native: "workspace.shell_cancel",
    title: "Stop a command",
    effect: Effect::Write,
    parallel: false,
    schema: schema_of::<Args<'static>>,
    description,
    summary: "Stop {command_id}",
    about: None,
    rules: Rules::BUILTIN,
    run: Run::Here(run),
};

fn description(names: &BoundNames) -> String {
    let mut text = String::from(
        "Stops a command in the background at once. What it has done to files until then stays, and what it has put out \
         is delivered like the result of any other command.",
    );
    if let Some(shell) = names.of("workspace.shell") {
        text.push_str(&format!(" Commands are started with {shell}."));
    }
    text
}

fn run(context: &Context<'_>, arguments: &Map<String, Value>) -> Result<Done, Refused> {
    let args: Args<'_> = read(arguments)?;
    let command = find(context, args.command_id)?;
    let id = command.command_id;
    if !command.running {
        let how = match (command.stopped_by, command.exit_code) {
            (Some(by), _) => format!("was stopped already, {}", stopped_by(by)),
            (None, Some(code)) => format!("had ended already, with exit code {code}"),
            (None, None) => "had ended already".to_owned(),
        };
        let text = format!("The command `{id}` {how}. Nothing was left to stop.");
        return Ok(Done { outcome: Outcome::ok(text, Some(json!(command))), effect: ToolEffect::None });
    }
    let stopped = BackgroundCommand {
        running: false,
        ended_at: Some(context.now),
        stopped_by: Some(StoppedBy::Model),
        ..*command
    };
    let text = format!("The command `{id}` was stopped. What it did to files before that stays.");
    Ok(Done { outcome: Outcome::ok(text, Some(json!(stopped))), effect: ToolEffect::Stop(id.to_owned()) })
}
