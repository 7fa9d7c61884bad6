//! A run goes on elsewhere: a new host takes over (RN-10). A failed run goes on (RN-11).

use std::sync::Arc;

use serde_json::{Value, json};

use super::Session;
use super::active::Active;
use super::command::unknown_run;
use super::run_state::{Ending, Phase, Purpose, Run, Sent, Wait};
use super::timers;
use crate::protocol::{Code, Fault, Output, Receipt, ReceiptOutcome, facts};
use crate::run::drift::GO_ON;
use crate::run::history::Kept;

impl Session {
    /// What a new host needs to go on with every run.
    pub(super) fn attach(&mut self, out: &mut Output) -> Value {
        for run_id in self.awake.clone() {
            self.work(&run_id, out, |active| active.attached());
        }
        let going = self.awake().filter(|run| !matches!(run.phase, Phase::Ended(_)));
        let runs: Value = going
            .map(|run| json!({"runId": run.id, "sessionId": run.session_id, "driven": run.driven}))
            .collect();
        json!({"runs": runs, "inFlight": self.in_flight()})
    }

    /// Continues a failed run with a new request to the model. What has happened stays: results, files, names; nothing
    /// is done again.
    pub(super) fn resume_run(
        &mut self,
        run_id: &str,
        accept_unknown: bool,
        driven: bool,
        out: &mut Output,
    ) -> Result<Value, Fault> {
        let run = self.runs.get(run_id).ok_or_else(|| unknown_run(run_id))?;
        run.check_resumable()?;
        if run.driven != driven {
            let whose = if run.driven { "is driven by its host" } else { "asks its model itself" };
            let message = format!("driven: the run {run_id} {whose}");
            return Err(Fault::new(Code::CommandInvalid, message));
        }
        self.core.refuse_deleted(Some(&run.session_id))?;
        self.check_free(&run.session_id)?;
        let unknown = run.unknown_calls();
        if !unknown.is_empty() && !accept_unknown {
            let message = format!(
                "the run {run_id} has calls whose outcome is not known: {}; look what they did, then resume it with \
                 acceptUnknown",
                unknown.join(", ")
            );
            let fault = Fault::new(Code::RunResumeUnknownSideEffect, message);
            return Err(fault.with_details(json!({"callIds": unknown})));
        }
        let reply = json!({"runId": run_id, "invocationId": run.invocation_id, "sessionId": run.session_id});
        self.awake.insert(run_id.into());
        self.work(run_id, out, |active| active.resume(unknown));
        Ok(reply)
    }
}

impl Run {
    fn check_resumable(&self) -> Result<(), Fault> {
        let why = match self.phase {
            // It failed on the way to that end.
            Phase::Ended(Ending::Failed) if self.cancelling => "was cancelled",
            Phase::Ended(Ending::Failed) if self.storage_lost => {
                "has ended because its store lost what it did"
            }
            Phase::Ended(Ending::Failed) => return Ok(()),
            Phase::Ended(Ending::Completed) => "is completed",
            Phase::Ended(Ending::Cancelled) => "was cancelled",
            _ => "goes on",
        };
        let message = format!("the run {} {why}; only one that has failed can be resumed", self.id);
        Err(Fault::new(Code::RunNotResumable, message))
    }

    /// The calls whose outcome nobody knows and of which the model has not heard: those of its last reply.
    fn unknown_calls(&self) -> Vec<Arc<str>> {
        let unheard = self.history.items().iter().rev();
        let unheard = unheard.take_while(|entry| !matches!(entry, Kept::Assistant(_)));
        let results = unheard.filter_map(|entry| match entry {
            Kept::Results(results) => Some(results),
            _ => None,
        });
        results.flatten().filter_map(|result| result.unknown()).cloned().collect()
    }
}

impl Active<'_> {
    /// Another host is there, which has nothing of before. What it answers with `not_sent` is made anew, if it can be;
    /// until then the time for it has not begun.
    fn attached(&mut self) {
        self.forget_sent();
        self.run.timers.disarm();
        let open: Vec<(String, Option<u64>)> =
            self.run.open.iter().filter_map(|(id, purpose)| Some((id.clone(), repeats(purpose)?))).collect();
        for (effect_id, limit) in open {
            if let Some(limit) = limit {
                self.restart_limit(&effect_id, limit);
            }
            self.run.orphaned.insert(effect_id);
        }
    }

    /// The limit of what a call waits for begins again.
    pub(super) fn restart_limit(&mut self, effect_id: &str, limit_ms: u64) {
        self.run.timers.forget_effect(effect_id);
        let purpose = timers::Purpose::Expiry { effect_id: effect_id.to_owned() };
        self.run.timers.set(self.core.now.saturating_add(limit_ms), purpose);
    }

    fn forget_sent(&mut self) {
        (self.run.sent, self.run.pending) = (Sent::default(), Sent::default());
    }

    /// The answer to an effect that a host was asked for which is gone. If nobody has performed it, it is asked for
    /// again; otherwise the purpose is given back, and the answer counts.
    pub(super) fn ask_again(&mut self, purpose: Option<Purpose>, receipt: &Receipt) -> Option<Purpose> {
        if receipt.outcome != ReceiptOutcome::NotSent {
            return purpose;
        }
        match purpose? {
            Purpose::Model => {
                let Phase::Model(asked) = &self.run.phase else { return Some(Purpose::Model) };
                let (attempt, truncated) = (asked.attempt, asked.truncated);
                self.ask(attempt, truncated, self.run.driven.then_some(false));
                None
            }
            Purpose::Passage { place, wait } if wait.repeats_within().is_some() => {
                self.run.timers.forget_effect(&receipt.effect_id);
                if let Some(passage) = self.passage(place) {
                    passage.waits.remove(&receipt.effect_id);
                }
                let is_asked = self.waits_again(place, wait);
                self.pump();
                (!is_asked).then_some(Purpose::Passage { place, wait })
            }
            other => Some(other),
        }
    }

    /// `false`: nobody can be asked any more.
    fn waits_again(&mut self, place: usize, wait: Wait) -> bool {
        if wait == Wait::Review {
            self.ask_reviewer(place);
            return true;
        }
        let then = self.passage(place).map(|passage| passage.then).unwrap_or_default();
        // A call that is found wanting now has been answered.
        let Some(checked) = self.recall(place) else { return true };
        let is_asked = self.asks_more(place, &checked, then);
        self.keep_checked(place, checked);
        is_asked
    }

    /// Goes on after an end that was none.
    fn resume(&mut self, unknown: Vec<Arc<str>>) {
        self.run.phase = Phase::Between;
        (self.run.drift, self.run.lost) = (0, None);
        self.forget_sent();
        self.note("run_resumed", facts!({"interrupted": unknown}));
        self.run.interrupted.extend(unknown);
        self.take_tasks();
        match self.run.history.items().last() {
            // The reply that was one too many is the first of the new count.
            Some(Kept::Assistant(said)) if said.text.trim().is_empty() && !self.run.driven => self.drifted(),
            Some(Kept::Assistant(_)) => {
                self.run.history.push(Kept::User(GO_ON.to_owned()));
                self.next_step(self.run.driven.then_some(false));
            }
            _ => self.next_step(self.run.driven.then_some(false)),
        }
    }
}

/// Whether it can be asked for again, and within which limit.
fn repeats(purpose: &Purpose) -> Option<Option<u64>> {
    match purpose {
        Purpose::Model => Some(None),
        Purpose::Passage { wait, .. } => wait.repeats_within().map(Some),
        _ => None,
    }
}
