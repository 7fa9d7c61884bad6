//! Hooks of a run as a whole: before the first request to the model, and before a completed end (HK-10, HK-15).

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::active::Active;
use super::hooks::{halted, heard};
use super::run_state::{Ending, Phase, Purpose};
use super::timers;
use crate::permission::{Heard, Point, Word, labelled};
use crate::protocol::{Class, FactsWriter, Payload, Receipt, limits};
use crate::run::history::Kept;

/// The hooks of one point, as far as they have been called.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RunRound {
    point: Point,
    asked: String,
    rest: Vec<String>,
    /// What the model should know.
    heard: Vec<String>,
    /// What they are told: the prompt, or the answer.
    text: String,
}

impl Active<'_> {
    /// Calls the hooks of a point of the run. `false`: there are none.
    pub fn call_run_hooks(&mut self, point: Point, text: &str) -> bool {
        let rest: Vec<String> = self.core.hooks.at(point).map(|hook| hook.id.clone()).collect();
        if rest.is_empty() {
            return false;
        }
        let (asked, heard, text) = (String::new(), Vec::new(), text.to_owned());
        self.next_run_hook(Box::new(RunRound { point, asked, rest, heard, text }));
        true
    }

    fn next_run_hook(&mut self, mut round: Box<RunRound>) {
        while !round.rest.is_empty() {
            round.asked = round.rest.remove(0);
            let hook = self.core.hooks.at(round.point).find(|hook| hook.id == round.asked);
            let Some(limit) = hook.map(|hook| hook.timeout_ms) else { continue };
            let member = if round.point == Point::UserPrompt { "prompt" } else { "text" };
            let payload = Payload::HookRun {
                hook_id: round.asked.clone(),
                point: json!(round.point),
                payload: json!({member: round.text}),
            };
            let deadline = self.core.now.saturating_add(limit);
            let effect_id = self.effect(Class::Effectful, None, Some(deadline), payload);
            self.run.open.insert(effect_id.clone(), Purpose::Hook);
            self.run.timers.set(deadline, timers::Purpose::Expiry { effect_id });
            self.run.phase = Phase::Hooks(round);
            return;
        }
        self.run_hooks_end(*round);
    }

    /// The answer of a hook of the run.
    pub fn run_hook_receipt(&mut self, receipt: &Receipt) {
        self.run.timers.forget_effect(&receipt.effect_id);
        let mut round = match std::mem::replace(&mut self.run.phase, Phase::Between) {
            Phase::Hooks(round) => round,
            other => {
                self.run.phase = other;
                return;
            }
        };
        match heard(receipt) {
            Err(message) => self.hook_failed(None, &round.asked, round.point, &message),
            Ok(answer) => {
                self.hook_completed(None, &round.asked, round.point, None);
                let mut said = Heard::default();
                said.hear(&answer);
                let denied = said.word == Some(Word::Deny) && round.point == Point::UserPrompt;
                if said.halt || denied {
                    return self.end_failed(halted(said.reason.as_deref()));
                }
                round.heard.extend(said.context);
            }
        }
        self.next_run_hook(round);
    }

    fn run_hooks_end(&mut self, round: RunRound) {
        self.run.phase = Phase::Between;
        if round.point == Point::UserPrompt {
            for note in &round.heard {
                self.run.history.push(Kept::User(labelled(note)));
            }
            return self.next_step(self.run.driven.then_some(true));
        }
        if round.heard.is_empty() || self.run.continued >= limits::RUN_CONTINUATIONS {
            let mut payload = FactsWriter::default();
            payload.member("text", &round.text);
            return self.end(Ending::Completed, payload);
        }
        self.run.continued += 1;
        self.run.history.push(Kept::User(round.heard.join("\n\n")));
        self.next_step(None);
    }
}
