//! The answer to the effect of a call: what it comes to, and what is stored of it.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::active::Core;
use super::builtins;
use super::ledger::OpenCall;
use crate::arguments;
use crate::identity::ToolId;
use crate::project::{self, ExtensionCall, Projected, RunCall};
use crate::protocol::{
    BoundNames, Call, FileChange, Meta, Mutant, Note, Receipt, ReceiptError, ReceiptOutcome, from_tree,
    limits,
};

/// The code of a receipt whose function refuses the call (XT-11).
const DENIED: &str = "denied";

/// What is stored of something that has ended, beside its outcome.
pub(super) struct Ended {
    pub call: Arc<Call>,
    pub tool_id: Option<ToolId>,
    pub round: u32,
    pub index: u32,
    pub changes: Vec<FileChange>,
    pub notes: Vec<Note>,
    pub raw: Option<Value>,
    pub heard: Vec<String>,
    pub meta: Meta,
}

impl Ended {
    /// Takes it out of a call that has ended.
    pub(super) fn of(open: &mut OpenCall, index: u32, round: u32) -> Self {
        Self {
            call: open.call.clone(),
            tool_id: open.tool_id.clone(),
            round,
            index,
            changes: std::mem::take(&mut open.changes),
            notes: std::mem::take(&mut open.notes),
            raw: open.raw.take(),
            heard: open.passage.take().map(|passage| passage.heard).unwrap_or_default(),
            meta: Meta {
                queued_at: open.queued_at,
                started_at: open.started_at,
                ended_at: open.ended_at,
                truncated: false,
            },
        }
    }

    /// With what hooks want the model to know.
    pub(super) fn heard(self, heard: Vec<String>) -> Self {
        Self { heard, ..self }
    }
}

impl OpenCall {
    /// Keeps what the receipt of a function says beside its value, and the whole of it for the audit file (RS-54).
    pub(super) fn hear(&mut self, receipt: &Receipt) {
        self.hear_notes(receipt);
        self.keep_raw(receipt.payload.clone());
    }

    /// Keeps the notes that the receipt of a function has beside its value.
    pub(super) fn hear_notes(&mut self, receipt: &Receipt) {
        if self.is_program() {
            return;
        }
        let notes = receipt.payload.as_ref().and_then(|payload| payload.get("notes")?.as_array());
        let notes = notes.into_iter().flatten();
        self.notes.extend(notes.filter_map(|note| from_tree::<Note>(note.clone()).ok()));
    }

    /// Keeps the payload of the receipt of a function for the audit file (RS-54).
    pub(super) fn keep_raw(&mut self, payload: Option<Value>) {
        if !self.is_program() {
            self.raw = payload;
        }
    }
}

/// The receipt, or what it comes to when its payload cannot be kept: a value nested deeper than JSON may be is no value
/// (RS-36), and an image that was not handed over makes the payload malformed (EF-07).
pub(super) fn sound(core: &Core, receipt: Receipt) -> Receipt {
    let Some(payload) = &receipt.payload else { return receipt };
    if payload.as_object().is_some_and(|payload| payload.values().any(arguments::is_too_deep)) {
        let message = format!("it is nested deeper than {} levels", limits::JSON_DEPTH);
        let error = ReceiptError { code: "invalid_result".into(), message, ..ReceiptError::default() };
        return Receipt { outcome: ReceiptOutcome::Failed, payload: None, error: Some(error), ..receipt };
    }
    let mut images = payload.get("images").and_then(Value::as_array).into_iter().flatten();
    let is_here = |image: &Value| image.as_str().is_none_or(|digest| core.bytes(digest).is_some());
    if images.all(is_here) { receipt } else { Receipt { payload: None, ..receipt } }
}

/// What the answer to the effect of a call comes to. `path`: where the whole of a long output lies.
pub(super) fn outcome_of(
    core: &Core,
    names: &BoundNames,
    open: &OpenCall,
    path: &str,
    arguments: &Map<String, Value>,
    receipt: &Receipt,
) -> Projected {
    let Some(outside) = builtins::outside(open.tool_id.as_ref()) else {
        return function_outcome(core, open, receipt);
    };
    let call = RunCall { stop: open.stop(), timeout_ms: open.limit_ms, path, names };
    (outside.answer)(receipt, arguments, &call)
}

/// The same of a function of the host.
pub(super) fn function_outcome(core: &Core, open: &OpenCall, receipt: &Receipt) -> Projected {
    if let (ReceiptOutcome::Failed, Some(error), None) = (receipt.outcome, &receipt.error, open.stop())
        && error.code == DENIED
    {
        return Projected { outcome: open.refused_by_function(&error.message), whole: None };
    }
    let entry = open.tool_id.as_ref().and_then(|id| core.catalog.get(id));
    let returns = if open.returns_blocks { project::Returns::Blocks } else { project::Returns::Json };
    let check = |value: &Value| entry.and_then(|entry| entry.output_problem(value));
    let call = ExtensionCall {
        returns,
        output_problem: Some(&check),
        stop: open.stop(),
        timeout_ms: open.limit_ms,
        partial: if Mutant::EffectIdInText.is_on() { &receipt.effect_id } else { "" },
    };
    Projected { outcome: project::extension(receipt, &call), whole: None }
}
