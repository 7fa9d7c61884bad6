//! The closing path: every open call gets its result, effects are told to stop, and one event ends the run (RN-07).

use serde_json::{Value, json};

use super::active::Active;
use super::run_state::{Ending, Phase};
use crate::project;
use crate::protocol::{AbortReason, Fault, Level};

impl Active<'_> {
    /// Ends the run because of an error that no model can mend.
    pub fn fail(&mut self, fault: Fault) {
        if matches!(self.run.phase, Phase::Ended(_)) {
            return;
        }
        if matches!(self.run.phase, Phase::Batch) {
            let fallout = self.run.batch.plan.stop();
            self.fall_out(fallout, AbortReason::RunEnd, &project::skipped_run_ended);
            for place in 0..self.run.batch.calls.len() {
                self.leave(place);
            }
            self.keep_batch();
        }
        let mut payload = json!({
            "code": fault.code,
            "message": fault.message,
            "retryable": false,
            "userRetryable": matches!(fault.code.kind(), crate::protocol::Kind::Model),
        });
        if let (Some(details), Some(payload)) = (fault.details, payload.as_object_mut()) {
            payload.insert("details".into(), details);
        }
        self.end(Ending::Failed, payload);
    }

    /// A call that runs while the run ends: it was told to stop, and its result says that nobody knows.
    fn leave(&mut self, place: usize) {
        let Some(open) = self.run.batch.calls.get_mut(place) else { return };
        let Some(effect_id) = open.effect_id.take() else { return };
        self.run.open.remove(&effect_id);
        self.run.expired.insert(effect_id);
        self.settle(place, project::outcome_unknown());
    }

    /// Ends the run with its one terminal event (FN-04).
    pub fn end(&mut self, ending: Ending, mut payload: Value) {
        if matches!(self.run.phase, Phase::Ended(_)) {
            return;
        }
        let reason = if self.run.cancelling { AbortReason::User } else { AbortReason::RunEnd };
        let open: Vec<String> = std::mem::take(&mut self.run.open).into_keys().collect();
        for effect_id in open {
            self.abort(&effect_id, reason);
            self.run.expired.insert(effect_id);
        }
        self.run.timers.clear();
        self.rearm();
        if let Some(payload) = payload.as_object_mut() {
            payload.insert("usage".into(), json!(self.run.usage));
        }
        let (level, kind) = match ending {
            Ending::Completed => (Level::Info, "run_completed"),
            Ending::Cancelled => (Level::Info, "run_cancelled"),
            Ending::Failed => (Level::Error, "run_failed"),
        };
        self.run.phase = Phase::Ended(ending);
        self.journal(level, kind, payload);
    }
}
