//! Arrays: how many items, which, and what each is.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Walk;
use crate::arguments::equality::{canonical, equal};
use crate::arguments::place::Place;
use crate::arguments::schema::{ArrayRules, NodeId, Range};
use crate::arguments::wording;

/// So few items are compared with one another faster than they are spelled.
const FEW: usize = 8;

impl<'s> Walk<'s> {
    pub(super) fn array(&mut self, rules: &'s ArrayRules, items: &[Value], place: &Place) -> bool {
        let mut holds = true;
        let words = |path: &str| wording::out_of_count(path, rules.count, items.len(), ["item", "items"]);
        if rules.count.too_few(items.len()) {
            holds &= self.fault(place, "minItems", words);
        } else if rules.count.too_many(items.len()) {
            holds &= self.fault(place, "maxItems", words);
        }
        for (index, item) in items.iter().enumerate() {
            if self.is_over(holds) {
                return holds;
            }
            if let Some(node) = rules.item(index) {
                holds &= self.visit(node, item, &place.item(index));
            }
        }
        if let Some((node, range)) = rules.contains {
            holds &= self.contains(node, range, items, place);
        }
        if rules.unique && !self.is_over(holds) {
            holds &= self.unique(items, place);
        }
        holds
    }

    fn contains(&mut self, node: NodeId, range: Range, items: &[Value], place: &Place) -> bool {
        let mut found = 0;
        for (index, item) in items.iter().enumerate() {
            // Without an upper end the answer is known early.
            if range.most.is_none() && !range.too_few(found) {
                return true;
            }
            found += usize::from(self.quietly(|walk| walk.visit(node, item, &place.item(index))));
        }
        let schema = self.schema;
        range.holds(found)
            || self.fault(place, "contains", |path| wording::contains(path, range, found, schema, node))
    }

    fn unique(&mut self, items: &[Value], place: &Place) -> bool {
        if items.len() <= FEW {
            for (second, item) in items.iter().enumerate() {
                if let Some(first) = items.iter().take(second).position(|other| equal(other, item)) {
                    return self.fault(place, "uniqueItems", |path| wording::repeated(path, first, second));
                }
            }
            return true;
        }
        let mut seen = BTreeMap::new();
        for (index, item) in items.iter().enumerate() {
            let spelling = canonical(item);
            self.spend(u64::try_from(spelling.len() / 16).unwrap_or(u64::MAX));
            if let Some(first) = seen.insert(spelling, index) {
                return self.fault(place, "uniqueItems", |path| wording::repeated(path, first, index));
            }
        }
        true
    }
}
