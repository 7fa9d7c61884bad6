//! Plays a script: runs of one session, in which the model, the tools, the hooks and the person say what the case
//! says. What the host was asked for and what the journal tells is compared with the case.
//!
//! The form of a script stands in the `format` of `tests/vectors/approvals.json`.

use std::collections::VecDeque;

use handrail::protocol::{Effect, Input, Payload, Receipt, ReceiptError, ReceiptOutcome};
use handrail::session::Session;
use handrail::testing::{Verdict, case};
use serde_json::{Map, Value, json};

use super::replay::{Replay, input, receipt};
use super::report;

pub fn run(script: &Value, expect: &Value) -> Verdict {
    let played = play(script).and_then(|mut script| report::check(&mut script, expect));
    played.into()
}

/// Plays a script to its end.
pub fn play(script: &Value) -> Result<Script, String> {
    let mut played = Script::new(script)?;
    let runs = script["runs"].as_array().cloned().unwrap_or_else(|| vec![json!({})]);
    for run in &runs {
        played.play(run)?;
    }
    Ok(played)
}

/// A script while it is played.
pub struct Script {
    pub replay: Replay,
    /// What the functions of the host were asked for, in order.
    pub host: Vec<Value>,
    /// All messages of the requests to the model, and how many there were.
    pub requests: Vec<Value>,
    given: Value,
    /// As they are registered now.
    tools: Vec<Value>,
    /// What there is left to say, for the model, the person, each hook.
    replies: VecDeque<Value>,
    answers: VecDeque<Value>,
    reviews: VecDeque<Value>,
    hooks: Map<String, Value>,
    /// Effects that nobody has answered.
    open: Vec<Effect>,
    /// The question that was answered last.
    last: Option<Effect>,
    rules: Vec<Value>,
    ended: bool,
}

impl Script {
    fn new(given: &Value) -> Result<Self, String> {
        let mut script = Self {
            replay: Replay::new(),
            host: Vec::new(),
            requests: Vec::new(),
            given: given.clone(),
            tools: given["tools"].as_array().cloned().unwrap_or_default(),
            replies: VecDeque::new(),
            answers: VecDeque::new(),
            reviews: VecDeque::new(),
            hooks: Map::new(),
            open: Vec::new(),
            last: None,
            rules: Vec::new(),
            ended: false,
        };
        script.replay.now = given["now"].as_u64().unwrap_or(1_000_000);
        script.set_up()?;
        let hooks = given["hooks"].as_array().cloned().unwrap_or_default();
        for hook in &hooks {
            script.hooks.insert(case::text_of(hook, "id"), hook["answers"].clone());
        }
        script.set_rules(&given["rules"])?;
        Ok(script)
    }

    /// Tools and hooks of a session that begins.
    fn set_up(&mut self) -> Result<(), String> {
        let tools = self.tools.iter().map(registration).collect();
        self.replay.register(tools)?;
        let hooks = self.given["hooks"].as_array().into_iter().flatten();
        let hooks: Vec<Value> =
            hooks.map(|hook| renamed(without(hook, &["answers"]), "id", "hookId")).collect();
        self.replay.command(json!({"type": "registerHooks", "hooks": hooks}))?;
        Ok(())
    }

    fn set_rules(&mut self, rules: &Value) -> Result<(), String> {
        let Some(rules) = rules.as_array() else { return Ok(()) };
        self.rules.clone_from(rules);
        self.replay.command(json!({"type": "rules.set", "rules": rules}))?;
        Ok(())
    }

    fn play(&mut self, run: &Value) -> Result<(), String> {
        let of_run = |name: &str| run.get(name).unwrap_or(&self.given[name]).clone();
        let list = |name: &str| VecDeque::from(of_run(name).as_array().cloned().unwrap_or_default());
        (self.replies, self.answers, self.ended) = (list("replies"), list("answers"), false);
        self.reviews = list("reviews");
        let reviewer = !of_run("reviews").is_null();
        let mut acts = list("acts");
        let terms = of_run("terms");
        let profile = of_run("profile");
        if let Some(tools) = run["tools"].as_array() {
            self.tools.clone_from(tools);
            self.replay.register(tools.iter().map(registration).collect())?;
        }
        if run["restart"] == true {
            self.restart()?;
        }
        self.set_rules(&run["rules"])?;
        let files = self.given["files"].clone();
        self.replay.write(&files)?;
        let start = self.start(&terms, &profile, reviewer);
        let effects = self.replay.step(vec![input(json!({"command": start}))]).effects;
        if effects.is_empty() {
            return Err("the run did not start".into());
        }
        self.follow(effects)?;
        while !self.ended {
            let act = acts.pop_front().ok_or("nothing is left to do, and the run has not ended")?;
            self.act(&act)?;
        }
        if acts.is_empty() { Ok(()) } else { Err("the run ended before everything was done".into()) }
    }

    fn start(&self, terms: &Value, profile: &Value, reviewer: bool) -> Value {
        let mut allow: Vec<Value> = self.given["builtins"].as_array().cloned().unwrap_or_default();
        allow.extend(self.tools.iter().map(|tool| id(tool).into()));
        let mut start = json!({
            "type": "startRun", "scenario": "session", "messages": [{"role": "user", "text": "Go on."}],
            "capabilities": {"reviewer": reviewer},
            "profile": {
                "schemaVersion": 5, "kind": "handrail.agentProfile", "id": "case", "displayName": "Case",
                "tools": {"allow": allow, "policy": profile["policy"].as_object().cloned().unwrap_or_default()},
                "permissions": profile["permissions"].as_object().cloned().unwrap_or_default(),
                "run": profile["run"].as_object().cloned().unwrap_or_default(),
            },
        });
        let members = start.as_object_mut().unwrap();
        members.extend(terms.as_object().cloned().unwrap_or_default());
        start
    }

    /// Another process: nothing is left but the rules that were kept.
    fn restart(&mut self) -> Result<(), String> {
        let mut fresh = Replay::new();
        fresh.now = self.replay.now;
        fresh.take_journal(&mut self.replay);
        self.replay = fresh;
        self.set_up()?;
        let rules = Value::Array(self.rules.clone());
        self.set_rules(&rules)
    }

    /// Performs effects, and those that follow from them, as far as somebody says something.
    fn follow(&mut self, mut effects: Vec<Effect>) -> Result<(), String> {
        while !effects.is_empty() {
            let mut inputs = Vec::new();
            for effect in effects {
                inputs.extend(self.perform(effect)?.map(Input::Receipt));
            }
            effects = if inputs.is_empty() { Vec::new() } else { self.replay.step(inputs).effects };
        }
        let ends = ["run_completed", "run_failed", "run_cancelled", "run_partial_success"];
        self.ended = self.replay.journal().last().is_some_and(|event| ends.contains(&&*event.kind));
        Ok(())
    }

    fn perform(&mut self, effect: Effect) -> Result<Option<Receipt>, String> {
        let ok = |payload| Some(receipt(&effect, ReceiptOutcome::Ok, payload));
        let call_id = effect.call_id.clone();
        let answer = match &effect.payload {
            Payload::ModelRequest { request, .. } => {
                let request: Value = serde_json::from_str(request.text()).unwrap();
                self.requests.push(request["messages"].clone());
                ok(json!({"reply": reply(self.replies.pop_front())}))
            }
            Payload::ExtensionCall { tool_id, args, .. } => {
                self.host.push(json!(["called", call_id, args]));
                self.called(&effect, tool_id)
            }
            Payload::HookRun { hook_id, point, payload } => {
                let mut heard = payload.clone();
                heard["point"] = point.clone();
                self.host.push(json!(["hook", hook_id, heard]));
                let answers = self.hooks.get_mut(hook_id).and_then(Value::as_array_mut);
                let next = answers.filter(|answers| !answers.is_empty()).map(|answers| answers.remove(0));
                said(&effect, next.unwrap_or_else(|| json!({})))
            }
            Payload::ApprovalRequest(request) => {
                self.host.push(json!(["asked", call_id, request]));
                self.answers.pop_front().and_then(|answer| said(&effect, answer))
            }
            Payload::ReviewRequest { action, text } => {
                self.host.push(json!(["reviewed", call_id, {"action": action, "text": text}]));
                said(&effect, self.reviews.pop_front().unwrap_or_else(|| "waits".into()))
            }
            Payload::ExtensionInspect { tool_id, args } => {
                self.host.push(json!(["looked", call_id, args]));
                let tool =
                    self.tools.iter_mut().find(|tool| *id(tool) == **tool_id).ok_or("an unknown tool")?;
                let looks = tool["looks"].as_array_mut().ok_or("the tool does not look")?;
                let next = if looks.len() > 1 { looks.remove(0) } else { looks[0].clone() };
                said(&effect, next)
            }
            Payload::RulesSave { rule } => {
                self.host.push(json!(["keeps", rule]));
                let kept = self.given["keeps"] != false;
                if kept {
                    self.rules.push(rule.clone());
                }
                said(&effect, if kept { json!({}) } else { json!({"throws": "The disk is full."}) })
            }
            Payload::Abort { target_effect_id, .. } => {
                let place = self.open.iter().position(|open| open.effect_id == *target_effect_id);
                return Ok(place.map(|place| self.open.remove(place)).map(|open| Receipt {
                    stopped: true,
                    payload: None,
                    ..receipt(&open, ReceiptOutcome::Cancelled, Value::Null)
                }));
            }
            Payload::TimerSet { .. } | Payload::TimerCancel { .. } => return Ok(None),
            other => return Err(format!("the host was asked for {other:?}")),
        };
        if answer.is_none() {
            self.open.push(effect);
        }
        Ok(answer)
    }

    fn called(&self, effect: &Effect, tool_id: &str) -> Option<Receipt> {
        let mut tools = self.tools.iter().filter(|tool| id(tool) == tool_id);
        let tool = tools.next().cloned().unwrap_or_default();
        match (tool.get("gives"), tool.get("throws")) {
            (Some(gives), _) if gives == "waits" => None,
            (_, Some(_)) => said(effect, tool),
            (Some(gives), _) => Some(receipt(effect, ReceiptOutcome::Ok, json!({"value": gives}))),
            _ => Some(receipt(effect, ReceiptOutcome::Ok, json!({"value": "done"}))),
        }
    }

    fn act(&mut self, act: &Value) -> Result<(), String> {
        let run_id = self.replay.run_id();
        let (kind, value) = act.as_object().and_then(|act| act.iter().next()).ok_or("an act is an object")?;
        let command = match kind.as_str() {
            "decide" => return self.decide(value, act.get("then")),
            "pass" => {
                self.replay.now += value.as_u64().unwrap_or_default();
                let effects = self.replay.step(vec![Input::Tick {}]).effects;
                return self.follow(effects);
            }
            "restore" => return self.restore(),
            "cancel" => json!({"type": "cancelRun", "runId": run_id}),
            "rules" => json!({"type": "rules.set", "rules": value}),
            "mode" => json!({"type": "setMode", "runId": run_id, "mode": value}),
            "directory" => json!({"type": "addWorkingDirectory", "runId": run_id, "path": value}),
            other => return Err(format!("unknown act {other}")),
        };
        let output = self.replay.step(vec![input(json!({"command": command}))]);
        if let Some(refused) = output.replies.iter().find(|reply| !reply.ok) {
            return Err(format!("{kind} was refused: {refused:?}"));
        }
        self.follow(output.effects)
    }

    /// A person answers the oldest question that is open, or once more the last one.
    fn decide(&mut self, first: &Value, second: Option<&Value>) -> Result<(), String> {
        let is_question = |effect: &Effect| matches!(effect.payload, Payload::ApprovalRequest(_));
        let open = self.open.iter().position(is_question).map(|place| self.open.remove(place));
        let waits = open.is_some();
        let effect = open.or(self.last.take()).ok_or("nobody was asked")?;
        self.last = Some(effect.clone());
        let mut inputs = Vec::new();
        for (place, decision) in [Some(first), second].into_iter().flatten().enumerate() {
            self.host.push(json!(["decided", waits && place == 0]));
            inputs.extend(said(&effect, decision.clone()).map(Input::Receipt));
        }
        let effects = self.replay.step(inputs).effects;
        self.follow(effects)
    }

    /// The process ends, and another one takes up what was written down. A question that waits is put once more.
    fn restore(&mut self) -> Result<(), String> {
        let fault = |fault: handrail::protocol::Fault| fault.to_string();
        let session = &mut self.replay.session;
        let state = session.snapshot().map_err(fault)?;
        let mut fresh = Session::new();
        for digest in session.snapshot_blobs() {
            fresh.put_blob(session.blob(&digest).ok_or("a blob is missing")?.to_vec());
        }
        fresh.restore(&state).map_err(fault)?;
        self.replay.session = fresh;
        let rules = Value::Array(self.rules.clone());
        self.set_rules(&rules)?;
        self.open.retain(|open| matches!(open.payload, Payload::ApprovalRequest(_)));
        let found = self.replay.command(json!({"type": "attach"}))?;
        let mut receipts = Vec::new();
        for one in found["inFlight"].as_array().into_iter().flatten() {
            let kind = one["kind"].as_str().unwrap_or_default();
            if kind == "approval.request" {
                self.host.push(json!(["asked", one["callId"], one["payload"]]));
                continue;
            }
            let only_asks =
                ["model.request", "extension.inspect", "review.request", "shell.analyze"].contains(&kind);
            let outcome = if only_asks { "not_sent" } else { "unknown" };
            let receipt = json!({"effectId": one["effectId"], "outcome": outcome});
            receipts.push(input(json!({"receipt": receipt})));
        }
        let effects = self.replay.step(receipts).effects;
        self.follow(effects)
    }
}

/// The receipt with what somebody says; `waits`: nothing is said.
fn said(effect: &Effect, answer: Value) -> Option<Receipt> {
    if answer == "waits" {
        return None;
    }
    if let Some(thrown) = answer.get("throws") {
        let error =
            ReceiptError { code: "thrown".into(), message: case::text(thrown), ..ReceiptError::default() };
        let failed = receipt(effect, ReceiptOutcome::Failed, Value::Null);
        return Some(Receipt { payload: None, error: Some(error), ..failed });
    }
    let mut answer = if answer.is_string() { json!({"answer": answer}) } else { answer };
    if answer["context"]["parts"].is_array() {
        answer["context"] = case::text(&answer["context"]).into();
    }
    Some(receipt(effect, ReceiptOutcome::Ok, answer))
}

/// A reply of the model: a text, or calls `[id, name, arguments]`. One that has nothing left to say is done.
fn reply(said: Option<Value>) -> Value {
    let said = said.unwrap_or_else(|| "Done.".into());
    let Some(calls) = said.as_array() else {
        return json!({"choices": [{"index": 0, "message": {"role": "assistant", "content": said}, "finish_reason": "stop"}]});
    };
    let call = |call: &Value| json!({"id": call[0], "type": "function", "function": {"name": call[1], "arguments": call[2].to_string()}});
    let calls: Vec<Value> = calls.iter().map(call).collect();
    let message = json!({"role": "assistant", "content": null, "tool_calls": calls});
    json!({"choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}]})
}

fn registration(tool: &Value) -> Value {
    let mut registration =
        json!({"extensionId": "x", "description": "A tool.", "inputSchema": {"type": "object"}});
    let members = without(tool, &["gives", "throws", "looks"]);
    registration["inspect"] = tool["looks"].is_array().into();
    registration.as_object_mut().unwrap().extend(members.as_object().cloned().unwrap_or_default());
    registration
}

fn id(tool: &Value) -> String {
    format!("extension/{}:{}", tool["extensionId"].as_str().unwrap_or("x"), case::text_of(tool, "name"))
}

fn without(value: &Value, names: &[&str]) -> Value {
    let members = value.as_object().into_iter().flatten().filter(|(name, _)| !names.contains(&name.as_str()));
    Value::Object(members.map(|(name, value)| (name.clone(), value.clone())).collect())
}

fn renamed(mut value: Value, name: &str, other: &str) -> Value {
    let members = value.as_object_mut().unwrap();
    let member = members.remove(name).unwrap_or_default();
    members.insert(other.to_owned(), member);
    value
}
