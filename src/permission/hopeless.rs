//! Tools of which no call would be made, whatever it is about (VS-05).

use super::case::{Case, Situation};
use super::mode::Column;
use super::verdict::Word;
use crate::catalog::profile::Tier;

/// Whether the mode table denies every call of a tool, and no rule, tier or grant could say otherwise. The facts are
/// those of its mildest call.
pub fn is_hopeless(facts: &Situation<'_>) -> bool {
    let case = Case::new(facts);
    let mildest = Column::of(facts.control, facts.effect, facts.bounded, false, || true);
    facts.mode.modes.say(mildest, facts.subject.level) == Word::Deny
        && ![facts.tier, facts.server].contains(&Tier::Ask)
        && !facts.rules.could_ask_or_allow(&case)
        && !facts.grants.name(facts.tool)
}
