//! Calls that go on in the background: how they get there, and what they tell on the way (chapter 05, section 6).
//!
//! The work of a session belongs to the run of it that goes on: that run hears its answer, stores its result and tells
//! the model. When no run goes on it waits in the core for the next one.

use serde_json::{Value, json};

use super::active::Active;
use super::ledger::OpenCall;
use super::question::refuse;
use super::run_state::{Purpose, Run};
use super::task::{Task, id_of};
use crate::project::{self, Limit};
use crate::protocol::order::sort;
use crate::protocol::{
    BackgroundCommand, Code, Event, Fault, LiveEvent, MovedBy, Outcome, Receipt, ReceiptOutcome, facts,
    limits,
};

/// In the order in which the calls began.
pub(super) fn in_order<'a>(tasks: impl Iterator<Item = &'a Task>) -> impl Iterator<Item = &'a Task> {
    let mut tasks: Vec<&Task> = tasks.collect();
    sort(&mut tasks, |a, b| (a.number, &a.id).cmp(&(b.number, &b.id)));
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
        let arguments = (*self.arguments_of(self.run.batch.calls.get(place)?)).clone();
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
        let call_id = open.call.call_id.clone();
        let id = id_of(&self.run.id, &call_id, &effect_id);
        let task = Task {
            run_id: self.run.id.clone(),
            invocation_id: self.run.invocation_id.clone(),
            scenario: self.run.scenario,
            round: self.run.round,
            index: u32::try_from(place).unwrap_or(u32::MAX),
            arguments,
            limit,
            ..Task::new(id.clone(), self.run.session_id.clone(), goes_on, by, moved_at)
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
        let started = task.started(&effect_id);
        self.run.open.insert(effect_id.clone(), Purpose::Task(id.clone()));
        self.run.tasks.insert(id.clone(), task);
        self.note(
            "tool_call_backgrounded",
            facts!({"callId": call_id, "toolId": tool_id, "id": id, "by": by}),
        );
        self.note("background_started", started);
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
        if let Some(payload) = task.hear(data, now) {
            // Also where nobody watches the run: who looks after this work may be somebody else.
            let event = LiveEvent { run_id: self.run.id.clone(), kind: "background_progress", payload };
            self.out.events.push(Event::Live(event));
        }
    }
}
