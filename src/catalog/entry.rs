//! One tool of the catalog, with what its source alone knows.

use std::sync::Arc;

use serde_json::Value;

use super::descriptor::Descriptor;
use super::registration::{ExtensionFunction, Registration};
use super::registry::builtin_of;
use crate::arguments::Schema;
use crate::identity::{builtin_call_name, extension_call_name, mcp_call_name};
use crate::protocol::Scenario;

/// A known tool.
#[derive(Clone, Debug)]
pub struct Entry {
    descriptor: Arc<Descriptor>,
    digest: [u8; 32],
    origin: Origin,
    /// The same tool where its calls may go on in the background, if it has another shape there (SH-50).
    extended: Option<Arc<Descriptor>>,
    /// The registration as it came, for snapshots.
    registration: Option<Value>,
    output: Option<Schema>,
}

/// Where a known tool comes from, and what only that source says about it.
#[derive(Clone, Debug)]
pub enum Origin {
    /// Part of the runtime.
    Builtin,
    /// Registered by an extension.
    Extension(ExtensionFunction),
    /// Discovered on an MCP server.
    Mcp {
        /// The display name of the server.
        server: String,
    },
}

impl Entry {
    pub(super) fn new(descriptor: Descriptor, origin: Origin) -> Self {
        let output = descriptor.output_schema.as_ref().map(|schema| Schema::compile(schema).0);
        Self {
            digest: descriptor.schema_digest(),
            descriptor: Arc::new(descriptor),
            origin,
            extended: None,
            registration: None,
            output,
        }
    }

    /// What is known of the tool.
    pub fn descriptor(&self) -> &Arc<Descriptor> {
        &self.descriptor
    }

    /// The same tool where its calls may go on in the background.
    pub(super) fn extended(&self) -> &Arc<Descriptor> {
        self.extended.as_ref().unwrap_or(&self.descriptor)
    }

    pub(super) fn extend(&mut self, descriptor: Descriptor) {
        self.extended = Some(Arc::new(descriptor));
    }

    /// Where it comes from.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The digest of its input schema (XT-05).
    pub fn schema_digest(&self) -> &[u8; 32] {
        &self.digest
    }

    /// The extension's function behind the tool, if there is one.
    pub fn function(&self) -> Option<&ExtensionFunction> {
        match &self.origin {
            Origin::Extension(function) => Some(function),
            Origin::Builtin | Origin::Mcp { .. } => None,
        }
    }

    /// The first problem that the declared output schema has with a value (RS-37).
    pub fn output_problem(&self, value: &Value) -> Option<String> {
        let report = self.output.as_ref()?.report(value)?;
        Some(report.to_string())
    }

    /// The registration that brings the tool back as it is now; `None` for tools that nobody registered.
    pub(super) fn registration(&self) -> Option<Value> {
        let mut registration = self.registration.clone()?;
        if let Some(members) = registration.as_object_mut() {
            members.insert("enabled".into(), self.enabled().into());
        }
        Some(registration)
    }

    pub(super) fn registered(registration: Registration, source: &Value) -> Self {
        let entry = Self::new(registration.descriptor, Origin::Extension(registration.function));
        Self { registration: Some(source.clone()), ..entry }
    }

    /// The call name it wishes for.
    pub fn wished_name(&self) -> String {
        let native = self.descriptor.id.native();
        match &self.origin {
            Origin::Builtin => builtin_call_name(native),
            Origin::Extension(_) => extension_call_name(native),
            Origin::Mcp { server } => mcp_call_name(server, native),
        }
    }

    /// Whether new calls are allowed (XT-02).
    pub fn enabled(&self) -> bool {
        match &self.origin {
            Origin::Extension(function) => function.enabled,
            Origin::Builtin | Origin::Mcp { .. } => true,
        }
    }

    /// Whether the tool is for this scenario.
    pub fn fits(&self, scenario: Scenario) -> bool {
        match &self.origin {
            Origin::Builtin => builtin_of(&self.descriptor.id).is_some_and(|builtin| builtin.fits(scenario)),
            Origin::Extension(function) => function.contexts.contains(scenario),
            Origin::Mcp { .. } => true,
        }
    }

    pub(super) fn set_enabled(&mut self, enabled: bool) -> bool {
        match &mut self.origin {
            Origin::Extension(function) => function.enabled = enabled,
            Origin::Builtin | Origin::Mcp { .. } => return false,
        }
        true
    }
}
