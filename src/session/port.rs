//! The file port of running programs: which effect has one, what it did when the effect closes (chapter 08, section 4).

use std::sync::Arc;

use serde_json::Map;

use super::Session;
use super::active::{Active, Core};
use super::builtins;
use super::judge::{Matter, situation};
use super::ledger::OpenCall;
use super::run_state::{Purpose, Run};
use crate::permission::{Access, port_allows};
use crate::protocol::{FileChange, FileOperation, Mutant, PortError, PortOp, PortReply};
use crate::workspace::{Author, Change, Port, Touches, WorkspacePath};

/// The directory of a program alone (FP-05).
const PRIVATE: &str = "tmp";

impl Session {
    /// Performs an operation of a running program, at once. Only while the effect that runs it is open; before and
    /// after it is cancelled and nothing happens (FP-03, IV-66).
    pub fn file_port(&mut self, effect_id: &str, op: PortOp<'_>) -> Result<PortReply, PortError> {
        let Self { core, runs, awake, .. } = self;
        let is_open = |id: &&Arc<str>| runs.get(*id).is_some_and(|run| run.open.contains_key(effect_id));
        let run_id = awake.iter().find(is_open).ok_or(PortError::Cancelled)?;
        let run = runs.get_mut(run_id).ok_or(PortError::Cancelled)?;
        check(core, run, run.performed(effect_id).ok_or(PortError::Cancelled)?, op)?;
        let open = match run.open.get(effect_id) {
            Some(Purpose::Call(place)) => run.batch.calls.get_mut(*place),
            Some(Purpose::Task(id)) => run.tasks.get_mut(id).map(|task| &mut task.open),
            _ => None,
        };
        let open = open.ok_or(PortError::Cancelled)?;
        let port = open.port.as_mut().ok_or(PortError::Cancelled)?;
        port.perform(&mut core.workspace, &run.roots, op)
    }
}

/// Nobody is asked in mid-command: what a person would be asked about is refused (FP-06). What is private to the
/// program is its own.
fn check(core: &Core, run: &Run, open: &OpenCall, op: PortOp<'_>) -> Result<(), PortError> {
    // What is moved can be read where it comes to.
    let (from, accesses, to): (_, &[Access], _) = match op {
        PortOp::Stat { .. } | PortOp::List { .. } => return Ok(()),
        PortOp::Read { path } => (path, &[Access::Read], None),
        PortOp::Write { path, .. } | PortOp::Append { path, .. } | PortOp::Mkdir { path, .. } => {
            (path, &[Access::Write], None)
        }
        PortOp::Remove { path, .. } => (path, &[Access::Remove], None),
        PortOp::Rename { from, to, .. } => (from, &[Access::Remove, Access::Read], Some(to)),
        PortOp::Copy { from, to, .. } => (from, &[Access::Read], Some(to)),
    };
    let binding = open.tool_id.as_ref().and_then(|id| run.tools.get(id)).ok_or(PortError::Cancelled)?;
    let matter = Matter::new(binding, &Map::new(), None);
    let facts = situation(core, run, binding, &matter);
    let opened = open.passage.as_deref().map(|passage| passage.opened.as_slice()).unwrap_or_default();
    let allows = |path: &str, access: Access| {
        let path = path.trim_start_matches('/');
        path.split('/').next() == Some(PRIVATE) || port_allows(&facts, &run.names, opened, path, access)
    };
    let leaves = |path: &str| accesses.iter().all(|access| allows(path, *access));
    let lands = |rest: &str| to.is_none_or(|to| allows(&format!("{to}{rest}"), Access::Write));
    if !leaves(from) || !lands("") {
        return Err(PortError::Denied);
    }
    // What goes along with a directory is touched as well, files or not, also where it comes from what is private.
    let Ok(source) = WorkspacePath::parse(from.trim_start_matches('/')) else { return Ok(()) };
    let Some(port) = open.port.as_deref().filter(|_| accesses != [Access::Write]) else { return Ok(()) };
    let goes_along = |path: &String| {
        let rest = path.strip_prefix(source.as_str()).unwrap_or_default();
        lands(rest) && leaves(path)
    };
    if port.below(&core.workspace, &source).iter().all(goes_along) { Ok(()) } else { Err(PortError::Denied) }
}

impl OpenCall {
    /// Whether a program does it, which may use the file port.
    pub fn is_program(&self) -> bool {
        builtins::outside(self.tool_id.as_ref()).is_some()
    }

    /// Opens its port, if a program does it: a fresh one, or that of which this was written down.
    pub fn open_port(&mut self, touches: Touches) {
        if self.is_program() && !self.settled() {
            self.port = Some(Box::new(Port::new(self.started_at.unwrap_or(self.queued_at), touches)));
        }
    }
}

impl Run {
    /// The call that this effect performs, in the batch or in the background.
    pub fn performed(&self, effect_id: &str) -> Option<&OpenCall> {
        match self.open.get(effect_id)? {
            Purpose::Call(place) => self.batch.calls.get(*place),
            Purpose::Task(id) => self.tasks.get(id).map(|task| &task.open),
            _ => None,
        }
    }

    /// What programs that still run have done to files, by their calls.
    pub fn touched(&self) -> impl Iterator<Item = (Author<'_>, &Touches)> {
        let calls = self.batch.calls.iter().chain(self.tasks.values().map(|task| &task.open));
        calls.filter_map(|open| {
            let author = Author { call_id: &open.call.call_id, invocation_id: &self.invocation_id };
            Some((author, &open.port.as_deref()?.touches))
        })
    }
}

impl Active<'_> {
    /// Closes the port of a call: what its program did to files becomes its changes, whatever came of it (FP-07). To
    /// the read state they are those of somebody else (FC-06).
    pub fn close_port(&mut self, place: usize) {
        if Mutant::PortStaysOpen.is_on() {
            return;
        }
        let Some(port) = self.run.batch.calls.get_mut(place).and_then(|open| open.port.take()) else {
            return;
        };
        for change in port.touches.into_changes() {
            self.keep_change(place, change);
        }
    }

    /// The same for work in the background.
    pub fn close_task_port(&mut self, open: &mut OpenCall) {
        let Some(port) = open.port.take() else { return };
        for change in port.touches.into_changes() {
            let change = self.kept(&open.call.call_id, change);
            open.changes.push(change);
        }
    }

    /// Keeps a change of a call, and what is needed to undo it.
    pub fn keep_change(&mut self, place: usize, change: Change) {
        if Mutant::ChangeForgotten.is_on() && change.operation == FileOperation::Append {
            return;
        }
        let Some(open) = self.run.batch.calls.get(place) else { return };
        let call_id = open.call.call_id.clone();
        let change = self.kept(&call_id, change);
        if let Some(open) = self.run.batch.calls.get_mut(place) {
            open.changes.push(change);
        }
    }

    fn kept(&mut self, call_id: &str, change: Change) -> FileChange {
        let stores = self.run.stores();
        let run = &mut *self.run;
        let author = Author { call_id, invocation_id: &run.invocation_id };
        let before = change.before.as_ref().filter(|_| !Mutant::ContentLost.is_on());
        for file in [before, change.after.as_ref()].into_iter().flatten() {
            self.core.blobs.keep(&file.sha256().to_string(), file.shared());
        }
        // What stood there is new to the store if it was not the run that wrote it.
        let known = run.changes.last(&change.path);
        let is_new = change.before.as_ref().is_some_and(|file| known != Some(&file.sha256()));
        let change = run.changes.keep(change, author);
        let contents = [change.sha256_before.clone().filter(|_| is_new), change.sha256_after.clone()];
        for digest in contents.into_iter().flatten() {
            if stores {
                run.new_blobs.push(digest.clone());
            }
            // The next snapshot needs it, though the file may hold something else by then.
            run.fresh.push(digest);
        }
        change
    }
}
