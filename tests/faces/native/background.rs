//! Work that goes on after its call was answered.

use std::collections::BTreeMap;

use handrail::protocol::{Effect, Input, Payload, Receipt, ReceiptError, ReceiptOutcome};
use handrail::testing::{Verdict, case};
use serde_json::{Value, json};

use super::replay::{Options, Replay, input as command, receipt};

const LIMIT_MS: u64 = 30;

pub fn run(input: &Value, expect: &Value) -> Verdict {
    check(input, expect).into()
}

fn check(input: &Value, expect: &Value) -> Result<(), String> {
    let calls = input["calls"].as_array().cloned().ok_or("no calls")?;
    let mut work = Work {
        replay: Replay::new(),
        open: BTreeMap::new(),
        adopted: BTreeMap::new(),
        turns: 0,
        told: Vec::new(),
    };
    let mut allow = work.replay.register(calls.iter().map(tool).collect())?;
    allow.push("builtin:dice.roll".into());
    let moves = input.get("moves").cloned().unwrap_or(true.into());
    let options = || Options { profile: json!({"run": {"background": moves}}), ..Options::default() };
    work.replay.begin(allow.clone(), options())?;
    let said =
        |call: &Value| json!({"callId": call["id"], "callName": call["id"], "arguments": {"json": "{}"}});
    let reply = work.replay.reply(&calls.iter().map(said).collect::<Vec<_>>())?;
    work.step(reply)?;
    work.replay.now += LIMIT_MS;
    work.step(Input::Tick {})?;
    let mut refused = Vec::new();
    for (place, step) in input["steps"].as_array().into_iter().flatten().enumerate() {
        let goes = match (step[0].as_str(), &step[1]) {
            (Some("again"), _) => {
                work.step(work.replay.cancel())?;
                work.replay.begin(allow.clone(), options()).is_ok()
            }
            (Some("turn"), _) => work.turn()?,
            (Some("ends"), id) => work.ends(id, &step[2])?,
            (Some("move"), id) => {
                let run_id = work.replay.run_id();
                work.asks(json!({"type": "backgroundCall", "runId": run_id, "callId": id}))?
            }
            (Some("adopt"), id) => work.adopts(id)?,
            (Some("delete"), _) => work.asks(json!({"type": "session.delete", "sessionId": "default"}))?,
            (Some("prune"), _) => work.asks(json!({"type": "background.prune"}))?,
            (Some("stop"), id) => work.asks(json!({"type": "background.cancel", "id": work.id_of(id)}))?,
            (Some("take"), id) => work.asks(json!({"type": "background.deliver", "id": work.id_of(id)}))?,
            (step, _) => return Err(format!("an unknown step: {step:?}")),
        };
        if !goes {
            refused.push(json!(place));
        }
    }
    let stored: Vec<Value> = work.replay.payloads("tool_result_stored").collect();
    let result = |call: &Value| stored.iter().find(|stored| stored["callId"] == call["id"]).map(ending);
    let results = calls.iter().filter_map(result).collect();
    case::same_json("results", &results, &expect["results"])?;
    let moved =
        work.replay.payloads("tool_call_backgrounded").map(|moved| json!([moved["callId"], moved["by"]]));
    case::same_json("moved", &moved.collect(), &expect["moved"])?;
    let ended = work.replay.payloads("background_finished").map(|ended| ending(&work.named(ended)));
    case::same_json("ended", &ended.collect(), &expect["ended"])?;
    case::same_json("told", &work.told.into(), &expect["told"])?;
    case::same_json("refused", &refused.into(), &expect["refused"])
}

fn ending(told: &Value) -> Value {
    match &told["errorCode"] {
        Value::Null => json!([told["callId"], told["status"]]),
        code => json!([told["callId"], told["status"], code]),
    }
}

fn tool(call: &Value) -> Value {
    let may = call.get("may").cloned().unwrap_or(true.into());
    let mut traits = json!({"parallel": true, "background": may});
    if call["late"] == true {
        traits["timeoutMs"] = LIMIT_MS.into();
    }
    json!({
        "extensionId": "background", "name": call["id"], "description": "A tool.",
        "inputSchema": {"type": "object"}, "traits": traits,
    })
}

/// The functions of the tools: each ends when it is told how, and stops at once when it is told to.
struct Work {
    replay: Replay,
    open: BTreeMap<String, Effect>,
    /// Effects of its own work.
    adopted: BTreeMap<String, Value>,
    turns: usize,
    told: Vec<Value>,
}

impl Work {
    fn step(&mut self, input: Input) -> Result<bool, String> {
        let mut inputs = vec![input];
        let mut goes = true;
        while !inputs.is_empty() {
            let output = self.replay.step(std::mem::take(&mut inputs));
            goes &= output.replies.iter().all(|reply| reply.ok);
            for effect in output.effects {
                match &effect.payload {
                    Payload::ExtensionCall { .. } => {
                        self.open.insert(effect.call_id.as_deref().unwrap_or_default().to_owned(), effect);
                    }
                    Payload::Abort { target_effect_id, .. } => {
                        let own = self.adopted.extract_if(.., |_, id| id == target_effect_id.as_str());
                        inputs.extend(own.map(|(_, id)| {
                            command(
                                json!({"receipt": {"effectId": id, "outcome": "cancelled", "stopped": true}}),
                            )
                        }));
                        let stopped = self.open.extract_if(.., |_, open| open.effect_id == *target_effect_id);
                        inputs.extend(stopped.map(|(_, effect)| {
                            let receipt = receipt(&effect, ReceiptOutcome::Cancelled, Value::Null);
                            Input::Receipt(Receipt { stopped: true, ..receipt })
                        }));
                    }
                    _ => {}
                }
            }
        }
        Ok(goes)
    }

    /// A command; `false`: it is refused.
    fn asks(&mut self, asked: Value) -> Result<bool, String> {
        self.step(command(json!({"command": asked})))
    }

    fn ends(&mut self, call_id: &Value, how: &Value) -> Result<bool, String> {
        if let Some(effect_id) = self.adopted.remove(call_id.as_str().unwrap_or_default()) {
            let ok = json!({"effectId": effect_id, "outcome": "ok", "payload": {"value": "done"}});
            let failed =
                json!({"effectId": effect_id, "outcome": "failed", "error": {"code": "", "message": "fail"}});
            return self.step(command(json!({"receipt": if how == "ok" { ok } else { failed }})));
        }
        let effect =
            self.open.remove(call_id.as_str().unwrap_or_default()).ok_or("a function that does not run")?;
        self.step(Input::Receipt(match how.as_str() {
            Some("ok") => receipt(&effect, ReceiptOutcome::Ok, json!({"value": "done"})),
            _ => {
                let error = ReceiptError { message: "fail".into(), ..ReceiptError::default() };
                Receipt { error: Some(error), ..receipt(&effect, ReceiptOutcome::Failed, Value::Null) }
            }
        }))
    }

    /// The model calls another tool; what it is told beside that is kept.
    fn turn(&mut self) -> Result<bool, String> {
        self.turns += 1;
        let call = json!({
            "callId": format!("turn_{}", self.turns), "callName": "dice_roll",
            "arguments": {"json": "{\"formula\":\"1d1\"}"},
        });
        let reply = self.replay.reply(&[call])?;
        let output = self.replay.step(vec![reply]);
        let mut told = Vec::new();
        for effect in &output.effects {
            let Payload::ModelRequest { request, .. } = &effect.payload else { continue };
            let request: Value = serde_json::from_str(request.text()).unwrap();
            let messages = request["messages"].as_array().into_iter().flatten();
            for text in messages.filter(|m| m["role"] == "user").filter_map(|m| m["content"].as_str()) {
                let mut known = self.replay.payloads("background_started");
                let known =
                    known.find(|known| text.contains(&format!("`{}`", known["id"].as_str().unwrap())));
                told.extend(known.map(|known| self.named(known)["callId"].clone()));
            }
        }
        self.told.push(told.into());
        Ok(true)
    }

    /// Work of the host's own goes by its name.
    fn named(&self, mut told: Value) -> Value {
        if told["callId"].is_null() {
            let started =
                self.replay.payloads("background_started").find(|started| started["id"] == told["id"]);
            told["callId"] = started.map(|started| started["name"].clone()).unwrap_or_default();
        }
        told
    }

    /// The host has work of its own.
    fn adopts(&mut self, id: &Value) -> Result<bool, String> {
        let run_id = self.replay.run_id();
        let asked = json!({"type": "background.adopt", "name": id, "runId": run_id});
        let Ok(adopted) = self.replay.command(asked) else { return Ok(false) };
        self.adopted.insert(id.as_str().unwrap_or_default().to_owned(), adopted["effectId"].clone());
        Ok(true)
    }

    fn id_of(&self, call_id: &Value) -> Value {
        let mut started = self.replay.payloads("background_started");
        let known = started.find(|started| started["callId"] == *call_id || started["name"] == *call_id);
        known.map_or("bg-0000000000000000".into(), |known| known["id"].clone())
    }
}
