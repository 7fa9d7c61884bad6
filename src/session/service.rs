//! What the host can do with work in the background (SC-47), and what becomes of the work of sessions without a run.

use std::sync::Arc;

use serde_json::{Value, json};

use super::Session;
use super::answer::sound;
use super::background::in_order;
use super::question::refuse;
use super::task::Task;
use super::task_end::reason;
use crate::project;
use crate::protocol::{
    BoundNames, Class, Code, Effect, Event, Facts, Fault, LiveEvent, Output, Payload, Receipt, StoppedBy,
    facts, limits,
};

impl Session {
    /// All work in the background, oldest first.
    fn tasks(&self) -> impl Iterator<Item = &Task> {
        let runs = self.runs.values().flat_map(|run| run.tasks.values());
        in_order(self.core.tasks.values().chain(runs))
    }

    /// The work in the background that is wanted.
    pub(super) fn list_tasks(&self, wanted: impl Fn(&Task) -> bool) -> Value {
        let wanted = |task: &&Task| wanted(task);
        let tasks: Vec<Value> = self.tasks().filter(wanted).map(|task| task.shown(false)).collect();
        json!({"tasks": tasks})
    }

    /// One piece of work.
    pub(super) fn show_task(&self, id: &str) -> Result<Value, Fault> {
        let task = self.tasks().find(|task| task.id == id).ok_or_else(|| unknown(id))?;
        Ok(json!({"task": task.shown(true)}))
    }

    /// Something was heard of it.
    pub(super) fn touch_task(&mut self, id: &str) -> Result<Value, Fault> {
        let now = self.core.now;
        self.task_mut(id)?.touched_at = now;
        self.show_task(id)
    }

    /// Stops it for the user.
    pub(super) fn cancel_task(&mut self, id: &str, out: &mut Output) -> Result<Value, Fault> {
        if let Some(run_id) = self.run_with(id) {
            self.work(&run_id, out, |active| {
                active.stop_task(id, StoppedBy::User);
            });
            return self.show_task(id);
        }
        self.stop_without_run(id, StoppedBy::User, out);
        self.show_task(id)
    }

    /// Tells work of a session without a run to stop.
    pub(super) fn stop_without_run(&mut self, id: &str, by: StoppedBy, out: &mut Output) {
        let at = self.core.now.saturating_add(limits::ABORT_GRACE_MS);
        let Some(task) = self.core.tasks.get_mut(id) else { return };
        let run_id = task.run_id.clone();
        let Some(target_effect_id) = task.stop(by, at) else { return };
        out.effects.push(Effect {
            effect_id: self.core.effect_id(),
            class: Class::OneWay,
            run_id,
            invocation_id: None,
            call_id: None,
            deadline: None,
            payload: Payload::Abort { target_effect_id, reason: reason(by) },
        });
    }

    /// Hands its message to the host instead of the model.
    pub(super) fn hand_over_task(&mut self, id: &str, out: &mut Output) -> Result<Value, Fault> {
        let now = self.core.now;
        let run_id = self.run_with(id);
        let task = self.task_mut(id)?;
        let refused = |why: &str| Fault::new(Code::CommandInvalid, format!("id: the result of {id} {why}"));
        if task.delivered_at.is_some() {
            return Err(refused("was delivered already"));
        }
        let text = match (&task.open.record, &task.over) {
            (Some(record), _) => project::delivery(id, record),
            (None, Some(_)) => return Err(refused("is not stored yet: that takes a run of its session")),
            (None, None) => return Err(refused("is not there yet")),
        };
        task.forget_result(now);
        let mut told = task.facts();
        told.member("status", &task.status);
        let told = told.end();
        match run_id {
            Some(run_id) => self.work(&run_id, out, |active| {
                active.note("background_delivered", told);
            }),
            None => {
                let run_id = task.run_id.clone();
                out.events.push(live(run_id, "background_delivered", told));
                None
            }
        };
        Ok(json!({"text": text}))
    }

    /// Forgets what was delivered.
    pub(super) fn prune_tasks(&mut self, session_id: Option<&str>) -> Value {
        let mut pruned = 0;
        let mut stays = |_: &String, task: &mut Task| {
            let goes = task.delivered_at.is_some() && session_id.is_none_or(|id| id == task.session_id);
            pruned += u64::from(goes);
            !goes
        };
        self.core.tasks.retain(&mut stays);
        for run in self.runs.values_mut() {
            run.tasks.retain(&mut stays);
        }
        json!({"pruned": pruned})
    }

    /// The run that has this work.
    fn run_with(&self, id: &str) -> Option<Arc<str>> {
        self.awake().find(|run| run.tasks.contains_key(id)).map(|run| run.id.clone())
    }

    fn task_mut(&mut self, id: &str) -> Result<&mut Task, Fault> {
        let runs = self.runs.values_mut().find_map(|run| run.tasks.get_mut(id));
        runs.or_else(|| self.core.tasks.get_mut(id)).ok_or_else(|| unknown(id))
    }

    /// The effects of sessions without a run that wait for an answer.
    pub(super) fn tasks_in_flight(&self) -> impl Iterator<Item = Value> {
        self.core.tasks.values().filter_map(|task| task.in_flight(&task.run_id))
    }

    /// The answer of work of a session without a run: it waits for the next one. `Some`: there is none, the receipt
    /// means nothing.
    pub(super) fn receipt_without_run(&mut self, receipt: Receipt, out: &mut Output) -> Option<Receipt> {
        let effect_id = &receipt.effect_id;
        let late = self.core.tasks.values_mut().find(|task| task.given_up.as_ref() == Some(effect_id));
        if let Some(task) = late {
            task.given_up = None;
            out.events.push(live(task.run_id.clone(), "late_receipt", facts!({"effectId": effect_id})));
            return None;
        }
        let Some(id) = self.task_without_run(effect_id) else { return Some(receipt) };
        let receipt = sound(&self.core, receipt);
        self.end_without_run(&id, Some(&receipt), out);
        None
    }

    /// News of such work.
    pub(super) fn progress_without_run(&mut self, effect_id: &str, data: &Value, out: &mut Output) {
        let now = self.core.now;
        let Some(id) = self.task_without_run(effect_id) else { return };
        let run_id = self.core.tasks.get(&id).map(|task| task.run_id.clone()).unwrap_or_default();
        if let Some(refusal) = refuse(&mut self.core, &run_id, effect_id, data) {
            return out.effects.push(refusal);
        }
        let Some(task) = self.core.tasks.get_mut(&id) else { return };
        if let Some(told) = task.hear(data, now) {
            out.events.push(live(task.run_id.clone(), "background_progress", told));
        }
    }

    /// Gives such work up that was told to stop and has had its time to answer.
    pub(super) fn give_up_without_run(&mut self, out: &mut Output) {
        let now = self.core.now;
        let is_due = |task: &&Task| task.give_up_at.is_some_and(|at| at <= now);
        let due: Vec<String> = self.core.tasks.values().filter(is_due).map(|task| task.id.clone()).collect();
        for id in due {
            self.end_without_run(&id, None, out);
        }
    }

    fn task_without_run(&self, effect_id: &str) -> Option<String> {
        let is_its = |task: &&Task| task.open.effect_id.as_deref() == Some(effect_id);
        self.core.tasks.values().find(is_its).map(|task| task.id.clone())
    }

    fn end_without_run(&mut self, id: &str, receipt: Option<&Receipt>, out: &mut Output) {
        let Some(mut task) = self.core.tasks.remove(id) else { return };
        let effect_id = task.open.effect_id.clone();
        task.end(&self.core, &BoundNames::default(), receipt);
        if receipt.is_none() {
            task.given_up = effect_id;
        }
        let mut told = task.facts();
        told.member("state", "finished");
        out.events.push(live(task.run_id.clone(), "background_progress", told.end()));
        self.core.tasks.insert(id.to_owned(), task);
    }
}

pub(super) fn live(run_id: Arc<str>, kind: &'static str, payload: Facts) -> Event {
    Event::Live(LiveEvent { run_id, kind, payload })
}

fn unknown(id: &str) -> Fault {
    Fault::new(Code::CommandInvalid, format!("id: there is no {id} in the background"))
}
