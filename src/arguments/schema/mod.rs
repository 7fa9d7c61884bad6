//! A tool's JSON Schema, compiled once at registration (AR-31): drafts 7 and 2020-12, everything that needs no
//! network. What cannot be enforced accepts every value, and is reported once.

mod analysis;
mod compile;
mod document;
mod ecma;
mod keywords;
mod node;
mod pattern;
mod types;
mod uri;

use std::sync::Arc;

use serde_json::Value;

use super::problem::Report;
use super::rules::Rules;
use super::walk::Walk;
use crate::protocol::{Code, Diagnostic};
use compile::Compiler;

pub(super) use node::{
    Applied, ArrayRules, Choices, Node, NodeId, NumberRules, ObjectRules, Range, StringRules,
};
pub(super) use types::Types;

/// A compiled schema. Cloning is cheap; nothing in it changes.
#[derive(Clone, Debug)]
pub struct Schema(Arc<Compiled>);

#[derive(Debug)]
struct Compiled {
    nodes: Vec<Node>,
    root: NodeId,
    is_object: bool,
}

/// A part of a schema that is not checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotEnforced {
    /// JSON pointer to the keyword, through the references that led to it, long names shortened.
    pub location: String,
    /// The keyword.
    pub keyword: String,
    /// Why: half a sentence for the tool's author.
    pub reason: String,
}

impl NotEnforced {
    /// What the registration of a tool reports (CT-22).
    pub fn diagnostic(&self, tool_id: &str) -> Diagnostic {
        let NotEnforced { location, keyword, reason } = self;
        Diagnostic {
            tool_id: Some(tool_id.to_owned()),
            code: Code::ToolSchemaNotEnforced,
            message: format!("`{keyword}` of the input schema is not enforced at {location}: {reason}."),
        }
    }
}

impl Schema {
    /// Compiles a schema. Every schema compiles; the list says what in it is not enforced.
    pub fn compile(schema: &Value) -> (Schema, Vec<NotEnforced>) {
        let (mut compiler, root) = Compiler::new(schema);
        compiler.run();
        compiler.analyse();
        let is_object = schema.get("type").and_then(Value::as_str) == Some("object");
        (Schema(Arc::new(Compiled { nodes: compiler.nodes, root, is_object })), compiler.faults)
    }

    /// Whether its root says `"type": "object"`, as a tool's must (AR-32).
    pub fn is_object(&self) -> bool {
        self.0.is_object
    }

    /// Whether a value satisfies the schema.
    pub fn is_valid(&self, value: &Value) -> bool {
        Walk::quiet(self, &Rules::EXTERNAL).accepts(self.root(), value)
    }

    /// What is wrong with a value; `None` if nothing is.
    pub fn report(&self, value: &Value) -> Option<Report> {
        self.judge(value, &Rules::EXTERNAL)
    }

    /// The same by these rules, for a value that is tidy.
    pub(super) fn judge(&self, value: &Value, rules: &Rules) -> Option<Report> {
        let mut verdict = Walk::quiet(self, rules);
        if verdict.accepts(self.root(), value) {
            return None;
        }
        if verdict.is_exhausted() {
            return Some(Report::unfinished());
        }
        Some(Walk::new(self, rules).report(self.root(), value))
    }

    pub(super) fn root(&self) -> NodeId {
        self.0.root
    }

    pub(super) fn node(&self, id: NodeId) -> Option<&Node> {
        self.0.nodes.get(id.0)
    }
}

#[cfg(test)]
#[path = "schema_tests.rs"]
mod tests;
