//! How effects are answered.

use handrail::protocol::{Effect, Payload};
use serde_json::{Value, json};

use super::Host;

/// Stands in what is for screens and never for the model.
pub const UNSHOWN: &str = "NOT-FOR-THE-MODEL";

impl Host {
    /// The receipt of an effect that is no model request.
    pub(super) fn answer(&mut self, effect: &Effect) -> Value {
        let fails = self.fails();
        let payload = match &effect.payload {
            _ if fails && self.random.chance(60) => None,
            Payload::ExtensionCall { .. } => Some(self.value(fails)),
            Payload::ShellExec { .. } => Some(self.ran(fails)),
            Payload::ShellAnalyze { .. } => {
                let program = self.random.pick(&["echo", "echo", "rm"]);
                Some(json!({"complete": !fails, "parts": [{"kind": "program", "target": program}]}))
            }
            Payload::ApprovalRequest(asked) => {
                let answers: Vec<Value> = asked["answers"].as_array().cloned().unwrap_or_default();
                Some(self.word(&answers, fails))
            }
            Payload::ReviewRequest { .. } => {
                let verdict = self.random.pick(&["safe", "safe", "unsafe", "unsure"]);
                Some(json!({"verdict": verdict, "confidence": 0.9}))
            }
            // One that may forbid for good, and be unable to keep it.
            Payload::RulesSave { .. } if self.random.chance(40) => None,
            Payload::HookRun { point, .. } => Some(self.hook(point.as_str() == Some("after-run"), fails)),
            _ => (!fails || !self.random.chance(15)).then(|| json!({})),
        };
        let mut receipt = json!({"effectId": effect.effect_id});
        match payload {
            Some(payload) => {
                receipt["outcome"] = "ok".into();
                receipt["payload"] = payload;
            }
            None => self.failure(&mut receipt, matches!(effect.payload, Payload::ShellExec { .. })),
        }
        json!({"receipt": receipt})
    }

    fn failure(&mut self, receipt: &mut Value, by_program: bool) {
        let outcome =
            *self.random.pick(&["failed", "failed", "not_sent", "unknown", "cancelled", "timed_out"]);
        receipt["outcome"] = outcome.into();
        receipt["stopped"] = self.random.chance(50).into();
        if self.random.chance(60) {
            receipt["error"] = json!({"code": "broken", "message": "it broke"});
        }
        if by_program && self.random.chance(60) {
            receipt["discarded"] = json!(self.random.pick(&["trap", "timeout", "killed", "memory"]));
            receipt["payload"] = json!({"exitCode": null, "stdout": "half", "stderr": ""});
        }
    }

    /// What a function returns.
    fn value(&mut self, fails: bool) -> Value {
        if fails {
            return match self.random.below(5) {
                0 => json!({"value": 1, "images": ["nobody has this"]}),
                1 => json!(5),
                2 => json!({"value": {"ok": false, "text": "it does not go"}}),
                3 => json!({"value": {"text": "enough", "terminate": true}}),
                _ => json!({"value": null}),
            };
        }
        match self.random.below(9) {
            0 => json!({"value": {"text": "x ".repeat(3_000)}}),
            1 => json!({"value": "long line ".repeat(700)}),
            2 => json!({"value": {
                "text": "seen", "display": {"kind": "table", "rows": [UNSHOWN]}, "structured": {"secret": UNSHOWN},
                "extraMessages": [{"text": "More."}],
            }}),
            3 => json!({"value": {"text": "with an image"}, "images": [self.image]}),
            4 => json!({"value": ""}),
            5 => json!({}),
            _ => json!({"value": {"text": "fine", "n": self.random.below(9)}}),
        }
    }

    fn ran(&mut self, fails: bool) -> Value {
        let stdout = if self.random.chance(20) { "out\n".repeat(2_000) } else { "out\n".to_owned() };
        json!({
            "exitCode": if fails { 1 } else { 0 }, "stdout": stdout, "stderr": "",
            "stdoutTruncated": self.random.chance(10), "stderrTruncated": false,
        })
    }

    /// What a person says.
    fn word(&mut self, answers: &[Value], fails: bool) -> Value {
        if fails {
            let nonsense = [
                json!({"answer": "perhaps"}),
                json!(5),
                json!({"answer": "once", "args": {"path": 1}}),
                json!({}),
            ];
            return self.random.pick(&nonsense).clone();
        }
        let once = json!("once");
        let answer = if answers.is_empty() { &once } else { self.random.pick(answers) };
        let mut word = json!({"answer": answer, "by": "ann"});
        if self.random.chance(15) {
            word["args"] = json!({"n": 7});
        }
        if *answer == json!("always") && self.random.chance(50) {
            word["scope"] = json!("project");
        }
        word
    }

    fn hook(&mut self, after: bool, fails: bool) -> Value {
        if fails {
            return self.random.pick(&[json!("nothing"), json!({"decision": 5}), json!([])]).clone();
        }
        let number = self.random.below(50);
        if after {
            return match self.random.below(7) {
                0 => json!({"result": {"content": "taken out"}}),
                1 => json!({"result": {"append": "and added"}}),
                2 => json!({"result": {"isError": true}}),
                3 if self.random.chance(20) => json!({"halt": true, "reason": "enough"}),
                4 => json!({"context": "A note."}),
                _ => json!({}),
            };
        }
        match self.random.below(10) {
            0 => json!({"decision": "deny", "reason": "no"}),
            1 => json!({"decision": "ask"}),
            2 => json!({"decision": "allow"}),
            3 => json!({"mergeArgs": {"n": number}}),
            4 => json!({"args": {"n": number}}),
            5 => json!({"context": "A note."}),
            6 if self.random.chance(20) => json!({"halt": true}),
            _ => json!({}),
        }
    }
}
