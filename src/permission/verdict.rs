//! What a decision comes to.

use serde::Serialize;

use super::approval::Ask;
use super::rule::{Rule, RuleSource};
use crate::catalog::reading::words;
use crate::protocol::Refusal;

words! {
    /// A verdict in one word, from lax to strict.
    #[derive(PartialOrd, Ord)]
    pub enum Word {
        /// It may be done.
        Allow = "allow",
        /// A reviewer is asked, then perhaps a person.
        Review = "review",
        /// A person is asked.
        Ask = "ask",
        /// It is not done.
        Deny = "deny",
    }

    /// What a verdict rests on: the reason code of the journal (PM-57).
    pub enum Reason {
        /// A rule.
        Rule = "rule",
        /// A tier of the profile, or the permission at a server.
        Policy = "policy",
        /// The tool's own word.
        Tool = "tool",
        /// The level of the person.
        Level = "level",
        /// The risk that the action says it has.
        Risk = "risk",
        /// A place that asks for care.
        Safety = "safety",
        /// An earlier answer.
        Grant = "grant",
        /// The mode.
        Mode = "mode",
        /// A hook.
        Hook = "hook",
        /// The reviewer.
        Reviewer = "reviewer",
        /// Nobody can be asked.
        NoApprover = "no_approver",
    }
}

/// What a verdict rests on. For the journal; the model is told in words.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Ground {
    /// The step of PM-60 that settled it.
    pub step: u8,
    /// Why.
    #[serde(rename = "reasonCode")]
    pub reason: Reason,
    /// The rule, if one decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule_id: Option<String>,
    /// Where that rule comes from; of several the strongest (PM-25).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<RuleSource>,
    #[serde(skip)]
    made: Made,
}

/// Nobody outside of the room makes a ground, and so a verdict.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Made;

impl Ground {
    /// A hook said no (step 1).
    pub fn of_hook() -> Self {
        Self::new(1, Reason::Hook, None)
    }

    pub(super) fn new(step: u8, reason: Reason, rule: Option<&Rule>) -> Self {
        let (rule_id, source) = (rule.map(|rule| rule.id.clone()), rule.map(|rule| rule.source));
        Self { step, reason, rule_id, source, made: Made }
    }
}

/// A verdict.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// It may be done.
    Allow(Ground),
    /// It is not done; the model is told.
    Deny(Ground, Refusal),
    /// A person is asked this.
    Ask(Ground, Box<Ask>),
    /// The reviewer is asked. If that does not say it is safe, a person is asked this.
    Review(Ground, Box<Ask>),
}

impl Verdict {
    /// What it rests on.
    pub fn ground(&self) -> &Ground {
        match self {
            Verdict::Allow(ground)
            | Verdict::Deny(ground, _)
            | Verdict::Ask(ground, _)
            | Verdict::Review(ground, _) => ground,
        }
    }

    /// The verdict in one word.
    pub fn word(&self) -> Word {
        match self {
            Verdict::Allow(_) => Word::Allow,
            Verdict::Deny(..) => Word::Deny,
            Verdict::Ask(..) => Word::Ask,
            Verdict::Review(..) => Word::Review,
        }
    }
}
