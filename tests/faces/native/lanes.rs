//! One reply on a clock of its own: which calls run when, and how each ends.

use std::collections::{BTreeMap, VecDeque};

use handrail::protocol::{Effect, Input, Payload, Receipt, ReceiptError, ReceiptOutcome};
use handrail::testing::{Verdict, case};
use serde_json::{Value, json};

use super::replay::{Options, Replay, receipt};

pub fn run(input: &Value, expect: &Value) -> Verdict {
    check(input, expect).into()
}

fn check(input: &Value, expect: &Value) -> Result<(), String> {
    let calls = input["calls"].as_array().cloned().ok_or("no calls")?;
    let mut replay = Replay::new();
    let denied = calls.iter().filter(|call| call["outcome"] == "denied");
    let rules: Vec<Value> = denied.map(|call| rule(&call["id"])).collect();
    replay.command(json!({"type": "rules.set", "rules": rules}))?;
    let allow = replay.register(calls.iter().map(tool).collect())?;
    let limit = input.get("cap").cloned().unwrap_or(5.into());
    let lanes = json!({"lanes": input["mode"], "parallelLimit": limit, "background": false});
    replay.begin(allow, Options { profile: json!({"run": lanes}), ..Options::default() })?;
    let mut clock = Clock::new(replay, calls);
    clock.play(stops(input))?;
    case::same_json("results", &clock.results(), &expect["results"])?;
    case::same_json("starts", &times(&clock.starts), &expect["starts"])?;
    case::same_json("finishes", &times(&clock.finishes), &expect["finishes"])?;
    case::same_json("maxParallel", &clock.most.into(), &expect["maxParallel"])
}

/// The user stops a call, or the turn.
struct Stop {
    at: u64,
    call: Option<Value>,
}

fn stops(input: &Value) -> VecDeque<Stop> {
    let calls = input["cancelCalls"].as_array().into_iter().flatten();
    let turn = input["cancelAt"].as_u64().map(|at| Stop { at, call: None });
    let one = |stop: &Value| Some(Stop { at: stop[0].as_u64()?, call: Some(stop[1].clone()) });
    let mut stops: Vec<Stop> = calls.filter_map(one).chain(turn).collect();
    stops.sort_by_key(|stop| stop.at);
    stops.into()
}

/// A rule that nobody calls this tool.
fn rule(tool: &Value) -> Value {
    json!({"id": tool, "effect": "deny", "tool": tool, "until": "forever", "source": "host"})
}

/// A tool whose traits are those of its call.
fn tool(call: &Value) -> Value {
    let flag = |name: &str| call[name] == true;
    json!({
        "extensionId": "lanes", "name": call["id"], "description": "A tool.", "inputSchema": {"type": "object"},
        "returns": "blocks",
        "traits": {
            "parallel": flag("safe"), "cascadesOnFailure": flag("cascades"), "background": false,
            "interrupt": if flag("block") { "block" } else { "cancel" },
        },
    })
}

/// The functions of the tools: each takes its time, and stops at once when it is told to.
struct Clock {
    replay: Replay,
    calls: Vec<Value>,
    /// What runs, by the time it ends and the order of starts.
    running: BTreeMap<(u64, usize), Running>,
    started: usize,
    starts: BTreeMap<u64, Vec<String>>,
    finishes: BTreeMap<u64, Vec<String>>,
    most: usize,
}

struct Running {
    effect: Effect,
    call: Value,
}

impl Clock {
    fn new(replay: Replay, calls: Vec<Value>) -> Self {
        let (running, starts, finishes) = Default::default();
        Self { replay, calls, running, started: 0, starts, finishes, most: 0 }
    }

    /// Plays the reply, and the stops of the user in their order.
    fn play(&mut self, mut stops: VecDeque<Stop>) -> Result<(), String> {
        let said =
            |call: &Value| json!({"callId": call["id"], "callName": call["id"], "arguments": {"json": "{}"}});
        let calls: Vec<Value> = self.calls.iter().map(said).collect();
        let reply = self.replay.reply(&calls)?;
        self.step(vec![reply])?;
        loop {
            let next = self.running.keys().next().copied();
            if let Some(stop) = stops.pop_front_if(|stop| next.is_none_or(|(end, _)| stop.at < end)) {
                self.replay.now = stop.at;
                let command = match stop.call {
                    Some(call) => self.replay.cancel_call(&call),
                    None => self.replay.cancel(),
                };
                self.step(vec![command])?;
            } else if let Some(key) = next {
                self.replay.now = key.0;
                let answer = self.finish(key);
                self.step(answer.into_iter().collect())?;
            } else {
                return Ok(());
            }
        }
    }

    fn step(&mut self, mut inputs: Vec<Input>) -> Result<(), String> {
        while !inputs.is_empty() {
            let effects = self.replay.step(std::mem::take(&mut inputs)).effects;
            for effect in effects {
                match &effect.payload {
                    Payload::ExtensionCall { .. } => self.start(effect)?,
                    Payload::Abort { target_effect_id, .. } => inputs.extend(self.stop(target_effect_id)),
                    _ => {}
                }
            }
        }
        Ok(())
    }

    fn start(&mut self, effect: Effect) -> Result<(), String> {
        let now = self.replay.now;
        let id = effect.call_id.clone().unwrap_or_default();
        let call = self.calls.iter().find(|call| call["id"] == *id).ok_or("an unknown call")?;
        self.started += 1;
        self.starts.entry(now).or_default().push(id.to_string());
        let ends = now + call["ms"].as_u64().unwrap_or_default();
        self.running.insert((ends, self.started), Running { effect, call: call.clone() });
        let safe = self.running.values().filter(|running| running.call["safe"] == true).count();
        self.most = self.most.max(safe);
        Ok(())
    }

    fn finish(&mut self, key: (u64, usize)) -> Option<Input> {
        let Running { effect, call } = self.running.remove(&key)?;
        self.over(&call);
        let outcome = call["outcome"].as_str().unwrap_or("ok");
        let value =
            json!({"ok": outcome != "refuses", "text": outcome, "terminate": call["terminate"] == true});
        Some(Input::Receipt(match outcome {
            "fail" | "panic" => {
                let error = ReceiptError { message: outcome.into(), ..ReceiptError::default() };
                Receipt { error: Some(error), ..receipt(&effect, ReceiptOutcome::Failed, Value::Null) }
            }
            _ => receipt(&effect, ReceiptOutcome::Ok, json!({"value": value})),
        }))
    }

    fn stop(&mut self, effect_id: &str) -> Option<Input> {
        let is_it =
            |running: &Running| running.effect.effect_id == effect_id && running.call["ignores"] != true;
        let key = *self.running.iter().find(|(_, running)| is_it(running))?.0;
        let Running { effect, call } = self.running.remove(&key)?;
        self.over(&call);
        let stopped = receipt(&effect, ReceiptOutcome::Cancelled, Value::Null);
        Some(Input::Receipt(Receipt { stopped: true, ..stopped }))
    }

    fn over(&mut self, call: &Value) {
        let id = call["id"].as_str().unwrap_or_default().to_owned();
        self.finishes.entry(self.replay.now).or_default().push(id.to_string());
    }

    /// How each call ended; the code is given where the case gives it.
    fn results(&self) -> Value {
        let ending = |call: &Value| {
            let id = &call["id"];
            let stored: Vec<Value> =
                self.replay.payloads("tool_result_stored").filter(|stored| stored["callId"] == *id).collect();
            match &stored[..] {
                [stored] if matches!(stored["status"].as_str(), Some("cancelled" | "skipped")) => {
                    json!([id, stored["status"], stored["errorCode"]])
                }
                [stored] => json!([id, stored["status"]]),
                _ => json!([id, format!("{} results", stored.len())]),
            }
        };
        self.calls.iter().map(ending).collect()
    }
}

/// `[[time, [ids]]]`; calls of the same moment in the order of their names.
fn times(moments: &BTreeMap<u64, Vec<String>>) -> Value {
    let moment = |(time, ids): (&u64, &Vec<String>)| {
        let mut ids = ids.clone();
        ids.sort();
        json!([time, ids])
    };
    moments.iter().map(moment).collect()
}
