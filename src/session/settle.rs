//! The end of a call: its outcome becomes the one stored record, its files and its events.

use std::sync::Arc;

use serde::Serialize;
use serde_json::json;

use super::active::Active;
use super::answer::{Ended, function_outcome, outcome_of, sound};
use super::ledger::OpenCall;
use super::run_state::{Ending, Phase, Purpose};
use crate::arguments::ToolArguments;
use crate::catalog::profile::UnknownOutcome;
use crate::catalog::{Binding, ResultBudget};
use crate::identity::ToolId;
use crate::project::{
    self, Arguments, BatchResult, Budget, CallFacts, CallFiles, Limit, LongResult, Origin, Projected,
};
use crate::protocol::order::sort;
use crate::protocol::{
    AbortReason, Call, Code, FactsWriter, Fault, FileChange, FileOperation, Level, MovedBy, Mutant, Outcome,
    Receipt, ReceiptOutcome, SortedSet, Status, StoppedBy, StoredImage, facts,
};
use crate::run::history::{Kept, KeptResult};
use crate::tool::ToolEffect;
use crate::workspace::{self, File, WorkspacePath};

impl Active<'_> {
    fn files(&self, call_id: &str) -> CallFiles {
        let run = &self.run;
        let call_id = if Mutant::RecordOverwritten.is_on() { "call" } else { call_id };
        CallFiles::new(run.scenario, &run.id, &run.invocation_id, run.round, call_id)
    }

    /// The files of a call whose arguments are written down.
    fn files_of(&self, open: &OpenCall) -> CallFiles {
        CallFiles::beside(&open.arguments_ref).unwrap_or_else(|| self.files(&open.call.call_id))
    }

    /// Writes down the arguments of a call as they came (AR-12).
    pub fn store_arguments(&mut self, call: &Call, decoded: &ToolArguments) -> Arc<str> {
        let path = self.files(&call.call_id).arguments();
        let kept = match decoded {
            ToolArguments::Object(members) => Arguments::Object(members),
            ToolArguments::Invalid(raw) => Arguments::Invalid(raw),
        };
        self.write_down(&path, project::arguments_file(call, kept, None));
        path.into()
    }

    pub(super) fn write_down(&mut self, path: &WorkspacePath, text: String) {
        self.write_file(path, File::of_text(text));
    }

    /// A file of the runtime's own. What cannot be written down must not happen: a failure ends the run (RS-48).
    fn write_file(&mut self, path: &WorkspacePath, file: File) {
        let file = Arc::new(file);
        if let Err(refusal) = self.core.workspace.record(path, Arc::clone(&file)) {
            let message = format!("{path} cannot be written: {}", refusal.message);
            self.run.lost.get_or_insert(Fault::new(Code::StorageAppendFailed, message));
        } else if self.run.stores() {
            self.run.new_blobs.push(self.core.blobs.put(file.shared()));
        }
    }

    /// Does what a builtin wants done and gives its outcome (EX-02).
    pub fn apply(&mut self, place: usize, outcome: Outcome, effect: ToolEffect) -> Outcome {
        let effect = match effect {
            ToolEffect::File(effect) => effect,
            ToolEffect::Stop(id) => {
                self.stop_task(&id, StoppedBy::Model);
                return outcome;
            }
            ToolEffect::None => return outcome,
        };
        let (tree, state) = (&mut self.core.workspace, &mut self.run.read_state);
        match workspace::apply(tree, state, *effect, &self.run.names) {
            Ok(None) => outcome,
            Ok(Some(change)) => {
                self.keep_change(place, change);
                outcome
            }
            Err(refusal) => Outcome::refused(refusal),
        }
    }

    /// Ends a call. With a limit for the whole batch the record waits until the batch has settled (RS-47).
    pub fn settle(&mut self, place: usize, outcome: Outcome) {
        self.conclude(place, outcome, None);
    }

    /// The same with the text that goes to the file of a long result.
    fn conclude(&mut self, place: usize, outcome: Outcome, whole: Option<String>) {
        if self.run.batch.calls.get(place).is_none_or(|open| open.is_over()) {
            return;
        }
        self.close_port(place);
        self.close_passage(place);
        let now = self.core.now;
        let Some(open) = self.run.batch.calls.get_mut(place) else { return };
        open.ended_at = now;
        if let Some(effect_id) = open.effect_id.take() {
            self.run.open.remove(&effect_id);
        }
        self.run.timers.forget_call(&open.call.call_id);
        if let Some(over) = self.show_hooks(place, outcome, whole) {
            self.finish(place, over.outcome, over.whole);
        }
    }

    /// Writes the end of a call down, after the hooks have seen its result (HK-12).
    pub fn finish(&mut self, place: usize, outcome: Outcome, whole: Option<String>) {
        let (status, terminate) = (outcome.status, outcome.terminate);
        self.tell_guard(place, status);
        if let (Some(whole), Some(open)) = (whole, self.run.batch.calls.get(place)) {
            self.write_down(&self.files_of(open).readable(), whole);
        }
        let Some(open) = self.run.batch.calls.get_mut(place) else { return };
        if self.run.profile.tools.aggregate_result_char_limit.is_some() {
            open.outcome = Some(outcome);
        } else {
            self.record(place, outcome, false);
        }
        self.settled(place, status, terminate);
    }

    /// Stores the one record of a call, with its files and events (RS-01, RS-52, EV-01).
    fn record(&mut self, place: usize, outcome: Outcome, over_batch: bool) {
        let Some(open) = self.run.batch.calls.get(place) else { return };
        let files = self.files_of(open);
        let Some(open) = self.run.batch.calls.get_mut(place) else { return };
        let ended = Ended::of(open, u32::try_from(place).unwrap_or(u32::MAX), self.run.round);
        let by_patch = open.tool_id.as_ref().is_some_and(patches);
        let limit = self.limit(ended.tool_id.as_ref(), over_batch);
        let stored = self.store_result(ended, outcome, &files, limit, over_batch);
        self.announce(&stored, &files, by_patch);
        if let Some(open) = self.run.batch.calls.get_mut(place) {
            open.record = Some(stored);
        }
    }

    /// Makes the record of something that has ended and writes its files; with `always` a text becomes a file however
    /// short it is.
    pub(super) fn store_result(
        &mut self,
        ended: Ended,
        mut outcome: Outcome,
        files: &CallFiles,
        limit: Option<Limit>,
        always: bool,
    ) -> project::Stored {
        let Ended { call, tool_id, round, index, changes, notes, mut raw, heard, mut meta } = ended;
        outcome.notes.splice(0..0, notes);
        let images = self.store_images(files, &outcome.images);
        if let Some(shown) = raw.as_mut().and_then(|raw| raw.get_mut("images")) {
            *shown = json!(images);
        }
        if let Some(limit) = limit {
            self.externalise(&mut outcome, limit, always, files);
        }
        meta.truncated = has_readable(&outcome.resource_refs, files);
        let stored = project::store(
            outcome,
            CallFacts {
                call: &call,
                tool_id: tool_id.as_ref(),
                invocation_id: &self.run.invocation_id,
                round,
                index,
                parent_call_id: None,
                forwarded_to: None,
                files,
                images,
                file_changes: changes,
                heard,
                meta,
            },
        );
        let result = WorkspacePath::made(stored.result_ref.clone());
        self.write_down(&result, project::result_file(&stored, raw.as_ref()));
        stored
    }

    /// The limit that a result is held against; `None` for results that are never projected (RS-40, RS-47).
    pub(super) fn limit(&self, tool_id: Option<&ToolId>, over_batch: bool) -> Option<Limit> {
        let tools = &self.run.profile.tools;
        if over_batch {
            return tools.aggregate_result_char_limit.map(|chars| Limit::Batch(count(chars)));
        }
        let binding = self.binding(tool_id)?;
        let origin = if binding.is_builtin() { Origin::Builtin } else { Origin::External };
        let declared = binding.traits().result_budget.map(|budget| match budget {
            ResultBudget::Chars(chars) => Budget::Chars(count(chars)),
            ResultBudget::Unlimited => Budget::Unlimited,
        });
        let profile = count(tools.external_result_inline_char_limit);
        project::inline_limit(origin, profile, declared).map(Limit::Inline)
    }

    /// The limit of what comes from outside and no tool gives.
    pub(super) fn external_limit(&self) -> Option<Limit> {
        let profile = count(self.run.profile.tools.external_result_inline_char_limit);
        project::inline_limit(Origin::External, profile, None).map(Limit::Inline)
    }

    pub(super) fn binding(&self, tool_id: Option<&ToolId>) -> Option<&Binding> {
        self.run.tools.get(tool_id?)
    }

    /// Puts a long text into a file and a preview in its place.
    fn externalise(&mut self, outcome: &mut Outcome, limit: Limit, always: bool, files: &CallFiles) {
        let text = outcome.content();
        if !always && !limit.is_exceeded_by(&text) {
            return;
        }
        let (path, audit_path) = (files.readable(), files.result());
        let externalised = project::externalise(&LongResult {
            text: &text,
            limit,
            path: path.as_str(),
            audit_path: audit_path.as_str(),
            names: &self.run.names,
            image_notes: "",
        });
        let readable = externalised.put_into(outcome);
        self.write_down(&path, readable);
    }

    fn announce(&mut self, stored: &project::Stored, files: &CallFiles, by_patch: bool) {
        let call_id = &stored.call_id;
        let code = stored.error_code.as_ref();
        let mut seen = FactsWriter::default();
        seen.member("callId", call_id)
            .member("resultRef", &stored.result_ref)
            .member("status", &stored.status)
            .maybe("errorCode", code);
        let mut ended = FactsWriter::default();
        let meta = &stored.meta;
        ended
            .member("callId", call_id)
            .member("toolId", &stored.tool_id)
            .member("isError", &stored.is_error)
            .member("message", &stored.event_message())
            .member("elapsedMs", &meta.ended_at.saturating_sub(meta.started_at.unwrap_or(meta.ended_at)))
            .member("resourceRefs", &stored.resource_refs)
            .maybe("errorCode", code);
        if Mutant::EndToldFirst.is_on() && stored.ok {
            self.note("tool_call_completed", ended.clone().end());
        }
        if Mutant::TwoResults.is_on() {
            self.note("tool_result_stored", seen.clone().end());
        }
        self.note("tool_result_stored", seen.end());
        if has_readable(&stored.resource_refs, files) {
            let readable = files.readable();
            self.note("tool_result_readable_view_stored", facts!({"callId": call_id, "path": readable}));
        }
        for change in &stored.file_changes {
            self.announce_change(change, by_patch);
        }
        if stored.ok {
            self.note("tool_call_completed", ended.end());
        } else {
            self.journal(Level::Warn, "tool_call_failed", ended.end());
        }
        self.call_state(call_id, "settled");
        self.live("tool_end", || {
            facts!({
                "callId": call_id,
                "status": if Mutant::ScreenDisagrees.is_on() { Status::Ok } else { stored.status },
                "display": stored.display,
                "fileChanges": stored.file_changes,
                "attachments": stored.images,
                "error": stored.is_error.then_some(&stored.content),
            })
        });
    }

    pub(super) fn announce_change(&mut self, change: &FileChange, by_patch: bool) {
        if Mutant::ChangeUntold.is_on() && change.operation == FileOperation::Append {
            return;
        }
        let kind = match change.operation {
            FileOperation::Delete => "workspace_file_deleted",
            FileOperation::Modify if by_patch => "workspace_patch_applied",
            _ => "workspace_file_written",
        };
        self.note(
            kind,
            facts!({"callId": change.call_id, "path": change.path, "changeId": change.change_id}),
        );
        self.core.checkpoints += 1;
        self.note(
            "checkpoint_created",
            facts!({
                "checkpointId": format!("ckpt_{}", self.core.checkpoints),
                "reason": "tool_call",
                "callId": change.call_id,
                "root": self.core.workspace.digest().to_string(),
                "files": [ChangedFile { path: &change.path, sha256: change.sha256_after.as_deref() }],
            }),
        );
    }

    /// Attached images become files; what is kept of them is a path and a media type (IM-04).
    fn store_images(&mut self, files: &CallFiles, digests: &[String]) -> Vec<StoredImage> {
        let mut stored = Vec::new();
        for digest in digests {
            let Some(bytes) = self.core.bytes(digest) else { continue };
            let (mime_type, extension) = project::image_kind(&bytes);
            let path = files.image(stored.len() + 1, extension);
            self.write_file(&path, File::new(&bytes));
            stored.push(StoredImage { path: path.to_string(), mime_type: mime_type.to_owned() });
        }
        stored
    }

    /// The answer to the effect of a call.
    pub fn call_receipt(&mut self, place: usize, receipt: Receipt) {
        if self.goes_on(place, &receipt) {
            self.run.open.insert(receipt.effect_id, Purpose::Call(place));
            self.move_call(place, MovedBy::Timeout);
            return self.pump();
        }
        let receipt = sound(self.core, receipt);
        let Some(open) = self.run.batch.calls.get_mut(place) else { return };
        open.hear_notes(&receipt);
        if Mutant::TrapLosesFiles.is_on() && receipt.discarded.is_some() {
            open.port = None;
        }
        let call_id = open.call.call_id.clone();
        self.discarded(&call_id, &receipt);
        let outcome = self.outcome(place, &receipt);
        if let Some(open) = self.run.batch.calls.get_mut(place) {
            open.keep_raw(receipt.payload);
        }
        self.answer(place, outcome);
    }

    /// Says that the instance of a program was thrown away (SH-40).
    pub(super) fn discarded(&mut self, call_id: &str, receipt: &Receipt) {
        if let Some(reason) = receipt.discarded {
            let effect_id = &receipt.effect_id;
            self.note(
                "engine_discarded",
                facts!({"callId": call_id, "effectId": effect_id, "reason": reason}),
            );
        }
    }

    /// Ends a call that ran, and with it the run if its outcome is unknown and the profile wants that (SC-43). A call
    /// that was broken off for another reason is not what ends it.
    fn answer(&mut self, place: usize, Projected { outcome, whole }: Projected) {
        let code = outcome.code.filter(|code| *code != Code::ToolOutcomeUnknown);
        let ends = self.run.profile.run.unknown_outcome == UnknownOutcome::End && !self.run.cancelling;
        if let (Status::Unknown, Some(code), true) = (outcome.status, code, ends) {
            self.run.lost.get_or_insert(Fault::new(code, outcome.text()));
        }
        self.conclude(place, outcome, whole);
        self.pump();
    }

    /// What the answer to the effect of a call comes to.
    fn outcome(&self, place: usize, receipt: &Receipt) -> Projected {
        let Some(open) = self.run.batch.calls.get(place) else {
            return Projected { outcome: project::internal_error(), whole: None };
        };
        if !open.is_program() {
            return function_outcome(self.core, open, receipt);
        }
        let path = self.files_of(open).readable();
        outcome_of(self.core, &self.run.names, open, path.as_str(), &self.arguments_of(open), receipt)
    }

    /// The result of an aborted call that never answered: as if the host did not know either (SC-34, SC-42).
    pub fn unanswered(&mut self, place: usize) {
        let receipt = Receipt {
            effect_id: String::new(),
            outcome: ReceiptOutcome::Unknown,
            payload: None,
            error: None,
            stopped: false,
            discarded: None,
        };
        let timed_out =
            self.run.batch.calls.get(place).is_some_and(|o| o.abort == Some(AbortReason::Timeout));
        let outcome = if timed_out {
            self.outcome(place, &receipt)
        } else {
            Projected { outcome: project::outcome_unknown(), whole: None }
        };
        self.answer(place, outcome);
    }

    /// Records what waited for the whole batch: the largest external results become files first (RS-47).
    fn record_waiting(&mut self) {
        let Some(limit) = self.run.profile.tools.aggregate_result_char_limit else { return };
        let waiting: Vec<(usize, Outcome)> = self
            .run
            .batch
            .calls
            .iter_mut()
            .enumerate()
            .filter_map(|(place, open)| Some((place, open.outcome.take()?)))
            .collect();
        let results: Vec<BatchResult> = waiting
            .iter()
            .map(|(place, outcome)| {
                let tool_id = self.run.batch.calls.get(*place).and_then(|open| open.tool_id.as_ref());
                let inline = self.limit(tool_id, false);
                project::batch_result(&outcome.text(), inline)
            })
            .collect();
        let over: SortedSet<usize> = project::over_batch_limit(&results, count(limit)).into_iter().collect();
        for (index, (place, outcome)) in waiting.into_iter().enumerate() {
            self.record(place, outcome, over.contains(&index));
        }
    }

    /// The reply and its results enter history together, in call order (SC-26).
    pub fn keep_batch(&mut self) -> Option<Fault> {
        self.record_waiting();
        let batch = std::mem::take(&mut self.run.batch);
        let circle = self.turn(&batch.calls);
        self.run.history.push(Kept::Assistant(batch.said));
        let mut records: Vec<_> = batch.calls.into_iter().filter_map(|open| open.record).collect();
        if Mutant::CompletionOrder.is_on() {
            sort(&mut records, |a, b| a.meta.ended_at.cmp(&b.meta.ended_at));
        }
        if Mutant::ResultLost.is_on() {
            records.pop();
        }
        self.run.history.push(Kept::Results(records.iter().map(|record| KeptResult::of(record)).collect()));
        for record in &records {
            for extra in &record.extra_messages {
                self.run.history.push(Kept::User(format!("[{}] {}", record.name, extra.text)));
            }
        }
        circle
    }

    /// All calls are answered: the next step begins, or the run ends.
    pub fn close_batch(&mut self) {
        let circle = self.keep_batch();
        self.run.phase = Phase::Between;
        if let Some(fault) = self.run.lost.take().or(circle.filter(|_| !self.run.cancelling)) {
            return self.end_failed(fault);
        }
        if self.run.cancelling {
            return self.end(Ending::Cancelled, FactsWriter::default());
        }
        self.next_step(self.run.driven.then_some(false));
    }
}

/// Whether a tool changes parts of a file and keeps the rest; what others write is written anew (BT-73, BT-83).
fn patches(tool: &ToolId) -> bool {
    matches!(tool.builtin_name(), Some("workspace.apply_patch" | "workspace.edit"))
}

/// Whether the whole text of a call is among these paths.
fn has_readable(paths: &[String], files: &CallFiles) -> bool {
    paths.iter().any(|path| path == files.readable().as_str())
}

/// A number of the profile as a count; one beyond what memory can hold is no limit at all.
fn count(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// A file as a checkpoint names it.
#[derive(Serialize)]
struct ChangedFile<'a> {
    path: &'a str,
    sha256: Option<&'a str>,
}
