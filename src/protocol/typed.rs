//! Commands from JSON.

use serde::de::Error;
use serde::de::value::Error as TreeError;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use super::{Command, Fields, Scenario, StartRun};

/// Picks the reader of a kind; the kinds stand in the order of [`Command`].
macro_rules! command_of {
    ($kind:ident: $($name:literal => $command:expr,)+) => {
        match $kind {
            $($name => $command,)+
            _ => return Err(TreeError::unknown_variant($kind, &[$($name),+])),
        }
    };
}

/// Reads `{"type": "setEnabled", …}`.
pub(super) fn typed<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Box<Command>, D::Error> {
    let mut members = Map::deserialize(deserializer)?;
    let kind = match members.shift_remove("type") {
        Some(Value::String(kind)) => kind,
        Some(other) => {
            return Err(D::Error::custom(format_args!("command.type: expected a name, got {other}")));
        }
        None => return Err(D::Error::custom("command.type: expected the name of a command, got nothing")),
    };
    let command = command(&kind, Fields::new(members));
    command.map(Box::new).map_err(|e| D::Error::custom(format_args!("command {kind}: {e}")))
}

/// The members of each kind stand in the order of [`Command`]: messages list them.
fn command(kind: &str, mut m: Fields) -> Result<Command, TreeError> {
    let command = command_of! { kind:
        "registerTools" => Command::RegisterTools { tools: m.need("tools"), strict: m.get("strict") },
        "setEnabled" => Command::SetEnabled { tool_id: m.need("toolId"), enabled: m.need("enabled") },
        "unregisterTools" => Command::UnregisterTools { tool_ids: m.need("toolIds") },
        "tools.list" => Command::ToolsList { context: m.get("context") },
        "profile.save" => Command::ProfileSave { profile: m.need("profile") },
        "profile.load" => Command::ProfileLoad { id: m.need("id") },
        "startRun" => Command::StartRun(Box::new(start_run(&mut m))),
        "cancelRun" => Command::CancelRun { run_id: m.need("runId") },
        "cancelCall" => Command::CancelCall { run_id: m.need("runId"), call_id: m.need("callId") },
        "backgroundCall" => Command::BackgroundCall { run_id: m.need("runId"), call_id: m.need("callId") },
        "background.list" => Command::BackgroundList { session_id: m.get("sessionId"), run_id: m.get("runId") },
        "background.listFor" => Command::BackgroundListFor { run_id: m.need("runId"), invocation_id: m.need("invocationId") },
        "background.adopt" => Command::BackgroundAdopt { name: m.need("name"), session_id: m.get("sessionId"), run_id: m.get("runId"), started_at: m.get("startedAt") },
        "background.get" => Command::BackgroundGet { id: m.need("id") },
        "background.touch" => Command::BackgroundTouch { id: m.need("id") },
        "background.cancel" => Command::BackgroundCancel { id: m.need("id") },
        "background.deliver" => Command::BackgroundDeliver { id: m.need("id") },
        "background.prune" => Command::BackgroundPrune { session_id: m.get("sessionId") },
        "session.delete" => Command::SessionDelete { session_id: m.need("sessionId") },
        "workspace.read" => Command::WorkspaceRead { path: m.need("path") },
        "workspace.write" => Command::WorkspaceWrite { path: m.need("path"), text: m.get("text"), blob: m.get("blob") },
        "workspace.list" => Command::WorkspaceList { path: m.get("path") },
        "workspace.delete" => Command::WorkspaceDelete { path: m.need("path") },
        "watch" => Command::Watch { run_id: m.need("runId"), events: m.need("events") },
        "attach" => Command::Attach {},
        "resumeRun" => Command::ResumeRun { run_id: m.need("runId"), accept_unknown: m.get("acceptUnknown"), driven: m.get("driven") },
        "rules.set" => Command::RulesSet { rules: m.need("rules") },
        "registerHooks" => Command::RegisterHooks { hooks: m.need("hooks") },
        "setMode" => Command::SetMode { run_id: m.need("runId"), mode: m.need("mode") },
        "addWorkingDirectory" => Command::AddWorkingDirectory { run_id: m.need("runId"), path: m.need("path") },
        "readEvents" => Command::ReadEvents { run_id: m.need("runId"), after_seq: m.get("afterSeq"), before_seq: m.get("beforeSeq"), limit: m.get("limit"), invocation_id: m.get("invocationId") },
    };
    m.end(command)
}

fn start_run(m: &mut Fields) -> StartRun {
    StartRun {
        session_id: m.get("sessionId"),
        run_id: m.get("runId"),
        seed: m.get("seed"),
        scenario: m.need_or("scenario", Scenario::Chat),
        profile: m.get("profile"),
        prompt_messages: m.get("promptMessages"),
        messages: m.get("messages"),
        model: m.get("model"),
        capabilities: m.get("capabilities"),
        files: m.get("files"),
        tool_choice: m.get("toolChoice"),
        driven: m.get("driven"),
        subject: m.get("subject"),
        mode: m.get("mode"),
        modes: m.get("modes"),
        working_directories: m.get("workingDirectories"),
        allowed_hosts: m.get("allowedHosts"),
        can_prompt: m.get("canPrompt"),
        unattended: m.get("unattended"),
        route: m.get("route"),
        platform: m.get("platform"),
        target: m.get("target"),
    }
}

#[cfg(test)]
#[path = "typed_tests.rs"]
mod tests;
