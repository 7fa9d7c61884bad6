//! Checking a value against a compiled schema: one walk that either stops at the first fault or finds them all.

mod array;
mod finding;
mod object;
mod scalar;
mod union;

use serde_json::Value;

use super::place::Place;
use super::problem::{Problem, Report};
use super::rules::Rules;
use super::schema::{Applied, Node, NodeId, Schema, Types};
use super::wording::{self, Words};
use crate::protocol::limits;
use finding::Findings;

/// One check. It is bounded: in work, and in how deep it goes.
pub(super) struct Walk<'s> {
    schema: &'s Schema,
    rules: &'s Rules,
    /// Above zero: only the verdict counts.
    quiet: usize,
    steps: u64,
    depth: usize,
    findings: Findings,
}

impl<'s> Walk<'s> {
    /// A walk that finds all faults.
    pub(super) fn new(schema: &'s Schema, rules: &'s Rules) -> Self {
        let (steps, findings) = (limits::SCHEMA_STEPS, Findings::default());
        Walk { schema, rules, quiet: 0, steps, depth: 0, findings }
    }

    /// A walk that only says whether there are any.
    pub(super) fn quiet(schema: &'s Schema, rules: &'s Rules) -> Self {
        Walk { quiet: 1, ..Walk::new(schema, rules) }
    }

    /// Whether a value satisfies a node; what could not be checked to the end does not.
    pub(super) fn accepts(&mut self, node: NodeId, value: &Value) -> bool {
        self.accepts_at(node, value, &Place::ROOT)
    }

    /// The same for a value inside the arguments, which a builtin's claims tell apart.
    pub(super) fn accepts_at(&mut self, node: NodeId, value: &Value, place: &Place) -> bool {
        self.quietly(|walk| walk.visit(node, value, place)) && !self.is_exhausted()
    }

    /// All that is wrong with a value that was not accepted.
    pub(super) fn report(mut self, node: NodeId, value: &Value) -> Report {
        self.visit(node, value, &Place::ROOT);
        if self.is_exhausted() {
            return Report::unfinished();
        }
        self.findings.into_report()
    }

    /// Work done outside of the walk, which counts as well.
    pub(super) fn spend(&mut self, steps: u64) {
        self.steps = self.steps.saturating_sub(steps);
    }

    pub(super) fn is_exhausted(&self) -> bool {
        self.steps == 0
    }

    fn quietly<R>(&mut self, check: impl FnOnce(&mut Self) -> R) -> R {
        self.quiet += 1;
        let result = check(self);
        self.quiet -= 1;
        result
    }

    /// Whether the value satisfies the node. A quiet walk stops at the first fault.
    fn visit(&mut self, id: NodeId, value: &Value, place: &Place) -> bool {
        self.spend(1);
        let schema = self.schema;
        let Some(node) = schema.node(id).filter(|_| !self.is_exhausted()) else {
            return false;
        };
        self.depth += 1;
        if self.depth > limits::SCHEMA_DEPTH {
            self.steps = 0;
        }
        let holds = self.node(id, node, value, place);
        self.depth -= 1;
        holds
    }

    fn node(&mut self, id: NodeId, node: &'s Node, value: &Value, place: &Place) -> bool {
        if !node.types.has(Types::of(value, self.rules.is_builtin())) {
            if id == NodeId::NOTHING {
                return self.fault(place, "false", wording::forbidden);
            }
            return self.fault(place, "type", |path| match node.choices.first() {
                Some(choices) => wording::not_a_choice(path, &choices.values, value),
                None => wording::wrong_type(path, node.types, value),
            });
        }
        let mut holds = true;
        for choices in &node.choices {
            holds &= self.choice(choices, value, place);
        }
        if self.is_over(holds) {
            return holds;
        }
        holds &= match value {
            Value::Object(members) => {
                node.object.as_ref().is_none_or(|rules| self.object(rules, members, place))
            }
            Value::Array(items) => node.array.as_ref().is_none_or(|rules| self.array(rules, items, place)),
            Value::String(text) => node.string.as_ref().is_none_or(|rules| self.string(rules, text, place)),
            Value::Number(number) => {
                node.number.as_ref().is_none_or(|rules| self.number(rules, number, place))
            }
            Value::Null | Value::Bool(_) => true,
        };
        for applied in &node.applied {
            if self.is_over(holds) {
                return holds;
            }
            holds &= self.applied(applied, value, place);
        }
        holds
    }

    fn applied(&mut self, applied: &'s Applied, value: &Value, place: &Place) -> bool {
        match applied {
            Applied::All(node) => self.visit(*node, value, place),
            Applied::Any(branches) => self.any(branches, value, place),
            Applied::One(branches) => self.one(branches, value, place),
            Applied::Not(node) => {
                !self.quietly(|walk| walk.visit(*node, value, place))
                    || self.fault(place, "not", |path| wording::excluded(path, value))
            }
            Applied::If { condition, then, otherwise } => {
                let holds = self.quietly(|walk| walk.visit(*condition, value, place));
                self.visit(if holds { *then } else { *otherwise }, value, place)
            }
            Applied::Dependent(name, node) => value.get(&**name).is_none() || self.visit(*node, value, place),
        }
    }

    /// Whether a quiet walk has its answer.
    fn is_over(&self, holds: bool) -> bool {
        !holds && self.quiet > 0
    }

    /// A violation: `false`, unless the tool reports it itself. The words are only made if they may be shown.
    fn fault<W: Into<Words>>(
        &mut self,
        place: &Place,
        keyword: &'static str,
        words: impl FnOnce(&str) -> W,
    ) -> bool {
        self.is_claimed(place, keyword) || self.unclaimed_fault(place, keyword, words)
    }

    fn unclaimed_fault<W: Into<Words>>(
        &mut self,
        place: &Place,
        keyword: &'static str,
        words: impl FnOnce(&str) -> W,
    ) -> bool {
        if self.quiet == 0 {
            self.tell(place, place.order(), keyword, words);
        }
        false
    }

    /// Adds a fault that stands at `order` among the others.
    fn tell<W: Into<Words>>(
        &mut self,
        place: &Place,
        order: Vec<usize>,
        keyword: &'static str,
        words: impl FnOnce(&str) -> W,
    ) {
        if self.findings.is_past(&order) {
            return self.findings.count();
        }
        self.spend(wording::STEPS);
        let path = place.path();
        let Words { text, brief } = words(&path).into();
        self.findings.add(order, Problem { path, keyword, text, brief });
    }

    fn is_claimed(&self, place: &Place, keyword: &str) -> bool {
        self.rules.has_claims() && self.rules.claims(&place.claim(), keyword)
    }
}

#[cfg(test)]
#[path = "walk_tests.rs"]
mod tests;
