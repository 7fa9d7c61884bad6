//! What the host does by itself, and what it sends that nobody waits for.

use serde_json::{Value, json};

use super::Host;
use crate::setting::BUILTINS;

const PATHS: [&str; 6] =
    ["output/f0.md", "output/f1.md", "output/f2.md", "output/sub/f3.md", "scratch/x.txt", "plan/p.md"];

impl Host {
    /// A command.
    pub(super) fn act(&mut self) -> Value {
        let tool = self.random.pick(&self.setting.tools).id.clone();
        let number = self.random.below(100);
        let command = match self.random.below(29) {
            0 => json!({"type": "cancelRun", "runId": "run_1"}),
            14 | 15 => {
                let call = self.waiting_call();
                json!({"type": "backgroundCall", "runId": "run_1", "callId": call})
            }
            1 | 16 | 17 => {
                let call = self.waiting_call();
                json!({"type": "cancelCall", "runId": "run_1", "callId": call})
            }
            2 => json!({"type": "setEnabled", "toolId": tool, "enabled": self.random.chance(40)}),
            3 => json!({"type": "unregisterTools", "toolIds": [tool]}),
            4 => json!({"type": "registerTools", "tools": [{
                "extensionId": "x", "name": self.random.pick(&["late", "p", "send"]), "description": "Came later.",
                "inputSchema": {"type": "object"},
            }]}),
            5 => json!({"type": "registerHooks", "hooks": if self.random.chance(50) {
                Vec::new()
            } else {
                self.setting.hooks.clone()
            }}),
            6 => {
                json!({"type": "setMode", "runId": "run_1", "mode": self.random.pick(&["manual", "read-only", "full_access"])})
            }
            7 => json!({"type": "addWorkingDirectory", "runId": "run_1", "path": "scratch"}),
            8 | 9 => {
                let path = self.path();
                json!({"type": "workspace.write", "path": path, "text": format!("the host wrote {number}")})
            }
            10 => json!({"type": "workspace.delete", "path": self.random.pick(&PATHS)}),
            // A deny rule stays, whatever else comes.
            11 => {
                self.setting
                    .rules
                    .push(json!({"id": format!("late{number}"), "effect": "ask", "tool": tool}));
                json!({"type": "rules.set", "rules": self.setting.rules})
            }
            12 => json!({"type": "cancelRun", "runId": "run_9"}),
            18..=24 => self.look_after(),
            25 => {
                json!({"type": "session.delete", "sessionId": self.random.pick(&["default", "default", "other"])})
            }
            26 => self.look_around(),
            28 => json!({"type": "attach"}),
            _ => {
                let mut start = self.setting.start.clone();
                start["files"] = json!({});
                start["sessionId"] = self.further_session();
                start
            }
        };
        json!({"command": command})
    }

    /// A command that changes nothing for the run.
    fn look_around(&mut self) -> Value {
        match self.random.below(5) {
            0 => {
                json!({"type": "readEvents", "runId": "run_1", "afterSeq": self.random.below(20), "limit": 5})
            }
            1 => json!({"type": "tools.list"}),
            2 => {
                let mut profile = self.setting.start["profile"].clone();
                profile["run"] = json!({"stream": true});
                json!({"type": "profile.save", "profile": profile})
            }
            3 => json!({"type": "profile.load", "id": "p"}),
            _ => json!({"type": "workspace.list", "path": "output"}),
        }
    }

    /// A call that an effect is open for, if there is one.
    fn waiting_call(&mut self) -> String {
        let calls: Vec<String> =
            self.open.iter().filter_map(|effect| effect.call_id.as_deref().map(str::to_owned)).collect();
        if calls.is_empty() { "c9".to_owned() } else { self.random.pick(&calls).clone() }
    }

    /// What nobody waits for: an answer to what was answered, or never asked; news about anything; time.
    pub(super) fn noise(&mut self) -> Vec<Value> {
        let id = self.random.pick(&self.seen).clone();
        let is_open =
            self.open.iter().any(|effect| effect.effect_id == id) || self.background.adopted.contains(&id);
        match self.random.below(4) {
            0 => vec![json!({"tick": {}})],
            1 => {
                let news =
                    [json!({"text": "half"}), json!({"stdout": "out"}), json!({"chunk": 5}), json!(null)];
                let data = self.random.pick(&news);
                vec![json!({"progress": {"effectId": id, "data": data}})]
            }
            _ if is_open => Vec::new(),
            _ => {
                let receipt = match self.random.below(4) {
                    0 => json!({"effectId": id, "outcome": "failed"}),
                    1 => json!({"effectId": id, "outcome": "unknown"}),
                    2 => json!({"effectId": id, "outcome": "cancelled", "stopped": true}),
                    _ => {
                        json!({"effectId": id, "outcome": "ok", "payload": {"value": "late", "answer": "once"}})
                    }
                };
                vec![json!({"receipt": receipt})]
            }
        }
    }

    /// A program touches a file.
    pub(super) fn touch(&mut self, effect_id: &str) -> Value {
        let path = format!("/{}", self.path());
        let text = format!("by a program {}", self.random.below(50));
        let hidden = ["/skills/s.md", "/tool-results/r.txt", "/input/i.txt", "/tool-args", "/tmp/t"];
        let op = match self.random.below(10) {
            0..=2 => json!({"op": "write", "path": path, "text": text}),
            3 => json!({"op": "append", "path": path, "text": text}),
            4 => json!({"op": "remove", "path": path}),
            5 => json!({"op": "rename", "from": path, "to": format!("/{}", self.random.pick(&PATHS))}),
            6 => {
                json!({"op": "write", "path": self.random.pick(&hidden), "text": text})
            }
            7 => json!({"op": "list", "path": self.random.pick(&hidden)}),
            _ => json!({"op": "read", "path": path}),
        };
        json!({"port": {"effectId": effect_id, "op": op}})
    }

    /// Some file; one of them more often than the others.
    fn path(&mut self) -> &'static str {
        if self.random.chance(65) { PATHS[0] } else { *self.random.pick(&PATHS) }
    }

    /// The arguments of a call, and how the model wrote them.
    pub(super) fn arguments(&mut self, name: &str, strict: bool) -> Value {
        let number = self.random.below(60);
        let path = self.path();
        match name {
            "workspace_read_file" if self.random.chance(5) => json!({"path": "input/prompt.json"}),
            "workspace_read_file" => json!({"path": path}),
            "workspace_list_files" => json!({}),
            "workspace_search_files" => json!({"query": "a"}),
            "workspace_write_file" => {
                let mode = self.random.pick(&["replace", "replace", "append"]);
                json!({"path": path, "content": format!("alpha {number}"), "mode": mode})
            }
            "workspace_apply_patch" => {
                json!({"path": path, "old_string": "a", "new_string": "b", "replace_all": true})
            }
            "workspace_shell" => {
                let command =
                    self.random.pick(&["echo 1", "ls", "rm output/f0.md", "cat output/f1.md | wc -l"]);
                json!({"command": command})
            }
            "dice_roll" => json!({"formula": "2d6"}),
            _ if BUILTINS.contains(&name) => json!({}),
            _ if strict && self.random.chance(15) => json!({"m": number}),
            _ if self.random.chance(20) => json!({"n": number, "extra": "more"}),
            _ => json!({"n": number}),
        }
    }
}
