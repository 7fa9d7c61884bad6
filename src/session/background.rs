//! Calls that go on in the background: how they get there, what they come to, and how the model is told (chapter 05,
//! section 6).
//!
//! The work of a session belongs to the run of it that goes on: that run hears its answer, stores its result and tells
//! the model. When no run goes on it waits in the core for the next one.

use serde_json::{Value, json};

use super::active::{Active, Core};
use super::answer::{Ended, outcome_of, sound};
use super::ledger::OpenCall;
use super::question::refuse;
use super::run_state::{Phase, Purpose, Run};
use super::task::{Task, id_of};
use super::timers;
use crate::project::{self, Limit};
use crate::protocol::{
    AbortReason, BackgroundCommand, BoundNames, Code, Event, FactsWriter, Fault, Level, LiveEvent, MovedBy,
    Mutant, Outcome, Receipt, ReceiptOutcome, StoppedBy, facts, limits,
};
use crate::run::history::Kept;

/// In the order in which the calls began.
pub(super) fn in_order<'a>(tasks: impl Iterator<Item = &'a Task>) -> impl Iterator<Item = &'a Task> {
    let mut tasks: Vec<&Task> = tasks.collect();
    tasks.sort_unstable_by(|a, b| (a.number, &a.id).cmp(&(b.number, &b.id)));
    tasks.into_iter()
}

impl Run {
    /// The commands of the shell in the background.
    pub fn commands(&self) -> Vec<BackgroundCommand<'_>> {
        in_order(self.tasks.values()).filter_map(Task::command).collect()
    }

    fn has_room(&self) -> bool {
        let runs = |task: &&Task| task.is_running() && task.open.is_program();
        self.tasks.values().filter(runs).count() < limits::BACKGROUND_COMMANDS
    }
}

impl Active<'_> {
    /// Whether calls of a tool may go on in the background when they take too long (SC-41).
    pub fn moves(&self, open: &OpenCall) -> bool {
        let declared = self
            .binding(open.tool_id.as_ref())
            .is_some_and(|binding| binding.traits().background.unwrap_or(!binding.is_builtin()));
        declared && self.run.profile.run.background
    }

    /// Whether a running call may go on in the background now (SC-41, SH-52).
    pub fn may_move(&self, place: usize) -> bool {
        let Some(open) = self.run.batch.calls.get(place) else { return false };
        let runs = open.effect_id.is_some() && open.abort.is_none();
        runs && self.moves(open) && (!open.is_program() || self.run.has_room())
    }

    /// Whether a receipt says that the host has stopped waiting for a call that goes on.
    pub fn goes_on(&self, place: usize, receipt: &Receipt) -> bool {
        let is_program = self.run.batch.calls.get(place).is_some_and(OpenCall::is_program);
        let waits = receipt.outcome == ReceiptOutcome::TimedOut && !receipt.stopped && !is_program;
        waits && self.may_move(place)
    }

    /// Lets a running call go on in the background: its effect stays open, the call is answered (SC-45). Gives the id.
    pub fn move_call(&mut self, place: usize, by: MovedBy) -> Option<String> {
        self.drop_questions(place);
        let moved_at = self.core.now;
        let arguments = self.arguments_of(self.run.batch.calls.get(place)?);
        let tool_id = self.run.batch.calls.get(place)?.tool_id.clone();
        let limit = match self.limit(tool_id.as_ref(), false) {
            Some(Limit::Inline(chars)) => Some(chars),
            _ => None,
        };
        let open = self.run.batch.calls.get_mut(place)?;
        let effect_id = open.effect_id.take()?;
        let goes_on = OpenCall {
            started_at: open.started_at,
            effect_id: Some(effect_id.clone()),
            // A command has no limit any more (SH-50).
            limit_ms: open.limit_ms.filter(|_| !open.is_program()),
            log: std::mem::take(&mut open.log),
            port: open.port.take(),
            passage: open.passage.as_ref().and_then(|passage| passage.of_port()),
            ..OpenCall::new(open.call.clone(), tool_id.clone(), open.arguments_ref.clone(), open.queued_at)
        };
        let (call_id, name) = (open.call.call_id.clone(), open.call.name.clone());
        let id = id_of(&self.run.id, &call_id, &effect_id);
        let task = Task {
            id: id.clone(),
            number: effect_id.strip_prefix('e').and_then(|number| number.parse().ok()).unwrap_or_default(),
            session_id: self.run.session_id.clone(),
            run_id: self.run.id.clone(),
            invocation_id: self.run.invocation_id.clone(),
            scenario: self.run.scenario,
            round: self.run.round,
            index: u32::try_from(place).unwrap_or(u32::MAX),
            open: goes_on,
            arguments,
            limit,
            moved_by: by,
            moved_at,
            touched_at: moved_at,
            stopped_by: None,
            give_up_at: None,
            given_up: None,
            exit_code: None,
            over: None,
            hooks: None,
            heard: Vec::new(),
            status: None,
            code: None,
            result_ref: None,
            delivered_at: None,
        };
        let outcome = match task.command() {
            Some(command) => Outcome {
                structured: Some(json!(command)),
                display: Some(
                    json!({"kind": "shell", "title": "Run command", "command": command.command, "exitCode": null}),
                ),
                ..project::command_backgrounded(&id, &self.run.names)
            },
            None => Outcome { structured: Some(json!({"id": id})), ..project::backgrounded(&id) },
        };
        self.run.open.insert(effect_id.clone(), Purpose::Task(id.clone()));
        self.run.tasks.insert(id.clone(), task);
        self.note(
            "tool_call_backgrounded",
            facts!({"callId": call_id, "toolId": tool_id, "id": id, "by": by}),
        );
        let mut started = FactsWriter::default();
        started.member("id", &id).member("callId", &call_id).member("toolId", &tool_id);
        started.member("name", &name).member("effectId", &effect_id);
        self.note("background_started", started.end());
        self.call_state(&call_id, "backgrounded");
        self.settle(place, outcome);
        Some(id)
    }

    /// The user lets a running call go on in the background (SC-47).
    pub fn background_call(&mut self, call_id: &str) -> Result<String, Fault> {
        let refused = |why: &str| Fault::new(Code::CommandInvalid, format!("callId: {why}"));
        let place = self.place_of(call_id).ok_or_else(|| refused("no open call of the run has this id"))?;
        if !self.may_move(place) {
            return Err(refused("this call does not run, or may not go on in the background"));
        }
        let id = self.move_call(place, MovedBy::User).ok_or_else(|| refused("this call does not run"))?;
        self.pump();
        Ok(id)
    }

    /// News of work in the background.
    pub fn task_progress(&mut self, id: &str, data: &Value) {
        let now = self.core.now;
        let Some(task) = self.run.tasks.get_mut(id) else { return };
        if let Some(effect_id) = task.open.effect_id.clone()
            && let Some(refusal) = refuse(self.core, &self.run.id, &effect_id, data)
        {
            return self.out.effects.push(refusal);
        }
        task.touched_at = now;
        let call_id = task.open.call.call_id.clone();
        if let Some((stream, output)) = task.open.log.hear(data) {
            let payload = facts!({"id": id, "callId": call_id, "stream": stream, "output": output});
            // Also where nobody watches the run: who looks after this work may be somebody else.
            let event = LiveEvent { run_id: self.run.id.clone(), kind: "background_progress", payload };
            self.out.events.push(Event::Live(event));
        }
    }

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

    /// Stores the result of work that has ended, with its files and events.
    pub fn store_task(&mut self, id: &str) {
        let Some(mut task) = self.run.tasks.remove(id) else { return };
        let Some(over) = task.over.take() else {
            self.run.tasks.insert(id.to_owned(), task);
            return;
        };
        let files = task.files();
        if let Some(whole) = over.whole {
            self.write_down(&files.readable(), whole);
        }
        let heard = std::mem::take(&mut task.heard);
        let ended = Ended::of(&mut task.open, task.index, task.round).heard(heard);
        let stored = self.store_result(ended, over.outcome, &files, task.limit.map(Limit::Inline), false);
        let mut told = FactsWriter::default();
        told.member("id", &task.id)
            .member("callId", &stored.call_id)
            .member("toolId", &stored.tool_id)
            .member("status", &stored.status)
            .member("isError", &stored.is_error)
            .member("message", &stored.event_message())
            .member("elapsedMs", &task.open.ended_at.saturating_sub(task.open.started_at.unwrap_or_default()))
            .member("resultRef", &stored.result_ref)
            .member("resourceRefs", &stored.resource_refs)
            .maybe("errorCode", stored.error_code.as_ref());
        let level = if stored.ok { Level::Info } else { Level::Warn };
        self.journal(level, "background_finished", told.end());
        for change in &stored.file_changes {
            self.announce_change(change, false);
        }
        (task.status, task.code) = (Some(stored.status), stored.error_code);
        task.result_ref = Some(stored.result_ref.clone());
        task.open.record = Some(stored);
        self.run.tasks.insert(id.to_owned(), task);
        self.results_are_in();
    }

    /// The step that waited for results begins, once hooks have seen all of them.
    fn results_are_in(&mut self) {
        if let (Phase::Results { done }, false) = (&self.run.phase, self.waits_for_results()) {
            let done = *done;
            self.run.phase = Phase::Between;
            self.next_step(done);
        }
    }

    fn waits_for_results(&self) -> bool {
        self.run.tasks.values().any(|task| task.over.is_some())
    }

    /// Tells the model the results that are due, each once (SC-46, IV-88). `false`: hooks have yet to see one, and the
    /// step waits for them.
    pub fn deliver(&mut self, done: Option<bool>) -> bool {
        if self.waits_for_results() {
            self.run.phase = Phase::Results { done };
            return false;
        }
        let now = self.core.now;
        let mut due: Vec<&mut Task> = self.run.tasks.values_mut().filter(|task| task.is_due()).collect();
        due.sort_unstable_by_key(|task| task.number);
        let mut delivered = Vec::new();
        for task in due {
            let Some(record) = &task.open.record else { continue };
            self.run.history.push(Kept::User(project::delivery(&task.id, record)));
            for extra in &record.extra_messages {
                self.run.history.push(Kept::User(format!("[{}] {}", record.name, extra.text)));
            }
            delivered.push((task.id.clone(), record.call_id.clone(), record.status));
            if !Mutant::DeliveredTwice.is_on() {
                task.forget_result(now);
            }
        }
        for (id, call_id, status) in delivered {
            self.note("background_delivered", facts!({"id": id, "callId": call_id, "status": status}));
        }
        let delivered = |task: &Task| task.delivered_at.map(|_| (task.number, task.id.clone()));
        let mut old: Vec<(u64, String)> = self.run.tasks.values().filter_map(delivered).collect();
        old.sort_unstable();
        for (_, id) in old.iter().rev().skip(limits::BACKGROUND_KEPT) {
            self.run.tasks.remove(id);
        }
        true
    }

    /// The run begins: the work of its session is its own from now on.
    pub fn take_tasks(&mut self) {
        let session_id = &self.run.session_id;
        let mine = self.core.tasks.values().filter(|task| task.session_id == *session_id);
        let ids: Vec<String> = in_order(mine).map(|task| task.id.clone()).collect();
        for id in ids {
            let Some(task) = self.core.tasks.remove(&id) else { continue };
            let (effect_id, give_up_at) = (task.open.effect_id.clone(), task.give_up_at);
            self.run.tasks.insert(id.clone(), task);
            if let Some(effect_id) = effect_id {
                self.run.open.insert(effect_id, Purpose::Task(id.clone()));
            }
            if let Some(at) = give_up_at {
                self.run.timers.set(at, timers::Purpose::Task { id: id.clone() });
            }
            self.show_task(&id, true);
        }
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
        self.core.tasks.append(&mut self.run.tasks);
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
        let Some(receipt) = receipt else {
            self.over = Some(project::outcome_unknown().into());
            return;
        };
        self.open.hear(receipt);
        let path = self.files().readable();
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
                    self.over =
                        Some(outcome_of(core, names, &self.open, &path, &self.arguments, &receipt).into());
                    return;
                }
            }
        }
        self.over = Some(outcome_of(core, names, &self.open, &path, &self.arguments, receipt).into());
    }
}
