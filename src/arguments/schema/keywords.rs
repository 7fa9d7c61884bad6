//! What each keyword of a schema compiles to. A keyword that is not as it should be is not enforced.

use crate::protocol::order::repeats;
use serde_json::Value;

use super::compile::{Compiler, Site, Token};
use super::node::{
    Applied, ArrayRules, Choices, Member, NodeId, NumberRules, ObjectRules, Range, StringRules,
};
use super::pattern::Pattern;
use super::types::Types;
use crate::arguments::number::{Divisor, canonical, is_integer};

impl<'a> Compiler<'a> {
    pub(super) fn types(&mut self, site: Site<'a>) -> Types {
        let Some(value) = site.get("type") else {
            return Types::ALL;
        };
        let one = |value: &Value| value.as_str().and_then(Types::named);
        let types = match value {
            Value::Array(names) => {
                names.iter().try_fold(Types::NONE, |all, name| one(name).map(|types| all.or(types)))
            }
            name => one(name),
        };
        types.filter(|types| !types.is_empty()).unwrap_or_else(|| {
            self.report(site.node, "type", "it must name the types of JSON Schema");
            Types::ALL
        })
    }

    pub(super) fn choices(&mut self, site: Site<'a>) -> Vec<Choices> {
        let mut choices = Vec::new();
        match site.get("enum") {
            Some(Value::Array(values)) => choices.push(Choices::new("enum", values.clone())),
            Some(_) => self.report(site.node, "enum", "it must be a list of values"),
            None => {}
        }
        if let Some(value) = site.get("const") {
            choices.push(Choices::new("const", vec![value.clone()]));
        }
        choices
    }

    pub(super) fn object(&mut self, site: Site<'a>) -> Option<ObjectRules> {
        const KEYWORDS: [&str; 9] = [
            "properties",
            "patternProperties",
            "additionalProperties",
            "propertyNames",
            "required",
            "minProperties",
            "maxProperties",
            "dependentRequired",
            "dependencies",
        ];
        if !KEYWORDS.iter().any(|keyword| site.members.contains_key(*keyword)) {
            return None;
        }
        let mut declared = Vec::new();
        for (name, node) in self.named(site, "properties") {
            declared.push(Member { name: name.into(), node });
        }
        let by_name =
            declared.iter().enumerate().map(|(place, member)| (member.name.clone(), place)).collect();
        let mut patterns = Vec::new();
        for (written, node) in self.named(site, "patternProperties") {
            match Pattern::new(written) {
                Ok(pattern) => patterns.push((pattern, node)),
                Err(reason) => self.report(site.node, "patternProperties", format!("`{written}`: {reason}")),
            }
        }
        // Which members are additional is not known when a pattern is not.
        let is_partial = site
            .get("patternProperties")
            .and_then(Value::as_object)
            .is_some_and(|all| all.len() != patterns.len());
        Some(ObjectRules {
            declared,
            by_name,
            patterns,
            additional: self.single(site, "additionalProperties").filter(|_| !is_partial),
            names: self.single(site, "propertyNames"),
            required: match site.get("required") {
                Some(value) => self.names(site, "required", value),
                None => Vec::new(),
            },
            count: self.range(site, "minProperties", "maxProperties"),
            dependent: self.dependent(site),
        })
    }

    fn dependent(&mut self, site: Site<'a>) -> Vec<(Box<str>, Vec<Box<str>>)> {
        let mut all = Vec::new();
        for keyword in ["dependentRequired", "dependencies"] {
            for (name, needed) in site.get(keyword).and_then(Value::as_object).into_iter().flatten() {
                if needed.is_array() {
                    all.push((name.as_str().into(), self.names(site, keyword, needed)));
                } else if keyword == "dependentRequired" {
                    self.report(site.node, keyword, "it must hold lists of names");
                }
            }
        }
        all
    }

    fn names(&mut self, site: Site<'a>, keyword: &str, value: &'a Value) -> Vec<Box<str>> {
        let names: Option<Vec<&str>> =
            value.as_array().and_then(|names| names.iter().map(Value::as_str).collect());
        let Some(names) = names else {
            self.report(site.node, keyword, "it must be a list of names");
            return Vec::new();
        };
        let again = repeats(&names);
        names.into_iter().zip(again).filter(|(_, again)| !again).map(|(name, _)| name.into()).collect()
    }

    pub(super) fn array(&mut self, site: Site<'a>) -> Option<ArrayRules> {
        const KEYWORDS: [&str; 6] =
            ["prefixItems", "items", "contains", "minItems", "maxItems", "uniqueItems"];
        if !KEYWORDS.iter().any(|keyword| site.members.contains_key(*keyword)) {
            return None;
        }
        let (mut prefix, mut rest) = (Vec::new(), None);
        if site.members.contains_key("prefixItems") {
            prefix = self.list(site, "prefixItems").unwrap_or_default();
        }
        match site.get("items") {
            Some(Value::Array(items)) => {
                // The tuple form of draft 7; an empty one is legal there.
                if !items.is_empty() {
                    prefix = self.list(site, "items").unwrap_or_default();
                }
                rest = self.single(site, "additionalItems");
            }
            Some(schema) => rest = Some(self.child(site, "items", None, schema)),
            None => {}
        }
        let contains = self.single(site, "contains").map(|node| {
            let range = self.range(site, "minContains", "maxContains");
            (node, Range { least: range.least.or(Some(1)), ..range })
        });
        let unique = match site.get("uniqueItems") {
            None => false,
            Some(Value::Bool(unique)) => *unique,
            Some(_) => {
                self.report(site.node, "uniqueItems", "it must be true or false");
                false
            }
        };
        Some(ArrayRules { prefix, rest, contains, count: self.range(site, "minItems", "maxItems"), unique })
    }

    pub(super) fn string(&mut self, site: Site<'a>) -> Option<StringRules> {
        const KEYWORDS: [&str; 3] = ["minLength", "maxLength", "pattern"];
        if !KEYWORDS.iter().any(|keyword| site.members.contains_key(*keyword)) {
            return None;
        }
        let pattern = site.get("pattern").and_then(|value| {
            let compiled = value.as_str().ok_or("it must be a string").and_then(Pattern::new);
            compiled.map_err(|reason| self.report(site.node, "pattern", reason)).ok()
        });
        Some(StringRules { length: self.range(site, "minLength", "maxLength"), pattern })
    }

    pub(super) fn number(&mut self, site: Site<'a>) -> Option<NumberRules> {
        const KEYWORDS: [&str; 5] =
            ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];
        if !KEYWORDS.iter().any(|keyword| site.members.contains_key(*keyword)) {
            return None;
        }
        let multiple = self.bound(site, "multipleOf").and_then(|written| match Divisor::new(&written) {
            Some(divisor) => Some((written, divisor)),
            None => {
                self.report(
                    site.node,
                    "multipleOf",
                    "it must be above 0 and have at most 18 significant digits",
                );
                None
            }
        });
        Some(NumberRules {
            minimum: self.bound(site, "minimum"),
            maximum: self.bound(site, "maximum"),
            above: self.bound(site, "exclusiveMinimum"),
            below: self.bound(site, "exclusiveMaximum"),
            multiple,
        })
    }

    fn bound(&mut self, site: Site<'a>, keyword: &str) -> Option<Box<str>> {
        match site.get(keyword)? {
            Value::Number(number) => Some(number.as_str().into()),
            _ => {
                self.report(site.node, keyword, "it must be a number");
                None
            }
        }
    }

    fn range(&mut self, site: Site<'a>, least: &str, most: &str) -> Range {
        Range {
            least: self.count(site, least).map(|count| count.unwrap_or(usize::MAX)),
            most: self.count(site, most).flatten(),
        }
    }

    /// A count; `Some(None)` is one that no length reaches.
    fn count(&mut self, site: Site<'a>, keyword: &str) -> Option<Option<usize>> {
        let text = match site.get(keyword)? {
            Value::Number(number) if is_integer(number.as_str()) => number.as_str(),
            _ => "-1",
        };
        if text.starts_with('-') && canonical(text).starts_with('-') {
            self.report(site.node, keyword, "it must be an integer that is not negative");
            return None;
        }
        Some(whole(text))
    }

    pub(super) fn applied(&mut self, site: Site<'a>, target: Option<Applied>) -> Vec<Applied> {
        let mut applied: Vec<Applied> = target.into_iter().collect();
        if site.members.contains_key("allOf") {
            applied.extend(self.list(site, "allOf").into_iter().flatten().map(Applied::All));
        }
        if site.members.contains_key("anyOf") {
            applied.extend(self.list(site, "anyOf").map(Applied::Any));
        }
        if site.members.contains_key("oneOf") {
            applied.extend(self.list(site, "oneOf").map(Applied::One));
        }
        applied.extend(self.single(site, "not").map(Applied::Not));
        if (site.members.contains_key("then") || site.members.contains_key("else"))
            && let Some(condition) = self.single(site, "if")
        {
            let then = self.single(site, "then").unwrap_or(NodeId::ANYTHING);
            let otherwise = self.single(site, "else").unwrap_or(NodeId::ANYTHING);
            applied.push(Applied::If { condition, then, otherwise });
        }
        let dependent = self.named(site, "dependentSchemas");
        applied.extend(dependent.into_iter().map(|(name, node)| Applied::Dependent(name.into(), node)));
        // Of draft 7: schemas and lists of names in one keyword.
        for (name, schema) in site.get("dependencies").and_then(Value::as_object).into_iter().flatten() {
            if !schema.is_array() {
                let node = self.child(site, "dependencies", Some(Token::Name(name)), schema);
                applied.push(Applied::Dependent(name.as_str().into(), node));
            }
        }
        applied
    }
}

impl Choices {
    fn new(keyword: &'static str, values: Vec<Value>) -> Choices {
        let strings = values.iter().filter_map(Value::as_str).map(Box::from).collect();
        Choices { keyword, values, strings }
    }
}

/// An integer that is not negative, however it is written; `None` if it is beyond every length.
fn whole(text: &str) -> Option<usize> {
    if let Ok(number) = text.parse() {
        return Some(number);
    }
    let spelled = canonical(text);
    let (digits, exponent) = spelled.split_once('e')?;
    let zeros = exponent.parse::<usize>().ok().filter(|zeros| *zeros <= 20)?;
    format!("0{digits}{}", "0".repeat(zeros)).parse().ok()
}
