//! The catalog as settings screens see it (CT-20, CT-21).

use serde::Serialize;
use serde_json::Value;

use super::descriptor::{Annotations, Descriptor};
use super::entry::{Entry, Origin};
use super::registration::Contexts;
use super::tools::Catalog;
use super::traits::Traits;
use crate::identity::{Source, ToolId};
use crate::protocol::{Diagnostic, Scenario};

/// The known tools.
#[derive(Debug, Serialize)]
pub struct Listing<'a> {
    /// In the order of their ids.
    pub tools: Vec<Item<'a>>,
    /// What could not be listed, and why.
    pub diagnostics: Vec<Diagnostic>,
}

/// One known tool.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs)] // The members are those of the descriptor, CT-21 and XT-01.
pub struct Item<'a> {
    pub id: &'a ToolId,
    pub native_name: &'a str,
    pub title: Option<&'a str>,
    pub description: Option<&'a str>,
    pub input_schema: &'a Value,
    pub output_schema: Option<&'a Value>,
    pub annotations: &'a Annotations,
    pub traits: &'a Traits,
    pub source: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub registration_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server_display_name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permission: Option<&'a Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extension_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contexts: Option<Contexts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
}

impl Catalog {
    /// Lists the tools, or only those for one scenario. Switched-off tools and tools that return images are listed
    /// too: whether they can be bound is decided when an invocation starts (XT-02, CT-24).
    pub fn list(&self, context: Option<Scenario>) -> Listing<'_> {
        let fits = |entry: &&Entry| context.is_none_or(|scenario| entry.fits(scenario));
        Listing { tools: self.iter().filter(fits).map(item).collect(), diagnostics: Vec::new() }
    }
}

fn item(entry: &Entry) -> Item<'_> {
    let descriptor: &Descriptor = entry.descriptor();
    let (source, registration_id, extension_id) = match descriptor.id.source() {
        Source::Mcp { registration_id } => ("mcp", Some(registration_id), None),
        Source::Extension { extension_id } => ("extension", None, Some(extension_id)),
        Source::Builtin | Source::Other => ("builtin", None, None),
    };
    let (server_display_name, function) = match entry.origin() {
        Origin::Builtin => (None, None),
        Origin::Extension(function) => (None, Some(function)),
        Origin::Mcp { server } => (Some(server.as_str()), None),
    };
    Item {
        id: &descriptor.id,
        native_name: descriptor.id.native(),
        title: descriptor.title.as_deref(),
        description: descriptor.description.as_deref(),
        input_schema: &descriptor.input_schema,
        output_schema: descriptor.output_schema.as_ref(),
        annotations: &descriptor.annotations,
        traits: &descriptor.traits,
        source,
        registration_id,
        server_display_name,
        permission: descriptor.permission.as_ref(),
        extension_id,
        contexts: function.map(|function| function.contexts),
        enabled: function.map(|function| function.enabled),
    }
}
