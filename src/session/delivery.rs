//! The results of work in the background: stored, and told to the model, each once (SC-46, IV-88).

use super::active::Active;
use super::answer::Ended;
use super::run_state::Phase;
use super::task::Task;
use crate::project::{self, Limit};
use crate::protocol::order::sort;
use crate::protocol::{Level, Mutant, limits};
use crate::run::history::Kept;

impl Active<'_> {
    /// Stores the result of work that has ended, with its files and events.
    pub fn store_task(&mut self, id: &str) {
        let Some(mut task) = self.run.tasks.remove(id) else { return };
        let Some(over) = task.over.take() else {
            self.run.tasks.insert(id.to_owned(), task);
            return;
        };
        let files = task.files(&self.run.id);
        let limit = if task.is_adopted() { self.external_limit() } else { task.limit.map(Limit::Inline) };
        if let Some(whole) = over.whole {
            self.write_down(&files.readable(), whole);
        }
        let heard = std::mem::take(&mut task.heard);
        let ended = Ended::of(&mut task.open, task.index, task.round).heard(heard);
        let stored = self.store_result(ended, over.outcome, &files, limit, false);
        let mut told = task.facts();
        told.maybe("toolId", stored.tool_id.as_ref())
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
        sort(&mut due, |a, b| a.number.cmp(&b.number));
        let mut delivered = Vec::new();
        for task in due {
            let Some(record) = &task.open.record else { continue };
            self.run.history.push(Kept::User(project::delivery(&task.id, record)));
            for extra in &record.extra_messages {
                self.run.history.push(Kept::User(format!("[{}] {}", record.name, extra.text)));
            }
            let mut told = task.facts();
            told.member("status", &record.status);
            delivered.push(told.end());
            if !Mutant::DeliveredTwice.is_on() {
                task.forget_result(now);
            }
        }
        for told in delivered {
            self.note("background_delivered", told);
        }
        let delivered = |task: &Task| task.delivered_at.map(|_| (task.number, task.id.clone()));
        let mut old: Vec<(u64, String)> = self.run.tasks.values().filter_map(delivered).collect();
        sort(&mut old, Ord::cmp);
        for (_, id) in old.iter().rev().skip(limits::BACKGROUND_KEPT) {
            self.run.tasks.remove(id);
        }
        true
    }
}
