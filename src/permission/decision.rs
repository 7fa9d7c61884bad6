//! The decision (PM-60), from the facts to a verdict. Nothing is asked, counted or kept here.

use std::cmp::Reverse;

use serde_json::Value;

use super::approval::{Answer, Ask};
use super::case::{Case, Situation};
use super::refusal;
use super::steps::{self, Ruling, judge, judge_edited};
use super::verdict::{Ground, Reason, Verdict, Word};

/// Decides about one call, steps 2 to 15: each part of its action is judged by itself, and the strictest word counts;
/// of equal ones that of the earliest step (PM-05).
pub fn decide(facts: &Situation<'_>) -> Verdict {
    let case = Case::new(facts);
    let rulings = case.judged().map(|part| hooked(&case, judge(&case, part)));
    match strictest(rulings) {
        Some(ruling) => verdict(&case, ruling),
        // An action without parts is a part itself.
        None => Verdict::Allow(Ground::new(13, Reason::Mode, None)),
    }
}

/// Whether something says no by now, whatever was said before (step 3, IV-40).
pub fn denied(facts: &Situation<'_>) -> Option<Verdict> {
    let case = Case::new(facts);
    let ruling = strictest(case.judged().filter_map(|part| steps::denied(&case, part)))?;
    Some(verdict(&case, ruling))
}

/// Decides about a call whose arguments a person edited while approving it: steps 2 to 4. `None`: it may go on. What
/// has become critical needs the one answer that such an action needs (IV-41).
pub fn decide_edited(facts: &Situation<'_>, answer: Answer) -> Option<Verdict> {
    let case = Case::new(facts);
    let ruling = strictest(case.judged().filter_map(|part| judge_edited(&case, part)))?;
    if ruling.word == Word::Ask && answer == Answer::Once {
        return None;
    }
    Some(verdict(&case, ruling))
}

/// The verdict after a review that was asked for (step 14): a safe one lets the call pass, any other outcome, or no
/// answer, is a question to a person.
pub fn reviewed(review: Option<&Value>, ask: Box<Ask>, approver: bool) -> Verdict {
    if review.is_some_and(is_safe) {
        return Verdict::Allow(Ground::new(14, Reason::Reviewer, None));
    }
    if approver { Verdict::Ask(Ground::new(14, Reason::Mode, None), ask) } else { unasked(&ask) }
}

/// Whether the reviewer's answer lets a call pass: safe, and sure of it (step 14).
pub(super) fn is_safe(review: &Value) -> bool {
    let confidence = review.get("confidence").and_then(Value::as_f64).unwrap_or_default();
    review.get("verdict").and_then(Value::as_str) == Some("safe") && (0.8..=1.0).contains(&confidence)
}

/// The verdict when there is nobody to put a question to (step 15).
pub fn unasked(ask: &Ask) -> Verdict {
    Verdict::Deny(Ground::new(15, Reason::NoApprover, None), refusal::no_approver(ask.reason))
}

fn strictest<'a>(rulings: impl Iterator<Item = Ruling<'a>>) -> Option<Ruling<'a>> {
    rulings.max_by_key(|ruling| (ruling.word, Reverse(ruling.step)))
}

/// A hook's word to allow answers the questions of steps 12 to 14, no others (HK-05, PM-65).
fn hooked<'a>(case: &Case<'a>, ruling: Ruling<'a>) -> Ruling<'a> {
    let asks = matches!(ruling.word, Word::Ask | Word::Review) && ruling.step >= 12;
    if asks && case.facts.hook == Some(Word::Allow) {
        return Ruling { word: Word::Allow, reason: Reason::Hook, ..ruling };
    }
    ruling
}

fn verdict(case: &Case<'_>, ruling: Ruling<'_>) -> Verdict {
    let ground = Ground::new(ruling.step, ruling.reason, ruling.rule);
    match ruling.word {
        Word::Allow => Verdict::Allow(ground),
        Word::Deny => Verdict::Deny(ground, refusal::denied(case, &ruling)),
        Word::Review => Verdict::Review(ground, Box::new(Ask::new(case, &ruling))),
        Word::Ask => {
            let ask = Ask::new(case, &ruling);
            if case.facts.approver { Verdict::Ask(ground, Box::new(ask)) } else { unasked(&ask) }
        }
    }
}
