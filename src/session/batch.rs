//! A batch: the calls of one reply are written down, planned, admitted, and answered together.

use std::sync::Arc;

use super::active::Active;
use super::builtins;
use super::ledger::{Batch, OpenCall};
use super::run_state::Phase;
use crate::arguments::{self, ToolArguments};
use crate::catalog::profile;
use crate::gate::{self, Miss};
use crate::project;
use crate::protocol::{
    AbortReason, Call, Code, FactsWriter, Fault, Mutant, Outcome, SortedSet, Status, facts,
};
use crate::schedule::{Fallout, Lanes, Plan, Step};
use crate::wire::Assistant;

impl Active<'_> {
    /// Opens the batch of a closed reply. Calls that the gate or the check refuses are answered at once and hold no
    /// lane (SC-20).
    pub fn open_batch(&mut self, said: Assistant, announced: &[String]) {
        let calls = said.calls.clone();
        let limit = usize::try_from(self.run.profile.run.parallel_limit).unwrap_or(usize::MAX);
        let plan = Plan::new(lanes(self.run.profile.run.lanes), limit);
        self.run.phase = Phase::Batch;
        if Mutant::CallsCounted.is_on() && self.run.call_ids.len() > 12 {
            self.run.lost.get_or_insert(Fault::new(Code::ToolInternalError, "too many calls"));
        }
        self.run.batch = Batch { said, calls: Vec::with_capacity(calls.len()), plan, stopped: false };
        let announced: SortedSet<&str> = announced.iter().map(String::as_str).collect();
        let mut refused = Vec::new();
        for (place, call) in calls.into_iter().enumerate() {
            let is_known = announced.contains(&*call.call_id);
            refused.extend(self.open_call(call, is_known).map(|outcome| (place, outcome)));
        }
        for (place, outcome) in refused {
            self.settle(place, outcome);
        }
        self.ask_predicates();
        self.pump();
    }

    /// Writes a call down and plans it. Gives the answer of one that gets no further.
    fn open_call(&mut self, call: Call, is_known: bool) -> Option<Outcome> {
        let call = Arc::new(call);
        let decoded = arguments::decode(&call.arguments);
        let arguments_ref = self.store_arguments(&call, &decoded);
        let found = gate::find(&self.run.turn, &self.run.tools, &call);
        let tool_id = match &found {
            Ok(found) => Some(found.binding().id().clone()),
            Err(Miss::Refused(_, tool_id)) => tool_id.clone(),
            Err(Miss::Fatal(_)) => None,
        };
        let mut requested = FactsWriter::default();
        requested
            .member("round", &self.run.round)
            .member("invocationId", &self.run.invocation_id)
            .member("callId", &call.call_id)
            .maybe("toolId", tool_id.as_ref())
            .member("snapshotId", self.run.tools.id())
            .member("name", &call.name)
            .member("argumentsRef", &arguments_ref);
        if let Some(outside) = builtins::outside(tool_id.as_ref())
            && let ToolArguments::Object(members) = &decoded
        {
            requested.maybe(outside.told, members.get(outside.told));
        }
        let index = self.run.batch.calls.len();
        if !is_known {
            self.live("tool_begin", || facts!({"callId": call.call_id, "name": call.name, "index": index}));
        }
        self.note("tool_call_requested", requested.end());
        self.call_state(&call.call_id, "closed");
        let open = OpenCall::new(Arc::clone(&call), tool_id, arguments_ref, self.core.now);
        self.run.batch.calls.push(open);
        self.plan(index, &call, found, decoded)
    }

    /// Lets calls into the corridor and starts them as the lanes allow, then closes the batch if it is answered.
    pub fn pump(&mut self) {
        self.stop_if_lost();
        while matches!(self.run.phase, Phase::Batch) {
            match self.run.batch.plan.next_step(self.core.now) {
                Some(Step::Admit(place)) => self.admit(place),
                Some(Step::Start(scheduled)) => self.start(scheduled),
                None => break,
            }
            self.stop_if_lost();
        }
        if matches!(self.run.phase, Phase::Batch) && self.run.batch.plan.is_done() {
            self.close_batch();
        }
    }

    /// What the end of a call means for the others: those that will not start get this answer, those that run are
    /// told to stop.
    pub fn fall_out(&mut self, fallout: Fallout, reason: AbortReason, answer: &dyn Fn() -> Outcome) {
        for place in fallout.unstarted {
            self.settle(place, answer());
        }
        for place in fallout.abort {
            self.stop_call(place, reason);
        }
    }

    /// Reports the end of a call to the lanes and carries out what follows (SC-08, SC-10).
    pub fn settled(&mut self, place: usize, status: Status, terminate: bool) {
        let cascade = self.run.batch.plan.settle(place, status);
        let id = |open: &OpenCall| {
            open.tool_id.as_ref().filter(|_| Mutant::IdInText.is_on()).map(ToString::to_string)
        };
        let name = |open: &OpenCall| id(open).unwrap_or_else(|| open.call.name.to_string());
        if let Some(name) = self.run.batch.calls.get(place).map(name) {
            for stopped in &cascade.abort {
                if let Some(open) = self.run.batch.calls.get_mut(*stopped) {
                    open.stopped_by = Some(name.clone());
                }
            }
            self.fall_out(cascade, AbortReason::Cascade, &|| project::skipped_after_failure(&name));
        }
        if terminate {
            let rest = self.run.batch.plan.terminate();
            self.fall_out(rest, AbortReason::RunEnd, &project::skipped_batch_ended);
        }
    }
}

/// The profile's word for how the lanes go together.
fn lanes(declared: profile::Lanes) -> Lanes {
    match declared {
        profile::Lanes::Barrier => Lanes::Barrier,
        profile::Lanes::Free => Lanes::Free,
    }
}
