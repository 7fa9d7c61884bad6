//! The steps of PM-60 that judge one part of an action, 3 to 13. Each settles it or says nothing.

use super::case::{Case, Part};
use super::check::{CheckWord, Query};
use super::mode::Mode;
use super::rule::{Rule, RuleEffect, RuleSource};
use super::subject::CRITICAL_LEVEL;
use super::verdict::{Reason, Word};
use crate::catalog::EffectTrait;
use crate::catalog::profile::Tier;
use crate::protocol::{Code, Mutant};

/// What a step says.
#[derive(Clone, Copy)]
pub(super) struct Ruling<'a> {
    pub word: Word,
    pub step: u8,
    pub reason: Reason,
    /// The code of a denial.
    pub code: Code,
    pub rule: Option<&'a Rule>,
}

impl<'a> Ruling<'a> {
    fn allow(step: u8, reason: Reason) -> Self {
        Self { word: Word::Allow, step, reason, code: Code::PermissionModeDenied, rule: None }
    }

    fn ask(step: u8, reason: Reason) -> Self {
        Self { word: Word::Ask, ..Self::allow(step, reason) }
    }

    fn deny(step: u8, reason: Reason, code: Code) -> Self {
        Self { word: Word::Deny, code, ..Self::allow(step, reason) }
    }

    fn mode_denies(step: u8) -> Self {
        Self::deny(step, Reason::Mode, Code::PermissionModeDenied)
    }

    fn by(self, rule: &'a Rule) -> Self {
        Self { rule: Some(rule), ..self }
    }
}

type Said<'a> = Option<Ruling<'a>>;

/// Judges one part: the first step that settles it wins.
pub(super) fn judge<'a>(case: &Case<'a>, part: &Part<'a>) -> Ruling<'a> {
    denied(case, part)
        .or_else(|| critical(case, part))
        .or_else(|| tool_asks(case, part))
        .or_else(|| unsafe_place(case, part))
        .or_else(|| dangerous(case, part))
        .or_else(|| granted(case, part))
        .or_else(|| ask_rule(case, part))
        .or_else(|| lax_mode(case))
        .or_else(|| allowed(case, part))
        .or_else(|| consent(case))
        .unwrap_or_else(|| mode_table(case, part))
}

/// Steps 3 and 4 alone: what edited arguments must still pass.
pub(super) fn judge_edited<'a>(case: &Case<'a>, part: &Part<'a>) -> Said<'a> {
    denied(case, part).or_else(|| critical(case, part))
}

/// Step 3. A rule, the tier, the server or the tool says no.
pub(super) fn denied<'a>(case: &Case<'a>, part: &Part<'a>) -> Said<'a> {
    let facts = case.facts;
    if facts.tier == Tier::Off {
        return Some(Ruling::deny(3, Reason::Policy, Code::AgentToolDenied));
    }
    let passes = Mutant::DenyForgotten.is_on() && is_full(case);
    if let Some(rule) = facts.rules.strongest(RuleEffect::Deny, case, part).filter(|_| !passes) {
        return Some(Ruling::deny(3, Reason::Rule, Code::PermissionRuleDenied).by(rule));
    }
    if facts.server == Tier::Off {
        return Some(Ruling::deny(3, Reason::Policy, Code::McpToolDisabled));
    }
    let says_no = facts.check.decision == CheckWord::Deny;
    says_no.then(|| Ruling::deny(3, Reason::Tool, Code::PermissionToolDenied))
}

/// Step 4. Only a person with rights lets something critical pass, each time.
fn critical<'a>(case: &Case<'a>, part: &Part<'a>) -> Said<'a> {
    if !part.critical || Mutant::CriticalPasses.is_on() && is_full(case) {
        return None;
    }
    if case.facts.subject.level < CRITICAL_LEVEL {
        return Some(Ruling::deny(4, Reason::Level, Code::PermissionLevelTooLow));
    }
    if case.table(part) == Word::Deny {
        return Some(Ruling::mode_denies(4));
    }
    Some(Ruling::ask(4, Reason::Risk))
}

/// Step 5. The tool's own question. Consent waits until step 12.
fn tool_asks<'a>(case: &Case<'a>, part: &Part<'a>) -> Said<'a> {
    let settled = match case.facts.check.asks()? {
        Query::Choice => false,
        Query::Consent | Query::Unverifiable => true,
        Query::Plain => is_full(case) || case.facts.grants.of(case, part).is_some(),
    };
    (!settled).then(|| Ruling::ask(5, Reason::Tool))
}

/// Step 6. A place that asks for care, unless it was granted as such.
fn unsafe_place<'a>(case: &Case<'a>, part: &Part<'a>) -> Said<'a> {
    if is_full(case) {
        return None;
    }
    let findings = case.findings(part);
    if findings.is_empty() {
        return None;
    }
    let granted = case.facts.grants.of(case, part).unwrap_or_default();
    if findings.iter().all(|finding| granted.contains(finding)) {
        return None;
    }
    Some(asked_or_forbidden(case, part, Ruling::ask(6, Reason::Safety)))
}

/// Step 7. Something dangerous; no grant covers it.
fn dangerous<'a>(case: &Case<'a>, part: &Part<'a>) -> Said<'a> {
    if !part.dangerous || is_full(case) {
        return None;
    }
    Some(asked_or_forbidden(case, part, Ruling::ask(7, Reason::Risk)))
}

/// What the mode forbids is not asked about, unless a rule or a grant allows it.
fn asked_or_forbidden<'a>(case: &Case<'a>, part: &Part<'a>, ask: Ruling<'a>) -> Ruling<'a> {
    let forbidden = case.table(part) == Word::Deny
        && case.facts.rules.strongest(RuleEffect::Allow, case, part).is_none()
        && case.facts.grants.of(case, part).is_none();
    if forbidden { Ruling::mode_denies(ask.step) } else { ask }
}

/// Step 8. A person allowed the same before.
fn granted<'a>(case: &Case<'a>, part: &Part<'a>) -> Said<'a> {
    case.facts.grants.of(case, part).map(|_| Ruling::allow(8, Reason::Grant))
}

/// Step 9. A rule, the tier, the server or a hook wants a person. A tier counts as a rule of the project.
fn ask_rule<'a>(case: &Case<'a>, part: &Part<'a>) -> Said<'a> {
    if is_full(case) {
        return None;
    }
    let facts = case.facts;
    if facts.hook == Some(Word::Ask) {
        return Some(Ruling::ask(9, Reason::Hook));
    }
    let beaten = facts.rules.final_source(case, part);
    let counts = |source: RuleSource| beaten.is_none_or(|beaten| source <= beaten);
    let rule = facts.rules.strongest(RuleEffect::Ask, case, part);
    if let Some(rule) = rule.filter(|rule| counts(rule.source)) {
        return Some(Ruling::ask(9, Reason::Rule).by(rule));
    }
    let asks = [facts.tier, facts.server].contains(&Tier::Ask) && counts(RuleSource::Project);
    asks.then(|| Ruling::ask(9, Reason::Policy))
}

/// Step 10. The two lax modes.
fn lax_mode<'a>(case: &Case<'a>) -> Said<'a> {
    (case.facts.mode.modes.strictest() >= Mode::Allow).then(|| Ruling::allow(10, Reason::Mode))
}

/// Step 11. A rule allows it, or the tool has no objection.
fn allowed<'a>(case: &Case<'a>, part: &Part<'a>) -> Said<'a> {
    if let Some(rule) = case.facts.rules.strongest(RuleEffect::Allow, case, part) {
        return Some(Ruling::allow(11, Reason::Rule).by(rule));
    }
    let fine = case.facts.check.decision == CheckWord::Allow && !part.review;
    fine.then(|| Ruling::allow(11, Reason::Tool))
}

/// Step 12. The question of the tool that a mode or a rule could have answered.
fn consent<'a>(case: &Case<'a>) -> Said<'a> {
    case.facts.check.asks().map(|_| Ruling::ask(12, Reason::Tool))
}

/// Steps 13 and 14. The mode table; a review that nobody can make is a question.
fn mode_table<'a>(case: &Case<'a>, part: &Part<'a>) -> Ruling<'a> {
    let facts = case.facts;
    match case.table(part) {
        Word::Allow => Ruling::allow(13, Reason::Mode),
        Word::Ask => Ruling::ask(13, Reason::Mode),
        Word::Deny => Ruling::mode_denies(13),
        Word::Review => {
            let can_review =
                facts.reviewer && (part.effect == EffectTrait::Read || facts.has_classifier_text);
            let word = if can_review { Word::Review } else { Word::Ask };
            Ruling { word, ..Ruling::ask(14, Reason::Mode) }
        }
    }
}

/// Whether the effective mode is full access.
fn is_full(case: &Case<'_>) -> bool {
    case.facts.mode.modes.strictest() == Mode::FullAccess
}
