//! Who may do what: permission, questions to a person, hooks (chapter 04).
//!
//! - Comes in: a checked call, and a [`Situation`]: all facts a decision depends on, as plain data.
//! - Goes out: a [`Verdict`]; of a question an [`Ask`], plain facts that can be kept; of an answer, what follows from
//!   it ([`Answered`]); of both a [`Leave`], and by it [`Permitted`].
//! - Invariants: a deny rule always holds; something critical passes only by a person's word for this one call; the
//!   verdict does not depend on where the tool comes from; nothing is kept or counted here.
//! - Refuses with the codes `permission.*`, `hook.rewrite_loop`, `agent.tool_denied`, `mcp.tool_disabled`.
//! - Not here: emitting effects and keeping what they answer (room `session`).

mod action;
mod address;
mod answer;
mod approval;
mod bounds;
mod case;
mod check;
mod content;
mod decision;
mod denial;
mod grant;
mod hook;
mod hook_answer;
mod hopeless;
mod inspection;
mod leave;
mod mode;
mod path;
mod port;
mod preview;
mod refusal;
mod rule;
mod rule_book;
mod safety;
mod steps;
mod subject;
mod template;
mod verdict;

#[cfg(test)]
mod tests;

pub use action::{Action, effect_of};
pub use answer::{Answered, Consent, Given, answered, digest, follow};
pub use approval::{Answer, Ask, Request};
pub use bounds::Bounds;
pub use case::{Asker, Situation};
pub use check::{Check, CheckWord, Query};
pub use content::{Content, matches_command};
pub use decision::{decide, decide_edited, denied, reviewed, unasked};
pub use denial::Denials;
pub use grant::{Grant, Grants, Key};
pub use hook::{Hook, Hooks, Point};
pub use hook_answer::{Heard, HookAnswer, ResultChange, apply_after, count_rewrite, labelled};
pub use hopeless::is_hopeless;
pub use inspection::Inspection;
pub use leave::{Leave, Permitted, permit_by};
pub use mode::{Mode, Modes, Setting, mode_of};
pub use port::{Access, Opened, port_allows, protected, search_shows};
pub use preview::Preview;
pub use refusal::{hook_denied, rejected, rewrite_loop, rewritten_badly, tool_denied, unanswered};
pub use rule::{Rule, RuleEffect, RuleSource, Until, Who};
pub use rule_book::RuleBook;
pub use safety::{Finding, findings};
pub use subject::{Subject, level};
pub use template::{sentence, value as fill};
pub use verdict::{Ground, Reason, Verdict, Word};
