//! A schema document before it is compiled: its addresses, its anchors, and where a reference leads.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::uri::{decoded, resolve};
use crate::protocol::{SortedMap, limits};

/// Keywords that hold one schema.
const SINGLE: [&str; 10] = [
    "additionalProperties",
    "propertyNames",
    "items",
    "additionalItems",
    "contains",
    "not",
    "if",
    "then",
    "else",
    "contentSchema",
];
/// Keywords that hold a list of schemas.
const LISTS: [&str; 5] = ["allOf", "anyOf", "oneOf", "prefixItems", "items"];
/// Keywords that hold schemas by name.
const NAMED: [&str; 6] =
    ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"];

/// A part of the document with an address of its own.
struct Resource<'a> {
    uri: String,
    root: &'a Value,
    anchors: SortedMap<&'a str, &'a Value>,
}

/// The place of a resource in its document.
pub(super) type ResourceId = usize;

/// A schema document. Subschemas are told apart by where they lie in memory, which needs no paths to be built.
pub(super) struct Document<'a> {
    resources: Vec<Resource<'a>>,
    by_uri: SortedMap<String, ResourceId>,
    home: BTreeMap<*const Value, ResourceId>,
    ignores_siblings: bool,
}

/// Why a reference leads nowhere.
pub(super) enum Lost {
    /// Outside the document.
    Remote,
    /// To nothing, or to something that is no schema.
    Dangling,
}

impl<'a> Document<'a> {
    pub(super) fn new(root: &'a Value) -> Self {
        let dialect = root.get("$schema").and_then(Value::as_str).unwrap_or_default();
        let mut document = Document {
            resources: vec![Resource { uri: String::new(), root, anchors: SortedMap::new() }],
            by_uri: SortedMap::new(),
            home: BTreeMap::new(),
            ignores_siblings: ["draft-04", "draft-06", "draft-07"].iter().any(|old| dialect.contains(old)),
        };
        document.scan(root, 0, 0);
        document
    }

    /// Whether a schema with `$ref` consists of it alone, as in draft 7.
    pub(super) fn ignores_siblings(&self) -> bool {
        self.ignores_siblings
    }

    /// The resource a subschema belongs to, if it lies where schemas lie.
    pub(super) fn home(&self, schema: &'a Value) -> Option<ResourceId> {
        self.home.get(&std::ptr::from_ref(schema)).copied()
    }

    /// Where a reference written in a resource leads.
    pub(super) fn locate(&self, reference: &str, from: ResourceId) -> Result<(&'a Value, ResourceId), Lost> {
        let (address, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let base = self.resources.get(from).map(|r| r.uri.as_str()).unwrap_or_default();
        let target = match address {
            "" => from,
            _ => *self.by_uri.get(&resolve(base, address)).ok_or(Lost::Remote)?,
        };
        let resource = self.resources.get(target).ok_or(Lost::Dangling)?;
        let fragment = decoded(fragment).ok_or(Lost::Dangling)?;
        let found = if fragment.is_empty() || fragment.starts_with('/') {
            resource.root.pointer(&fragment)
        } else {
            resource.anchors.get(fragment.as_str()).copied()
        };
        let schema = found.filter(|found| found.is_object() || found.is_boolean()).ok_or(Lost::Dangling)?;
        Ok((schema, self.home(schema).unwrap_or(target)))
    }

    fn scan(&mut self, schema: &'a Value, outer: ResourceId, depth: usize) {
        let Value::Object(members) = schema else {
            return;
        };
        if depth > limits::JSON_DEPTH {
            return;
        }
        let resource = self.enter(schema, members, outer);
        self.home.insert(std::ptr::from_ref(schema), resource);
        for child in children(members) {
            self.scan(child, resource, depth + 1);
        }
    }

    /// The resource that a schema begins or belongs to; its anchors are noted.
    fn enter(&mut self, schema: &'a Value, members: &'a Map<String, Value>, outer: ResourceId) -> ResourceId {
        let text = |name: &str| members.get(name).and_then(Value::as_str);
        let is_reference = self.ignores_siblings && members.contains_key("$ref");
        let id = text("$id").filter(|_| !is_reference).unwrap_or_default();
        let (address, fragment) = id.split_once('#').unwrap_or((id, ""));
        let resource = if address.is_empty() { outer } else { self.begin(schema, address, outer) };
        let anchors = [text("$anchor"), text("$dynamicAnchor"), Some(fragment)];
        if let Some(resource) = self.resources.get_mut(resource) {
            for anchor in anchors.into_iter().flatten().filter(|anchor| !anchor.is_empty()) {
                resource.anchors.insert_new(anchor, schema);
            }
        }
        resource
    }

    fn begin(&mut self, root: &'a Value, address: &str, outer: ResourceId) -> ResourceId {
        let base = self.resources.get(outer).map(|r| r.uri.as_str()).unwrap_or_default();
        let uri = resolve(base, address);
        let id = self.resources.len();
        self.by_uri.insert_new(uri.clone(), id);
        self.resources.push(Resource { uri, root, anchors: SortedMap::new() });
        id
    }
}

/// The values in a schema that stand where schemas stand.
fn children(members: &Map<String, Value>) -> impl Iterator<Item = &Value> {
    let single = SINGLE.iter().filter_map(|name| members.get(*name));
    let lists = LISTS.iter().filter_map(|name| members.get(*name)?.as_array()).flatten();
    let named = NAMED.iter().filter_map(|name| members.get(*name)?.as_object()).flat_map(Map::values);
    single.chain(lists).chain(named)
}
