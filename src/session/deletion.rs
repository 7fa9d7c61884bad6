//! The end of a session: its run is cancelled, its work in the background told to stop, what was allowed in it and what
//! is kept of it are gone (RN-14, SC-47, SH-53). What was done to files of the workspace stays.

use std::sync::Arc;

use serde_json::{Value, json};

use super::Session;
use super::active::{Active, Core};
use super::background::in_order;
use super::run_state::{Phase, Purpose};
use crate::project::CallFiles;
use crate::protocol::{AbortReason, Code, Fault, Mutant, Output, StoppedBy, limits};

impl Core {
    /// No command is about a session that was deleted.
    pub fn refuse_deleted(&self, session_id: Option<&str>) -> Result<(), Fault> {
        match session_id {
            Some(id) if self.deleted.iter().any(|deleted| deleted == id) => {
                let message = format!("the session {id} was deleted; use another id");
                Err(Fault::new(Code::AgentSessionNotFound, message))
            }
            _ => Ok(()),
        }
    }

    /// Remembers that a session was deleted, for as long as runs that have ended are remembered.
    fn remember_deleted(&mut self, session_id: &str) {
        if !Mutant::SessionLives.is_on() {
            self.deleted.push(session_id.to_owned());
        }
        let more = self.deleted.len().saturating_sub(limits::ENDED_RUNS);
        self.deleted.drain(..more);
    }
}

impl Session {
    /// Deletes a session. A run of it that goes on is cancelled and gone as soon as it has ended.
    pub(super) fn delete(&mut self, session_id: &str, out: &mut Output) -> Result<Value, Fault> {
        self.core.refuse_deleted(Some(session_id))?;
        let runs: Vec<Arc<str>> =
            self.runs.values().filter(|run| run.session_id == session_id).map(|run| run.id.clone()).collect();
        let works = self.core.tasks.values().filter(|task| task.session_id == session_id);
        let works: Vec<String> = in_order(works).map(|task| task.id.clone()).collect();
        let answered =
            self.core.grants.has_session(session_id) || self.core.rules.denials.has_session(session_id);
        if runs.is_empty() && works.is_empty() && !answered {
            let message = format!("there is no session {session_id}");
            return Err(Fault::new(Code::AgentSessionNotFound, message));
        }
        self.core.remember_deleted(session_id);
        let going =
            |id: &&Arc<str>| self.runs.get(*id).is_some_and(|run| !matches!(run.phase, Phase::Ended(_)));
        let going = runs.iter().find(going).cloned();
        for id in works {
            if !Mutant::DeletedWorks.is_on() {
                self.stop_without_run(&id, StoppedBy::Session, out);
            }
            self.core.tasks.remove(&id);
        }
        for run_id in &runs {
            // What has been kept of it goes when nothing is open any more.
            self.work(run_id, out, |active| {
                active.drop_tasks();
                // One that has ended cannot be cancelled.
                active.cancel_run().ok();
            });
        }
        self.core.grants.end_session(session_id);
        let others = self.runs.values().map(|run| &run.session_id);
        let mut others = others.chain(self.core.tasks.values().map(|task| &task.session_id));
        let is_last = others.all(|other| other == session_id);
        self.core.rules.end_session(session_id, is_last);
        Ok(json!({"runId": going}))
    }

    /// Forgets a run of a deleted session, with the files that the runtime wrote about it.
    pub(super) fn forget_deleted(&mut self, run_id: &str) {
        let Some(run) = self.runs.remove(run_id) else { return };
        self.awake.remove(run_id);
        self.core.tasks.retain(|_, task| task.session_id != run.session_id);
        // A question that was answered while it ended may have left one.
        self.core.grants.end_session(&run.session_id);
        self.core.rules.denials.end_session(&run.session_id);
        for folder in CallFiles::folders(run.scenario, &run.id, &run.invocation_id) {
            self.core.workspace.remove(&folder);
        }
    }
}

impl Active<'_> {
    /// The work of the run is told to stop, and nothing is heard of it any more.
    fn drop_tasks(&mut self) {
        let ids: Vec<String> = in_order(self.run.tasks.values()).map(|task| task.id.clone()).collect();
        for id in &ids {
            self.stop_task(id, StoppedBy::Session);
            self.run.timers.forget_task(id);
            self.run.tasks.remove(id);
        }
        let is_of_task = |purpose: &Purpose| matches!(purpose, Purpose::Task(_) | Purpose::TaskHook(_));
        let of_tasks = self.run.open.take_out(|_, purpose| is_of_task(purpose));
        for (effect_id, purpose) in of_tasks {
            if matches!(purpose, Purpose::TaskHook(_)) {
                self.abort(&effect_id, AbortReason::RunEnd);
                self.run.timers.forget_effect(&effect_id);
            }
            self.run.expired.insert(effect_id);
        }
    }
}
