//! A schema compiled once, on first use.

use std::sync::OnceLock;

use serde_json::Value;

use crate::arguments::{NotEnforced, Schema};

/// The compiled form of a schema that stands beside it. It says nothing the schema does not say: it is not compared,
/// and a clone, whose schema may then be changed, begins without it.
#[derive(Debug, Default)]
pub(super) struct Compiled(OnceLock<(Schema, Vec<NotEnforced>)>);

impl Compiled {
    pub(super) fn get(&self, schema: &Value) -> &(Schema, Vec<NotEnforced>) {
        self.0.get_or_init(|| Schema::compile(schema))
    }
}

impl Clone for Compiled {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl PartialEq for Compiled {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
