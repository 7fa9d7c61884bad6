//! A tool with the name it has in one invocation.

use std::sync::Arc;

use serde::Serialize;

use super::descriptor::Descriptor;
use super::reading::words;
use super::registry::builtin_of;
use super::traits::Traits;
use crate::arguments::Rules;
use crate::identity::{Source, ToolId};
use crate::protocol::BoundNames;

/// A tool bound in a snapshot: what is known of it, and what the model calls it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Binding {
    descriptor: Arc<Descriptor>,
    #[serde(rename = "modelAlias")]
    alias: String,
    exposure: BindingExposure,
    #[serde(skip)]
    digest: [u8; 32],
    #[serde(skip)]
    rules: Rules,
}

words! {
    /// How a bound tool is offered (CT-38).
    #[derive(Default)]
    pub enum BindingExposure {
        /// Its schema is sent.
        #[default]
        Resident = "resident",
        /// Its schema is sent after it was loaded.
        Deferred = "deferred",
        /// It is never sent, listed or called.
        Hidden = "hidden",
    }
}

impl Binding {
    pub(super) fn new(descriptor: Arc<Descriptor>, alias: String, exposure: BindingExposure) -> Self {
        let builtin = descriptor.id.source() == Source::Builtin;
        let rules = if builtin { Rules::BUILTIN } else { Rules::EXTERNAL };
        Self { digest: descriptor.schema_digest(), descriptor, alias, exposure, rules }
    }

    /// The tool's identity.
    pub fn id(&self) -> &ToolId {
        &self.descriptor.id
    }

    /// What is known of the tool, with the descriptions that hold in this invocation.
    pub fn descriptor(&self) -> &Arc<Descriptor> {
        &self.descriptor
    }

    /// What the model calls it.
    pub fn alias(&self) -> &str {
        &self.alias
    }

    /// How it behaves.
    pub fn traits(&self) -> &Traits {
        &self.descriptor.traits
    }

    /// How its arguments are checked, beside the schema (AR-20).
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The same tool with rules that claim faults for it (AR-20).
    pub(super) fn set_rules(&mut self, rules: Rules) {
        self.rules = rules;
    }

    /// Whether the tool is part of the runtime.
    pub fn is_builtin(&self) -> bool {
        self.id().source() == Source::Builtin
    }

    /// How it is offered.
    pub fn exposure(&self) -> BindingExposure {
        self.exposure
    }

    /// The digest of its input schema; equal to that of its catalog entry while the tool takes the same arguments
    /// (XT-05).
    pub fn schema_digest(&self) -> &[u8; 32] {
        &self.digest
    }
}

/// The builtin tools among these that a text may name: hidden ones are not named (NM-09, VS-04).
pub(super) fn names(bindings: &[Binding]) -> BoundNames {
    let builtins = bindings.iter().filter(|binding| builtin_of(binding.id()).is_some());
    let visible = builtins.filter(|binding| binding.exposure != BindingExposure::Hidden);
    visible.map(|binding| (binding.id().native().to_owned(), binding.alias.clone())).collect()
}
