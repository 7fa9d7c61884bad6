//! What the model reads of a denial: who decided (a person, a rule, the mode, the absence of a person), and what it
//! may do instead. Never a tool id, never the insides of a rule (PM-57).

use super::case::Case;
use super::mode::Mode;
use super::rule::{Rule, RuleSource};
use super::steps::Ruling;
use super::verdict::{Reason, Word};
use crate::catalog::EffectTrait;
use crate::protocol::limits::REASON_CHARS;
use crate::protocol::{Code, ReceiptOutcome, Refusal};

/// The denial of a decision.
pub(super) fn denied(case: &Case<'_>, ruling: &Ruling<'_>) -> Refusal {
    let text = match ruling.code {
        Code::PermissionRuleDenied => {
            let whose = ruling.rule.map_or("", |rule| of_source(rule.source));
            if case.facts.action.unknown && ruling.rule.is_some_and(Rule::is_partial) {
                let text = format!(
                    "This call was not allowed: what it would do could not be found out, and a rule{whose} forbids some \
                     calls of this tool. Try again with other arguments, or continue without it."
                );
                return Refusal::new(ruling.code, text);
            }
            format!("This call was not allowed: a rule{whose} forbids it. Continue without it, or ask the user whether \
                     there is another way.")
        }
        Code::AgentToolDenied => "This tool is not available in this run. Continue without it.".to_owned(),
        Code::McpToolDisabled => {
            "This call was not allowed: the user has switched this tool off. Continue without it, or ask the user to \
             switch it on.".to_owned()
        }
        Code::PermissionToolDenied => tool_denied(case.facts.check.reason.as_deref()).message,
        Code::PermissionLevelTooLow => {
            "This call was not allowed: it is critical, and the person this run works for has too few rights to allow \
             it. Continue without it."
                .to_owned()
        }
        _ => mode_denied(case),
    };
    Refusal::new(ruling.code, text)
}

/// The tool itself refuses, before or while it runs (XT-11).
pub fn tool_denied(reason: Option<&str>) -> Refusal {
    let text = match reason.map(short).filter(|reason| !reason.is_empty()) {
        Some(reason) => format!("This tool refused the call: {reason}. Do not repeat it unchanged."),
        None => "This tool refused the call. Do not repeat it unchanged.".to_owned(),
    };
    Refusal::new(Code::PermissionToolDenied, text)
}

/// A hook refuses.
pub fn hook_denied(reason: Option<&str>) -> Refusal {
    let text = match reason.map(short).filter(|reason| !reason.is_empty()) {
        Some(reason) => {
            format!("This call was not allowed by a check of this app: {reason}. Do not repeat it unchanged.")
        }
        None => "This call was not allowed by a check of this app. Do not repeat it unchanged.".to_owned(),
    };
    Refusal::new(Code::PermissionHookDenied, text)
}

/// A hook refuses what a call returned: it has been made, and nobody sees what came of it.
pub(super) fn held_back(reason: Option<&str>) -> Refusal {
    let why = reason.map(short).filter(|reason| !reason.is_empty());
    let why = why.map(|reason| format!(": {reason}")).unwrap_or_default();
    let text = format!(
        "This call has been made, and a check of this app holds back what it returned{why}. Do not repeat it unchanged."
    );
    Refusal::new(Code::PermissionHookDenied, text)
}

/// Hooks rewrote the arguments again and again (HK-09).
pub fn rewrite_loop() -> Refusal {
    let text = "This call was not run: checks of this app kept changing its arguments. Continue without it.";
    Refusal::new(Code::HookRewriteLoop, text)
}

/// Hooks made arguments that the tool cannot take. What they put in is not said.
pub fn rewritten_badly() -> Refusal {
    let text = "This call was not run: a check of this app changed its arguments, and this tool cannot take them so. \
                Continue without it, or tell the user.";
    Refusal::new(Code::ToolInvalidArguments, text)
}

/// A person said no.
pub fn rejected(message: Option<&str>, lasting: bool) -> Refusal {
    let again = if lasting { "It will not be allowed later in this session either. " } else { "" };
    let text = match message.map(short).filter(|message| !message.is_empty()) {
        Some(message) => format!(
            "The user did not allow this call and said: {message}. {again}Do not repeat it unchanged."
        ),
        None => format!(
            "The user did not allow this call. {again}Do not repeat it unchanged; continue without it, or ask the user \
             what to do instead."
        ),
    };
    Refusal::new(Code::PermissionRejected, text)
}

/// No answer came to a question.
pub fn unanswered(outcome: ReceiptOutcome) -> Refusal {
    match outcome {
        ReceiptOutcome::TimedOut => Refusal::new(
            Code::PermissionTimeout,
            "This call was not run: it needs a person's consent, and nobody answered in time. Continue without it, or \
             ask the user.",
        ),
        _ => no_approver(Reason::NoApprover),
    }
}

/// There is nobody to ask.
pub(super) fn no_approver(why: Reason) -> Refusal {
    let why = match why {
        Reason::Risk => "it is marked as risky and ",
        Reason::Safety => "it touches a protected place and ",
        _ => "it ",
    };
    let text = format!(
        "This call was not run: {why}needs a person's consent, and nobody can be asked here. Continue without it."
    );
    Refusal::new(Code::PermissionNoApprover, text)
}

fn of_source(source: RuleSource) -> &'static str {
    match source {
        RuleSource::Policy => " of a policy",
        RuleSource::Host => " of this app",
        RuleSource::Session => " of this session",
        RuleSource::Local | RuleSource::User => " of the user",
        RuleSource::Project => " of this project",
    }
}

fn mode_denied(case: &Case<'_>) -> String {
    let (effect, mode) = case
        .ruled(Word::Deny)
        .map_or((EffectTrait::Write, Mode::ReadOnly), |(part, mode)| (part.effect, mode));
    if case.facts.mode.planning && mode == Mode::ReadOnly {
        return "This call was not allowed: the run is planning, and nothing is changed until planning is left. Go on \
                with the plan, or ask the user to leave planning first."
            .to_owned();
    }
    let what = match effect {
        EffectTrait::Exec => "running code or other programs",
        _ => "changing anything",
    };
    format!(
        "This call was not allowed: {what} is off in the current mode ({}). Continue without it or ask the user.",
        mode.as_str()
    )
}

/// The beginning of a reason that somebody else wrote, without its full stop.
fn short(reason: &str) -> String {
    let reason = reason.trim().trim_end_matches('.');
    let mut short: String = reason.chars().take(REASON_CHARS).collect();
    if short.len() < reason.len() {
        short.push('…');
    }
    short
}
