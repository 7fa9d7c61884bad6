//! What the host does with work in the background, its own included, and with sessions.

use handrail::protocol::{Event, Output};
use serde_json::{Value, json};

use super::{Due, Host};

/// What the host knows of it.
#[derive(Default)]
pub struct Background {
    /// Ids of work that began, and one that never did.
    ids: Vec<String>,
    /// Ids under which its own work was taken on and has not ended.
    pub adopted: Vec<String>,
}

impl Host {
    /// A command about work in the background.
    pub(super) fn look_after(&mut self) -> Value {
        let id = match self.background.ids.as_slice() {
            [] => "bg-0000000000000000".to_owned(),
            ids => self.random.pick(ids).clone(),
        };
        match self.random.below(12) {
            0..=3 => self.adopt(),
            4 => json!({"type": "background.touch", "id": id}),
            5 | 6 => json!({"type": "background.cancel", "id": id}),
            7 => json!({"type": "background.deliver", "id": id}),
            8 => json!({"type": "background.prune"}),
            9 => json!({"type": "background.get", "id": id}),
            10 => json!({"type": "background.list"}),
            _ => json!({"type": "background.listFor", "runId": "run_1", "invocationId": "inv_1"}),
        }
    }

    fn adopt(&mut self) -> Value {
        let name = format!("work {}", self.random.below(9));
        match self.random.below(5) {
            0 | 1 => json!({"type": "background.adopt", "name": name, "runId": "run_1"}),
            2 | 3 => json!({"type": "background.adopt", "name": name}),
            _ => json!({"type": "background.adopt", "name": name, "sessionId": "other"}),
        }
    }

    /// The session that a further run is started in.
    pub(super) fn further_session(&mut self) -> Value {
        let other = self.going == 0 && self.random.chance(40);
        if other { json!("other") } else { Value::Null }
    }

    /// The end of work of the host's own.
    pub(super) fn adopted_ends(&mut self, effect_id: &str) -> Option<Value> {
        let place = self.background.adopted.iter().position(|id| id == effect_id)?;
        self.background.adopted.remove(place);
        let receipt = match self.random.below(8) {
            0 => {
                json!({"effectId": effect_id, "outcome": "failed", "error": {"code": "x", "message": "it broke"}})
            }
            1 => json!({"effectId": effect_id, "outcome": "unknown"}),
            2 => json!({"effectId": effect_id, "outcome": "cancelled", "stopped": self.random.chance(60)}),
            3 => json!({"effectId": effect_id, "outcome": "failed"}),
            4 => json!({"effectId": effect_id, "outcome": "ok"}),
            5 => {
                json!({"effectId": effect_id, "outcome": "ok", "payload": {"value": "long line ".repeat(700)}})
            }
            _ => json!({"effectId": effect_id, "outcome": "ok", "payload": {"value": "done"}}),
        };
        Some(json!({"receipt": receipt}))
    }

    /// Takes in what a step says of it.
    pub(super) fn hear_background(&mut self, line: &Value, output: &Output) {
        for event in &output.events {
            let (kind, facts) = match event {
                Event::Journal(event) => (&*event.kind, &event.payload),
                Event::Live(event) => (event.kind, &event.payload),
            };
            if kind == "background_started" {
                let told: Value = serde_json::from_str(facts.text()).unwrap_or_default();
                self.background.ids.extend(told["id"].as_str().map(str::to_owned));
            }
        }
        if line["command"]["type"] != "background.adopt" {
            return;
        }
        let value = output.replies.first().and_then(|reply| reply.value.as_ref());
        let Some(id) = value.and_then(|value| value["effectId"].as_str()) else { return };
        self.seen.push(id.to_owned());
        self.background.adopted.push(id.to_owned());
        if !self.random.chance(self.setting.trouble / 10) {
            let at = self.now + self.random.between(0, self.setting.patience * 2 + 50);
            self.due.push((at, Due::Answer(id.to_owned())));
        }
    }
}
