//! The request gate: may this call be made in this step? It looks at the snapshot and the contract of the step, and at
//! nothing else: no counters, no quotas, no memory (GT-01).
//!
//! - Comes in: a [`Call`], as the model asked for it.
//! - Goes out: [`Found`], which only this room can make.
//! - Refuses with: `model.unknown_tool_call`, `agent.tool_denied`, `tool.not_loaded`, `model.tool_choice_violation`;
//!   fatal: `tool.turn_snapshot_mismatch`.
//! - Not here: arguments (room `arguments`), policies and approvals (room `permission`).

mod unknown;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::arguments::{Rules, Schema, Target};
use crate::catalog::{Binding, BindingExposure, Choice, Snapshot, Turn, builtin_of};
use crate::identity::ToolId;
use crate::protocol::{Call, Code, Fault, Refusal, Wire};

/// A call of a bound tool that may be called in this step.
/// Cheap to keep: a call may wait for its lane.
#[derive(Clone, Debug)]
pub struct Found {
    call: Arc<Call>,
    binding: Binding,
}

impl Found {
    /// The call.
    pub fn call(&self) -> &Call {
        &self.call
    }

    /// The tool it is for.
    pub fn binding(&self) -> &Binding {
        &self.binding
    }

    /// Whether the tool completes the run or the task (FN-03).
    pub fn completes(&self) -> bool {
        builtin_of(self.binding.id()).is_some_and(|builtin| builtin.completion)
    }
}

impl Target for Found {
    fn schema(&self) -> &Schema {
        self.binding.descriptor().schema()
    }

    fn rules(&self) -> &Rules {
        self.binding.rules()
    }

    fn arguments(&self) -> &Wire {
        &self.call.arguments
    }
}

/// Why a call did not pass.
#[derive(Clone, Debug, PartialEq)]
pub enum Miss {
    /// The model is told, and which tool it named if it named one.
    Refused(Refusal, Option<ToolId>),
    /// A programming error; the run ends.
    Fatal(Fault),
}

/// Finds the tool of a call. The checks stand in the order of GT-10; the first that hits decides.
///
/// # Errors
/// A [`Miss`].
pub fn find(turn: &Turn, snapshot: &Snapshot, call: &Arc<Call>) -> Result<Found, Miss> {
    turn.check_snapshot(snapshot).map_err(Miss::Fatal)?;
    let Some(binding) = snapshot.resolve(&call.name) else {
        let text = unknown::message(&call.name, turn, snapshot);
        return Err(Miss::Refused(Refusal::new(Code::ModelUnknownToolCall, text), None));
    };
    match refuse(turn, snapshot, binding) {
        Some(refusal) => Err(Miss::Refused(refusal, Some(binding.id().clone()))),
        None => Ok(Found { call: Arc::clone(call), binding: binding.clone() }),
    }
}

/// The refusal of a completion tool that is not the last call of its batch; the calls after it still run (GT-06).
/// To be asked after the arguments were checked and right before the tool takes effect (FN-03).
pub fn misplaced(found: &Found, is_last: bool) -> Option<Refusal> {
    if is_last || !found.completes() {
        return None;
    }
    let text = "This tool must be the last call of a reply, so it did nothing. Call it again in a later reply, as the \
                last call.";
    Some(Refusal::new(Code::AgentToolAfterFinish, text))
}

/// Items 3 to 5 of GT-10. A deferred tool that is not offered was not loaded.
fn refuse(turn: &Turn, snapshot: &Snapshot, binding: &Binding) -> Option<Refusal> {
    let id = binding.id();
    let deferred = binding.exposure() == BindingExposure::Deferred;
    let offered = turn.offers(id);
    if binding.exposure() == BindingExposure::Hidden || turn.is_off(id) || (!offered && !deferred) {
        let text = "This tool is not available in this run. Continue without it.";
        return Some(Refusal::new(Code::AgentToolDenied, text));
    }
    if !offered {
        return Some(Refusal::new(Code::ToolNotLoaded, not_loaded(snapshot, binding.alias())));
    }
    let only = match turn.choice() {
        Choice::Auto | Choice::Required => return None,
        Choice::Specific(wanted) if wanted == id => return None,
        Choice::None => None,
        Choice::Specific(wanted) => snapshot.get(wanted),
    };
    let text = match only {
        Some(only) => format!("Only `{}` may be called in this step. Call it now.", only.alias()),
        None => "No tool may be called in this step. Answer with text.".into(),
    };
    Some(Refusal::new(Code::ModelToolChoiceViolation, text))
}

/// How a deferred tool is reached depends on what is bound (NM-09, SR-54, SR-61).
fn not_loaded(snapshot: &Snapshot, alias: &str) -> String {
    if let Some(search) = snapshot.names().of("tool.search") {
        return format!(
            "This tool is not loaded yet. Call `{search}` with the query `select:{alias}` first; it can be called from \
             the next reply on."
        );
    }
    match snapshot.names().of("tool.run_code") {
        Some(code) => {
            format!("This tool is not loaded. Call it from the code of `{code}` as `tools[\"{alias}\"]`.")
        }
        None => "This tool is not loaded and cannot be called now. Continue without it.".into(),
    }
}
