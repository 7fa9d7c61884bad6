//! Work of the host's own that is taken on as work in the background (SC-47). No effect asks for it: the id of one is
//! given to it, so that its news, its answer and the word that stops it go the way of any other work.

use std::sync::Arc;

use serde_json::{Value, json};

use super::Session;
use super::ledger::OpenCall;
use super::run_state::{Phase, Run};
use super::service::live;
use super::start::DEFAULT_SESSION;
use super::task::{Task, id_of};
use crate::protocol::{Call, Code, Fault, MovedBy, Output, Wire, limits};

impl Session {
    /// Takes work of the host on for a session, or for the invocation of a run.
    pub(super) fn adopt(
        &mut self,
        name: &str,
        session_id: Option<String>,
        run_id: Option<String>,
        started_at: Option<u64>,
        out: &mut Output,
    ) -> Result<Value, Fault> {
        let chars = name.chars().count();
        if name.trim().is_empty() || chars > limits::REGISTERED_NAME_CHARS || name.contains(char::is_control)
        {
            let most = limits::REGISTERED_NAME_CHARS;
            let message = format!("name: expected one line of 1 to {most} characters, got {chars}");
            return Err(Fault::new(Code::CommandInvalid, message));
        }
        let of = match run_id {
            Some(id) => Some(
                self.going(|run| *run.id == *id)
                    .ok_or_else(|| Fault::new(Code::RunNotFound, format!("runId: no run {id} goes on")))?,
            ),
            None => None,
        };
        let session_id = match (session_id, of) {
            (Some(id), Some(run)) if id != run.session_id => {
                let message =
                    format!("sessionId: the run {} belongs to the session {}", run.id, run.session_id);
                return Err(Fault::new(Code::CommandInvalid, message));
            }
            (_, Some(run)) => run.session_id.clone(),
            (id, None) => id.unwrap_or_else(|| DEFAULT_SESSION.to_owned()),
        };
        self.core.refuse_deleted(Some(&session_id))?;
        let (run_id, invocation_id) =
            of.map(|run| (run.id.clone(), run.invocation_id.clone())).unwrap_or_default();
        let hears = self.going(|run| run.session_id == session_id).map(|run| run.id.clone());
        let now = self.core.now;
        let effect_id = self.core.effect_id();
        let id = id_of(&session_id, "", &effect_id);
        let call = Call {
            call_id: id.as_str().into(),
            provider_id: None,
            name: name.into(),
            arguments: Wire::Absent,
            cut: false,
        };
        let open = OpenCall {
            started_at: Some(started_at.unwrap_or(now).min(now)),
            effect_id: Some(effect_id.clone()),
            ..OpenCall::new(Arc::new(call), None, Arc::default(), now)
        };
        let task = Task { run_id, invocation_id, ..Task::new(id, session_id, open, MovedBy::Host, now) };
        let (shown, told) = (task.shown(true), task.started(&effect_id));
        match hears {
            Some(run_id) => {
                self.work(&run_id, out, |active| {
                    active.note("background_started", told);
                    active.take_task(task);
                });
            }
            None => {
                out.events.push(live("".into(), "background_started", told));
                self.core.tasks.insert(task.id.clone(), task);
            }
        }
        Ok(json!({"task": shown, "effectId": effect_id}))
    }

    /// The run that goes on and is wanted.
    fn going(&self, wanted: impl Fn(&Run) -> bool) -> Option<&Run> {
        self.awake().find(|run| wanted(run) && !matches!(run.phase, Phase::Ended(_)))
    }
}
