//! A host that does anything a host can do: any answer to any effect at any time, twice, late, contradicting itself.

mod answers;
mod beginning;

pub use self::beginning::begin;

use proptest::prelude::*;
use serde_json::{Value, json};

use self::answers::{plain, said};
use super::super::task::id_of;
use super::{call, command};
use crate::protocol::{Effect, Input, Payload, Receipt, ReceiptOutcome};

/// A tool of the world: its name, its traits, and whether it may run beside others.
pub struct Tool {
    pub name: &'static str,
    pub parallel: bool,
    traits: fn() -> Value,
    /// The risk of its action.
    risk: &'static [&'static str],
    returns: &'static str,
}

/// The tools of the host.
pub const TOOLS: [Tool; 9] = [
    Tool { name: "p", parallel: true, traits: || json!({"parallel": true}), risk: &[], returns: "json" },
    Tool { name: "s", parallel: false, traits: || json!({}), risk: &[], returns: "json" },
    Tool {
        name: "k",
        parallel: true,
        traits: || json!({"parallel": true, "cascadesOnFailure": true}),
        risk: &[],
        returns: "json",
    },
    Tool {
        name: "b",
        parallel: true,
        traits: || json!({"parallel": true, "interrupt": "block"}),
        risk: &[],
        returns: "json",
    },
    Tool { name: "z", parallel: false, traits: || json!({"timeoutMs": 50}), risk: &[], returns: "json" },
    Tool {
        name: "q",
        parallel: true,
        traits: || json!({"parallel": true, "timeoutMs": 90}),
        risk: &[],
        returns: "json",
    },
    Tool { name: "t", parallel: false, traits: || json!({}), risk: &[], returns: "blocks" },
    // A rule denies it.
    Tool { name: "d", parallel: true, traits: || json!({"parallel": true}), risk: &[], returns: "json" },
    Tool {
        name: "c",
        parallel: true,
        traits: || json!({"parallel": true}),
        risk: &["critical"],
        returns: "json",
    },
];

/// The builtins the model calls, and names that mean nothing.
const OTHERS: [&str; 8] = [
    "workspace_read_file",
    "workspace_write_file",
    "workspace_apply_patch",
    "workspace_list_files",
    "workspace_shell",
    "workspace_shell_cancel",
    "dice_roll",
    "no_such_tool",
];

/// One thing that happens.
#[derive(Clone, Debug)]
pub enum Act {
    /// The model makes these calls; its reply may be cut off in the last one, and may come as a stream.
    Calls { calls: Vec<Said>, cut: bool, streamed: bool },
    /// The model says something, or nothing.
    Says { blank: bool },
    /// The model's answer cannot be used, or does not come.
    Unusable(u8),
    /// An open call is answered.
    Answer { which: u8, how: u8 },
    /// An effect is answered that is not open any more, or never was.
    Stale { which: u8, how: u8 },
    /// News about an effect.
    Progress { which: u8 },
    /// The store answers its oldest effect.
    Stored { ok: bool },
    /// Time passes.
    Wait(u16),
    /// The run is cancelled.
    Cancel,
    /// The host writes a file.
    Write(u8),
    /// A tool is switched off or on.
    Enable(bool),
    /// A command that is refused.
    Refused(u8),
    /// A call is moved to the background, or something is done with one there.
    Work { which: u8, how: u8 },
}

/// A call as the model makes it.
#[derive(Clone, Debug)]
pub struct Said {
    tool: u8,
    arguments: u8,
    number: u8,
}

/// How the run is set up.
#[derive(Clone, Debug)]
pub struct Setting {
    pub free: bool,
    pub limit: usize,
    pub ends: bool,
    pub aggregate: bool,
    pub store: bool,
    pub incremental: bool,
    pub driven: bool,
    pub inline: usize,
    /// What calls may do without asking; nothing is said by 0.
    pub mode: usize,
    pub silent: bool,
    pub hooks: bool,
}

const MODES: [&str; 6] = ["", "manual", "auto", "read-only", "full_access", "manual"];

/// The rules of the world.
fn rules() -> Input {
    command(json!({"type": "rules.set", "rules": [
        {"id": "d", "effect": "deny", "tool": "extension/x:d"},
        {"id": "s", "effect": "deny", "tool": "workspace_shell", "action": "shell:program", "pattern": "rm"},
    ]}))
}

pub fn setting() -> impl Strategy<Value = Setting> {
    let inline = prop_oneof![Just(50_000_usize), Just(60)];
    (any::<[bool; 8]>(), 1_usize..5, inline, 0..MODES.len()).prop_map(|(flags, limit, inline, mode)| {
        let [free, ends, aggregate, store, incremental, driven, silent, hooks] = flags;
        let silent = silent && mode % 2 == 0;
        Setting { free, limit, ends, aggregate, store, incremental, driven, inline, mode, silent, hooks }
    })
}

pub fn act() -> impl Strategy<Value = Act> {
    let said = (any::<u8>(), any::<u8>(), any::<u8>());
    let said = said.prop_map(|(tool, arguments, number)| Said { tool, arguments, number });
    let calls = prop::collection::vec(said, 1..9);
    prop_oneof![
        8 => (calls, prop::bool::weighted(0.1), any::<bool>())
            .prop_map(|(calls, cut, streamed)| Act::Calls { calls, cut, streamed }),
        1 => prop::bool::weighted(0.8).prop_map(|blank| Act::Says { blank }),
        1 => any::<u8>().prop_map(Act::Unusable),
        14 => (any::<u8>(), any::<u8>()).prop_map(|(which, how)| Act::Answer { which, how }),
        2 => (any::<u8>(), any::<u8>()).prop_map(|(which, how)| Act::Stale { which, how }),
        1 => any::<u8>().prop_map(|which| Act::Progress { which }),
        4 => prop::bool::weighted(0.95).prop_map(|ok| Act::Stored { ok }),
        3 => prop_oneof![0_u16..60, 0_u16..6_000].prop_map(Act::Wait),
        1 => prop::bool::weighted(0.3).prop_map(|cancel| if cancel { Act::Cancel } else { Act::Wait(1) }),
        1 => any::<u8>().prop_map(Act::Write),
        1 => any::<bool>().prop_map(Act::Enable),
        1 => any::<u8>().prop_map(Act::Refused),
        3 => (any::<u8>(), any::<u8>()).prop_map(|(which, how)| Act::Work { which, how }),
    ]
}

/// What the host knows: which effects are open, which were there.
pub struct World {
    pub now: u64,
    pub asked: Option<Effect>,
    pub called: Vec<Effect>,
    pub appends: Vec<String>,
    pub seen: Vec<String>,
    /// Ids that calls have in the background, if they get there.
    works: Vec<String>,
    /// Digest of an image that was handed over.
    image: String,
    round: usize,
}

impl World {
    pub fn new(image: String) -> Self {
        let (asked, called, appends, seen, works) = Default::default();
        Self { now: 1_000, asked, called, appends, seen, works, image, round: 0 }
    }

    /// Takes in what a step asked for.
    pub fn take(&mut self, effects: &[Effect]) {
        for effect in effects {
            self.seen.push(effect.effect_id.clone());
            if let Some(call_id) = &effect.call_id {
                self.works.push(id_of("run_1", call_id, &effect.effect_id));
            }
            match &effect.payload {
                Payload::ModelRequest { .. } => self.asked = Some(effect.clone()),
                Payload::ExtensionCall { .. }
                | Payload::ShellExec { .. }
                | Payload::ShellAnalyze { .. }
                | Payload::ApprovalRequest(_)
                | Payload::ReviewRequest { .. }
                | Payload::RulesSave { .. }
                | Payload::HookRun { .. } => self.called.push(effect.clone()),
                Payload::StoreAppend { .. } => self.appends.push(effect.effect_id.clone()),
                _ => {}
            }
        }
    }

    /// The inputs of an act, one after the other.
    pub fn inputs(&mut self, act: &Act) -> Vec<Input> {
        match act {
            Act::Calls { calls, cut, streamed } => self.calls(calls, *cut, *streamed),
            Act::Says { blank } => {
                let text = if *blank { " " } else { "That is all." };
                self.model(Some(
                    json!({"reply": {"choices": [{"message": {"content": text}, "finish_reason": "stop"}]}}),
                ))
            }
            Act::Unusable(which) => match which % 4 {
                0 => self.model(None),
                1 => self.model(Some(json!({"reply": {"choices": []}}))),
                2 => {
                    let reply =
                        json!({"choices": [{"message": {"content": "I was"}, "finish_reason": "length"}]});
                    self.model(Some(json!({"reply": reply})))
                }
                _ => self.model(Some(json!({"reply": {"choices": [{"message": {"tool_calls": [
                    call("x", "p", "{}"), call("x", "p", "{}")]}}]}}))),
            },
            Act::Answer { which, how } => {
                if self.called.is_empty() {
                    return Vec::new();
                }
                let place = usize::from(*which) % self.called.len();
                let effect = self.called.remove(place);
                let answered = said(&effect.payload, *how);
                let receipt = match answered {
                    Some(payload) => {
                        Receipt { payload: Some(payload), ..plain(&effect.effect_id, ReceiptOutcome::Ok) }
                    }
                    None => self.answer(&effect.effect_id, *how),
                };
                vec![Input::Receipt(receipt)]
            }
            Act::Stale { which, how } => {
                let open = |id: &&String| {
                    let called = self.called.iter().chain(&self.asked);
                    !self.appends.contains(id) && called.into_iter().all(|effect| effect.effect_id != **id)
                };
                let old: Vec<&String> = self.seen.iter().filter(open).collect();
                let id = match old.len() {
                    0 => "e0".to_owned(),
                    count => old[usize::from(*which) % count].clone(),
                };
                vec![Input::Receipt(self.answer(&id, *how))]
            }
            Act::Progress { which } => {
                let id = match self.seen.len() {
                    0 => "e0".to_owned(),
                    count => self.seen[usize::from(*which) % count].clone(),
                };
                let news = [
                    json!({"text": "half"}),
                    json!({"chunk": 5}),
                    json!(null),
                    json!({"stdout": "o"}),
                    json!({"stderr": "e"}),
                ];
                let data = news[usize::from(*which) % news.len()].clone();
                vec![serde_json::from_value(json!({"progress": {"effectId": id, "data": data}})).unwrap()]
            }
            Act::Stored { ok } => self.stored(*ok).into_iter().collect(),
            Act::Work { which, how } => vec![command(self.work(usize::from(*which), *how))],
            Act::Wait(ms) => {
                self.now += u64::from(*ms);
                vec![Input::Tick {}]
            }
            Act::Cancel => vec![command(json!({"type": "cancelRun", "runId": "run_1"}))],
            Act::Write(file) => {
                let text = format!("a by the host {file}");
                vec![command(json!({"type": "workspace.write", "path": path(*file), "text": text}))]
            }
            Act::Enable(enabled) => {
                vec![command(json!({"type": "setEnabled", "toolId": "extension/x:s", "enabled": enabled}))]
            }
            Act::Refused(which) => vec![command(match which % 4 {
                0 => json!({"type": "startRun", "scenario": "chat"}),
                1 => {
                    json!({"type": "startRun", "scenario": "session", "sessionId": "t", "files": {"output": "x"}})
                }
                2 => json!({"type": "workspace.read", "path": "output/none"}),
                _ => json!({"type": "cancelRun", "runId": "run_2"}),
            })],
        }
    }

    /// What a user does with work in the background, or with a call that may become such.
    fn work(&self, which: usize, how: u8) -> Value {
        let calls: Vec<&Effect> = self.called.iter().filter(|effect| effect.call_id.is_some()).collect();
        if let (true, Some(effect)) = (how.is_multiple_of(2), calls.get(which % calls.len().max(1))) {
            return json!({"type": "backgroundCall", "runId": "run_1", "callId": effect.call_id});
        }
        let id = self.works.get(which % self.works.len().max(1)).map_or("bg-0", String::as_str);
        let kind = ["get", "touch", "cancel", "cancel", "deliver", "list", "prune"][usize::from(how / 2) % 7];
        match kind {
            "list" | "prune" => json!({"type": format!("background.{kind}")}),
            _ => json!({"type": format!("background.{kind}"), "id": id}),
        }
    }

    /// The store's answer to its oldest effect.
    pub fn stored(&mut self, ok: bool) -> Option<Input> {
        if self.appends.is_empty() {
            return None;
        }
        let outcome = if ok { ReceiptOutcome::Ok } else { ReceiptOutcome::Failed };
        Some(Input::Receipt(plain(&self.appends.remove(0), outcome)))
    }

    fn model(&mut self, payload: Option<Value>) -> Vec<Input> {
        let Some(asked) = self.asked.take() else { return Vec::new() };
        let outcome = if payload.is_some() { ReceiptOutcome::Ok } else { ReceiptOutcome::Failed };
        vec![Input::Receipt(Receipt { payload, ..plain(&asked.effect_id, outcome) })]
    }

    fn calls(&mut self, calls: &[Said], cut: bool, streamed: bool) -> Vec<Input> {
        self.round += 1;
        let calls: Vec<Value> = calls.iter().enumerate().map(|(place, said)| said.call(place)).collect();
        let finish = if cut { "length" } else { "tool_calls" };
        if !streamed {
            let message = json!({"content": null, "tool_calls": calls});
            return self
                .model(Some(json!({"reply": {"choices": [{"message": message, "finish_reason": finish}]}})));
        }
        let Some(asked) = self.asked.take() else { return Vec::new() };
        let chunk = |choice: Value| {
            let data = json!({"chunk": {"choices": [choice]}});
            serde_json::from_value(json!({"progress": {"effectId": asked.effect_id, "data": data}})).unwrap()
        };
        let indexed = calls.into_iter().enumerate().map(|(index, mut call)| {
            call["index"] = index.into();
            chunk(json!({"delta": {"tool_calls": [call]}}))
        });
        let mut inputs: Vec<Input> = indexed.collect();
        inputs.push(chunk(json!({"delta": {}, "finish_reason": finish})));
        inputs.push(Input::Receipt(plain(&asked.effect_id, ReceiptOutcome::Ok)));
        inputs
    }
}

fn path(number: u8) -> String {
    format!("output/f{}.md", number % 3)
}

impl Said {
    fn call(&self, place: usize) -> Value {
        let tool = usize::from(self.tool) % (TOOLS.len() + OTHERS.len());
        let name = TOOLS.get(tool).map_or_else(|| OTHERS[tool - TOOLS.len()], |tool| tool.name);
        let file = path(self.number);
        let arguments = match name {
            "workspace_read_file" => json!({"path": file}),
            "workspace_write_file" => {
                let mode = if self.number > 128 { "append" } else { "replace" };
                json!({"path": file, "content": format!("a{}", self.number), "mode": mode})
            }
            "workspace_apply_patch" => json!({"path": file, "old_string": "a", "new_string": "b"}),
            "workspace_list_files" => json!({}),
            "workspace_shell" => {
                json!({"command": format!("echo {}", self.number), "background": self.number.is_multiple_of(3)})
            }
            "workspace_shell_cancel" => json!({"command_id": "bg-0"}),
            "dice_roll" => json!({"formula": "2d6"}),
            _ => json!({"n": self.number}),
        };
        // Few ids, so that later replies repeat them; none twice in one reply.
        let id = format!("c{}", (usize::from(self.number) + place * 7) % 56);
        let mut said = call(&id, name, &arguments.to_string());
        match self.arguments % 8 {
            0 => said["function"]["arguments"] = arguments,
            1 => {
                said["function"]["arguments"] =
                    format!("{},}}", arguments.to_string().trim_end_matches('}')).into()
            }
            2 => said["function"]["arguments"] = BROKEN.into(),
            3 => drop(said["function"].as_object_mut().unwrap().shift_remove("arguments")),
            _ => {}
        }
        said
    }
}

/// An image, as far as anybody looks.
pub const IMAGE: &[u8] = b"\x89PNG\r\n\x1a\n and so on";

/// Arguments that nothing mends.
pub const BROKEN: &str = "{\"n\":";
