//! The loop guard at work: what it is told of calls and steps, and what follows (LG-02, LG-03).

use super::active::Active;
use super::ledger::OpenCall;
use crate::arguments::{self, Checked, ToolArguments, canonical_object};
use crate::gate::Found;
use crate::project;
use crate::protocol::{Code, Fault, Mutant, Status, facts};
use crate::schedule::{Signature, call_signature, is_poll};

impl Active<'_> {
    fn is_guarded(&self) -> bool {
        self.run.profile.run.loop_guard || Mutant::GuardAlwaysOn.is_on()
    }

    /// Whether this call failed so often that it is not run again.
    pub fn goes_in_circles(&self, checked: &Checked<Found>) -> bool {
        let (guard, tool) = (&self.run.guard, checked.found().binding().id());
        let looks = self.is_guarded() && !guard.is_calm() && !is_poll(tool);
        looks && guard.blocks(&call_signature(tool, checked.arguments()))
    }

    /// Answers a call that is not run again.
    pub fn block_loop(&mut self, place: usize) {
        let Some(open) = self.run.batch.calls.get(place) else { return };
        self.note("tool_loop_blocked", facts!({"callId": open.call.call_id, "toolId": open.tool_id}));
        self.settle(place, project::loop_blocked());
    }

    /// Tells the guard how a call ended. Only one that had started counts: what the gate or the check refused was
    /// never tried.
    pub fn tell_guard(&mut self, place: usize, status: Status) {
        let Some(open) = self.run.batch.calls.get(place) else { return };
        let Some(tool) = open.tool_id.as_ref().filter(|tool| !is_poll(tool)) else { return };
        let says_nothing = self.run.guard.is_calm() && !status.is_error();
        if says_nothing || !self.is_guarded() || open.started_at.is_none() {
            return;
        }
        let call = call_signature(tool, &self.arguments_of(open));
        self.run.guard.settled(call, status);
    }

    /// Tells the guard of a step; a run that goes round in circles gets what ends it.
    pub fn turn(&mut self, calls: &[OpenCall]) -> Option<Fault> {
        if !self.is_guarded() {
            return None;
        }
        let mut signature = Signature::default();
        let mut is_step = false;
        for open in calls.iter().filter(|open| !open.tool_id.as_ref().is_some_and(is_poll)) {
            sign(open, &mut signature);
            is_step = true;
        }
        // Asking how something goes is no step of its own.
        if !is_step || !self.run.guard.turned(signature.end()) {
            return None;
        }
        Some(Fault::new(
            Code::AgentLoopDetected,
            "the model kept making the same calls with the same results",
        ))
    }
}

/// What makes two calls of steps the same: what was asked, and what came of it.
fn sign(open: &OpenCall, signature: &mut Signature) {
    signature.text(open.tool_id.as_ref().map_or(&*open.call.name, |id| id.as_str()));
    match open.arguments.as_ref().filter(|_| open.as_asked) {
        Some(members) => signature.text(&canonical_object(members)),
        None => match arguments::decode(&open.call.arguments) {
            ToolArguments::Object(members) => signature.text(&canonical_object(&members)),
            ToolArguments::Invalid(raw) => signature.text(&raw),
        },
    }
    let Some(record) = &open.record else { return };
    signature.text(if record.is_error { "error" } else { "ok" });
    signature.text(record.error_code.map_or("", Code::as_str));
    signature.text(&record.content);
}
