//! `anyOf` and `oneOf`. When no branch fits, the fault of the branch that was meant is told, not of all of them.

use serde_json::{Map, Value};

use super::Walk;
use super::finding::Findings;
use crate::arguments::equality::equal;
use crate::arguments::place::Place;
use crate::arguments::schema::{Applied, Node, NodeId, Types};
use crate::arguments::wording;

/// A member by whose value the branches of a union tell themselves apart.
#[derive(Clone, Copy)]
struct Tag<'s> {
    name: &'s str,
    values: &'s [Value],
    required: bool,
}

impl<'s> Walk<'s> {
    pub(super) fn any(&mut self, branches: &'s [NodeId], value: &Value, place: &Place) -> bool {
        let fits = |walk: &mut Self| branches.iter().any(|branch| walk.visit(*branch, value, place));
        self.quietly(fits) || self.closest("anyOf", branches, value, place)
    }

    pub(super) fn one(&mut self, branches: &'s [NodeId], value: &Value, place: &Place) -> bool {
        let fitting = self.quietly(|walk| {
            let fitting =
                branches.iter().enumerate().filter(|(_, branch)| walk.visit(**branch, value, place));
            fitting.map(|(index, _)| index).take(2).collect::<Vec<_>>()
        });
        match fitting.as_slice() {
            [] => self.closest("oneOf", branches, value, place),
            [_] => true,
            [first, second, ..] => {
                let schema = self.schema;
                let pair = [*first, *second].map(|index| branches.get(index).copied());
                self.fault(place, "oneOf", |path| wording::several(path, schema, pair))
            }
        }
    }

    /// Tells what is wrong when no branch fits; `true` only for what a builtin claims.
    fn closest(
        &mut self,
        keyword: &'static str,
        branches: &'s [NodeId],
        value: &Value,
        place: &Place,
    ) -> bool {
        if self.quiet > 0 || self.findings.is_past(&place.order()) {
            return self.fault(place, keyword, |path| wording::no_alternative(path, value));
        }
        self.spend(wording::STEPS.saturating_mul(u64::try_from(branches.len()).unwrap_or(u64::MAX)));
        if let Some(values) = self.literals(branches) {
            return self.fault(place, "enum", |path| wording::not_a_choice(path, &values, value));
        }
        let kind = Types::of(value, self.rules.is_builtin());
        let admits = |id: &NodeId| self.schema.node(*id).map_or(Types::NONE, |node| node.admits);
        let meant: Vec<NodeId> = branches.iter().copied().filter(|branch| admits(branch).has(kind)).collect();
        if meant.is_empty() {
            let types = branches.iter().map(admits).fold(Types::NONE, Types::or);
            return self.fault(place, "type", |path| wording::wrong_type(path, types, value));
        }
        let meant = match value {
            Value::Object(members) => match self.tagged(&meant, members, place) {
                Ok(meant) => meant,
                Err(claimed) => return claimed,
            },
            _ => meant,
        };
        let outer = std::mem::take(&mut self.findings);
        let mut closest: Option<Findings> = None;
        for branch in meant {
            self.visit(branch, value, place);
            let findings = std::mem::take(&mut self.findings);
            if closest.as_ref().is_none_or(|closest| findings.distance() < closest.distance()) {
                closest = Some(findings);
            }
        }
        self.findings = outer;
        match closest.filter(|closest| closest.distance().1 > 0) {
            Some(closest) => self.findings.merge(closest),
            None => return self.fault(place, keyword, |path| wording::no_alternative(path, value)),
        }
        false
    }

    /// The values of all branches, if each of them is nothing but a choice of values.
    fn literals(&self, branches: &[NodeId]) -> Option<Vec<Value>> {
        let mut values = Vec::new();
        for branch in branches {
            match self.schema.node(*branch)?.choices.as_slice() {
                [choices] => values.extend(choices.values.iter().cloned()),
                _ => return None,
            }
        }
        Some(values)
    }

    /// The branches whose tag is the value's own, where all branches tell themselves apart by a constant member.
    /// `Err`: the tag itself is at fault, which has been told.
    fn tagged(
        &mut self,
        branches: &[NodeId],
        members: &Map<String, Value>,
        place: &Place,
    ) -> Result<Vec<NodeId>, bool> {
        let tags: Vec<Vec<Tag<'s>>> = branches.iter().map(|branch| self.constants(*branch)).collect();
        let of = |tags: &[Tag<'s>], name: &str| tags.iter().find(|tag| tag.name == name).copied();
        let is_common =
            |tag: &&Tag| branches.len() > 1 && tags.iter().all(|tags| of(tags, tag.name).is_some());
        let Some(Tag { name, .. }) = tags.first().and_then(|tags| tags.iter().find(is_common)) else {
            return Ok(branches.to_vec());
        };
        let tags: Vec<Tag> = tags.iter().filter_map(|tags| of(tags, name)).collect();
        let all = || tags.iter().flat_map(|tag| tag.values).cloned().collect::<Vec<Value>>();
        let Some((index, (_, value))) = members.iter().enumerate().find(|(_, (other, _))| other == name)
        else {
            if !tags.iter().all(|tag| tag.required) {
                return Ok(branches.to_vec());
            }
            let member = place.member(name, 0);
            self.tell(&member, place.order(), "required", |path| wording::missing_tag(path, &all()));
            return Err(false);
        };
        let chosen =
            branches.iter().zip(&tags).filter(|(_, tag)| tag.values.iter().any(|one| equal(one, value)));
        let chosen: Vec<NodeId> = chosen.map(|(branch, _)| *branch).collect();
        if chosen.is_empty() {
            let member = place.member(name, index);
            return Err(self.fault(&member, "enum", |path| wording::not_a_choice(path, &all(), value)));
        }
        Ok(chosen)
    }

    /// The members of an object branch that have fixed values.
    fn constants(&self, branch: NodeId) -> Vec<Tag<'s>> {
        let mut found = Vec::new();
        for object in self.chain(branch).into_iter().filter_map(|node| node.object.as_ref()) {
            for member in &object.declared {
                let choices = self.chain(member.node).into_iter().flat_map(|node| &node.choices).next();
                found.extend(choices.map(|choices| Tag {
                    name: &member.name,
                    values: &choices.values,
                    required: object.requires(&member.name),
                }));
            }
        }
        found
    }

    /// A node and those that always apply with it.
    fn chain(&self, id: NodeId) -> Vec<&'s Node> {
        let (mut chain, mut rest) = (Vec::new(), vec![id]);
        while let Some(node) = rest.pop().and_then(|id| self.schema.node(id)) {
            chain.push(node);
            rest.extend(node.applied.iter().filter_map(|applied| match applied {
                Applied::All(id) => Some(*id),
                _ => None,
            }));
        }
        chain
    }
}
