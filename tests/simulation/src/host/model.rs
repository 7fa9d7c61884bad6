//! What the model replies.

use handrail::protocol::Effect;
use serde_json::{Value, json};

use super::{CALM_AFTER, Host};
use crate::setting::{BUILTINS, Habit};

/// Arguments that nothing mends.
pub const BROKEN: &str = "{\"n\":";

/// One call as the model makes it.
#[derive(Clone)]
pub(super) struct Said {
    id: Option<String>,
    name: String,
    arguments: Option<Value>,
}

impl Host {
    /// The lines that answer a model request. Beside the input they hold what the model meant, for who checks.
    pub(super) fn model(&mut self, effect: &Effect) -> Vec<Value> {
        let id = effect.effect_id.as_str();
        if self.fails() && self.random.chance(40) {
            return self.unusable(id);
        }
        if self.setting.habit == Habit::Silent && self.lines < CALM_AFTER {
            return vec![self.whole(id, "", &[], "stop")];
        }
        if self.setting.rounds == 0 {
            if self.setting.driven {
                return vec![json!({"command": {"type": "cancelRun", "runId": "run_1"}})];
            }
            return vec![self.whole(id, "That is all.", &[], "stop")];
        }
        if self.random.chance(4) {
            return vec![self.whole(id, " ", &[], "stop")];
        }
        self.setting.rounds -= 1;
        let calls = self.calls();
        let finish = if self.fails() && self.random.chance(30) { "length" } else { "tool_calls" };
        let mut lines = match self.random.chance(35) {
            true => self.streamed(id, &calls, finish),
            false => vec![self.whole(id, "", &calls, finish)],
        };
        let meant = |said: &Said| json!({"name": said.name, "arguments": said.arguments});
        if let Some(last) = lines.last_mut() {
            last["said"] = calls.iter().map(meant).collect();
            last["cut"] = (finish == "length").into();
        }
        lines
    }

    fn calls(&mut self) -> Vec<Said> {
        if self.setting.habit == Habit::Stubborn && !self.said.is_empty() && !self.random.chance(10) {
            return self.said.clone();
        }
        let calls: Vec<Said> = (0..self.width()).map(|place| self.call(place)).collect();
        self.said = calls.iter().take(2).cloned().collect();
        calls
    }

    fn width(&mut self) -> usize {
        match self.random.below(10) {
            0..=2 => 1,
            3..=7 => 2 + self.random.below(4),
            8 => 6 + self.random.below(4),
            _ => 12,
        }
    }

    fn call(&mut self, place: usize) -> Said {
        let (name, strict) = match self.random.below(20) {
            0 => ("no_such_tool".to_owned(), false),
            1..=8 if !self.setting.favourites.is_empty() => {
                ((*self.random.pick(self.setting.favourites)).to_owned(), false)
            }
            1..=7 => ((*self.random.pick(&BUILTINS)).to_owned(), false),
            _ => {
                let tool = self.random.pick(&self.setting.tools);
                (tool.alias.clone(), tool.strict)
            }
        };
        let object = self.arguments(&name, strict);
        let text = object.to_string();
        let fails = self.fails();
        let arguments = match self.random.below(8) {
            0 if fails => Some(BROKEN.into()),
            1 if fails => Some(format!("{},}}", text.trim_end_matches('}')).into()),
            2 if fails => None,
            3 if fails => Some(json!([1, 2])),
            4 if fails => Some("".into()),
            5 => Some(object),
            _ => Some(text.into()),
        };
        // Few ids, so that later replies repeat them; none twice in one reply.
        let id = self.random.chance(90).then(|| format!("c{}", (self.random.below(5) * 12 + place) % 60));
        Said { id, name, arguments }
    }

    fn whole(&self, effect_id: &str, text: &str, calls: &[Said], finish: &str) -> Value {
        let reply =
            if self.setting.neutral { neutral(text, calls, finish) } else { chat(text, calls, finish) };
        json!({"receipt": {"effectId": effect_id, "outcome": "ok", "payload": {"reply": reply}}})
    }

    fn streamed(&self, effect_id: &str, calls: &[Said], finish: &str) -> Vec<Value> {
        let progress = |chunk: Value| json!({"progress": {"effectId": effect_id, "data": {"chunk": chunk}}});
        let piece = |(index, said): (usize, &Said)| {
            if self.setting.neutral {
                let text = said.arguments.as_ref().map(|arguments| match arguments {
                    Value::String(text) => text.clone(),
                    other => other.to_string(),
                });
                let piece = json!({"index": index, "id": said.id, "name": said.name, "argsText": text});
                return progress(present(piece));
            }
            let mut call = chat_call(said);
            call["index"] = index.into();
            progress(json!({"choices": [{"delta": {"tool_calls": [call]}}]}))
        };
        let mut lines: Vec<Value> = calls.iter().enumerate().map(piece).collect();
        lines.push(progress(if self.setting.neutral {
            json!({"done": true, "stop": finish})
        } else {
            json!({"choices": [{"delta": {}, "finish_reason": finish}]})
        }));
        lines.push(json!({"receipt": {"effectId": effect_id, "outcome": "ok"}}));
        lines
    }

    fn unusable(&mut self, id: &str) -> Vec<Value> {
        let receipt = match self.random.below(6) {
            0 => json!({"effectId": id, "outcome": "ok", "payload": {"reply": {"choices": []}}}),
            1 => json!({"effectId": id, "outcome": "ok"}),
            2 => json!({"effectId": id, "outcome": "unknown"}),
            3 => {
                json!({"effectId": id, "outcome": "failed", "error": {"code": "http", "message": "no", "retryable": false}})
            }
            4 => return vec![self.whole(id, "I was", &[], "length")],
            _ => {
                json!({"effectId": id, "outcome": "failed", "error": {"code": "http", "message": "busy", "retryAfterMs": 50}})
            }
        };
        vec![json!({"receipt": receipt})]
    }
}

/// An object without the members that are null.
fn present(mut object: Value) -> Value {
    if let Some(members) = object.as_object_mut() {
        members.retain(|_, value| !value.is_null());
    }
    object
}

fn chat_call(said: &Said) -> Value {
    let function = present(json!({"name": said.name, "arguments": said.arguments}));
    present(json!({"id": said.id, "type": "function", "function": function}))
}

fn chat(text: &str, calls: &[Said], finish: &str) -> Value {
    let calls: Vec<Value> = calls.iter().map(chat_call).collect();
    let mut message = json!({"role": "assistant", "content": text});
    if !calls.is_empty() {
        message["tool_calls"] = calls.into();
    }
    json!({"choices": [{"message": message, "finish_reason": finish}]})
}

fn neutral(text: &str, calls: &[Said], finish: &str) -> Value {
    let call = |said: &Said| {
        present(json!({"type": "call", "id": said.id, "name": said.name, "args": said.arguments}))
    };
    let mut parts = vec![json!({"type": "text", "text": text})];
    parts.extend(calls.iter().map(call));
    json!({"parts": parts, "stop": finish})
}
