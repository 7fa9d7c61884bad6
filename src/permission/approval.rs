//! The question to a person (chapter 04, section 6): what may be answered, and what a lasting answer would mean.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value, json};

use super::case::{Case, Situation};
use super::grant::Key;
use super::mode::Mode;
use super::path;
use super::preview::Preview;
use super::rule::{RuleEffect, RuleSource};
use super::safety::Finding;
use super::steps::Ruling;
use super::verdict::{Reason, Word};
use crate::catalog::reading::{Members, Place, Read, words};
use crate::protocol::limits::CHOICE_TIMEOUT_MS;
use crate::protocol::{Code, Fault};

words! {
    /// What a person can answer (PM-04).
    pub enum Answer {
        /// This call.
        Once = "once",
        /// The same for the rest of the run.
        Turn = "turn",
        /// The same for the rest of the session.
        Session = "session",
        /// The same always.
        Always = "always",
        /// Not this call.
        Reject = "reject",
        /// Never.
        Never = "never",
    }
}

/// A question, as it is kept while it is open. Plain facts: rules may have changed when the answer comes.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Ask {
    /// The step it comes from. Hooks may answer those of 12 to 14 (PM-65).
    pub step: u8,
    /// Why it is asked.
    pub reason: Reason,
    /// The same for the person, one sentence.
    pub text: String,
    /// What may be answered: only what will hold.
    pub answers: Vec<Answer>,
    /// What a lasting answer is about.
    pub keys: Vec<Key>,
    /// The protected places in it that a lasting answer is about, too ([`Case::places`]).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<Key>,
    /// What was found, and is granted with the answer.
    pub findings: Vec<Finding>,
    /// The options of a choice.
    pub options: Vec<String>,
    /// It is a choice: it may wait longer.
    pub choice: bool,
    /// Proposals for a lasting answer, for the screen (PM-28).
    pub suggestions: Vec<Value>,
}

/// What is put into the effect `approval.request` beside the question.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The approval.
    pub approval_id: &'a str,
    /// The call.
    pub call_id: &'a str,
    /// The tool.
    pub tool_id: &'a str,
    /// What the model calls it.
    pub alias: &'a str,
    /// What the screen calls it.
    pub title: &'a str,
    /// What this call does, one sentence.
    pub summary: &'a str,
    /// The action.
    pub action: &'a super::Action,
    /// What can be seen of it.
    pub preview: &'a Preview,
    /// When waiting ends.
    pub deadline: u64,
    /// Nobody watches.
    pub unattended: bool,
}

impl Ask {
    pub(super) fn new(case: &Case<'_>, ruling: &Ruling<'_>) -> Self {
        let check = case.facts.check;
        let choice = check.asks() == Some(super::check::Query::Choice) && ruling.step == 5;
        let keys = case.keys();
        let lasting = case.remember() && !choice;
        let plain = keys.iter().all(Key::is_plain);
        let mut findings: Vec<Finding> = Vec::new();
        for finding in case.judged().flat_map(|part| case.findings(part)) {
            if !findings.contains(&finding) {
                findings.push(finding);
            }
        }
        let answers = answers(ruling, lasting, plain);
        Self {
            step: ruling.step,
            reason: ruling.reason,
            text: text(case, ruling, &findings),
            suggestions: suggestions(case, ruling, &keys, &answers),
            answers,
            keys,
            places: case.places(),
            findings,
            options: if choice { check.options.clone() } else { Vec::new() },
            choice,
        }
    }

    /// The same question about arguments that the person edited: a lasting answer is about those, and says nothing of
    /// the ones that were edited away (PM-43). What was not shown is not granted.
    pub fn edited(&self, facts: &Situation<'_>) -> Self {
        let case = Case::new(facts);
        let keys = case.keys();
        let (remember, plain) = (case.remember(), keys.iter().all(Key::is_plain));
        let holds = |answer: &Answer| match answer {
            Answer::Once | Answer::Reject => true,
            Answer::Turn | Answer::Session => remember,
            Answer::Always | Answer::Never => remember && plain,
        };
        let answers = self.answers.iter().copied().filter(holds).collect();
        Self { keys, answers, places: case.places(), ..self.clone() }
    }

    /// How long a person may think; `profile` is the limit of the profile (PM-29).
    pub fn timeout_ms(&self, profile: u64) -> u64 {
        if self.choice { CHOICE_TIMEOUT_MS } else { profile }
    }

    /// The payload of `approval.request` (PM-32).
    pub fn payload(&self, request: &Request<'_>) -> Value {
        let mut payload = json!({
            "approvalId": request.approval_id, "callId": request.call_id, "toolId": request.tool_id,
            "alias": request.alias, "title": request.title, "summary": request.summary, "action": request.action,
            "reason": self.text, "preview": request.preview, "answers": self.answers, "deadline": request.deadline,
            "suggestions": self.suggestions,
        });
        if let (true, Some(members)) = (request.unattended, payload.as_object_mut()) {
            members.insert("unattended".to_owned(), true.into());
        }
        payload
    }
}

/// Only answers that will hold are offered. A grant settles the questions of the steps from 8 on, those of the tool
/// and those of places it was given for; a rule those from 11 on.
fn answers(ruling: &Ruling<'_>, lasting: bool, plain: bool) -> Vec<Answer> {
    let mut answers = vec![Answer::Once];
    let grants = lasting && !matches!(ruling.step, 4 | 7);
    let rules = lasting && plain;
    if grants {
        answers.extend([Answer::Turn, Answer::Session]);
    }
    if grants && rules && ruling.step >= 12 {
        answers.push(Answer::Always);
    }
    answers.push(Answer::Reject);
    if rules {
        answers.push(Answer::Never);
    }
    answers
}

/// What the screen may propose beside the bare answers.
fn suggestions(case: &Case<'_>, ruling: &Ruling<'_>, keys: &[Key], answers: &[Answer]) -> Vec<Value> {
    if ruling.step == 6 && answers.contains(&Answer::Session) {
        return vec![json!({"kind": "grant", "scope": "session", "answer": "session", "keys": keys})];
    }
    if !answers.contains(&Answer::Always) {
        return Vec::new();
    }
    let rule = |key: &Key| {
        let rule = key.rule(RuleEffect::Allow, RuleSource::Local, "");
        json!({"kind": "rule", "scope": "local", "answer": "always", "rule": rule})
    };
    let mut suggestions: Vec<Value> = keys.iter().map(rule).collect();
    if ruling.reason == Reason::Mode {
        suggestions.extend(laxer_mode(case).map(|mode| json!({"kind": "mode", "mode": mode})));
        suggestions.extend(directory(case).map(|path| json!({"kind": "directory", "path": path})));
    }
    suggestions
}

/// The strictest mode in which this call would pass without a question; only where one mode alone decides.
fn laxer_mode(case: &Case<'_>) -> Option<Mode> {
    let level = case.facts.subject.level;
    let mut modes = case.facts.mode.modes.iter();
    let (current, None) = (modes.next()?, modes.next()) else { return None };
    let passes = |mode: &Mode| {
        *mode > current
            && *mode != Mode::FullAccess
            && mode.at_level(level) == *mode
            && case.judged().all(|part| mode.say(case.column(part), level) == Word::Allow)
    };
    Mode::ALL.into_iter().find(passes)
}

/// The directory that would have to be added for a write out of bounds.
fn directory(case: &Case<'_>) -> Option<String> {
    let target = case.judged().next()?.action.target.as_ref()?;
    let path = path::normal(target.get("path")?.as_str()?);
    let (directory, _) = path.rsplit_once('/')?;
    let outside = !case.facts.bounds.hold(Some(target)) && !directory.is_empty();
    (outside && !path.starts_with("..")).then(|| directory.to_owned())
}

/// Why a person is asked.
fn text(case: &Case<'_>, ruling: &Ruling<'_>, findings: &[Finding]) -> String {
    let given = |reason: &Option<String>, otherwise: &str| match reason {
        Some(reason) => reason.clone(),
        None => otherwise.to_owned(),
    };
    match ruling.reason {
        Reason::Tool => given(&case.facts.check.reason, "The tool asks for your consent."),
        Reason::Risk if ruling.step == 4 => {
            "The action is critical: it needs your word each time.".to_owned()
        }
        Reason::Risk => "The action is dangerous.".to_owned(),
        Reason::Safety => {
            let names: Vec<&str> = findings.iter().map(|finding| finding.as_str()).collect();
            format!("The action touches something protected: {}.", names.join(", "))
        }
        Reason::Rule => "A rule wants you to be asked.".to_owned(),
        Reason::Policy => "This tool is set to ask.".to_owned(),
        Reason::Hook => "A check of this app wants you to be asked.".to_owned(),
        _ => {
            let word = if ruling.step == 14 { Word::Review } else { Word::Ask };
            let mode = case.ruled(word).map_or(case.facts.mode.modes.strictest(), |(_, mode)| mode);
            format!("The mode {} asks before this.", mode.as_str())
        }
    }
}

impl Read for Ask {
    fn read(value: &Value, place: &Place) -> Result<Self, Fault> {
        let mut members = Members::open(value, place)?;
        let step = members.integer_opt("step", 0..=15)?.and_then(|step| u8::try_from(step).ok());
        let ask = Self {
            step: step.unwrap_or_default(),
            reason: members.need("reason")?,
            text: members.need("text")?,
            answers: members.need("answers")?,
            keys: members.need("keys")?,
            places: members.get("places", Vec::new())?,
            findings: members.need("findings")?,
            options: members.need("options")?,
            choice: members.need("choice")?,
            suggestions: members
                .need::<Vec<Map<String, Value>>>("suggestions")?
                .into_iter()
                .map(Value::Object)
                .collect(),
        };
        members.end()?;
        Ok(ask)
    }
}

impl<'de> Deserialize<'de> for Ask {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let ask = Value::deserialize(deserializer)?;
        let place = Place::document("snapshot", Code::StateSnapshotCorrupt).member("ask");
        Self::read(&ask, &place).map_err(serde::de::Error::custom)
    }
}
