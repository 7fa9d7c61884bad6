//! Hooks around a call: functions of the host that may deny, rewrite, add context, redact, halt (chapter 04, section
//! 7). They are called one after the other; one that fails is passed over (HK-13).

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::active::Active;
use super::ledger::OpenCall;
use super::passage::Then;
use super::run_state::{Purpose, Wait};
use super::timers;
use crate::arguments::Checked;
use crate::gate::Found;
use crate::permission::{
    Ground, Heard, Hook, HookAnswer, Point, Verdict, Word, apply_after, count_rewrite, labelled,
};
use crate::project::{self, Projected};
use crate::protocol::{
    AbortReason, Class, Code, FactsWriter, Fault, Level, Mutant, Outcome, Part, Payload, Receipt,
    ReceiptOutcome, Refusal, Status, limits,
};

/// The hooks of one point that a call meets, as far as they have been called.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HookRound {
    pub point: Point,
    /// The one that is being asked.
    pub asked: String,
    /// Those after it.
    pub rest: Vec<String>,
}

/// A call that is over, while hooks look at its result.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Over {
    pub outcome: Outcome,
    /// The text that goes to its file if nobody takes something out of it.
    pub whole: Option<String>,
}

impl From<Projected> for Box<Over> {
    fn from(Projected { outcome, whole }: Projected) -> Self {
        Self::new(Over { outcome, whole })
    }
}

impl From<Outcome> for Box<Over> {
    fn from(outcome: Outcome) -> Self {
        Self::new(Over { outcome, whole: None })
    }
}

impl Active<'_> {
    /// Calls the hooks of a point that a call meets. `false`: there are none.
    pub fn call_hooks(&mut self, place: usize, point: Point) -> bool {
        let Some(open) = self.run.batch.calls.get(place) else { return false };
        let Some(binding) = self.binding(open.tool_id.as_ref()) else { return false };
        let met = self.core.hooks.of_call(point, binding.id(), binding.alias());
        let rest: Vec<String> = met.map(|hook| hook.id.clone()).collect();
        if rest.is_empty() {
            return false;
        }
        if let Some(passage) = self.passage(place) {
            passage.hooks = Some(HookRound { point, asked: String::new(), rest });
        }
        self.next_hook(place);
        true
    }

    /// Whether a call meets a hook at a point.
    pub fn meets(&self, checked: &Checked<Found>, point: Point) -> bool {
        let binding = checked.found().binding();
        self.core.hooks.of_call(point, binding.id(), binding.alias()).next().is_some()
    }

    fn next_hook(&mut self, place: usize) {
        loop {
            let Some(passage) = self.passage(place) else { return };
            let Some(round) = &mut passage.hooks else { return };
            if round.rest.is_empty() {
                let point = round.point;
                passage.hooks = None;
                return self.hooks_done(place, point);
            }
            round.asked = round.rest.remove(0);
            let (point, asked) = (round.point, round.asked.clone());
            // It may have been taken out since.
            let hook = self.core.hooks.at(point).find(|hook| hook.id == asked).cloned();
            if let Some(hook) = hook {
                return self.call_hook(place, &hook);
            }
        }
    }

    fn call_hook(&mut self, place: usize, hook: &Hook) {
        let Some(open) = self.run.batch.calls.get(place) else { return };
        let alias = self.binding(open.tool_id.as_ref()).map(|binding| binding.alias());
        let mut payload = json!({
            "callId": open.call.call_id, "toolId": open.tool_id, "alias": alias, "args": self.arguments_of(open),
        });
        let over = open.passage.as_ref().and_then(|passage| passage.over.as_ref());
        if let (Some(over), Some(members)) = (over, payload.as_object_mut()) {
            members.insert("result".to_owned(), shown(&over.outcome));
        }
        if let (true, Some(args)) = (Mutant::ArgumentsAsText.is_on(), payload.get_mut("args")) {
            *args = args.to_string().into();
        }
        // The user waits for the end of a run that is cancelled.
        let limit = if self.run.cancelling { limits::ABORT_GRACE_MS } else { hook.timeout_ms };
        let deadline = self.core.now.saturating_add(limit);
        let payload = Payload::HookRun { hook_id: hook.id.clone(), point: json!(hook.point), payload };
        let purpose = Purpose::Passage { place, wait: Wait::Hook };
        self.wait_for(place, purpose, Class::Effectful, Some(deadline), payload);
    }

    /// The answer of a hook.
    pub fn hook_receipt(&mut self, place: usize, receipt: &Receipt) {
        let Some(open) = self.run.batch.calls.get(place) else { return };
        let call_id = open.call.call_id.clone();
        let Some(round) = open.passage.as_ref().and_then(|passage| passage.hooks.clone()) else { return };
        match heard(receipt) {
            Err(message) => {
                self.hook_failed(Some(&call_id), &round.asked, round.point, &message);
                if Mutant::HookRepeated.is_on()
                    && let Some(passage) = self.passage(place)
                    && let Some(hooks) = &mut passage.hooks
                {
                    hooks.rest.insert(0, round.asked.clone());
                }
                if Mutant::FailedHookDenies.is_on() && round.point != Point::AfterRun {
                    let refusal = Refusal::new(Code::ToolInternalError, message);
                    return self.stopped_by_hook(place, refusal, &Heard::default());
                }
                self.next_hook(place);
            }
            Ok(answer) if round.point == Point::AfterRun => self.heard_after(place, &round, &answer),
            Ok(answer) => {
                self.hook_completed(Some(&call_id), &round.asked, round.point, None);
                self.heard_before(place, round.point, &answer);
            }
        }
    }

    fn heard_before(&mut self, place: usize, point: Point, answer: &HookAnswer) {
        let mut heard = Heard::default();
        heard.hear(answer);
        if let Some(passage) = self.passage(place) {
            passage.heard.extend(heard.context.iter().map(|note| labelled(note)));
        }
        if let Some(refusal) = heard.refusal() {
            return self.stopped_by_hook(place, refusal, &heard);
        }
        let Some(open) = self.run.batch.calls.get(place) else { return };
        let rewrite = answer.rewrite(&self.arguments_of(open));
        // What runs already cannot be rewritten.
        if let Some(args) = rewrite.filter(|_| !self.is_question(place)) {
            let Some(passage) = self.passage(place) else { return };
            if let Err(refusal) = count_rewrite(&mut passage.rewrites) {
                return self.stopped_by_hook(place, refusal, &heard);
            }
            self.rewrite(place, args, "hook");
            // Other arguments are checked before anybody else sees them (HK-09).
            let Some(checked) = self.recall(place) else { return };
            self.keep_checked(place, checked);
        }
        if let Some(passage) = self.passage(place) {
            match answer.decision {
                Some(Word::Allow) if point != Point::BeforeRun => passage.hook_allows = true,
                Some(Word::Ask) if point != Point::PermissionRequest => passage.hook_asks = true,
                _ => {}
            }
        }
        self.next_hook(place);
    }

    fn stopped_by_hook(&mut self, place: usize, refusal: Refusal, heard: &Heard) {
        let Some(checked) = self.recall(place) else { return };
        let action = self.matter(place, &checked).action.name;
        self.decided(&checked, &action, Word::Deny, &Ground::of_hook());
        self.deny(place, refusal);
        if heard.halt {
            self.halt(heard.reason.as_deref());
        }
    }

    fn hooks_done(&mut self, place: usize, point: Point) {
        if point == Point::AfterRun {
            let over = self.passage(place).and_then(|passage| passage.over.take());
            if let Some(over) = over {
                self.finish(place, over.outcome, over.whole);
            }
            return;
        }
        let Some(checked) = self.recall(place) else { return };
        match point {
            Point::PermissionRequest => {
                let Some(passage) = self.passage(place) else { return };
                passage.consulted = true;
                let counts = passage.ask.as_ref().is_none_or(|ask| passage.hook_allows && ask.step >= 12);
                if counts {
                    self.weigh(place, checked);
                } else {
                    self.keep_checked(place, checked);
                    self.ask_person(place);
                }
            }
            Point::BeforeRun => self.run_hooks_done(place, checked),
            _ => self.weigh(place, checked),
        }
    }

    /// The hooks before the start have spoken: what they changed, or want a person to see, is judged again (HK-09).
    pub fn run_hooks_done(&mut self, place: usize, checked: Checked<Found>) {
        let Some(passage) = self.passage(place) else { return };
        passage.ready = true;
        let asks = passage.hook_asks;
        let leave = passage.leave.clone().filter(|leave| !asks || leave.is_personal());
        if let Some(leave) = leave {
            return self.pass(place, checked, &leave);
        }
        passage.leave = None;
        if self.asks_more(place, &checked, Then::Ready) {
            return self.keep_checked(place, checked);
        }
        match self.judge(place, &checked) {
            verdict @ Verdict::Allow(_) => self.follow(place, checked, verdict),
            _ => self.weigh(place, checked),
        }
    }

    /// Shows the result of a call that ran to the hooks behind it. Gives the outcome back where there are none to see
    /// it; cancelled and skipped calls are not shown (HK-06).
    pub fn show_hooks(&mut self, place: usize, outcome: Outcome, whole: Option<String>) -> Option<Over> {
        let over = Over { outcome, whole };
        let Some(open) = self.run.batch.calls.get(place) else { return Some(over) };
        let is_shown = open.started_at.is_some()
            && !matches!(over.outcome.status, Status::Cancelled | Status::Skipped | Status::Backgrounded);
        let Some(binding) = self.binding(open.tool_id.as_ref()).filter(|_| is_shown) else {
            return Some(over);
        };
        if self.core.hooks.of_call(Point::AfterRun, binding.id(), binding.alias()).next().is_none() {
            return Some(over);
        }
        if let Some(passage) = self.passage(place) {
            passage.over = Some(Box::new(over));
        }
        self.call_hooks(place, Point::AfterRun);
        None
    }

    fn heard_after(&mut self, place: usize, round: &HookRound, answer: &HookAnswer) {
        let Some(open) = self.run.batch.calls.get_mut(place) else { return };
        let call_id = open.call.call_id.clone();
        let Some(mut passage) = open.passage.take() else { return };
        let Some(over) = &mut passage.over else { return };
        let (original, notes) = take_out(open, over, answer);
        passage.heard.extend(notes);
        open.passage = Some(passage);
        let original = original.map(|original| self.keep_original(&original));
        self.hook_completed(Some(&call_id), &round.asked, round.point, original.as_deref());
        if !answer.halt && !answer.denies() {
            return self.next_hook(place);
        }
        if let Some(passage) = self.passage(place) {
            passage.hooks = None;
        }
        self.hooks_done(place, Point::AfterRun);
        if answer.halt {
            self.halt(answer.reason.as_deref());
        }
    }

    pub(super) fn keep_original(&mut self, original: &Value) -> String {
        let digest = self.core.blobs.put(original.to_string().into_bytes().into());
        if self.run.stores() {
            self.run.new_blobs.push(digest.clone());
        }
        digest
    }

    /// A hook stops the run: what has not started never does, and the run ends before the next request (HK-14).
    fn halt(&mut self, reason: Option<&str>) {
        self.run.lost.get_or_insert(halted(reason));
        self.run.batch.stopped = true;
        let rest = self.run.batch.plan.terminate();
        self.fall_out(rest, AbortReason::RunEnd, &project::skipped_batch_ended);
    }

    /// Hooks that look at a result have a moment left: the run is to end.
    pub fn hurry_hooks(&mut self, place: usize) {
        let at = self.core.now.saturating_add(limits::ABORT_GRACE_MS);
        let Some(passage) = self.run.batch.calls.get(place).and_then(|open| open.passage.as_ref()) else {
            return;
        };
        for effect_id in passage.waits.clone() {
            self.run.timers.forget_effect(&effect_id);
            self.run.timers.set(at, timers::Purpose::Expiry { effect_id });
        }
    }

    pub fn hook_completed(
        &mut self,
        call_id: Option<&str>,
        hook_id: &str,
        point: Point,
        original: Option<&str>,
    ) {
        let mut told = FactsWriter::default();
        told.member("hookId", hook_id)
            .member("point", &point)
            .maybe("callId", call_id)
            .maybe("original", original);
        self.note("hook_completed", told.end());
    }

    pub fn hook_failed(&mut self, call_id: Option<&str>, hook_id: &str, point: Point, message: &str) {
        let mut told = FactsWriter::default();
        told.member("hookId", hook_id).member("point", &point).maybe("callId", call_id);
        told.member("message", message);
        self.journal(Level::Warn, "hook_failed", told.end());
    }
}

/// The answer in a receipt, or why there is none (HK-13).
pub(super) fn heard(receipt: &Receipt) -> Result<HookAnswer, String> {
    if receipt.outcome == ReceiptOutcome::Ok {
        // A hook that says nothing has nothing to say.
        let nothing = Value::Object(Map::new());
        let payload = receipt.payload.as_ref().filter(|payload| !payload.is_null()).unwrap_or(&nothing);
        return HookAnswer::decode(payload).map_err(|fault| fault.message);
    }
    let error = receipt.error.as_ref().map(|error| error.message.clone());
    let otherwise = match receipt.outcome {
        ReceiptOutcome::TimedOut => "it did not answer in time",
        _ => "it gave no answer",
    };
    Err(error.filter(|message| !message.is_empty()).unwrap_or_else(|| otherwise.to_owned()))
}

/// Why a run ends that a hook has stopped.
pub(super) fn halted(reason: Option<&str>) -> Fault {
    let message = reason.map_or_else(
        || "a hook stopped the run".to_owned(),
        |reason| format!("a hook stopped the run: {reason}"),
    );
    Fault::new(Code::HookHalted, message)
}

/// Does what a hook says with a result. Gives what it takes out, and the notes that are delivered with the result.
pub(super) fn take_out(
    open: &mut OpenCall,
    over: &mut Over,
    answer: &HookAnswer,
) -> (Option<Value>, Vec<String>) {
    let mut original = None;
    if answer.takes_out() {
        // What is taken out lives on in a blob that no file shows (HK-12).
        original =
            Some(json!({"content": over.outcome.text(), "whole": over.whole.take(), "raw": open.raw.take()}));
        open.notes.retain(|note| note.kind.starts_with("arguments_"));
        over.outcome.notes.clear();
        over.outcome.resource_refs.clear();
    }
    (original, apply_after(&mut over.outcome, answer))
}

/// A result as hooks see it: text, and a word where an image is (HK-11).
pub(super) fn shown(outcome: &Outcome) -> Value {
    let text = |part: &Part| match part {
        Part::Text { text } => text.clone(),
        Part::Image { .. } => "[Image]".to_owned(),
    };
    let texts: Vec<String> = outcome.parts.iter().map(text).collect();
    let mut result = json!({
        "status": outcome.status, "isError": outcome.status.is_error(), "content": texts.join("\n\n"),
    });
    if let (Some(code), Some(members)) = (outcome.code, result.as_object_mut()) {
        members.insert("errorCode".to_owned(), json!(code));
    }
    result
}
