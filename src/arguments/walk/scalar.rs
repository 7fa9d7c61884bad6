//! Values without parts.

use std::cmp::Ordering;

use serde_json::{Number, Value};

use super::Walk;
use crate::arguments::equality::equal;
use crate::arguments::number::compare;
use crate::arguments::place::Place;
use crate::arguments::schema::{Choices, NumberRules, StringRules};
use crate::arguments::wording;

impl Walk<'_> {
    pub(super) fn choice(&mut self, choices: &Choices, value: &Value, place: &Place) -> bool {
        let is_one = match value {
            Value::String(text) => choices.strings.contains(text.as_str()),
            _ => {
                self.spend(u64::try_from(choices.values.len()).unwrap_or(u64::MAX));
                choices.values.iter().any(|choice| equal(choice, value))
            }
        };
        is_one
            || self.fault(place, choices.keyword, |path| wording::not_a_choice(path, &choices.values, value))
    }

    pub(super) fn string(&mut self, rules: &StringRules, text: &str, place: &Place) -> bool {
        let mut holds = true;
        if rules.length.least.is_some() || rules.length.most.is_some() {
            let length = text.chars().count();
            let words =
                |path: &str| wording::out_of_count(path, rules.length, length, ["character", "characters"]);
            if rules.length.too_few(length) {
                holds &= self.fault(place, "minLength", words);
            } else if rules.length.too_many(length) {
                holds &= self.fault(place, "maxLength", words);
            }
        }
        if let Some(pattern) = &rules.pattern {
            self.spend(pattern.cost(text));
            if !self.is_exhausted() && !pattern.matches(text) {
                holds &=
                    self.fault(place, "pattern", |path| wording::no_match(path, pattern.written(), text));
            }
        }
        holds
    }

    pub(super) fn number(&mut self, rules: &NumberRules, number: &Number, place: &Place) -> bool {
        let text = number.as_str();
        let ends = [
            ("minimum", &rules.minimum, Ordering::Less, false),
            ("exclusiveMinimum", &rules.above, Ordering::Less, true),
            ("maximum", &rules.maximum, Ordering::Greater, false),
            ("exclusiveMaximum", &rules.below, Ordering::Greater, true),
        ];
        let mut holds = true;
        for (keyword, end, beyond, exclusive) in ends {
            let Some(end) = end else { continue };
            let order = compare(text, end);
            if order != beyond && !(exclusive && order == Ordering::Equal) {
                continue;
            }
            // The tool that claims a minimum speaks of zero and the like; below that it is a bad argument (10).
            let words = |path: &str| wording::out_of_range(path, rules, text);
            if keyword == "minimum" && compare(text, "0") == Ordering::Less {
                holds &= self.unclaimed_fault(place, keyword, words);
            } else {
                holds &= self.fault(place, keyword, words);
            }
        }
        if let Some((written, divisor)) = &rules.multiple
            && !divisor.divides(text)
        {
            holds &= self.fault(place, "multipleOf", |path| wording::no_multiple(path, written, text));
        }
        holds
    }
}
