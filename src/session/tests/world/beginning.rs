//! What the world begins with: its tools, rules, hooks, and a run.

use serde_json::{Value, json};

use super::super::super::Session;
use super::super::command;
use super::{IMAGE, MODES, Setting, TOOLS, Tool, rules};
use crate::protocol::Input;

/// A session with the tools of the world, and its first step.
pub fn begin(setting: &Setting, session: &mut Session) -> (String, Vec<Input>) {
    let image = session.put_blob(IMAGE.to_vec());
    let tool = |tool: &Tool| {
        json!({"extensionId": "x", "name": tool.name, "description": "A tool.", "returns": tool.returns,
            "inputSchema": {"type": "object"}, "traits": (tool.traits)(),
            "permission": {"name": tool.name, "risk": tool.risk, "target": {"n": "$.n"}}})
    };
    let tools: Vec<Value> = TOOLS.iter().map(tool).collect();
    let builtins = [
        "workspace.read_file",
        "workspace.write_file",
        "workspace.apply_patch",
        "workspace.list_files",
        "workspace.shell",
        "dice.roll",
    ];
    let mut allow: Vec<String> = builtins.map(|name| format!("builtin:{name}")).into();
    allow.extend(TOOLS.iter().map(|tool| format!("extension/x:{}", tool.name)));
    let profile = json!({
        "schemaVersion": 5, "kind": "handrail.agentProfile", "id": "p", "displayName": "P",
        "tools": {
            "allow": allow, "externalResultInlineCharLimit": setting.inline,
            "aggregateResultCharLimit": setting.aggregate.then_some(6_000),
        },
        "features": {"shellBackground": true},
        "permissions": {
            "mode": Some(MODES[setting.mode]).filter(|mode| !mode.is_empty()), "reviewer": true, "askTimeoutMs": 5_000,
        },
        "run": {
            "lanes": if setting.free { "free" } else { "barrier" }, "parallelLimit": setting.limit,
            "unknownOutcome": if setting.ends { "end" } else { "report" }, "modelRetry": {"maxRetries": 2, "intervalMs": 40},
        },
    });
    let start = json!({
        "type": "startRun", "scenario": "session", "seed": "s", "profile": profile, "driven": setting.driven,
        "messages": [{"role": "user", "text": "Go on."}], "files": {"output/f0.md": "a file of the host"},
        "capabilities": {"store": setting.store, "incremental": setting.incremental, "images": true,
            "reviewer": true},
        "canPrompt": !setting.silent,
    });
    let hook = |id: &str, point: &str, include: &[&str]| json!({"hookId": id, "point": point, "include": include, "timeoutMs": 1_000});
    let hooks = [
        hook("a", "before-permission", &["p", "workspace_write_file"]),
        hook("b", "before-permission", &["p", "k"]),
        hook("q", "permission-request", &["b", "s"]),
        hook("r", "before-run", &["p", "z", "c"]),
        hook("o", "after-run", &["p", "t", "s"]),
        hook("u", "user-prompt", &[]),
        hook("e", "run-stop", &[]),
    ];
    let hooks: Vec<Value> = hooks.into_iter().filter(|_| setting.hooks).collect();
    let tools = command(json!({"type": "registerTools", "tools": tools}));
    (image, vec![tools, rules(), command(json!({"type": "registerHooks", "hooks": hooks})), command(start)])
}
