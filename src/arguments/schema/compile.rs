//! From a schema document to nodes. Subschemas wait in a queue, so that no schema is nested too deeply to compile.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde_json::{Map, Value};

use super::NotEnforced;
use super::document::{Document, Lost, ResourceId};
use super::node::{Applied, ArrayRules, Choices, Member, Node, NodeId, NumberRules, ObjectRules, Range, StringRules};
use super::pattern::Pattern;
use super::types::Types;
use crate::arguments::number::{Divisor, canonical, is_integer};
use crate::arguments::precision::push_token;

type Members<'a> = &'a Map<String, Value>;

/// Compiles a document. The root is the last of the three fixed nodes' successors: see [`Compiler::ROOT`].
pub(super) struct Compiler<'a> {
    document: Document<'a>,
    pub(super) nodes: Vec<Node>,
    places: Vec<Place<'a>>,
    known: BTreeMap<*const Value, NodeId>,
    queue: VecDeque<Waiting<'a>>,
    pub(super) faults: Vec<NotEnforced>,
}

/// Where a node stands: below which one, and by which reference tokens.
#[derive(Clone, Default)]
struct Place<'a> {
    parent: Option<NodeId>,
    keyword: &'a str,
    token: Option<Token<'a>>,
}

#[derive(Clone, Copy)]
enum Token<'a> {
    Name(&'a str),
    Index(usize),
}

struct Waiting<'a> {
    node: NodeId,
    members: Members<'a>,
    resource: ResourceId,
}

/// The subschema that is being compiled.
#[derive(Clone, Copy)]
struct Site<'a> {
    node: NodeId,
    members: Members<'a>,
    resource: ResourceId,
}

impl<'a> Site<'a> {
    fn get(&self, keyword: &str) -> Option<&'a Value> {
        self.members.get(keyword)
    }
}

impl<'a> Compiler<'a> {
    pub(super) fn new(root: &'a Value) -> (Self, NodeId) {
        let nothing = Node { types: Types::NONE, admits: Types::NONE, ..Node::default() };
        let unenforced = Node { loose: true, ..Node::default() };
        let mut compiler = Compiler {
            document: Document::new(root),
            nodes: vec![Node::default(), nothing, unenforced],
            places: vec![Place::default(), Place::default(), Place::default()],
            known: BTreeMap::new(),
            queue: VecDeque::new(),
            faults: Vec::new(),
        };
        let id = compiler.subschema(root, 0, Place::default()).unwrap_or(NodeId::ANYTHING);
        (compiler, id)
    }

    /// Compiles everything that the root needs.
    pub(super) fn run(&mut self) {
        while let Some(Waiting { node, members, resource }) = self.queue.pop_front() {
            let site = Site { node, members, resource };
            let compiled = self.node(site);
            if let Some(slot) = self.nodes.get_mut(node.0) {
                *slot = Node { loose: slot.loose, ..compiled };
            }
        }
    }

    /// Notes that a keyword of a node is not enforced.
    pub(super) fn report(&mut self, node: NodeId, keyword: &str, reason: impl Into<String>) {
        let location = format!("{}/{keyword}", self.pointer(node));
        self.faults.push(NotEnforced { location, keyword: keyword.to_owned(), reason: reason.into() });
        if let Some(node) = self.nodes.get_mut(node.0) {
            node.loose = true;
        }
    }

    fn pointer(&self, node: NodeId) -> String {
        let mut chain = Vec::new();
        let mut place = self.places.get(node.0);
        while let Some(Place { parent: Some(parent), .. }) = place {
            chain.extend(place);
            place = self.places.get(parent.0);
        }
        let mut pointer = String::new();
        for place in chain.iter().rev() {
            push_token(&mut pointer, place.keyword);
            match place.token {
                Some(Token::Name(name)) => push_token(&mut pointer, name),
                Some(Token::Index(index)) => push_token(&mut pointer, &index.to_string()),
                None => {}
            }
        }
        pointer
    }

    /// The node of a subschema, which may still be waiting; `None` if the value is no schema.
    fn subschema(&mut self, schema: &'a Value, resource: ResourceId, place: Place<'a>) -> Option<NodeId> {
        let members = match schema {
            Value::Bool(true) => return Some(NodeId::ANYTHING),
            Value::Bool(false) => return Some(NodeId::NOTHING),
            Value::Object(members) => members,
            _ => return None,
        };
        if let Some(known) = self.known.get(&std::ptr::from_ref(schema)) {
            return Some(*known);
        }
        let node = NodeId(self.nodes.len());
        self.nodes.push(Node::default());
        self.places.push(place);
        self.known.insert(std::ptr::from_ref(schema), node);
        let resource = self.document.home(schema).unwrap_or(resource);
        self.queue.push_back(Waiting { node, members, resource });
        Some(node)
    }

    fn child(&mut self, site: Site<'a>, keyword: &'a str, token: Option<Token<'a>>, schema: &'a Value) -> NodeId {
        let place = Place { parent: Some(site.node), keyword, token };
        self.subschema(schema, site.resource, place).unwrap_or_else(|| {
            self.report(site.node, keyword, "a schema must be an object, true or false");
            NodeId::UNENFORCED
        })
    }

    fn single(&mut self, site: Site<'a>, keyword: &'a str) -> Option<NodeId> {
        let schema = site.get(keyword)?;
        Some(self.child(site, keyword, None, schema))
    }

    fn list(&mut self, site: Site<'a>, keyword: &'a str) -> Option<Vec<NodeId>> {
        let Some(schemas) = site.get(keyword)?.as_array().filter(|schemas| !schemas.is_empty()) else {
            self.report(site.node, keyword, "it must be a list of schemas");
            return None;
        };
        let child = |(index, schema)| self.child(site, keyword, Some(Token::Index(index)), schema);
        Some(schemas.iter().enumerate().map(child).collect())
    }

    fn named(&mut self, site: Site<'a>, keyword: &'a str) -> Vec<(&'a str, NodeId)> {
        let Some(value) = site.get(keyword) else {
            return Vec::new();
        };
        let Some(schemas) = value.as_object() else {
            self.report(site.node, keyword, "it must be an object of schemas");
            return Vec::new();
        };
        let child = |(name, schema): (&'a String, &'a Value)| {
            (name.as_str(), self.child(site, keyword, Some(Token::Name(name)), schema))
        };
        schemas.iter().map(child).collect()
    }

    fn node(&mut self, site: Site<'a>) -> Node {
        let target = self.reference(site);
        if self.document.ignores_siblings() && site.members.contains_key("$ref") {
            return Node { applied: target.into_iter().collect(), ..Node::default() };
        }
        for keyword in ["unevaluatedProperties", "unevaluatedItems", "$dynamicRef", "$recursiveRef"] {
            if site.get(keyword).is_some_and(|value| *value != Value::Bool(true)) {
                self.report(site.node, keyword, "the keyword is not supported");
            }
        }
        let description = site.get("description").or_else(|| site.get("title")).and_then(Value::as_str);
        Node {
            types: self.types(site),
            admits: Types::ALL,
            choices: self.choices(site),
            object: self.object(site).map(Box::new),
            array: self.array(site).map(Box::new),
            string: self.string(site).map(Box::new),
            number: self.number(site).map(Box::new),
            applied: self.applied(site, target),
            description: description.map(Box::from),
            loose: false,
        }
    }

    fn reference(&mut self, site: Site<'a>) -> Option<Applied> {
        let Some(reference) = site.get("$ref")?.as_str() else {
            self.report(site.node, "$ref", "it must be a string");
            return None;
        };
        match self.document.locate(reference, site.resource) {
            Ok((schema, resource)) => {
                let place = Place { parent: Some(site.node), keyword: "$ref", token: None };
                self.subschema(schema, resource, place).map(Applied::All)
            }
            Err(lost) => {
                self.report(site.node, "$ref", match lost {
                    Lost::Remote => "it leads out of the schema, and nothing is fetched",
                    Lost::Dangling => "it leads to no schema",
                });
                None
            }
        }
    }

    fn types(&mut self, site: Site<'a>) -> Types {
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

    fn choices(&mut self, site: Site<'a>) -> Vec<Choices> {
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

    fn object(&mut self, site: Site<'a>) -> Option<ObjectRules> {
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
        let declared = self.named(site, "properties");
        let by_name = declared.iter().enumerate().map(|(place, (name, _))| (Box::from(*name), place)).collect();
        let mut patterns = Vec::new();
        for (written, node) in self.named(site, "patternProperties") {
            match Pattern::new(written) {
                Ok(pattern) => patterns.push((pattern, node)),
                Err(reason) => self.report(site.node, "patternProperties", format!("`{written}`: {reason}")),
            }
        }
        // Which members are additional is not known when a pattern is not.
        let is_partial = site.get("patternProperties").and_then(Value::as_object).is_some_and(|all| all.len() != patterns.len());
        Some(ObjectRules {
            declared: declared.into_iter().map(|(name, node)| Member { name: name.into(), node }).collect(),
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
        let mut seen = BTreeSet::new();
        names.into_iter().filter(|name| seen.insert(*name)).map(Box::from).collect()
    }

    fn array(&mut self, site: Site<'a>) -> Option<ArrayRules> {
        const KEYWORDS: [&str; 6] = ["prefixItems", "items", "contains", "minItems", "maxItems", "uniqueItems"];
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

    fn string(&mut self, site: Site<'a>) -> Option<StringRules> {
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

    fn number(&mut self, site: Site<'a>) -> Option<NumberRules> {
        const KEYWORDS: [&str; 5] = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];
        if !KEYWORDS.iter().any(|keyword| site.members.contains_key(*keyword)) {
            return None;
        }
        let multiple = self.bound(site, "multipleOf").and_then(|written| match Divisor::new(&written) {
            Some(divisor) => Some((written, divisor)),
            None => {
                self.report(site.node, "multipleOf", "it must be above 0 and have at most 18 significant digits");
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

    fn applied(&mut self, site: Site<'a>, target: Option<Applied>) -> Vec<Applied> {
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
        if site.members.contains_key("then") || site.members.contains_key("else") {
            if let Some(condition) = self.single(site, "if") {
                let then = self.single(site, "then").unwrap_or(NodeId::ANYTHING);
                let otherwise = self.single(site, "else").unwrap_or(NodeId::ANYTHING);
                applied.push(Applied::If { condition, then, otherwise });
            }
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
