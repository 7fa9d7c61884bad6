//! The closing path: every open call gets its result, effects are told to stop, and one event ends the run (RN-07).

use super::active::Active;
use super::run_state::{Ending, Phase, Purpose};
use crate::project;
use crate::protocol::{AbortReason, Code, FactsWriter, Fault, Kind, Level, Mutant};

impl Active<'_> {
    /// Ends the run because of an error that no model can mend. Calls that run are told to stop and get their moment
    /// to say how they ended (SC-30, SC-34): the run ends when its batch has settled.
    pub fn fail(&mut self, fault: Fault) {
        match self.run.phase {
            Phase::Ended(_) => {}
            Phase::Batch => {
                self.run.lost.get_or_insert(fault);
                self.pump();
            }
            _ => self.end_failed(fault),
        }
    }

    /// Nothing more starts in a batch whose run is lost.
    pub fn stop_if_lost(&mut self) {
        if self.run.lost.is_none() || self.run.batch.stopped {
            return;
        }
        self.run.batch.stopped = true;
        let fallout = self.run.batch.plan.stop();
        self.fall_out(fallout, AbortReason::RunEnd, &project::skipped_run_ended);
    }

    /// The closing path of a run without open calls.
    pub fn end_failed(&mut self, fault: Fault) {
        let again = matches!(fault.code.kind(), Kind::Model) || fault.code == Code::ModelToolCallRequired;
        let mut payload = FactsWriter::default();
        payload
            .member("code", &fault.code)
            .member("message", &fault.message)
            .member("retryable", &false)
            .member("userRetryable", &again)
            .maybe("details", fault.details.as_ref());
        self.end(Ending::Failed, payload);
    }

    /// Ends the run with its one terminal event (FN-04).
    pub fn end(&mut self, ending: Ending, mut payload: FactsWriter) {
        if matches!(self.run.phase, Phase::Ended(_)) && !Mutant::EndsTwice.is_on() {
            return;
        }
        self.leave_tasks();
        let reason = if self.run.cancelling { AbortReason::User } else { AbortReason::RunEnd };
        // A rule that is being kept is kept.
        let is_save = |purpose: &Purpose| matches!(purpose, Purpose::Save { .. });
        let open = self.run.open.take_out(|_, purpose| !is_save(purpose));
        self.run.orphaned.clear();
        for (effect_id, _) in open {
            self.abort(&effect_id, reason);
            self.run.expired.insert(effect_id);
        }
        self.core.grants.end_invocation(&self.run.terms.asker.invocation);
        if !Mutant::TimersSurvive.is_on() {
            self.run.timers.clear();
        }
        self.rearm();
        payload.member("usage", &self.run.usage);
        let (level, kind) = match ending {
            Ending::Completed => (Level::Info, "run_completed"),
            Ending::Cancelled => (Level::Info, "run_cancelled"),
            Ending::Failed => (Level::Error, "run_failed"),
        };
        self.run.phase = Phase::Ended(ending);
        self.journal(level, kind, payload.end());
        if Mutant::RunGoesOn.is_on() {
            self.next_step(None);
        }
    }
}
