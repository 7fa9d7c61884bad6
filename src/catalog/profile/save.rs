//! What is checked before a profile is stored.

use serde_json::json;

use super::Profile;
use crate::catalog::naming::check_distinct;
use crate::catalog::registry::builtin_of;
use crate::catalog::tools::Catalog;
use crate::identity::{Source, ToolId};
use crate::protocol::{Code, Fault, SortedSet};

impl Profile {
    /// Checks a profile that is about to be stored. `previously_enabled` holds what the stored one enables: a tool
    /// that was enabled before is kept even if its extension is missing now (CT-25).
    ///
    /// # Errors
    /// `tool.catalog_duplicate_id` and `agent.profile_unknown_tool` for the allow list (NM-21, CT-32);
    /// `extension.tool_unavailable` with every missing id in `toolIds`; the codes of
    /// [`DescriptionOverride::apply`](crate::catalog::DescriptionOverride::apply).
    pub fn check_save(&self, previously_enabled: &SortedSet<ToolId>, catalog: &Catalog) -> Result<(), Fault> {
        check_selection(&self.tools.allow)?;
        let enabled = self.enabled();
        let is_missing =
            |id: &ToolId| matches!(id.source(), Source::Extension { .. }) && catalog.get(id).is_none();
        let missing: Vec<&ToolId> =
            enabled.iter().filter(|id| !previously_enabled.contains(*id) && is_missing(id)).collect();
        if !missing.is_empty() {
            let text = format!("Not loaded: {}. Load their extensions, or leave them out.", quoted(&missing));
            return Err(
                Fault::new(Code::ExtensionToolUnavailable, text).with_details(json!({"toolIds": missing}))
            );
        }
        for (id, texts) in &self.tools.tool_descriptions {
            if let Some(entry) = catalog.get(id) {
                texts.apply(entry.descriptor())?;
            }
        }
        Ok(())
    }
}

/// Checks an allow list: each id once, and no builtin that does not exist or cannot be selected (CT-17, CT-35).
pub(in crate::catalog) fn check_selection(allow: &[ToolId]) -> Result<(), Fault> {
    check_distinct(allow)?;
    let selectable = |id: &ToolId| builtin_of(id).is_some_and(|builtin| builtin.feature.is_none());
    let unknown: Vec<&ToolId> =
        allow.iter().filter(|id| id.source() == Source::Builtin && !selectable(id)).collect();
    if unknown.is_empty() {
        return Ok(());
    }
    let text = format!("No builtin tool that a profile can select: {}.", quoted(&unknown));
    Err(Fault::new(Code::AgentProfileUnknownTool, text).with_details(json!({"toolIds": unknown})))
}

fn quoted(ids: &[&ToolId]) -> String {
    let names: Vec<String> = ids.iter().map(|id| format!("`{id}`")).collect();
    names.join(", ")
}
