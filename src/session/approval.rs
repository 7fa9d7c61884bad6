//! The question to a person, and what follows from the answer (chapter 04, section 6).

use serde_json::{Map, Value, json};

use super::active::Active;
use super::judge::situation;
use super::passage::Then;
use super::run_state::{Phase, Purpose, Wait};
use crate::arguments::Checked;
use crate::gate::Found;
use crate::permission::{
    self, Action, Answer, Answered, Ask, Consent, Given, Key, Preview, Request, Rule, RuleEffect, answered,
    decide_edited, sentence,
};
use crate::protocol::{
    Class, Code, Facts, FactsWriter, Level, Mutant, Note, Payload, Receipt, ReceiptOutcome, facts,
};
use crate::workspace::{Entry, WorkspacePath};

impl Active<'_> {
    /// Puts the open question of a call to a person, if somebody can be asked.
    pub fn ask_person(&mut self, place: usize) {
        let Some(checked) = self.recall(place) else { return };
        let Some(ask) = self.passage(place).and_then(|passage| passage.ask.clone()) else { return };
        let matter = self.matter(place, &checked);
        if !self.run.terms.approver && !Mutant::AskedAnyway.is_on() {
            let verdict = permission::unasked(&ask);
            self.decided(&checked, &matter.action.name, verdict.word(), verdict.ground());
            return self.follow(place, checked, verdict);
        }
        self.core.approvals += 1;
        let approval_id = format!("approval_{}", self.core.approvals);
        let (found, args) = (checked.found(), checked.arguments());
        let descriptor = found.binding().descriptor();
        let title = descriptor.title.as_deref().unwrap_or(found.binding().alias());
        let filled = || descriptor.summary.as_ref().map(|template| sentence(template, args));
        let summary = matter.summary.clone().or_else(filled);
        let limit = ask.timeout_ms(self.run.profile.permissions.ask_timeout_ms);
        let deadline = self.core.now.saturating_add(limit);
        // Only builtins mean the files here.
        let file = found.binding().is_builtin().then(|| self.file_now(&matter.action)).flatten();
        let payload = ask.payload(&Request {
            approval_id: &approval_id,
            call_id: &found.call().call_id,
            tool_id: found.binding().id().as_str(),
            alias: found.binding().alias(),
            title,
            summary: summary.as_deref().unwrap_or(title),
            action: &matter.action,
            preview: &Preview::new(&ask, &matter.action, args, file),
            deadline,
            unattended: self.run.terms.setting.unattended,
        });
        self.keep_checked(place, checked);
        self.note("approval_request", Facts::of(&payload));
        if let Some(passage) = self.passage(place) {
            passage.approval = Some(payload.clone());
        }
        let purpose = Purpose::Passage { place, wait: Wait::Approval };
        self.wait_for(place, purpose, Class::Held, Some(deadline), Payload::ApprovalRequest(payload));
    }

    /// What the file holds that an action is about.
    fn file_now(&self, action: &Action) -> Option<&[u8]> {
        let path = action.target.as_ref()?.get("path")?.as_str()?;
        match self.core.workspace.get(&WorkspacePath::parse(path).ok()?)? {
            Entry::File(file) => Some(file.bytes()),
            Entry::Directory(_) => None,
        }
    }

    /// The answer of a person, or that there is none.
    pub fn approval_receipt(&mut self, place: usize, receipt: &Receipt) {
        let Some(passage) = self.passage(place) else { return };
        let (Some(ask), approval) = (passage.ask.take(), passage.approval.take()) else { return };
        let asker = &self.run.terms.asker;
        let payload = receipt.payload.as_ref();
        let answer = answered(&ask, receipt.outcome, payload, &asker.session, &asker.invocation);
        let word = match &answer {
            Answered::Go(consent) => consent.answer.as_str(),
            Answered::Refused(refusal, rules) if refusal.code == Code::PermissionRejected => {
                if rules.is_empty() { "reject" } else { "never" }
            }
            Answered::Refused(..) if receipt.outcome == ReceiptOutcome::TimedOut => "timeout",
            Answered::Refused(..) => "none",
        };
        let by = payload.filter(|_| word != "none").and_then(|payload| payload.get("by"));
        let why = if word == "none" { unheard(receipt) } else { None };
        self.resolved(place, approval.as_ref(), word, by.filter(|by| by.is_string()), why.as_deref());
        match answer {
            Answered::Refused(refusal, rules) => {
                if let Some(passage) = self.passage(place) {
                    passage.denial = Some(refusal);
                }
                self.keep_rules(place, rules);
            }
            Answered::Go(consent) => {
                // What runs already cannot be edited.
                let is_fixed = self.is_question(place) || Mutant::EditIgnored.is_on();
                let consent = Consent { args: consent.args.filter(|_| !is_fixed), ..consent };
                if let Some(args) = &consent.args {
                    self.rewrite(place, args.clone(), "person");
                    let Some(passage) = self.passage(place) else { return };
                    (passage.ask, passage.edited) = (Some(ask), payload.cloned());
                }
                let Some(checked) = self.recall(place) else { return };
                match consent.args {
                    Some(_) => self.judge_edited(place, checked),
                    None => self.consented(place, checked, consent),
                }
            }
        }
    }

    /// Arguments that a person edited pass steps 2 to 4 only (chapter 04, section 6).
    pub fn judge_edited(&mut self, place: usize, checked: Checked<Found>) {
        if self.asks_more(place, &checked, Then::Edited) {
            return self.keep_checked(place, checked);
        }
        let Some(passage) = self.passage(place) else { return };
        let (Some(ask), payload) = (passage.ask.take(), passage.edited.take()) else { return };
        let matter = self.matter(place, &checked);
        let facts = situation(self.core, self.run, checked.found().binding(), &matter);
        let asker = &self.run.terms.asker;
        let follows = |ask: &Ask| {
            answered(ask, ReceiptOutcome::Ok, payload.as_ref(), &asker.session, &asker.invocation)
        };
        let Answered::Go(Consent { answer, .. }) = follows(&ask) else { return };
        if let Some(verdict) = decide_edited(&facts, answer) {
            self.decided(&checked, &matter.action.name, verdict.word(), verdict.ground());
            return self.follow(place, checked, verdict);
        }
        // What lasts of the answer is about the arguments that it gave.
        if let Answered::Go(consent) = follows(&ask.edited(&facts)) {
            self.consented(place, checked, consent);
        }
    }

    fn consented(&mut self, place: usize, checked: Checked<Found>, consent: Consent) {
        consent.grants.iter().cloned().for_each(|grant| self.core.grants.add(grant));
        let leave = consent.leave(&checked);
        self.open_places(place, &checked);
        self.keep_checked(place, checked);
        let Some(passage) = self.passage(place) else { return };
        passage.leave = Some(leave);
        consent.instead.into_iter().for_each(|grant| passage.instead.add(grant));
        self.keep_rules(place, consent.rules);
        let granted = |key: &Key| consent.grants.iter().any(|grant| grant.key == *key);
        self.answer_others(place, &granted, consent.answer.as_str());
    }

    /// The call goes on once these are kept (PM-04).
    fn keep_rules(&mut self, place: usize, rules: Vec<Rule>) {
        for rule in rules {
            let rule = json!(rule);
            let purpose = Purpose::Save { place, rule: rule.clone() };
            self.wait_for(place, purpose, Class::Effectful, None, Payload::RulesSave { rule });
        }
        self.answered(place);
    }

    /// Tells how a question ended; `message`: why what came back is no answer.
    pub fn resolved(
        &mut self,
        place: usize,
        approval: Option<&Value>,
        answer: &str,
        by: Option<&Value>,
        message: Option<&str>,
    ) {
        let call_id = self.run.batch.calls.get(place).map(|open| &open.call.call_id);
        let mut resolved = FactsWriter::default();
        resolved
            .member("approvalId", &approval.and_then(|approval| approval.get("approvalId")))
            .member("callId", &call_id)
            .member("answer", answer)
            .maybe("by", by)
            .maybe("message", message);
        self.note("approval_resolved", resolved.end());
    }

    /// A rule that an answer brought was kept, or was not: then the answer holds for the session instead (PM-67).
    pub fn saved(&mut self, place: usize, rule: Value, receipt: &Receipt) {
        let goes_on = !matches!(self.run.phase, Phase::Ended(_));
        let is_kept = receipt.outcome == ReceiptOutcome::Ok;
        let kept = Rule::decode(&rule).ok();
        match kept.clone() {
            Some(rule) if is_kept => self.core.rules.add(rule),
            // The grants that hold instead say nothing of a denial.
            Some(rule) if rule.effect == RuleEffect::Deny => {
                self.core.rules.denials.add(&self.run.terms.asker.session, rule);
            }
            _ => {}
        }
        let (level, kind, told) = if is_kept {
            (Level::Info, "rule_saved", facts!({"rule": rule}))
        } else {
            let message = "The rule could not be kept; the answer holds for this session instead.";
            let code = Code::PermissionRuleSaveFailed;
            (Level::Warn, "rule_save_failed", facts!({"rule": rule, "code": code, "message": message}))
        };
        if goes_on {
            self.journal(level, kind, told);
        } else {
            self.live(kind, || told);
        }
        let open = self.run.batch.calls.get_mut(place);
        let Some(passage) = open.and_then(|open| open.passage.as_deref_mut()) else { return };
        if !passage.waits.remove(&receipt.effect_id) {
            return;
        }
        if !is_kept {
            let instead = std::mem::take(&mut passage.instead);
            self.core.grants.extend(instead);
        }
        self.answered(place);
        if let (Some(rule), true) = (kept, goes_on) {
            // Kept or not, it holds now: for the session at least.
            let word = if rule.effect == RuleEffect::Deny { Answer::Never } else { Answer::Always };
            self.answer_others(place, &|key| rule.is_about(key), word.as_str());
            self.rules_changed();
        }
        self.pump();
    }

    /// Goes on with an answered call once its rules are kept (PM-04).
    fn answered(&mut self, place: usize) {
        let Some(passage) = self.passage(place) else { return };
        if !passage.waits.is_empty() {
            return;
        }
        if let Some(refusal) = passage.denial.take() {
            return self.deny(place, refusal);
        }
        let Some(leave) = passage.leave.clone() else { return };
        if let Some(checked) = self.recall(place) {
            self.pass(place, checked, &leave);
        }
    }

    /// Other arguments count from now on, and no leave that was given before (PM-66).
    pub fn rewrite(&mut self, place: usize, args: Map<String, Value>, by: &str) {
        // The model may read the record: what a hook puts in (a key, say) is none of its business.
        let told = match by {
            "hook" => json!(self.keep_original(&json!(args))),
            _ => json!(args),
        };
        let Some(open) = self.run.batch.calls.get_mut(place) else { return };
        open.notes.push(Note {
            kind: "arguments_rewritten".to_owned(),
            data: json!({"by": by, "arguments": told}),
        });
        open.checked = None;
        if let Some(passage) = self.passage(place) {
            passage.leave = None;
            passage.rewritten = Some(args);
            (passage.analysis, passage.inspection, passage.ask) = (None, None, None);
            passage.opened.clear();
            (passage.hook_allows, passage.consulted, passage.ready) = (false, false, false);
        }
    }
}

/// Why a receipt brings no answer, for the developer: the model only reads that nobody was there.
fn unheard(receipt: &Receipt) -> Option<String> {
    let message = match (receipt.outcome, &receipt.payload) {
        (ReceiptOutcome::Ok, Some(payload)) => Given::decode(payload).err()?.message,
        _ => receipt.error.as_ref()?.message.clone(),
    };
    Some(message).filter(|message| !message.is_empty())
}
