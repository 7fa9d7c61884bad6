//! Lossless repair of values (AR-30, 2 to 4): where the schema has no place for a string but for what the string
//! spells, the string becomes that. Strings stay where strings are allowed, and where nothing is declared.

use serde_json::{Map, Value};

use super::decode::has_too_deep;
use super::place::Place;
use super::precision::push_token;
use super::reader::read;
use super::rules::Rules;
use super::schema::{Applied, Node, NodeId, Schema, Types};
use super::walk::Walk;
use crate::protocol::limits;
use crate::protocol::order::sort;

/// A repaired object, and JSON pointers of what was repaired, sorted.
pub(super) struct Repaired {
    pub(super) members: Map<String, Value>,
    pub(super) places: Vec<String>,
}

/// Repairs what can be repaired; `None` if nothing can. Whether the result satisfies the schema is not said.
pub(super) fn repair(schema: &Schema, rules: &Rules, members: &Map<String, Value>) -> Option<Repaired> {
    let walk = Walk::new(schema, rules);
    let mut repair = Repair { schema, rules, walk, depth: 0, pointer: String::new(), places: Vec::new() };
    let mut value = Value::Object(members.clone());
    repair.visit(schema.root(), &mut value, &Place::ROOT);
    let Value::Object(members) = value else {
        return None;
    };
    let mut places = repair.places;
    sort(&mut places, Ord::cmp);
    places.dedup();
    let is_sound = !places.is_empty() && !repair.walk.is_exhausted() && !has_too_deep(&members);
    is_sound.then_some(Repaired { members, places })
}

struct Repair<'s> {
    schema: &'s Schema,
    rules: &'s Rules,
    /// Says which alternatives fit, and bounds the work.
    walk: Walk<'s>,
    depth: usize,
    pointer: String,
    places: Vec<String>,
}

impl<'s> Repair<'s> {
    fn visit(&mut self, id: NodeId, value: &mut Value, place: &Place) {
        self.walk.spend(1);
        let schema = self.schema;
        let Some(node) =
            schema.node(id).filter(|_| !self.walk.is_exhausted() && self.depth < limits::SCHEMA_DEPTH)
        else {
            return;
        };
        self.depth += 1;
        if let Some(spelled) = value.as_str().and_then(|text| self.spelled(node, text)) {
            *value = spelled;
            self.places.push(self.pointer.clone());
        }
        self.parts(node, value, place);
        for applied in &node.applied {
            self.applied(applied, value, place);
        }
        self.depth -= 1;
    }

    /// What a string spells, if the node has a place for that but none for a string.
    fn spelled(&mut self, node: &Node, text: &str) -> Option<Value> {
        if node.admits.has(Types::STRING) || node.admits.is_empty() {
            return None;
        }
        self.walk.spend(u64::try_from(text.len() / 16).unwrap_or(u64::MAX));
        let spelled = read(text).ok()?;
        let is_exact = match &spelled {
            Value::String(_) => false,
            Value::Array(_) | Value::Object(_) => true,
            // White space around a literal is no part of it.
            _ => text.trim() == text,
        };
        (is_exact && node.admits.has(Types::of(&spelled, self.rules.is_builtin()))).then_some(spelled)
    }

    fn parts(&mut self, node: &'s Node, value: &mut Value, place: &Place) {
        match (value, &node.object, &node.array) {
            (Value::Object(members), Some(rules), _) => {
                for (index, (name, member)) in members.iter_mut().enumerate() {
                    let declared = rules.member(name).map(|member| member.node);
                    let matching = rules.patterns.iter().filter(|(pattern, _)| {
                        self.walk.spend(pattern.cost(name));
                        pattern.matches(name)
                    });
                    let mut nodes: Vec<NodeId> =
                        declared.into_iter().chain(matching.map(|(_, node)| *node)).collect();
                    if nodes.is_empty() {
                        nodes.extend(rules.additional);
                    }
                    for node in nodes {
                        self.below(name, node, member, &place.member(name, index));
                    }
                }
            }
            (Value::Array(items), _, Some(rules)) => {
                for (index, item) in items.iter_mut().enumerate() {
                    if let Some(node) = rules.item(index) {
                        self.below(&index.to_string(), node, item, &place.item(index));
                    }
                }
            }
            _ => {}
        }
    }

    fn below(&mut self, token: &str, node: NodeId, value: &mut Value, place: &Place) {
        let length = self.pointer.len();
        push_token(&mut self.pointer, token);
        self.visit(node, value, place);
        self.pointer.truncate(length);
    }

    fn applied(&mut self, applied: &'s Applied, value: &mut Value, place: &Place) {
        match applied {
            Applied::All(node) => self.visit(*node, value, place),
            Applied::Any(branches) | Applied::One(branches) => self.alternative(branches, value, place),
            Applied::If { condition, then, otherwise } => {
                let holds = self.walk.accepts_at(*condition, value, place);
                self.visit(if holds { *then } else { *otherwise }, value, place);
            }
            Applied::Dependent(name, node) if value.get(&**name).is_some() => self.visit(*node, value, place),
            Applied::Dependent(..) | Applied::Not(_) => {}
        }
    }

    /// If the value fits no branch, the first branch that it fits once repaired decides.
    fn alternative(&mut self, branches: &[NodeId], value: &mut Value, place: &Place) {
        if branches.iter().any(|branch| self.walk.accepts_at(*branch, value, place)) {
            return;
        }
        let size = size(value);
        for branch in branches {
            self.walk.spend(size);
            if self.walk.is_exhausted() {
                return;
            }
            let known = self.places.len();
            let mut candidate = value.clone();
            self.visit(*branch, &mut candidate, place);
            if self.places.len() > known && self.walk.accepts_at(*branch, &candidate, place) {
                *value = candidate;
                return;
            }
            self.places.truncate(known);
        }
    }
}

/// About how much work a copy is, in steps of a check.
fn size(value: &Value) -> u64 {
    match value {
        Value::String(text) => 1 + u64::try_from(text.len() / 256).unwrap_or(u64::MAX),
        Value::Array(items) => 1 + items.iter().map(size).sum::<u64>(),
        Value::Object(members) => 1 + members.values().map(size).sum::<u64>(),
        _ => 1,
    }
}

#[cfg(test)]
#[path = "repair_tests.rs"]
mod tests;
