//! What a call in the corridor waits for: effects that must be answered before it goes on, each with a limit.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::active::Active;
use super::hooks::{HookRound, Over};
use super::question::Question;
use super::run_state::{Purpose as OpenFor, Wait};
use super::timers::Purpose;
use crate::permission::{Ask, Grants, Leave, Opened};
use crate::protocol::{
    AbortReason, Class, Mutant, Payload, Receipt, ReceiptOutcome, Refusal, SortedSet, facts,
};

/// What was asked and said about one call on its way to the start, as plain facts.
#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Passage {
    /// The effects that must be answered before it goes on.
    pub waits: SortedSet<String>,
    /// The open question. Its answer is judged by it: the rules may have changed since.
    pub ask: Option<Ask>,
    /// The question as it was sent, for a screen that comes later (PM-42).
    pub approval: Option<Value>,
    /// The leave that a person or a reviewer gave to the call as it is now.
    pub leave: Option<Leave>,
    /// The protected places of its command that it was let through with.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub opened: Vec<Opened>,
    /// A person said no; the rule that came with it is being kept.
    pub denial: Option<Refusal>,
    /// What holds if a rule cannot be kept (PM-67).
    pub instead: Grants,
    /// The arguments that count now.
    pub rewritten: Option<Map<String, Value>>,
    /// How often hooks have changed them (HK-09).
    pub rewrites: u32,
    /// What its command consists of (PM-55).
    pub analysis: Option<Value>,
    /// What its tool says of it (AR-34); `false` if that is nothing to rely on.
    pub inspection: Option<Value>,
    /// Where it goes on once that is known.
    pub then: Then,
    /// The answer of a person who edited its arguments, until they are judged.
    pub edited: Option<Value>,
    /// The hooks that are being called.
    pub hooks: Option<HookRound>,
    /// A hook allows the call as it is now, as far as hooks can.
    pub hook_allows: bool,
    /// A hook wants a person to see it.
    pub hook_asks: bool,
    /// The hooks before a question have seen the arguments that count now.
    pub consulted: bool,
    /// The hooks before the start have seen them.
    pub ready: bool,
    /// What its running function asks; the first is being decided about.
    #[serde(skip_serializing_if = "VecDeque::is_empty")]
    pub questions: VecDeque<Question>,
    /// What its last question was refused with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    /// How much of its time was left when it asked, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_ms: Option<u64>,
    /// What hooks want the model to know.
    pub heard: Vec<String>,
    /// It is over, and hooks look at its result.
    pub over: Option<Box<Over>>,
}

impl Passage {
    /// What still matters when its program goes on in the background.
    pub fn of_port(&self) -> Option<Box<Self>> {
        let opened = self.opened.clone();
        (!opened.is_empty()).then(|| Box::new(Self { opened, ..Self::default() }))
    }
}

/// Where a call goes on that waits until more is known of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Then {
    /// At the door of the corridor.
    #[default]
    Enter,
    /// At the decision.
    Weigh,
    /// Behind the hooks before the start.
    Ready,
    /// At the arguments that a person edited.
    Edited,
}

impl Active<'_> {
    /// What is kept of the way of a call, from now on if nothing was yet.
    pub fn passage(&mut self, place: usize) -> Option<&mut Passage> {
        Some(self.run.batch.calls.get_mut(place)?.passage.get_or_insert_default())
    }

    /// Lets a call wait for an effect; gives the effect's id.
    pub fn wait_for(
        &mut self,
        place: usize,
        purpose: OpenFor,
        class: Class,
        deadline: Option<u64>,
        payload: Payload,
    ) -> Option<String> {
        let call_id = self.run.batch.calls.get(place)?.call.call_id.clone();
        let effect_id = self.effect(class, Some(&call_id), deadline, payload);
        if let OpenFor::Passage { wait, .. } = purpose
            && let Some(state) = wait.state()
        {
            self.call_state(&call_id, state);
        }
        self.run.open.insert(effect_id.clone(), purpose);
        if let Some(at) = deadline {
            self.run.timers.set(at, Purpose::Expiry { effect_id: effect_id.clone() });
        }
        self.passage(place)?.waits.insert(effect_id.clone());
        Some(effect_id)
    }

    /// An answer to what a call waits for.
    pub fn passage_receipt(&mut self, place: usize, wait: Wait, receipt: &Receipt) {
        self.run.timers.forget_effect(&receipt.effect_id);
        if let Some(passage) = self.passage(place) {
            passage.waits.remove(&receipt.effect_id);
        }
        match wait {
            Wait::Hook => self.hook_receipt(place, receipt),
            Wait::Analysis => self.analysis_receipt(place, receipt),
            Wait::Inspection => self.inspection_receipt(place, receipt),
            Wait::Review => self.review_receipt(place, receipt),
            Wait::Approval => self.approval_receipt(place, receipt),
        }
        if Mutant::NotPumped.is_on() && wait == Wait::Approval {
            return;
        }
        self.pump();
    }

    /// The limit of an effect that something waits for has passed: it is told to stop, and counts as timed out.
    pub fn expire(&mut self, effect_id: &str) {
        let Some(purpose) = self.run.open.remove(effect_id) else { return };
        self.abort(effect_id, AbortReason::Timeout);
        self.run.expired.insert(effect_id.to_owned());
        self.run.orphaned.remove(effect_id);
        let receipt = Receipt {
            effect_id: effect_id.to_owned(),
            outcome: ReceiptOutcome::TimedOut,
            payload: None,
            error: None,
            stopped: false,
            discarded: None,
        };
        match purpose {
            OpenFor::Passage { place, wait } => self.passage_receipt(place, wait, &receipt),
            OpenFor::Hook => self.run_hook_receipt(&receipt),
            OpenFor::TaskHook(id) => self.task_hook_receipt(&id, &receipt),
            _ => {}
        }
    }

    /// The call waits for nothing any more: whom it asked is told so. A rule is kept all the same.
    pub fn close_passage(&mut self, place: usize) {
        let Some(open) = self.run.batch.calls.get_mut(place) else { return };
        let (call_id, stopped) = (open.call.call_id.clone(), open.abort);
        let Some(passage) = &mut open.passage else { return };
        let (waits, approval) = (std::mem::take(&mut passage.waits), passage.approval.take());
        passage.questions.clear();
        let reason = match () {
            () if self.run.cancelling => AbortReason::User,
            () if self.run.lost.is_some() => AbortReason::RunEnd,
            () => stopped.unwrap_or(AbortReason::Cascade),
        };
        for effect_id in waits {
            if matches!(self.run.open.get(&effect_id), Some(OpenFor::Passage { .. })) {
                self.run.open.remove(&effect_id);
                self.run.timers.forget_effect(&effect_id);
                self.abort(&effect_id, reason);
                self.run.expired.insert(effect_id);
            }
        }
        if let Some(approval) = approval {
            let approval_id = approval.get("approvalId").cloned();
            self.note(
                "approval_resolved",
                facts!({"approvalId": approval_id, "callId": call_id, "answer": "cancelled"}),
            );
        }
    }
}
