//! What the answer of a person does (PM-04, PM-66).

use serde_json::{Map, Value};

use super::approval::{Answer, Ask};
use super::grant::Grant;
use super::refusal;
use super::rule::{Rule, RuleEffect, RuleSource};
use crate::arguments::canonical_object;
use crate::catalog::reading::{Members, Place, Read};
use crate::identity::ToolId;
use crate::protocol::digest::sha256_hex;
use crate::protocol::{Code, Fault, ReceiptOutcome, Refusal};

/// An answer as it came in.
#[derive(Clone, Debug, PartialEq)]
pub struct Given {
    /// What was answered.
    pub answer: Answer,
    /// Arguments that the person edited.
    pub args: Option<Map<String, Value>>,
    /// What the person said to it; the model reads it.
    pub message: Option<String>,
    /// Who answered, for the journal.
    pub by: Option<String>,
    /// For whom a lasting answer holds.
    pub scope: RuleSource,
}

/// What follows from an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Answered {
    /// The call goes on, once this is stored.
    Go(Consent),
    /// It does not; a rule may have to be stored.
    Refused(Refusal, Vec<Rule>),
}

/// A consent.
#[derive(Clone, Debug, PartialEq)]
pub struct Consent {
    /// The answer that counts.
    pub answer: Answer,
    /// Grants to keep.
    pub grants: Vec<Grant>,
    /// Rules to save; where that fails, [`Consent::instead`] holds.
    pub rules: Vec<Rule>,
    /// Arguments to go on with; absent: those that were shown.
    pub args: Option<Map<String, Value>>,
    /// What holds if the rules cannot be saved (PM-67).
    pub instead: Vec<Grant>,
}

impl Given {
    /// Reads the payload of an ok receipt.
    ///
    /// # Errors
    /// `effect.bad_payload`: the receipt counts as failed (EF-07).
    pub fn decode(payload: &Value) -> Result<Self, Fault> {
        let place = Place::document("answer", Code::EffectBadPayload);
        let mut members = Members::open(payload, &place)?;
        let scope = members.get("scope", RuleSource::Local)?;
        if scope < RuleSource::Session {
            return Err(members.place("scope").fault("must be local, session, project or user"));
        }
        Ok(Self {
            answer: members.need("answer")?,
            args: opt(&mut members, "args")?,
            message: opt(&mut members, "message")?,
            by: opt(&mut members, "by")?,
            scope,
        })
    }
}

/// A member that may also be null.
fn opt<T: Read>(members: &mut Members<'_>, name: &'static str) -> Result<Option<T>, Fault> {
    members.get::<Option<T>>(name, None)
}

/// What follows from the receipt of `approval.request`. A cancelled call gets the status `cancelled` from whoever
/// cancelled it; here it is only not allowed.
pub fn answered(
    ask: &Ask,
    outcome: ReceiptOutcome,
    payload: Option<&Value>,
    session: &str,
    invocation: &str,
) -> Answered {
    let given = match (outcome, payload) {
        (ReceiptOutcome::Ok, Some(payload)) => Given::decode(payload).ok(),
        _ => None,
    };
    match given {
        Some(given) => follow(ask, given, session, invocation),
        None => Answered::Refused(refusal::unanswered(outcome), Vec::new()),
    }
}

/// What follows from an answer. One that was not offered counts as the next narrower one that was.
pub fn follow(ask: &Ask, given: Given, session: &str, invocation: &str) -> Answered {
    let answer = offered(ask, given.answer);
    let rules = |effect: RuleEffect| -> Vec<Rule> {
        ask.keys.iter().map(|key| key.rule(effect, given.scope, session)).collect()
    };
    let grants = |invocation: Option<&str>| -> Vec<Grant> {
        let grant = |key: &super::Key| Grant {
            session: session.to_owned(),
            invocation: invocation.map(str::to_owned),
            key: key.clone(),
            findings: ask.findings.clone(),
        };
        ask.keys.iter().chain(&ask.places).map(grant).collect()
    };
    let consent = |grants: Vec<Grant>, rules: Vec<Rule>, instead: Vec<Grant>| {
        Answered::Go(Consent { answer, grants, rules, args: given.args.clone(), instead })
    };
    match answer {
        Answer::Once => consent(Vec::new(), Vec::new(), Vec::new()),
        Answer::Turn => consent(grants(Some(invocation)), Vec::new(), Vec::new()),
        Answer::Session => consent(grants(None), Vec::new(), Vec::new()),
        // In a rule the name of this session would be a pattern over others.
        Answer::Always if given.scope == RuleSource::Session && session.contains('*') => {
            consent(grants(None), Vec::new(), Vec::new())
        }
        Answer::Always => consent(Vec::new(), rules(RuleEffect::Allow), grants(None)),
        Answer::Reject => Answered::Refused(refusal::rejected(given.message.as_deref(), false), Vec::new()),
        Answer::Never => {
            Answered::Refused(refusal::rejected(given.message.as_deref(), true), rules(RuleEffect::Deny))
        }
    }
}

/// The answer that counts. A critical action passes by `once` and nothing else (IV-41).
fn offered(ask: &Ask, answer: Answer) -> Answer {
    let narrower: &[Answer] = match answer {
        Answer::Always => &[Answer::Always, Answer::Session, Answer::Once],
        Answer::Session => &[Answer::Session, Answer::Once],
        Answer::Turn => &[Answer::Turn, Answer::Once],
        Answer::Once => &[Answer::Once],
        Answer::Never => &[Answer::Never],
        Answer::Reject => &[],
    };
    let narrower = if ask.step == 4 { narrower.get(..1).unwrap_or_default() } else { narrower };
    narrower.iter().copied().find(|answer| ask.answers.contains(answer)).unwrap_or(Answer::Reject)
}

/// What an approval is bound to: the tool and its arguments, spelled in one way (PM-66). Other arguments, and it is
/// void.
pub fn digest(tool: &ToolId, args: &Map<String, Value>) -> String {
    let args = canonical_object(args);
    sha256_hex(format!("{tool}\n{args}").as_bytes())
}
