//! Cancelling a run, and calls that take too long.

use super::active::Active;
use super::run_state::{Ending, Phase, Purpose as OpenFor};
use super::timers::Purpose;
use crate::project;
use crate::protocol::{AbortReason, Code, Facts, FactsWriter, Fault, MovedBy, Mutant, limits};

impl Active<'_> {
    /// Cancels the run (SC-32): what has not started is answered, what runs is told to stop, and when all have
    /// answered the run ends.
    pub fn cancel_run(&mut self) -> Result<(), Fault> {
        if matches!(self.run.phase, Phase::Ended(_)) && !Mutant::EndsTwice.is_on() {
            return Err(Fault::new(Code::RunNotFound, format!("the run {} has ended already", self.run.id)));
        }
        if self.run.cancelling {
            return Ok(());
        }
        self.run.cancelling = true;
        self.note("run_cancel_requested", Facts::default());
        match self.run.phase {
            Phase::Batch => {
                let fallout = self.run.batch.plan.stop();
                self.fall_out(fallout, AbortReason::User, &project::cancelled_before_start);
                self.pump();
            }
            _ => self.end(Ending::Cancelled, FactsWriter::default()),
        }
        Ok(())
    }

    /// Stops one call for the user (SC-11): one that has not started is answered, one that runs is told to stop.
    pub fn cancel_call(&mut self, call_id: &str) -> Result<(), Fault> {
        let Some(place) = self.place_of(call_id) else {
            let message = format!("callId: no open call of the run {} has the id {call_id}", self.run.id);
            return Err(Fault::new(Code::CommandInvalid, message));
        };
        let fallout = self.run.batch.plan.stop_call(place);
        if let (false, Some(open)) = (fallout.unstarted.is_empty(), self.run.batch.calls.get_mut(place)) {
            open.abort = Some(AbortReason::User);
        }
        self.fall_out(fallout, AbortReason::User, &project::cancelled_before_start);
        self.pump();
        Ok(())
    }

    /// Tells a running call to stop and gives it a moment to say how it ended (SC-34).
    pub fn stop_call(&mut self, place: usize, reason: AbortReason) {
        let at = self.core.now.saturating_add(limits::ABORT_GRACE_MS);
        let Some(open) = self.run.batch.calls.get_mut(place) else { return };
        let (Some(effect_id), None) = (open.effect_id.clone(), open.abort) else {
            return self.hurry_hooks(place);
        };
        open.abort = Some(reason);
        let call_id = open.call.call_id.clone();
        self.abort(&effect_id, reason);
        self.run.timers.forget_call(&call_id);
        self.run.timers.set(at, Purpose::Grace { call_id });
    }

    /// Lets the timers ring that are due (EF-02).
    pub fn ring(&mut self) {
        while let Some(purpose) = self.run.timers.due(self.core.now) {
            match purpose {
                Purpose::Retry => self.retry(),
                Purpose::Timeout { call_id } => {
                    if let Some(place) = self.place_of(&call_id) {
                        self.too_long(place);
                    }
                }
                Purpose::Task { id } => self.give_up_task(&id),
                Purpose::Expiry { effect_id } => self.expire(&effect_id),
                Purpose::Grace { call_id } => {
                    if let Some(place) = self.place_of(&call_id) {
                        self.give_up(place);
                    }
                }
            }
        }
    }

    /// The limit of waiting for a call has passed: it goes on in the background or is told to stop (SC-41).
    fn too_long(&mut self, place: usize) {
        if self.may_move(place) {
            self.move_call(place, MovedBy::Timeout);
            return self.pump();
        }
        let fallout = self.run.batch.plan.stop_call(place);
        self.fall_out(fallout, AbortReason::Timeout, &project::internal_error);
    }

    /// An aborted call has not answered: nobody knows what it did (SC-34, SC-42).
    fn give_up(&mut self, place: usize) {
        let Some(open) = self.run.batch.calls.get_mut(place) else { return };
        let Some(effect_id) = open.effect_id.take() else { return };
        self.run.open.remove(&effect_id);
        if Mutant::LateCounts.is_on() {
            self.run.open.insert(effect_id.clone(), OpenFor::Call(place));
        }
        self.run.expired.insert(effect_id);
        self.unanswered(place);
    }

    pub(super) fn place_of(&mut self, call_id: &str) -> Option<usize> {
        if !matches!(self.run.phase, Phase::Batch) {
            return None;
        }
        self.run.batch.calls.iter().position(|open| *open.call.call_id == *call_id && !open.settled())
    }
}
