//! Questions of a function that is running: it asks whether it may go on (XT-11). They go the way of the question about
//! a call that has not started, one after the other, and the call's time stands still meanwhile.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::active::{Active, Core};
use super::ledger::OpenCall;
use super::timers::Purpose;
use crate::catalog::Risk;
use crate::permission::{Check, CheckWord, Query, tool_denied, unanswered};
use crate::protocol::{Class, Effect, Outcome, Payload, ReceiptOutcome, Refusal, Status, from_tree, limits};

/// Questions of one call that may wait; further ones are refused.
const WAITING: usize = 16;

/// A question that waits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Question {
    /// What the function calls it.
    pub request_id: String,
    reason: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    risk: Option<String>,
}

impl Question {
    /// The question as the tool's own word about its call.
    pub fn check(&self) -> Check {
        let reason: String = self.reason.trim().chars().take(limits::REASON_CHARS).collect();
        Check {
            decision: CheckWord::Ask,
            kind: Query::Plain,
            reason: (!reason.is_empty()).then_some(reason),
            ..Check::default()
        }
    }

    /// The risk that it names; a word that is not known counts as dangerous.
    pub fn risk(&self) -> Option<Risk> {
        match self.risk.as_deref()? {
            "review" => Some(Risk::Review),
            "critical" => Some(Risk::Critical),
            _ => Some(Risk::Dangerous),
        }
    }
}

impl OpenCall {
    /// The outcome of a function that refuses its call, for this reason. Where that is what its own question was
    /// answered with, the model reads the answer.
    pub fn refused_by_function(&self, reason: &str) -> Outcome {
        let passage = self.passage.as_ref();
        let answer =
            passage.and_then(|passage| passage.refused.as_deref()).filter(|answer| *answer == reason);
        let refusal = tool_denied(Some(reason));
        Outcome::failure(Status::Denied, refusal.code, answer.unwrap_or(&refusal.message))
    }
}

/// The answer to a question of work in the background: there is no call any more that a person could be asked about.
pub(super) fn refuse(core: &mut Core, run_id: &Arc<str>, effect_id: &str, data: &Value) -> Option<Effect> {
    let question = from_tree::<Question>(data.get("ask")?.clone()).ok()?;
    let refusal = unanswered(ReceiptOutcome::NotSent);
    Some(Effect {
        effect_id: core.effect_id(),
        class: Class::OneWay,
        run_id: Arc::clone(run_id),
        invocation_id: None,
        call_id: None,
        deadline: None,
        payload: Payload::CallReply {
            target_effect_id: effect_id.to_owned(),
            request_id: question.request_id,
            result: refused(&refusal),
        },
    })
}

fn refused(refusal: &Refusal) -> Value {
    json!({"allowed": false, "code": refusal.code, "message": refusal.message})
}

impl Active<'_> {
    /// The call leaves its place while its function waits for answers: there will be none.
    pub fn drop_questions(&mut self, place: usize) {
        let Some(open) = self.run.batch.calls.get_mut(place) else { return };
        let questions = open.passage.as_mut().map(|passage| std::mem::take(&mut passage.questions));
        for question in questions.unwrap_or_default() {
            let refusal = unanswered(ReceiptOutcome::NotSent);
            self.answer_question(place, &question.request_id, Err(refusal));
        }
    }

    /// A running function asks.
    pub fn function_asks(&mut self, place: usize, question: &Value) {
        let Ok(question) = from_tree::<Question>(question.clone()) else { return };
        let Some(open) = self.run.batch.calls.get(place) else { return };
        let (call_id, told_to_stop) = (open.call.call_id.clone(), open.abort.is_some());
        let now = self.core.now;
        let Some(passage) = self.passage(place) else { return };
        if told_to_stop || passage.questions.len() == WAITING {
            return self.answer_question(place, &question.request_id, Err(tool_denied(None)));
        }
        passage.questions.push_back(question);
        if passage.questions.len() > 1 {
            return;
        }
        // Waiting for a person does not count (XT-11).
        let left = self.run.timers.pause(&call_id).map(|at| at.saturating_sub(now));
        if let Some(passage) = self.passage(place) {
            passage.left_ms = left;
        }
        self.next_question(place);
        self.pump();
    }

    fn next_question(&mut self, place: usize) {
        let Some(passage) = self.passage(place) else { return };
        (passage.consulted, passage.hook_allows) = (false, false);
        if let Some(checked) = self.recall(place) {
            self.weigh(place, checked);
        }
    }

    /// Whether a question of a running function is what is being decided about.
    pub fn is_question(&self, place: usize) -> bool {
        let passage = self.run.batch.calls.get(place).and_then(|open| open.passage.as_ref());
        passage.is_some_and(|passage| !passage.questions.is_empty())
    }

    /// The open question is decided: the function is told, and the next one is.
    pub fn question_decided(&mut self, place: usize, answer: Result<(), Refusal>) {
        let now = self.core.now;
        let Some(open) = self.run.batch.calls.get_mut(place) else { return };
        let (call_id, told_to_stop) = (open.call.call_id.clone(), open.abort.is_some());
        let Some(passage) = &mut open.passage else { return };
        let Some(question) = passage.questions.pop_front() else { return };
        let is_last = passage.questions.is_empty();
        let left = if is_last { passage.left_ms.take() } else { None };
        let answer = if told_to_stop { answer.and(Err(tool_denied(None))) } else { answer };
        self.answer_question(place, &question.request_id, answer);
        if !is_last {
            return self.next_question(place);
        }
        self.call_state(&call_id, "running");
        if let (Some(left), false) = (left, told_to_stop) {
            self.run.timers.set(now.saturating_add(left), Purpose::Timeout { call_id });
        }
    }

    fn answer_question(&mut self, place: usize, request_id: &str, answer: Result<(), Refusal>) {
        let Some(open) = self.run.batch.calls.get(place) else { return };
        let Some(target_effect_id) = open.effect_id.clone() else { return };
        let call_id = open.call.call_id.clone();
        let result = match answer {
            Ok(()) => json!({"allowed": true}),
            Err(refusal) => {
                let said = refused(&refusal);
                if let Some(passage) = self.passage(place) {
                    passage.refused = Some(refusal.message);
                }
                said
            }
        };
        let payload = Payload::CallReply { target_effect_id, request_id: request_id.to_owned(), result };
        self.effect(Class::OneWay, Some(&call_id), None, payload);
    }
}
