//! Questions that need no person: the reviewer's (PM-60, step 14), what a tool says of its call (AR-34), and what a
//! shell command consists of (PM-55).

use std::sync::Arc;

use serde_json::{Value, json};

use super::active::Active;
use super::passage::Then;
use super::run_state::{Purpose, Wait};
use crate::arguments::Checked;
use crate::catalog::Parallel;
use crate::gate::Found;
use crate::permission::{Inspection, reviewed, sentence};
use crate::project;
use crate::protocol::{Class, Outcome, Payload, Receipt, ReceiptOutcome, limits};
use crate::schedule::SlotState;

impl Active<'_> {
    /// Asks the reviewer about a call whose question is open.
    pub fn ask_reviewer(&mut self, place: usize) {
        let Some(checked) = self.recall(place) else { return };
        let matter = self.matter(place, &checked);
        let binding = checked.found().binding();
        let template = binding.traits().classifier_text.as_ref().or(binding.descriptor().summary.as_ref());
        let filled = || template.map(|template| sentence(template, checked.arguments()));
        let text =
            matter.classifier_text.clone().or_else(filled).unwrap_or_else(|| matter.action.name.clone());
        let payload = Payload::ReviewRequest { action: json!(matter.action), text };
        self.keep_checked(place, checked);
        let deadline = self.core.now.saturating_add(limits::REVIEW_TIMEOUT_MS);
        let purpose = Purpose::Passage { place, wait: Wait::Review };
        self.wait_for(place, purpose, Class::Pure, Some(deadline), payload);
    }

    /// What the reviewer says; anything but safe is a question to a person.
    pub fn review_receipt(&mut self, place: usize, receipt: &Receipt) {
        if receipt.outcome == ReceiptOutcome::Cancelled {
            return self.settle(place, project::cancelled_before_start());
        }
        let Some(checked) = self.recall(place) else { return };
        let approver = self.can_ask(place, &checked);
        let Some(ask) = self.passage(place).and_then(|passage| passage.ask.take()) else { return };
        let review = receipt.payload.as_ref().filter(|_| receipt.outcome == ReceiptOutcome::Ok);
        let verdict = reviewed(review, Box::new(ask), approver);
        let action = self.matter(place, &checked).action.name;
        self.decided(&checked, &action, verdict.word(), verdict.ground());
        if let (Some(leave), Some(passage)) = (verdict.leave(), self.passage(place)) {
            passage.leave = Some(leave);
        }
        self.follow(place, checked, verdict);
    }

    /// Whether more has to be known of a call before it can be judged. If so, the host is asked, and the call goes on
    /// there when it has answered.
    pub fn asks_more(&mut self, place: usize, checked: &Checked<Found>, then: Then) -> bool {
        self.asks_tool(place, checked, then) || self.takes_apart(place, checked, then)
    }

    /// The same for what the tool itself says of it. Arguments that have changed are another call to it.
    pub fn asks_tool(&mut self, place: usize, checked: &Checked<Found>, then: Then) -> bool {
        let id = checked.found().binding().id();
        let function = self.core.catalog.get(id).and_then(|entry| entry.function());
        if !function.is_some_and(|function| function.inspect) {
            return false;
        }
        let Some(passage) = self.passage(place) else { return false };
        passage.then = then;
        if passage.inspection.is_some() {
            return false;
        }
        // A predicate is asked for before its call is let in: then the answer is on its way.
        if passage.waits.is_empty() {
            let payload =
                Payload::ExtensionInspect { tool_id: id.shared(), args: Arc::clone(checked.arguments()) };
            let deadline = self.core.now.saturating_add(limits::INSPECTION_TIMEOUT_MS);
            let purpose = Purpose::Passage { place, wait: Wait::Inspection };
            self.wait_for(place, purpose, Class::Pure, Some(deadline), payload);
        }
        true
    }

    /// What the tool says of it: that its arguments are no good, that it may run beside others, and what it does.
    pub fn inspection_receipt(&mut self, place: usize, receipt: &Receipt) {
        if receipt.outcome == ReceiptOutcome::Cancelled {
            return self.settle(place, project::cancelled_before_start());
        }
        let said = receipt.payload.clone().filter(|_| receipt.outcome == ReceiptOutcome::Ok);
        let heard = said.as_ref().map(Inspection::decode).and_then(Result::ok);
        let Some(passage) = self.passage(place) else { return };
        // What cannot be read is nothing to rely on.
        passage.inspection = Some(said.filter(|_| heard.is_some()).unwrap_or(Value::Bool(false)));
        let is_first = passage.rewritten.is_none();
        let heard = heard.unwrap_or_default();
        if let Some(refusal) = heard.refusal {
            return self.settle(place, Outcome::refused(refusal));
        }
        if heard.parallel && is_first && self.is_predicated(place) {
            self.run.batch.plan.make_parallel(place);
        }
        if self.run.batch.plan.state(place) == Some(SlotState::Waiting) {
            self.go_on(place);
        }
    }

    /// Asks the tools of a fresh batch whose calls may run beside others only if they say so (SC-20).
    pub fn ask_predicates(&mut self) {
        for place in 0..self.run.batch.calls.len() {
            if self.run.batch.plan.state(place) != Some(SlotState::Queued) || !self.is_predicated(place) {
                continue;
            }
            if let Some(checked) = self.recall(place) {
                self.asks_tool(place, &checked, Then::Enter);
                self.keep_checked(place, checked);
            }
        }
    }

    fn is_predicated(&self, place: usize) -> bool {
        let tool_id = self.run.batch.calls.get(place).and_then(|open| open.tool_id.as_ref());
        self.binding(tool_id).is_some_and(|binding| binding.traits().parallel == Parallel::Inspect)
    }

    /// More is known of a call: it goes on where it stopped.
    fn go_on(&mut self, place: usize) {
        let then = self.passage(place).map(|passage| passage.then).unwrap_or_default();
        let Some(checked) = self.recall(place) else { return };
        match then {
            Then::Enter => self.enter(place, checked),
            Then::Weigh => self.weigh(place, checked),
            Then::Ready => self.run_hooks_done(place, checked),
            Then::Edited => self.judge_edited(place, checked),
        }
    }

    /// The same for what a command consists of: a rule could be about its parts.
    fn takes_apart(&mut self, place: usize, checked: &Checked<Found>, then: Then) -> bool {
        let Some(open) = self.run.batch.calls.get(place) else { return false };
        let is_known = open.passage.as_ref().is_some_and(|passage| passage.analysis.is_some());
        let binding = checked.found().binding();
        let session = &self.run.terms.asker.session;
        let matters = || self.core.rules.looks_into(binding.id().as_str(), binding.alias(), session);
        let command = checked.arguments().get("command").and_then(Value::as_str);
        let (Some(command), true) = (command, open.is_program() && !is_known && matters()) else {
            return false;
        };
        let payload = Payload::ShellAnalyze { command: command.to_owned() };
        let deadline = self.core.now.saturating_add(limits::ANALYSIS_TIMEOUT_MS);
        if let Some(passage) = self.passage(place) {
            passage.then = then;
        }
        let purpose = Purpose::Passage { place, wait: Wait::Analysis };
        self.wait_for(place, purpose, Class::Pure, Some(deadline), payload);
        true
    }

    /// The host loads what takes commands apart, or has loaded it: the time of that is not the analysis's.
    pub fn analysis_stage(&mut self, effect_id: &str, stage: &str) {
        match stage {
            // As long as any call of the host's may take.
            "loading" => self.restart_limit(effect_id, limits::EXTERNAL_TIMEOUT_MS),
            "loaded" => self.restart_limit(effect_id, limits::ANALYSIS_TIMEOUT_MS),
            _ => {}
        }
    }

    /// What a command consists of. No answer is one, too: then nothing can be verified.
    pub fn analysis_receipt(&mut self, place: usize, receipt: &Receipt) {
        if receipt.outcome == ReceiptOutcome::Cancelled {
            return self.settle(place, project::cancelled_before_start());
        }
        let parts = receipt.payload.clone().filter(|_| receipt.outcome == ReceiptOutcome::Ok);
        if let Some(passage) = self.passage(place) {
            passage.analysis = Some(parts.unwrap_or_else(|| json!({})));
        }
        self.go_on(place);
    }
}
