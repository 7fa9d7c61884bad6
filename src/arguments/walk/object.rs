//! Objects: what must be there, what may be there, and what each member is.

use serde_json::{Map, Value};

use super::Walk;
use crate::arguments::place::Place;
use crate::arguments::rules::is_raw;
use crate::arguments::schema::{NodeId, ObjectRules, Schema, Types};
use crate::arguments::wording;

impl<'s> Walk<'s> {
    pub(super) fn object(
        &mut self,
        rules: &'s ObjectRules,
        members: &Map<String, Value>,
        place: &Place,
    ) -> bool {
        let mut holds = self.presence(rules, members, place);
        for (index, (name, value)) in members.iter().enumerate() {
            if self.is_over(holds) {
                return holds;
            }
            holds &= self.member(rules, members, name, value, &place.member(name, index));
        }
        holds
    }

    /// Which members must be there, and how many.
    fn presence(&mut self, rules: &'s ObjectRules, members: &Map<String, Value>, place: &Place) -> bool {
        let mut holds = true;
        for name in &rules.required {
            if !members.contains_key(&**name) {
                let words =
                    |schema: &Schema, path: &str| wording::missing(path, name, schema, rules, members);
                holds &= self.absent(place, name, "required", words);
            }
            if self.is_over(holds) {
                return holds;
            }
        }
        for (name, needed) in &rules.dependent {
            if !members.contains_key(&**name) {
                continue;
            }
            for needed in needed.iter().filter(|needed| !members.contains_key(&***needed)) {
                holds &=
                    self.absent(place, needed, "dependentRequired", |_, path| wording::needed(path, name));
            }
        }
        let words =
            |path: &str| wording::out_of_count(path, rules.count, members.len(), ["member", "members"]);
        if rules.count.too_few(members.len()) {
            holds &= self.fault(place, "minProperties", words);
        } else if rules.count.too_many(members.len()) {
            holds &= self.fault(place, "maxProperties", words);
        }
        holds
    }

    /// A missing member: it is named as if it were there, and stands where its object does.
    fn absent(
        &mut self,
        place: &Place,
        name: &str,
        keyword: &'static str,
        words: impl FnOnce(&'s Schema, &str) -> String,
    ) -> bool {
        let member = place.member(name, 0);
        let schema = self.schema;
        if self.is_claimed(&member, keyword) {
            return true;
        }
        if self.quiet == 0 {
            self.tell(&member, place.order(), keyword, |path| words(schema, path));
        }
        false
    }

    fn member(
        &mut self,
        rules: &'s ObjectRules,
        members: &Map<String, Value>,
        name: &str,
        value: &Value,
        place: &Place,
    ) -> bool {
        let mut holds = true;
        if let Some(names) = rules.names {
            let text = Value::from(name);
            if !self.quietly(|walk| walk.visit(names, &text, place)) {
                let schema = self.schema;
                holds &= self.fault(place, "propertyNames", |path| wording::bad_name(path, schema, names));
            }
        }
        let mut is_known = false;
        if let Some(member) = rules.member(name) {
            is_known = true;
            if self.rules.is_builtin() && self.is_blank(rules, name, value, member.node) {
                let (schema, node) = (self.schema, member.node);
                return self.fault(place, "minLength", |path| wording::blank(path, schema, node)) && holds;
            }
            if value.is_null() && !rules.requires(name) && !self.admits(member.node, Types::NULL) {
                let (schema, node) = (self.schema, member.node);
                return self.fault(place, "type", |path| wording::null(path, schema, node)) && holds;
            }
            holds &= self.visit(member.node, value, place);
        }
        for (pattern, node) in &rules.patterns {
            self.spend(pattern.cost(name));
            if !self.is_exhausted() && pattern.matches(name) {
                is_known = true;
                holds &= self.visit(*node, value, place);
            }
        }
        if is_known {
            return holds;
        }
        match rules.additional {
            None => holds,
            Some(NodeId::NOTHING) => {
                self.fault(place, "additionalProperties", |path| wording::unknown(path, name, rules, members))
                    && holds
            }
            Some(node) => self.visit(node, value, place) && holds,
        }
    }

    /// For a builtin, a required string must say something, unless it is raw (AR-20).
    fn is_blank(&self, rules: &ObjectRules, name: &str, value: &Value, node: NodeId) -> bool {
        let is_empty = value.as_str().is_some_and(|text| text.trim().is_empty());
        is_empty && rules.requires(name) && !is_raw(name) && self.admits(node, Types::STRING)
    }

    fn admits(&self, node: NodeId, types: Types) -> bool {
        self.schema.node(node).is_some_and(|node| node.admits.has(types))
    }
}
