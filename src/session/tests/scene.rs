//! One call under all kinds of terms: what decides about it, and what becomes of it.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::{Session, drive};
use super::{call, command, facts, receipt, reply, said, start};
use crate::protocol::{Effect, Event, Input, Output, Payload, Receipt, ReceiptOutcome};

/// One of these values.
pub fn one(values: Value) -> impl Strategy<Value = Value> {
    let values: Vec<Value> = values.as_array().unwrap().clone();
    (0..values.len()).prop_map(move |index| values[index].clone())
}

/// What is set before the call is made. Everything is JSON as a host writes it.
#[derive(Clone, Debug)]
pub struct Scene {
    pub tool: Value,
    pub args: Value,
    /// What the tool says of each call, if it looks.
    pub look: Value,
    pub rules: Vec<Value>,
    /// Each with its answer.
    pub hooks: Vec<(Value, Value)>,
    pub terms: Value,
    pub mode: Value,
    pub tier: Value,
    /// The same call was allowed for the session before.
    pub granted: bool,
    /// What a reviewer says, if there is one.
    pub review: Value,
}

pub const PATHS: [&str; 6] =
    ["output/a.md", "output/.env", "far/a.md", "output/.git/x", "scratch/b", "output/../far/c"];
const MODES: [&str; 11] = [
    "read-only",
    "files",
    "manual",
    "accept-edits",
    "auto",
    "allow",
    "full_access",
    "plan",
    "default",
    "unattended",
    "dontAsk",
];

pub fn paths() -> impl Strategy<Value = Value> {
    one(json!(PATHS)).prop_map(|path| json!({"path": path, "n": 0}))
}

pub fn rule() -> impl Strategy<Value = Value> {
    let sources = one(json!(["policy", "host", "session", "local", "project", "user"]));
    let about = (
        one(json!(["*", "t", "extension/x:*", "other"])),
        one(json!([null, null, "x", "y*", "*"])),
        one(json!([null, null, "output/*", "*.env", "far/*", "*"])),
        one(json!([null, null, {"level": 5}, {"user": "a*"}])),
    );
    (one(json!(["allow", "allow", "ask", "deny"])), about, sources, any::<bool>()).prop_map(
        |(effect, (tool, action, pattern, who), source, is_final)| {
            let mut rule = json!({"effect": effect, "tool": tool, "source": source});
            for (name, value) in [("action", action), ("pattern", pattern), ("who", who)] {
                if !value.is_null() {
                    rule[name] = value;
                }
            }
            if effect == "allow" {
                rule["final"] = is_final.into();
            }
            rule
        },
    )
}

/// A hook that says something, or breaks; those of `rewrites` change the arguments.
pub fn hook(answers: Value) -> impl Strategy<Value = (Value, Value)> {
    let points = one(json!(["before-permission", "permission-request", "before-run", "after-run"]));
    (points, one(answers)).prop_map(|(point, answer)| (json!({"point": point}), answer))
}

pub fn opinions() -> Value {
    json!([{}, {"decision": "allow"}, {"decision": "ask"}, {"context": "A note."}])
}

pub fn scene(hooks: impl Strategy<Value = (Value, Value)>) -> impl Strategy<Value = Scene> {
    let node = || {
        let risk = one(json!([[], [], [], ["review"], ["dangerous"], ["critical"]]));
        (one(json!(["x", "y"])), risk, one(json!([null, "read", "write"])))
    };
    let tool =
        (node(), prop::collection::vec(node(), 0..3), one(json!(["read", "write", "exec"])), any::<bool>());
    let checks = json!([null, null, null, {}, {"check": "allow"}, {"check": "ask"}, {"check": "deny"},
        {"check": {"decision": "ask", "kind": "consent"}}, {"check": {"decision": "ask", "kind": "choice"}},
        {"readOnly": true}, {"readOnly": false}, {"check": {"decision": "allow", "findings": ["out_of_scope"]}}, "broken"]);
    let modes = (one(json!(MODES)), one(json!([null, null, "manual", "read-only", "auto"])));
    let terms = (modes, 0_u8..6, any::<bool>(), one(json!([null, null, "safe", "unsafe"])));
    let more = (one(checks), one(json!(["auto", "auto", "auto", "ask", "off"])), any::<bool>());
    let (rules, hooks) = (prop::collection::vec(rule(), 0..4), prop::collection::vec(hooks, 0..3));
    (tool, paths(), rules, hooks, terms, more).prop_map(|(tool, args, rules, hooks, terms, more)| {
        let ((name, risk, _), parts, effect, classified) = tool;
        let ((mode, of_profile), level, silent, review) = terms;
        let (look, tier, granted) = more;
        let part = |(name, risk, effect): (Value, Value, Value)| {
            let mut part = json!({"name": name, "risk": risk});
            if !effect.is_null() {
                part["effect"] = effect;
            }
            part
        };
        let parts: Vec<Value> = parts.into_iter().map(part).collect();
        let mut tool = json!({
            "permission": {"name": name, "risk": risk, "target": {"path": "$.path", "n": "$.n"}, "parts": parts},
            "traits": {"effect": effect},
        });
        if classified {
            tool["traits"]["classifierText"] = "A call".into();
        }
        let terms = json!({"mode": mode, "subject": {"id": "ann", "level": level}, "canPrompt": !silent});
        Scene { tool, args, look, rules, hooks, terms, mode: of_profile, tier, granted: granted && silent, review }
    })
}

/// What became of the call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Story {
    /// The verdicts, with their steps.
    pub decided: Vec<(String, u64)>,
    /// What a person was shown, each time.
    pub asked: Vec<Value>,
    /// What the tool was called with.
    pub called: Vec<Value>,
}

/// From lax to strict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    Ran,
    Asked,
    Denied,
}

impl Story {
    pub fn fate(&self) -> Fate {
        match (self.asked.is_empty(), self.called.is_empty()) {
            (false, _) => Fate::Asked,
            (true, false) => Fate::Ran,
            (true, true) => Fate::Denied,
        }
    }

    pub fn hear(&mut self, output: &Output) {
        for event in &output.events {
            match event {
                Event::Journal(event) if event.kind == "permission_decided" => {
                    let told = facts(&event.payload);
                    let word = told["verdict"].as_str().unwrap().to_owned();
                    self.decided.push((word, told["step"].as_u64().unwrap()));
                }
                _ => {}
            }
        }
    }
}

pub fn ok(effect: &Effect, payload: Value) -> Receipt {
    receipt(effect, ReceiptOutcome::Ok, payload)
}

/// A receipt without a payload.
pub fn ended(effect: &Effect, outcome: ReceiptOutcome) -> Receipt {
    Receipt { payload: None, ..receipt(effect, outcome, Value::Null) }
}

impl Scene {
    /// A session in which the call can be made: everything is set, and the model is asked.
    pub fn open(&self) -> (Session, Effect) {
        let mut session = Session::new();
        let mut tool = json!({"extensionId": "x", "name": "t", "description": "A tool.", "inputSchema": {"type": "object"}});
        tool.as_object_mut().unwrap().extend(self.tool.as_object().cloned().unwrap());
        let plain = command(json!({"type": "registerTools", "tools": [tool]}));
        step(&mut session, vec![plain]);
        if self.granted {
            self.grant(&mut session);
        }
        tool["inspect"] = (!self.look.is_null()).into();
        let rules = self.rules.iter().enumerate().map(|(place, rule)| {
            let mut rule = rule.clone();
            rule["id"] = format!("r{place}").into();
            rule
        });
        let hooks = self.hooks.iter().enumerate().map(|(place, (hook, _))| {
            let mut hook = hook.clone();
            hook["hookId"] = format!("{place}").into();
            hook
        });
        let inputs = vec![
            command(json!({"type": "registerTools", "tools": [tool]})),
            command(json!({"type": "rules.set", "rules": rules.collect::<Vec<_>>()})),
            command(json!({"type": "registerHooks", "hooks": hooks.collect::<Vec<_>>()})),
            self.begin(&self.terms, &self.mode, &self.tier),
        ];
        let asked = step(&mut session, inputs).effects.remove(0);
        (session, asked)
    }

    fn begin(&self, terms: &Value, mode: &Value, tier: &Value) -> Input {
        let mut more = json!({
            "profile": {
                "schemaVersion": 5, "kind": "handrail.agentProfile", "id": "p", "displayName": "P",
                "tools": {"allow": ["extension/x:t", "builtin:workspace.read_file"], "policy": {"t": tier}},
                "permissions": {"mode": mode, "reviewer": true},
            },
            "capabilities": {"reviewer": !self.review.is_null()},
        });
        more.as_object_mut().unwrap().extend(terms.as_object().cloned().unwrap());
        start(more)
    }

    /// The same call is allowed for the session, if it can be.
    fn grant(&self, session: &mut Session) {
        let begin = self.begin(&json!({"mode": "manual"}), &Value::Null, &"ask".into());
        let asked = step(session, vec![begin]).effects.remove(0);
        let inputs = vec![Input::Receipt(ok(&asked, self.said()))];
        drive(session, inputs, 1, |effect| match &effect.payload {
            Payload::ApprovalRequest(_) => Some(ok(effect, json!({"answer": "session"}))),
            Payload::ExtensionCall { .. } => Some(ok(effect, json!({"value": 1}))),
            Payload::ModelRequest { .. } => Some(ok(effect, said("Done."))),
            _ => None,
        });
    }

    fn said(&self) -> Value {
        reply(json!([call("a", "t", &self.args.to_string())]))
    }

    /// Makes the call. `person` says what a question is answered with, `hook` how a hook ends; both may leave it open.
    pub fn play_with(
        &self,
        mut person: impl FnMut(&Effect, &Value) -> Option<Receipt>,
        mut hook: impl FnMut(&Effect, &Value) -> Option<Receipt>,
    ) -> Story {
        let (mut session, asked) = self.open();
        let mut story = Story::default();
        let inputs = vec![Input::Receipt(ok(&asked, self.said()))];
        let output =
            drive(&mut session, inputs, 1, |effect| self.perform(effect, &mut story, &mut person, &mut hook));
        story.hear(&output);
        story
    }

    fn perform(
        &self,
        effect: &Effect,
        story: &mut Story,
        person: &mut impl FnMut(&Effect, &Value) -> Option<Receipt>,
        hook: &mut impl FnMut(&Effect, &Value) -> Option<Receipt>,
    ) -> Option<Receipt> {
        match &effect.payload {
            Payload::ModelRequest { .. } => Some(ok(effect, said("Done."))),
            Payload::ExtensionCall { args, .. } => {
                story.called.push(json!(args));
                Some(ok(effect, json!({"value": 1})))
            }
            Payload::ExtensionInspect { .. } if self.look == "broken" => {
                Some(ended(effect, ReceiptOutcome::Failed))
            }
            Payload::ExtensionInspect { .. } => Some(ok(effect, self.look.clone())),
            Payload::ReviewRequest { .. } => {
                Some(ok(effect, json!({"verdict": self.review, "confidence": 1})))
            }
            Payload::ApprovalRequest(request) => {
                story.asked.push(request.clone());
                person(effect, request)
            }
            Payload::HookRun { hook_id, .. } => {
                let place: usize = hook_id.parse().unwrap();
                hook(effect, &self.hooks[place].1)
            }
            Payload::RulesSave { .. } => Some(ok(effect, json!({}))),
            _ => None,
        }
    }

    /// Makes the call; the person lets everything pass this once, hooks say what they have to say.
    pub fn play(&self) -> Story {
        let once = |effect: &Effect, _: &Value| Some(ok(effect, json!({"answer": "once"})));
        self.play_with(once, |effect, answer| Some(ok(effect, answer.clone())))
    }

    pub fn with_rule(&self, rule: Value) -> Self {
        let mut scene = self.clone();
        scene.rules.push(rule);
        scene
    }
}

pub fn step(session: &mut Session, inputs: Vec<Input>) -> Output {
    let output = session.step(inputs, 1);
    assert!(output.replies.iter().all(|reply| reply.ok), "{:?}", output.replies);
    output
}
