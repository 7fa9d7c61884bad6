//! What a compiled schema is made of. All nodes of a schema lie in one list and name one another by their place.

use crate::protocol::{SortedMap, SortedSet};
use serde_json::Value;

use super::pattern::Pattern;
use super::types::Types;
use crate::arguments::number::Divisor;

/// The place of a node in its schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct NodeId(pub(crate) usize);

impl NodeId {
    /// The node that every value satisfies.
    pub(crate) const ANYTHING: NodeId = NodeId(0);
    /// The node that no value satisfies.
    pub(crate) const NOTHING: NodeId = NodeId(1);
    /// Stands for a subschema that is not enforced: it accepts every value and is loose.
    pub(crate) const UNENFORCED: NodeId = NodeId(2);
}

/// One subschema.
#[derive(Clone, Debug, Default)]
pub(crate) struct Node {
    /// What `type` allows.
    pub(crate) types: Types,
    /// What the whole of the subschema allows, as far as types go: `type`, `enum`, `const` and what is applied.
    pub(crate) admits: Types,
    /// `enum`, and `const` as one of one.
    pub(crate) choices: Vec<Choices>,
    pub(crate) object: Option<Box<ObjectRules>>,
    pub(crate) array: Option<Box<ArrayRules>>,
    pub(crate) string: Option<Box<StringRules>>,
    pub(crate) number: Option<Box<NumberRules>>,
    /// Subschemas that are applied to the same value.
    pub(crate) applied: Vec<Applied>,
    /// What the author says it is.
    pub(crate) description: Option<Box<str>>,
    /// Something in it, or below it, is not enforced: that it accepts a value says nothing against the value.
    pub(crate) loose: bool,
}

/// Subschemas applied to the same value as the one they stand in.
#[derive(Clone, Debug)]
pub(crate) enum Applied {
    /// One of `allOf`, or the target of a `$ref`.
    All(NodeId),
    Any(Vec<NodeId>),
    One(Vec<NodeId>),
    Not(NodeId),
    If {
        condition: NodeId,
        then: NodeId,
        otherwise: NodeId,
    },
    /// `dependentSchemas`: if the object has this member.
    Dependent(Box<str>, NodeId),
}

impl Applied {
    /// The subschemas, in a fixed order.
    pub(crate) fn nodes_mut(&mut self) -> Vec<&mut NodeId> {
        match self {
            Applied::All(node) | Applied::Not(node) | Applied::Dependent(_, node) => vec![node],
            Applied::Any(nodes) | Applied::One(nodes) => nodes.iter_mut().collect(),
            Applied::If { condition, then, otherwise } => vec![condition, then, otherwise],
        }
    }

    /// The subschemas, in the same order.
    pub(crate) fn nodes(&self) -> Vec<NodeId> {
        match self {
            Applied::All(node) | Applied::Not(node) | Applied::Dependent(_, node) => vec![*node],
            Applied::Any(nodes) | Applied::One(nodes) => nodes.clone(),
            Applied::If { condition, then, otherwise } => vec![*condition, *then, *otherwise],
        }
    }
}

/// The values of `enum` or `const`.
#[derive(Clone, Debug)]
pub(crate) struct Choices {
    pub(crate) keyword: &'static str,
    pub(crate) values: Vec<Value>,
    /// The strings among them, for large enumerations.
    pub(crate) strings: SortedSet<Box<str>>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct ObjectRules {
    /// `properties`, in the order of the schema.
    pub(crate) declared: Vec<Member>,
    /// Where in `declared` a name is.
    pub(crate) by_name: SortedMap<Box<str>, usize>,
    pub(crate) patterns: Vec<(Pattern, NodeId)>,
    pub(crate) additional: Option<NodeId>,
    pub(crate) names: Option<NodeId>,
    pub(crate) required: Vec<Box<str>>,
    pub(crate) count: Range,
    /// `dependentRequired`: a member, and those it needs beside it.
    pub(crate) dependent: Vec<(Box<str>, Vec<Box<str>>)>,
}

impl ObjectRules {
    /// The declared member of this name.
    pub(crate) fn member(&self, name: &str) -> Option<&Member> {
        self.declared.get(*self.by_name.get(name)?)
    }

    pub(crate) fn requires(&self, name: &str) -> bool {
        self.required.iter().any(|required| **required == *name)
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) name: Box<str>,
    pub(crate) node: NodeId,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct ArrayRules {
    /// `prefixItems`, or `items` of draft 7 when it is a list.
    pub(crate) prefix: Vec<NodeId>,
    /// The items behind the prefix.
    pub(crate) rest: Option<NodeId>,
    pub(crate) contains: Option<(NodeId, Range)>,
    pub(crate) count: Range,
    pub(crate) unique: bool,
}

impl ArrayRules {
    /// What the item at this place has to satisfy.
    pub(crate) fn item(&self, index: usize) -> Option<NodeId> {
        self.prefix.get(index).copied().or(self.rest)
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct StringRules {
    pub(crate) length: Range,
    pub(crate) pattern: Option<Pattern>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct NumberRules {
    pub(crate) minimum: Option<Box<str>>,
    pub(crate) maximum: Option<Box<str>>,
    pub(crate) above: Option<Box<str>>,
    pub(crate) below: Option<Box<str>>,
    /// `multipleOf`: as written, and taken apart.
    pub(crate) multiple: Option<(Box<str>, Divisor)>,
}

/// How many there may be.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Range {
    pub(crate) least: Option<usize>,
    pub(crate) most: Option<usize>,
}

impl Range {
    pub(crate) fn too_few(&self, count: usize) -> bool {
        self.least.is_some_and(|least| count < least)
    }

    pub(crate) fn too_many(&self, count: usize) -> bool {
        self.most.is_some_and(|most| count > most)
    }

    pub(crate) fn holds(&self, count: usize) -> bool {
        !self.too_few(count) && !self.too_many(count)
    }
}
