//! The end of a call: its outcome becomes the one stored record, its files and its events.

use std::sync::Arc;

use serde_json::{Value, json};

use super::active::Active;
use super::ledger::OpenCall;
use super::run_state::{Ending, Phase};
use crate::arguments::{self, ToolArguments};
use crate::catalog::profile::UnknownOutcome;
use crate::catalog::{self, Binding, ResultBudget};
use crate::identity::ToolId;
use crate::project::{
    self, Arguments, BatchResult, Budget, CallFacts, CallFiles, ExtensionCall, Limit, LongResult, Origin,
    Stop,
};
use crate::protocol::{
    AbortReason, Call, Code, Fault, FileChange, FileOperation, Level, Meta, Outcome, Receipt, Status,
    StoredImage,
};
use crate::run::history::{Kept, KeptResult};
use crate::tool::ToolEffect;
use crate::workspace::{self, Author, File, WorkspacePath};

impl Active<'_> {
    fn files(&self, call_id: &str) -> CallFiles {
        let run = &self.run;
        CallFiles::new(run.scenario, &run.id, &run.invocation_id, run.round, call_id)
    }

    /// Writes down the arguments of a call as they came (AR-12).
    pub fn store_arguments(&mut self, call: &Call) -> String {
        let path = self.files(&call.call_id).arguments();
        let decoded = arguments::decode(&call.arguments);
        let kept = match &decoded {
            ToolArguments::Object(members) => Arguments::Object(members),
            ToolArguments::Invalid(raw) => Arguments::Invalid(raw),
        };
        self.write_down(&path, project::arguments_file(call, kept, None));
        path
    }

    fn write_down(&mut self, path: &str, text: String) {
        self.write_file(path, File::of_text(text));
    }

    /// A file of the runtime's own. What cannot be written down must not happen: a failure ends the run (RS-48).
    fn write_file(&mut self, path: &str, file: File) {
        let file = Arc::new(file);
        let written =
            WorkspacePath::parse(path).and_then(|path| self.core.workspace.record(&path, Arc::clone(&file)));
        if let Err(refusal) = written {
            let message = format!("{path} cannot be written: {}", refusal.message);
            self.run.lost.get_or_insert(Fault::new(Code::StorageAppendFailed, message));
        } else if self.run.capabilities.store {
            self.run.new_blobs.push(self.core.blobs.put(file.shared()));
        }
    }

    /// Does what a builtin wants done and gives its outcome (EX-02).
    pub fn apply(&mut self, place: usize, outcome: Outcome, effect: ToolEffect) -> Outcome {
        let ToolEffect::File(effect) = effect else { return outcome };
        let (tree, state) = (&mut self.core.workspace, &mut self.run.read_state);
        match workspace::apply(tree, state, *effect, &self.run.names) {
            Ok(None) => outcome,
            Ok(Some(change)) => {
                let invocation_id = self.run.invocation_id.clone();
                let Some(open) = self.run.batch.calls.get_mut(place) else { return outcome };
                let author = Author { call_id: &open.call.call_id, invocation_id: &invocation_id };
                for file in [&change.before, &change.after].into_iter().flatten() {
                    self.core.blobs.keep(&file.sha256().to_string(), file.shared());
                }
                let change = self.run.changes.keep(change, author);
                self.run.new_blobs.extend(change.sha256_after.clone());
                open.changes.push(change);
                outcome
            }
            Err(refusal) => Outcome::refused(refusal),
        }
    }

    /// Ends a call. With a limit for the whole batch the record waits until the batch has settled (RS-47).
    pub fn settle(&mut self, place: usize, outcome: Outcome) {
        let now = self.core.now;
        let Some(open) = self.run.batch.calls.get_mut(place).filter(|open| !open.settled()) else { return };
        open.ended_at = now;
        let (status, terminate) = (outcome.status, outcome.terminate);
        if let Some(effect_id) = open.effect_id.take() {
            self.run.open.remove(&effect_id);
        }
        self.run.timers.forget_call(&open.call.call_id);
        if self.run.profile.tools.aggregate_result_char_limit.is_some() {
            open.outcome = Some(outcome);
        } else {
            self.record(place, outcome, false);
        }
        self.settled(place, status, terminate);
    }

    /// Stores the one record of a call, with its files and events (RS-01, RS-52, EV-01).
    fn record(&mut self, place: usize, mut outcome: Outcome, over_batch: bool) {
        let Some(open) = self.run.batch.calls.get_mut(place) else { return };
        let changes = std::mem::take(&mut open.changes);
        let raw = open.raw.take();
        outcome.notes.splice(0..0, std::mem::take(&mut open.notes));
        let (call, tool_id) = (open.call.clone(), open.tool_id.clone());
        let mut meta = Meta {
            queued_at: open.queued_at,
            started_at: open.started_at,
            ended_at: open.ended_at,
            truncated: false,
        };
        let files = self.files(&call.call_id);
        let images = self.store_images(&files, &outcome.images);
        if let Some(limit) = self.limit(tool_id.as_ref(), over_batch) {
            meta.truncated = self.externalise(&mut outcome, limit, over_batch, &files);
        }
        let stored = project::store(
            outcome,
            CallFacts {
                call: &call,
                tool_id: tool_id.as_ref().map(ToolId::as_str),
                invocation_id: &self.run.invocation_id,
                round: self.run.round,
                index: u32::try_from(place).unwrap_or(u32::MAX),
                parent_call_id: None,
                forwarded_to: None,
                files: &files,
                images,
                file_changes: changes,
                meta,
            },
        );
        self.write_down(&files.result(), project::result_file(&stored, raw.as_ref()));
        self.announce(&stored, &files);
        if let Some(open) = self.run.batch.calls.get_mut(place) {
            open.record = Some(stored);
        }
    }

    /// The limit that a result is held against; `None` for results that are never projected (RS-40, RS-47).
    fn limit(&self, tool_id: Option<&ToolId>, over_batch: bool) -> Option<Limit> {
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

    pub(super) fn binding(&self, tool_id: Option<&ToolId>) -> Option<&Binding> {
        self.run.tools.get(tool_id?)
    }

    /// Puts a long text into a file and a preview in its place. Whether it did.
    fn externalise(&mut self, outcome: &mut Outcome, limit: Limit, always: bool, files: &CallFiles) -> bool {
        let text = outcome.text();
        let (path, audit_path) = (files.readable(), files.result());
        let result = LongResult {
            text: &text,
            limit,
            path: &path,
            audit_path: &audit_path,
            names: &self.run.names,
            image_notes: "",
        };
        let externalised =
            if always { Some(project::externalise(&result)) } else { project::project_long(&result) };
        let Some(externalised) = externalised else { return false };
        let readable = externalised.put_into(outcome);
        self.write_down(&path, readable);
        true
    }

    fn announce(&mut self, stored: &project::Stored, files: &CallFiles) {
        let call_id = &stored.call_id;
        let mut seen = json!({"callId": call_id, "resultRef": stored.result_ref, "status": stored.status});
        let mut ended = json!({
            "callId": call_id,
            "toolId": stored.tool_id,
            "isError": stored.is_error,
            "message": stored.event_message(),
            "elapsedMs": stored.meta.ended_at.saturating_sub(stored.meta.started_at.unwrap_or(stored.meta.ended_at)),
            "resourceRefs": stored.resource_refs,
        });
        if let Some(code) = stored.error_code {
            for payload in [&mut seen, &mut ended].into_iter().filter_map(Value::as_object_mut) {
                payload.insert("errorCode".into(), json!(code));
            }
        }
        self.note("tool_result_stored", seen);
        let readable = files.readable();
        if stored.resource_refs.contains(&readable) {
            self.note("tool_result_readable_view_stored", json!({"callId": call_id, "path": readable}));
        }
        for change in &stored.file_changes {
            self.announce_change(change);
        }
        if stored.ok {
            self.note("tool_call_completed", ended);
        } else {
            self.journal(Level::Warn, "tool_call_failed", ended);
        }
        self.call_state(call_id, "settled");
        self.live(
            "tool_end",
            json!({
                "callId": call_id,
                "status": stored.status,
                "display": stored.display,
                "fileChanges": stored.file_changes,
                "attachments": stored.images,
                "error": stored.is_error.then_some(&stored.content),
            }),
        );
    }

    fn announce_change(&mut self, change: &FileChange) {
        let kind = match change.operation {
            FileOperation::Modify => "workspace_patch_applied",
            _ => "workspace_file_written",
        };
        self.note(kind, json!({"callId": change.call_id, "path": change.path, "changeId": change.change_id}));
        self.core.checkpoints += 1;
        self.note(
            "checkpoint_created",
            json!({
                "checkpointId": format!("ckpt_{}", self.core.checkpoints),
                "reason": "tool_call",
                "callId": change.call_id,
                "root": self.core.workspace.digest().to_string(),
                "files": [{"path": change.path, "sha256": change.sha256_after}],
            }),
        );
    }

    /// Attached images become files; what is kept of them is a path and a media type (IM-04).
    fn store_images(&mut self, files: &CallFiles, digests: &[String]) -> Vec<StoredImage> {
        let mut stored = Vec::new();
        for digest in digests {
            let Some(bytes) = self.core.blobs.get(digest).cloned() else { continue };
            let (mime_type, extension) = project::image_kind(&bytes);
            let path = files.image(stored.len() + 1, extension);
            self.write_file(&path, File::new(&bytes));
            stored.push(StoredImage { path, mime_type: mime_type.to_owned() });
        }
        stored
    }

    /// The answer to the effect of a call.
    pub fn call_receipt(&mut self, place: usize, receipt: Receipt) {
        let Some(open) = self.run.batch.calls.get_mut(place) else { return };
        open.raw = receipt.payload.clone();
        let outcome = self.extension_outcome(place, &receipt);
        let unknown = outcome.status == Status::Unknown;
        let fault = Fault::new(outcome.code.unwrap_or(Code::ToolOutcomeUnknown), outcome.text());
        self.settle(place, outcome);
        let ends = self.run.profile.run.unknown_outcome == UnknownOutcome::End;
        if unknown && ends && !self.run.cancelling {
            return self.fail(fault);
        }
        self.pump();
    }

    fn extension_outcome(&self, place: usize, receipt: &Receipt) -> Outcome {
        let Some(open) = self.run.batch.calls.get(place) else { return project::internal_error() };
        let entry = open.tool_id.as_ref().and_then(|id| self.core.catalog.get(id));
        let returns = match entry.and_then(|entry| entry.function()).map(|function| function.returns) {
            Some(catalog::Returns::Blocks) => project::Returns::Blocks,
            _ => project::Returns::Json,
        };
        let check = |value: &Value| entry.and_then(|entry| entry.output_problem(value));
        project::extension(
            receipt,
            &ExtensionCall {
                returns,
                output_problem: Some(&check),
                stop: self.stop_reason(open),
                timeout_ms: open.limit_ms,
                partial: "",
            },
        )
    }

    /// Why a call was told to stop, as its result says it.
    fn stop_reason<'a>(&'a self, open: &'a OpenCall) -> Option<Stop<'a>> {
        Some(match open.abort? {
            AbortReason::User | AbortReason::Loop => Stop::User,
            AbortReason::Timeout => Stop::Timeout,
            AbortReason::Cascade => Stop::Failure(open.stopped_by.as_deref().unwrap_or("another call")),
            AbortReason::RunEnd => Stop::RunEnd,
        })
    }

    /// The result of an aborted call that never answered: as if the host did not know either (SC-34, SC-42).
    pub fn unanswered(&mut self, place: usize) {
        let receipt = Receipt {
            effect_id: String::new(),
            outcome: crate::protocol::ReceiptOutcome::Unknown,
            payload: None,
            error: None,
            stopped: false,
        };
        let timed_out =
            self.run.batch.calls.get(place).is_some_and(|o| o.abort == Some(AbortReason::Timeout));
        let outcome =
            if timed_out { self.extension_outcome(place, &receipt) } else { project::outcome_unknown() };
        self.settle(place, outcome);
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
        let over = project::over_batch_limit(&results, count(limit));
        for (index, (place, outcome)) in waiting.into_iter().enumerate() {
            self.record(place, outcome, over.contains(&index));
        }
    }

    /// The reply and its results enter history together, in call order (SC-26).
    pub fn keep_batch(&mut self) {
        self.record_waiting();
        let batch = std::mem::take(&mut self.run.batch);
        self.run.history.push(Kept::Assistant(batch.said));
        let records: Vec<_> = batch.calls.into_iter().filter_map(|open| open.record).collect();
        self.run.history.push(Kept::Results(records.iter().map(|record| KeptResult::of(record)).collect()));
        for record in &records {
            for extra in &record.extra_messages {
                self.run.history.push(Kept::User(format!("[{}] {}", record.name, extra.text)));
            }
        }
    }

    /// All calls are answered: the next step begins, or the run ends.
    pub fn close_batch(&mut self) {
        self.keep_batch();
        self.run.phase = Phase::Between;
        if let Some(fault) = self.run.lost.take() {
            return self.fail(fault);
        }
        if self.run.cancelling {
            return self.end(Ending::Cancelled, json!({}));
        }
        self.next_step(self.run.driven.then_some(false));
    }
}

/// A number of the profile as a count; one beyond what memory can hold is no limit at all.
fn count(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
