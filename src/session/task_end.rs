//! How work in the background ends: by its answer, because it is told to stop, or with its run (SC-46, SC-48, SH-53).

use super::active::{Active, Core};
use super::answer::{outcome_of, sound};
use super::background::in_order;
use super::run_state::{Phase, Purpose, Run};
use super::task::Task;
use super::timers;
use crate::project;
use crate::protocol::{AbortReason, BoundNames, Mutant, Receipt, ReceiptOutcome, StoppedBy, limits};

impl Active<'_> {
    /// The answer of work in the background (SC-46).
    pub fn task_receipt(&mut self, id: &str, receipt: Receipt) {
        let receipt = sound(self.core, receipt);
        let Some(call_id) = self.run.tasks.get(id).map(|task| task.open.call.call_id.clone()) else { return };
        self.discarded(&call_id, &receipt);
        self.end_task(id, Some(&receipt));
        self.show_task(id, true);
    }

    /// Work in the background has ended: with this receipt, or it was told to stop and never answered.
    fn end_task(&mut self, id: &str, receipt: Option<&Receipt>) {
        let Some(mut task) = self.run.tasks.remove(id) else { return };
        self.run.timers.forget_task(id);
        if let Some(effect_id) = &task.open.effect_id {
            self.run.open.remove(effect_id);
        }
        self.close_task_port(&mut task.open);
        task.end(self.core, &self.run.names, receipt);
        self.run.tasks.insert(id.to_owned(), task);
    }

    /// Tells work in the background to stop. A command of the shell has stopped with that: nothing can write through its
    /// port any more (SC-36). A function has a moment to say how it ended (SC-34).
    pub fn stop_task(&mut self, id: &str, by: StoppedBy) {
        let at = self.core.now.saturating_add(limits::ABORT_GRACE_MS);
        let Some(task) = self.run.tasks.get_mut(id) else { return };
        let Some(effect_id) = task.stop(by, at) else { return };
        self.abort(&effect_id, reason(by));
        let Some(task) = self.run.tasks.get(id) else { return };
        if !task.open.is_program() {
            self.run.timers.set(at, timers::Purpose::Task { id: id.to_owned() });
            return;
        }
        let receipt = task.stopped();
        self.end_task(id, Some(&receipt));
        self.run.expired.insert(effect_id);
        let ends = matches!(by, StoppedBy::Session) || self.run.cancelling;
        self.show_task(id, !ends);
    }

    /// It was told to stop and never answered: nobody knows what it did.
    pub fn give_up_task(&mut self, id: &str) {
        let effect_id = self.run.tasks.get(id).and_then(|task| task.open.effect_id.clone());
        let Some(effect_id) = effect_id else { return };
        self.end_task(id, None);
        self.run.expired.insert(effect_id);
        self.show_task(id, true);
    }

    /// The run begins: the work of its session is its own from now on.
    pub fn take_tasks(&mut self) {
        let session_id = &self.run.session_id;
        let is_mine = |task: &&Task| task.session_id == *session_id || Mutant::SessionsMixed.is_on();
        let mine = self.core.tasks.values().filter(is_mine);
        let ids: Vec<String> = in_order(mine).map(|task| task.id.clone()).collect();
        for id in ids {
            if let Some(task) = self.core.tasks.remove(&id) {
                self.take_task(task);
            }
        }
    }

    /// One piece of work is the run's own from now on.
    pub fn take_task(&mut self, task: Task) {
        let (id, effect_id, give_up_at) = (task.id.clone(), task.open.effect_id.clone(), task.give_up_at);
        self.run.tasks.insert(id.clone(), task);
        if let Some(effect_id) = effect_id {
            self.run.open.insert(effect_id, Purpose::Task(id.clone()));
        }
        if let Some(at) = give_up_at {
            self.run.timers.set(at, timers::Purpose::Task { id: id.clone() });
        }
        self.show_task(&id, true);
    }

    /// The run ends: its commands of the shell end with it, and if it was cancelled what it began is told to stop; the
    /// rest waits for the next run of the session (SC-48, SH-53).
    pub fn leave_tasks(&mut self) {
        let by = if self.run.cancelling { StoppedBy::User } else { StoppedBy::Session };
        if matches!(self.run.phase, Phase::Results { .. }) {
            self.run.phase = Phase::Between;
        }
        let ends =
            |task: &Task, run: &Run| task.open.is_program() || (run.cancelling && task.run_id == run.id);
        let run = &self.run;
        let ending = run.tasks.values().filter(|task| ends(task, run));
        let ending: Vec<String> = in_order(ending).map(|task| task.id.clone()).collect();
        for id in ending {
            self.stop_task(&id, by);
        }
        self.run.open.retain(|_, purpose| !matches!(purpose, Purpose::Task(_)));
        self.core.tasks.extend(std::mem::take(&mut self.run.tasks));
    }
}

/// What the host is told when work is to stop.
pub(super) fn reason(by: StoppedBy) -> AbortReason {
    match by {
        StoppedBy::User | StoppedBy::Model => AbortReason::User,
        StoppedBy::Session | StoppedBy::Trap => AbortReason::RunEnd,
    }
}

impl Task {
    /// Notes that it is to stop; gives the effect to be told, unless it was told before or has ended.
    pub fn stop(&mut self, by: StoppedBy, give_up_at: u64) -> Option<String> {
        let effect_id = self.open.effect_id.clone().filter(|_| self.open.abort.is_none())?;
        self.stopped_by = Some(by);
        if by != StoppedBy::Model {
            self.open.abort = Some(reason(by));
        }
        self.give_up_at = (!self.open.is_program()).then_some(give_up_at);
        Some(effect_id)
    }

    /// The receipt of a command that was stopped, with what it had put out.
    fn stopped(&self) -> Receipt {
        Receipt {
            effect_id: String::new(),
            outcome: ReceiptOutcome::Cancelled,
            payload: Some(self.open.log.payload(None)),
            error: None,
            stopped: true,
            discarded: None,
        }
    }

    /// It has ended: with this receipt, or it was told to stop and never answered.
    pub fn end(&mut self, core: &Core, names: &BoundNames, receipt: Option<&Receipt>) {
        self.open.ended_at = core.now;
        self.give_up_at = None;
        self.open.effect_id = None;
        if self.is_adopted() {
            receipt.into_iter().for_each(|receipt| self.open.hear(receipt));
            self.over = Some(project::adopted(receipt, self.open.stop()).into());
            return;
        }
        let Some(receipt) = receipt else {
            self.over = Some(project::outcome_unknown().into());
            return;
        };
        self.open.hear(receipt);
        let path = self.files(&self.run_id).readable();
        if self.open.is_program() {
            let exit_code = receipt.payload.as_ref().and_then(|payload| payload.get("exitCode")?.as_i64());
            self.exit_code = exit_code.filter(|_| receipt.outcome == ReceiptOutcome::Ok);
            if receipt.outcome != ReceiptOutcome::Ok && self.stopped_by.is_none() {
                self.stopped_by = Some(StoppedBy::Trap);
            }
            match &receipt.payload {
                Some(payload) => self.open.log.complete(payload),
                None => {
                    let payload = Some(self.open.log.payload(None));
                    let receipt = Receipt { payload, ..receipt.clone() };
                    self.over = Some(
                        outcome_of(core, names, &self.open, path.as_str(), &self.arguments, &receipt).into(),
                    );
                    return;
                }
            }
        }
        self.over = Some(outcome_of(core, names, &self.open, path.as_str(), &self.arguments, receipt).into());
    }
}
