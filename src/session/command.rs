//! Commands: each is answered in the step it came in (CM-01).

use serde_json::{Value, json};

use super::Session;
use super::terms::{Said, Terms};
use crate::catalog::Profile;
use crate::identity::ToolId;
use crate::permission::{Hooks, RuleBook};
use crate::protocol::{Code, Command, Fault, Output, limits};

type Answer = Result<Option<Value>, Fault>;

/// Performs one command.
pub(crate) fn perform(session: &mut Session, command: Command, out: &mut Output) -> Answer {
    match command {
        Command::RegisterTools { tools, strict } => {
            let registered = session.core.catalog.register(&tools, strict)?;
            session.handed_out.registrations = None;
            Ok(Some(json!({
                "toolIds": registered.tool_ids,
                "notices": registered.notices,
                "diagnostics": registered.diagnostics,
            })))
        }
        Command::SetEnabled { tool_id, enabled } => {
            session.core.catalog.set_enabled(&ToolId::parse(&tool_id)?, enabled)?;
            session.handed_out.registrations = None;
            Ok(None)
        }
        Command::UnregisterTools { tool_ids } => {
            let ids: Vec<ToolId> = tool_ids.iter().map(|id| ToolId::parse(id)).collect::<Result<_, _>>()?;
            session.core.catalog.unregister(&ids)?;
            session.handed_out.registrations = None;
            Ok(None)
        }
        Command::ToolsList { context } => Ok(Some(json!(session.core.catalog.list(context)))),
        Command::ProfileSave { profile } => {
            let profile = Profile::decode(&profile)?;
            let before = session.core.profiles.get(&profile.id).map(Profile::enabled).unwrap_or_default();
            profile.check_save(&before, &session.core.catalog)?;
            let encoded = profile.encode();
            session.core.profiles.insert(profile.id.clone(), profile);
            session.handed_out.profiles = None;
            Ok(Some(json!({"profile": encoded})))
        }
        Command::ProfileLoad { id } => {
            let profile = session.core.profiles.get(&id).ok_or_else(|| {
                Fault::new(Code::AgentProfileInvalid, format!("no profile is kept under the id {id}"))
            })?;
            Ok(Some(json!({"profile": profile.encode()})))
        }
        Command::StartRun(start) => session.start_run(*start, out).map(Some),
        Command::CancelRun { run_id } => session
            .work(&run_id, out, |active| active.cancel_run())
            .unwrap_or_else(|| Err(unknown_run(&run_id)))
            .map(|()| None),
        Command::CancelCall { run_id, call_id } => session
            .work(&run_id, out, |active| active.cancel_call(&call_id))
            .unwrap_or_else(|| Err(unknown_run(&run_id)))
            .map(|()| None),
        Command::BackgroundCall { run_id, call_id } => session
            .work(&run_id, out, |active| active.background_call(&call_id))
            .unwrap_or_else(|| Err(unknown_run(&run_id)))
            .map(|id| Some(json!({"id": id}))),
        Command::BackgroundList { session_id, run_id } => {
            session.core.refuse_deleted(session_id.as_deref())?;
            Ok(Some(session.list_tasks(|task| {
                session_id.as_ref().is_none_or(|id| *id == task.session_id)
                    && run_id.as_ref().is_none_or(|id| **id == *task.run_id)
            })))
        }
        Command::BackgroundListFor { run_id, invocation_id } => Ok(Some(
            session.list_tasks(|task| *task.run_id == *run_id && *task.invocation_id == *invocation_id),
        )),
        Command::BackgroundAdopt { name, session_id, run_id, started_at } => {
            session.adopt(&name, session_id, run_id, started_at, out).map(Some)
        }
        Command::BackgroundGet { id } => session.show_task(&id).map(Some),
        Command::BackgroundTouch { id } => session.touch_task(&id).map(Some),
        Command::BackgroundCancel { id } => session.cancel_task(&id, out).map(Some),
        Command::BackgroundDeliver { id } => session.hand_over_task(&id, out).map(Some),
        Command::BackgroundPrune { session_id } => {
            session.core.refuse_deleted(session_id.as_deref())?;
            Ok(Some(session.prune_tasks(session_id.as_deref())))
        }
        Command::SessionDelete { session_id } => session.delete(&session_id, out).map(Some),
        Command::Watch { run_id, events } => {
            let run = session.runs.get_mut(&*run_id).ok_or_else(|| unknown_run(&run_id))?;
            run.capabilities.events = events;
            // What the run was given is written once; this is part of it.
            run.given = None;
            Ok(Some(json!({"seq": run.journal.len()})))
        }
        Command::Attach {} => Ok(Some(session.attach(out))),
        Command::ResumeRun { run_id, accept_unknown, driven } => {
            session.resume_run(&run_id, accept_unknown, driven, out).map(Some)
        }
        Command::RulesSet { rules } => {
            session.core.rules.replace(RuleBook::decode(&rules)?);
            session.rules_changed(out);
            Ok(None)
        }
        Command::RegisterHooks { hooks } => {
            session.core.hooks = Hooks::decode(&hooks)?;
            session.core.hooks_given = hooks;
            Ok(None)
        }
        Command::SetMode { run_id, mode } => session.change_terms(&run_id, |said| said.set_mode(&mode)),
        Command::AddWorkingDirectory { run_id, path } => session.change_terms(&run_id, |said| {
            said.directories.push(path);
            Ok(())
        }),
        Command::WorkspaceRead { path } => session.core.host_read(&path).map(Some),
        Command::WorkspaceWrite { path, text, blob } => session.core.host_write(&path, text, blob).map(Some),
        Command::WorkspaceList { path } => session.core.host_list(path.as_deref()).map(Some),
        Command::WorkspaceDelete { path } => session.core.host_delete(&path).map(Some),
        Command::ReadEvents { run_id, after_seq, before_seq, limit, invocation_id } => {
            let run = session.runs.get(&*run_id).ok_or_else(|| unknown_run(&run_id))?;
            let limit = limit.unwrap_or(limits::EVENTS_PER_READ).min(limits::EVENTS_PER_READ);
            if limit == 0 {
                return Err(Fault::new(Code::CommandInvalid, "limit: expected a number from 1, got 0"));
            }
            // An event stands in the journal at its `seq`, counted from 1.
            let place = |seq: u64| usize::try_from(seq).unwrap_or(usize::MAX).min(run.journal.len());
            let before = place(before_seq.unwrap_or(u64::MAX).saturating_sub(1));
            let after = place(after_seq.unwrap_or(0)).min(before);
            let mine = invocation_id.is_none_or(|wanted| *wanted == *run.invocation_id);
            let events = run.journal.items().get(after..before).filter(|_| mine).unwrap_or_default();
            let mut wanted = events.iter();
            let events: Vec<_> = wanted.by_ref().take(limit).collect();
            let more = wanted.next().is_some();
            Ok(Some(json!({"events": events, "more": more})))
        }
    }
}

impl Session {
    /// Changes what the host says of the terms of a run; decisions made before stand.
    fn change_terms(&mut self, run_id: &str, change: impl FnOnce(&mut Said) -> Result<(), Fault>) -> Answer {
        let run = self.runs.get_mut(run_id).ok_or_else(|| unknown_run(run_id))?;
        let mut said = run.terms.said.clone();
        change(&mut said)?;
        run.terms = Terms::new(said, &run.profile, &run.session_id, &run.id, &run.invocation_id)?;
        Ok(None)
    }
}

pub(super) fn unknown_run(run_id: &str) -> Fault {
    Fault::new(Code::RunNotFound, format!("there is no run {run_id}"))
}
