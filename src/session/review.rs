//! Questions that need no person: the reviewer's (PM-60, step 14), and what a shell command consists of (PM-55).

use serde_json::{Value, json};

use super::active::Active;
use super::run_state::{Purpose, Wait};
use crate::arguments::Checked;
use crate::gate::Found;
use crate::permission::{reviewed, sentence};
use crate::project;
use crate::protocol::{Class, Payload, Receipt, ReceiptOutcome, limits};

impl Active<'_> {
    /// Asks the reviewer about a call whose question is open.
    pub fn ask_reviewer(&mut self, place: usize) {
        let Some(checked) = self.recall(place) else { return };
        let matter = self.matter(place, &checked);
        let binding = checked.found().binding();
        let template = binding.traits().classifier_text.as_ref().or(binding.descriptor().summary.as_ref());
        let text = template
            .map_or_else(|| matter.action.name.clone(), |template| sentence(template, checked.arguments()));
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

    /// Whether a command has to be taken apart before it can be judged: a rule could be about its parts. If so, the
    /// host is asked to.
    pub fn takes_apart(&mut self, place: usize, checked: &Checked<Found>) -> bool {
        let Some(open) = self.run.batch.calls.get(place) else { return false };
        let is_known = open.passage.as_ref().is_some_and(|passage| passage.analysis.is_some());
        let binding = checked.found().binding();
        let matters = || self.core.rules.looks_into(binding.id().as_str(), binding.alias());
        let command = checked.arguments().get("command").and_then(Value::as_str);
        let (Some(command), true) = (command, open.is_program() && !is_known && matters()) else {
            return false;
        };
        let payload = Payload::ShellAnalyze { command: command.to_owned() };
        let deadline = self.core.now.saturating_add(limits::ANALYSIS_TIMEOUT_MS);
        let purpose = Purpose::Passage { place, wait: Wait::Analysis };
        self.wait_for(place, purpose, Class::Pure, Some(deadline), payload);
        true
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
        if let Some(checked) = self.recall(place) {
            self.weigh(place, checked);
        }
    }
}
