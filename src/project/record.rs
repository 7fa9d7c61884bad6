//! The stored result: the only way from an outcome to a record (RS-01 to RS-13).

use std::ops::Deref;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::files::CallFiles;
use super::text::first_chars;
use crate::identity::ToolId;
use crate::protocol::limits::{EVENT_MESSAGE_CHARS, EXTRA_MESSAGE_CHARS, EXTRA_MESSAGES};
use crate::protocol::{
    Call, Code, EMPTY_TEXT, ExtraMessage, FileChange, Meta, Mutant, Note, Outcome, Part, Record, Status,
    StoredImage,
};

/// Stands for the text of a failure that has none.
const NO_REASON: &str = "This tool failed and gave no reason.";

/// A stored result. Only [`store()`] makes one, or the reading of a snapshot that holds one; nothing alters it
/// (IV-04).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Stored(Record);

impl Deref for Stored {
    type Target = Record;

    fn deref(&self) -> &Record {
        &self.0
    }
}

/// What the ledger knows of a call whose outcome is stored.
#[derive(Clone, Debug)]
pub struct CallFacts<'a> {
    /// The call as it was asked for.
    pub call: &'a Call,
    /// The tool's stable identity; `None` for a name that resolved to nothing.
    pub tool_id: Option<&'a ToolId>,
    /// The invocation.
    pub invocation_id: &'a Arc<str>,
    /// The step.
    pub round: u32,
    /// The place in the batch, from 0.
    pub index: u32,
    /// The outer call of a nested one.
    pub parent_call_id: Option<&'a str>,
    /// The tool that ran instead (CT-11).
    pub forwarded_to: Option<&'a str>,
    /// Where its files lie.
    pub files: &'a CallFiles,
    /// Its images as they were stored, in the order of the outcome's.
    pub images: Vec<StoredImage>,
    /// What happened to files.
    pub file_changes: Vec<FileChange>,
    /// Notes of hooks for the model: behind the text of the tool, and no part of it (HK-06).
    pub heard: Vec<String>,
    /// Times, and whether the text shown is not the whole.
    pub meta: Meta,
}

/// Makes the record of a call. What the outcome gets wrong is put right: no blank text, no part without its image, a
/// code exactly with an error mark, no more extra messages than RS-13 allows.
pub fn store(outcome: Outcome, facts: CallFacts<'_>) -> Stored {
    let is_error = outcome.status.is_error();
    let parts = shown_parts(outcome.parts, facts.images.len(), is_error);
    let (extra_messages, note) = bounded(outcome.extra_messages);
    let mut notes = outcome.notes;
    notes.extend(note);
    let outcome = Outcome { parts, notes, extra_messages, ..outcome };
    let owned = |text: Option<&str>| text.map(str::to_owned);
    Stored(Record {
        call_id: facts.call.call_id.clone(),
        provider_id: facts.call.provider_id.clone(),
        tool_id: facts.tool_id.map(ToolId::shared),
        name: facts.call.name.clone(),
        invocation_id: Arc::clone(facts.invocation_id),
        round: facts.round,
        index: facts.index,
        parent_call_id: owned(facts.parent_call_id),
        forwarded_to: owned(facts.forwarded_to),
        ok: !is_error || Mutant::SkippedIsOk.is_on() && outcome.status == Status::Skipped,
        status: outcome.status,
        is_error,
        error_code: is_error.then(|| outcome.code.unwrap_or(Code::ToolInternalError)),
        content: outcome.text(),
        parts: outcome
            .parts
            .into_iter()
            .chain(facts.heard.into_iter().map(|text| Part::Text { text }))
            .collect(),
        structured: outcome.structured,
        resource_refs: outcome.resource_refs,
        images: facts.images,
        notes: outcome.notes,
        extra_messages: outcome.extra_messages,
        display: outcome.display,
        file_changes: facts.file_changes,
        terminate: outcome.terminate,
        meta: facts.meta,
        arguments_ref: facts.files.arguments().shared(),
        result_ref: facts.files.result().shared(),
    })
}

fn shown_parts(parts: Vec<Part>, images: usize, is_error: bool) -> Vec<Part> {
    let is_shown = |part: &Part| match part {
        Part::Text { text } => !text.trim().is_empty(),
        Part::Image { image } => *image < images,
    };
    let mut parts: Vec<Part> = parts.into_iter().filter(is_shown).collect();
    let has_text = parts.iter().any(|part| matches!(part, Part::Text { .. }));
    if is_error && !has_text {
        parts.insert(0, Part::Text { text: NO_REASON.into() });
    } else if parts.is_empty() && !Mutant::EmptyText.is_on() {
        parts.push(Part::Text { text: EMPTY_TEXT.into() });
    }
    parts
}

/// The extra messages within RS-13, and a note if that left something out.
fn bounded(mut messages: Vec<ExtraMessage>) -> (Vec<ExtraMessage>, Option<Note>) {
    let dropped = messages.len().saturating_sub(EXTRA_MESSAGES);
    messages.truncate(EXTRA_MESSAGES);
    let mut shortened = 0;
    for message in &mut messages {
        let kept = first_chars(&message.text, EXTRA_MESSAGE_CHARS).len();
        shortened += usize::from(kept < message.text.len());
        message.text.truncate(kept);
    }
    let note = (dropped + shortened > 0).then(|| Note {
        kind: "extra_messages_limited".into(),
        data: json!({"dropped": dropped, "shortened": shortened}),
    });
    (messages, note)
}

impl Stored {
    /// The short message of the call's event (AU-07). That of an externalised error points to the whole (RS-45).
    pub fn event_message(&self) -> String {
        let externalised =
            self.structured.as_ref().filter(|value| value.get("externalized") == Some(&true.into()));
        let path = externalised.and_then(|value| value.get("path")).and_then(|path| path.as_str());
        if let (true, Some(path)) = (self.is_error, path) {
            return format!("The full error is in {path}.");
        }
        let short = first_chars(&self.content, EVENT_MESSAGE_CHARS);
        let cut = if short.len() < self.content.len() { "…" } else { "" };
        format!("{short}{cut}")
    }
}
