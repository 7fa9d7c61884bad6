//! All rules that hold now, the host's and those that answers brought.

use serde_json::Value;

use super::case::{Case, Part};
use super::denial::Denials;
use super::rule::{Rule, RuleEffect, RuleSource, Until};
use crate::catalog::matches;
use crate::catalog::reading::{Place, Read};
use crate::protocol::order::sort;
use crate::protocol::{Code, Fault};

/// The rules, by what they say; each list has the strongest sources first (PM-25).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RuleBook {
    deny: Vec<Rule>,
    ask: Vec<Rule>,
    allow: Vec<Rule>,
    /// Those of sessions; they come behind the rules that deny.
    pub denials: Denials,
}

impl RuleBook {
    /// Reads the member `rules` of the command `rules.set`. The new list replaces the old one.
    ///
    /// # Errors
    /// `command.invalid`, naming the member; also for an id that stands twice.
    pub fn decode(rules: &Value) -> Result<Self, Fault> {
        let place = Place::document("command", Code::CommandInvalid).member("rules");
        let rules = Vec::<Rule>::read(rules, &place)?;
        let mut order: Vec<usize> = (0..rules.len()).collect();
        let id = |index: &usize| rules.get(*index).map(|rule| rule.id.as_str());
        sort(&mut order, |a, b| id(a).cmp(&id(b)));
        let twice = order.windows(2).find_map(|pair| match pair {
            [a, b] if id(a) == id(b) => Some(*b),
            _ => None,
        });
        if let Some(index) = twice {
            return Err(place.item(index).member("id").fault("stands twice"));
        }
        let mut book = Self::default();
        for rule in rules {
            book.list(rule.effect).push(rule);
        }
        for list in [&mut book.deny, &mut book.ask, &mut book.allow] {
            sort(list, |a, b| a.source.cmp(&b.source));
        }
        Ok(book)
    }

    /// The host sets other rules; what was denied in sessions stays denied.
    pub fn replace(&mut self, rules: Self) {
        let denials = std::mem::take(&mut self.denials);
        *self = Self { denials, ..rules };
    }

    /// Adds a rule; one with the same id is replaced.
    pub fn add(&mut self, rule: Rule) {
        for list in [&mut self.deny, &mut self.ask, &mut self.allow] {
            list.retain(|known| known.id != rule.id);
        }
        let list = self.list(rule.effect);
        let place = list.iter().position(|known| known.source > rule.source).unwrap_or(list.len());
        list.insert(place, rule);
    }

    /// A run has ended, and with it the rules that held so long ([`Until::Turn`]). What forbids or asks holds on while
    /// other runs go on: it may have been set for one of them.
    pub fn end_turn(&mut self, is_last: bool) {
        let stays = |rule: &Rule| rule.until != Until::Turn;
        self.allow.retain(stays);
        if is_last {
            self.deny.retain(stays);
            self.ask.retain(stays);
        }
    }

    /// A session is deleted, and with it the rules that held so long ([`Until::Session`]) and are not about others. What
    /// forbids or asks holds on while there are other sessions, unless it is about this one alone.
    pub fn end_session(&mut self, session: &str, is_last: bool) {
        let ends = |rule: &Rule| {
            rule.until == Until::Session && rule.session().is_none_or(|pattern| matches(pattern, session))
        };
        self.allow.retain(|rule| !ends(rule));
        for list in [&mut self.deny, &mut self.ask] {
            list.retain(|rule| !(ends(rule) && (is_last || rule.session() == Some(session))));
        }
        self.denials.end_session(session);
    }

    /// Whether a rule with an action or a pattern could be about a tool in a session: then the parts of its actions matter
    /// (PM-55).
    pub fn looks_into(&self, tool: &str, alias: &str, session: &str) -> bool {
        let rules = self.deny.iter().chain(&self.ask).chain(&self.allow);
        let mut rules = rules.chain(self.denials.of(session));
        rules.any(|rule| rule.is_partial() && (matches(&rule.tool, tool) || matches(&rule.tool, alias)))
    }

    /// Whether there is a word on some call of a tool that is no denial.
    pub(super) fn could_ask_or_allow(&self, case: &Case<'_>) -> bool {
        self.ask.iter().chain(&self.allow).any(|rule| rule.could_hit(case))
    }

    /// Whether there are rules with this effect that are about contents.
    pub(super) fn has_patterns(&self, effect: RuleEffect, session: &str) -> bool {
        self.those(effect, session).any(|rule| rule.pattern.is_some())
    }

    /// Whether one of those is about the content of this action.
    pub(super) fn say_of_content(&self, effect: RuleEffect, case: &Case<'_>) -> bool {
        let rules = self.those(effect, &case.facts.asker.session);
        let mut rules = rules.filter(|rule| rule.pattern.is_some());
        rules.any(|rule| case.judged().any(|part| rule.hits(case, part)))
    }

    /// The strongest rule with this effect that hits a part, or what the part belongs to.
    pub(super) fn strongest(&self, effect: RuleEffect, case: &Case<'_>, part: &Part<'_>) -> Option<&Rule> {
        let mut rules = self.those(effect, &case.facts.asker.session);
        rules.find(|rule| case.chain(part).any(|part| rule.hits(case, part)))
    }

    /// The strongest source of a final allow rule that hits a part.
    pub(super) fn final_source(&self, case: &Case<'_>, part: &Part<'_>) -> Option<RuleSource> {
        let mut finals = self.allow.iter().filter(|rule| rule.is_final);
        finals.find(|rule| case.chain(part).any(|part| rule.hits(case, part))).map(|rule| rule.source)
    }

    fn those(&self, effect: RuleEffect, session: &str) -> impl Iterator<Item = &Rule> {
        let (rules, denials) = match effect {
            RuleEffect::Deny => (&self.deny, Some(self.denials.of(session))),
            RuleEffect::Ask => (&self.ask, None),
            RuleEffect::Allow => (&self.allow, None),
        };
        rules.iter().chain(denials.into_iter().flatten())
    }

    fn list(&mut self, effect: RuleEffect) -> &mut Vec<Rule> {
        match effect {
            RuleEffect::Deny => &mut self.deny,
            RuleEffect::Ask => &mut self.ask,
            RuleEffect::Allow => &mut self.allow,
        }
    }
}
