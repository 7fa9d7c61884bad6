//! From a schema document to nodes. Subschemas wait in a queue, so that no schema is nested too deeply to compile.

use std::collections::{BTreeMap, VecDeque};

use serde_json::{Map, Value};

use super::NotEnforced;
use super::document::{Document, Lost, ResourceId};
use super::node::{Applied, Node, NodeId};
use super::types::Types;
use crate::arguments::place::clipped;
use crate::arguments::precision::push_token;

type Members<'a> = &'a Map<String, Value>;

/// A document on its way to nodes.
pub(super) struct Compiler<'a> {
    document: Document<'a>,
    pub(super) nodes: Vec<Node>,
    places: Vec<Place<'a>>,
    known: BTreeMap<*const Value, usize>,
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
pub(super) enum Token<'a> {
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
pub(super) struct Site<'a> {
    pub(super) node: NodeId,
    pub(super) members: Members<'a>,
    resource: ResourceId,
}

impl<'a> Site<'a> {
    pub(super) fn get(&self, keyword: &str) -> Option<&'a Value> {
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
                Some(Token::Name(name)) => push_token(&mut pointer, &clipped(name, 80)),
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
            return Some(NodeId(*known));
        }
        let node = NodeId(self.nodes.len());
        self.nodes.push(Node::default());
        self.places.push(place);
        self.known.insert(std::ptr::from_ref(schema), node.0);
        let resource = self.document.home(schema).unwrap_or(resource);
        self.queue.push_back(Waiting { node, members, resource });
        Some(node)
    }

    pub(super) fn child(
        &mut self,
        site: Site<'a>,
        keyword: &'a str,
        token: Option<Token<'a>>,
        schema: &'a Value,
    ) -> NodeId {
        let place = Place { parent: Some(site.node), keyword, token };
        self.subschema(schema, site.resource, place).unwrap_or_else(|| {
            self.report(site.node, keyword, "a schema must be an object, true or false");
            NodeId::UNENFORCED
        })
    }

    pub(super) fn single(&mut self, site: Site<'a>, keyword: &'a str) -> Option<NodeId> {
        let schema = site.get(keyword)?;
        Some(self.child(site, keyword, None, schema))
    }

    pub(super) fn list(&mut self, site: Site<'a>, keyword: &'a str) -> Option<Vec<NodeId>> {
        let Some(schemas) = site.get(keyword)?.as_array().filter(|schemas| !schemas.is_empty()) else {
            self.report(site.node, keyword, "it must be a list of schemas");
            return None;
        };
        let child = |(index, schema)| self.child(site, keyword, Some(Token::Index(index)), schema);
        Some(schemas.iter().enumerate().map(child).collect())
    }

    pub(super) fn named(&mut self, site: Site<'a>, keyword: &'a str) -> Vec<(&'a str, NodeId)> {
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
                self.report(
                    site.node,
                    "$ref",
                    match lost {
                        Lost::Remote => "it leads out of the schema, and nothing is fetched",
                        Lost::Dangling => "it leads to no schema",
                    },
                );
                None
            }
        }
    }
}
