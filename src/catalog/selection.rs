//! Which tools an invocation gets: scenario, kind, allow and deny lists, features, overrides.

use std::sync::Arc;

use super::bind::InvocationKind;
use super::descriptor::Descriptor;
use super::exposure::Offer;
use super::naming::{Named, Wish, name};
use super::profile::{Profile, Tier};
use super::registry::{BUILTINS, Builtin, Feature, builtin_of, feature_tool};
use super::tools::Catalog;
use super::traits::Exposure;
use crate::identity::{Source, ToolId};
use crate::protocol::{Code, Diagnostic, Fault, Mutant, Scenario, SortedSet};

/// What a selection is made from.
#[derive(Clone, Copy)]
pub(super) struct Circumstances<'a> {
    pub catalog: &'a Catalog,
    pub profile: &'a Profile,
    pub scenario: Scenario,
    pub kind: InvocationKind,
    pub images: Option<bool>,
}

/// The selected tools.
pub(super) struct Selection<'a> {
    given: Circumstances<'a>,
    denied: SortedSet<&'a ToolId>,
    /// In the order of CT-31, overrides applied, each with the name it wishes for.
    tools: Vec<(Arc<Descriptor>, Wish)>,
    /// Builtins whose names nobody else gets, bound or not (NM-07).
    reserved: Vec<&'static str>,
    pub diagnostics: Vec<Diagnostic>,
}

impl<'a> Selection<'a> {
    /// Selects the allow list in its order, then features in registry order, then what a child returns with. `loader`
    /// is the feature that reaches deferred tools, once it is known to be needed.
    pub fn of(given: Circumstances<'a>, loader: Option<Feature>) -> Self {
        let tools = &given.profile.tools;
        let denied = tools.deny.iter().collect();
        let mut selection =
            Self { given, denied, tools: Vec::new(), reserved: Vec::new(), diagnostics: Vec::new() };
        for id in &tools.allow {
            match builtin_of(id) {
                _ if selection.denied.contains(id) => {}
                Some(builtin) => selection.take_builtin(builtin),
                None => selection.take_external(id),
            }
        }
        for builtin in &BUILTINS {
            let on =
                builtin.feature.is_some_and(|feature| selection.is_on(feature) || loader == Some(feature));
            if on && !selection.denied.contains(&builtin.id()) {
                selection.take_builtin(builtin);
            }
        }
        let returning = feature_tool(Feature::ReturningChild);
        if let Some(builtin) = returning.filter(|_| given.kind == InvocationKind::ReturnChild) {
            selection.take_builtin(builtin);
        }
        selection
    }

    fn is_on(&self, feature: Feature) -> bool {
        let features = &self.given.profile.features;
        match feature {
            Feature::Trash => features.trash,
            Feature::ShellBackground => features.shell_background,
            Feature::MultiEdit => features.multi_edit,
            // The loaders come when they are needed, the dynamic tool on its own list, the child's tool last.
            Feature::ToolSearch
            | Feature::CodeMode
            | Feature::ContextProjection
            | Feature::ReturningChild => false,
        }
    }

    /// A builtin, unless the scenario or the kind of invocation denies it, silently (CT-34, CT-35).
    fn take_builtin(&mut self, builtin: &'static Builtin) {
        let child = self.given.kind == InvocationKind::ReturnChild;
        if !builtin.fits(self.given.scenario) || (child && !builtin.fits_child()) {
            return;
        }
        self.reserved.push(builtin.native);
        let id = builtin.id();
        match self.given.catalog.get(&id) {
            Some(entry) if self.is_on(Feature::ShellBackground) => {
                self.take(entry.extended(), entry.wished_name());
            }
            Some(entry) => self.take(entry.descriptor(), entry.wished_name()),
            None => self.leave_out(&id, Code::BuiltinToolUnavailable, "this build does not have it"),
        }
    }

    /// A tool of an extension or a server. Missing is said; switched off or for another scenario is not (CT-23).
    fn take_external(&mut self, id: &ToolId) {
        let Some(entry) = self.given.catalog.get(id) else {
            let code = match id.source() {
                Source::Mcp { .. } => Code::McpToolUnavailable,
                _ => Code::ExtensionToolUnavailable,
            };
            return self.leave_out(id, code, "it is not loaded");
        };
        if entry.enabled() && entry.fits(self.given.scenario) {
            self.take(entry.descriptor(), entry.wished_name());
        }
    }

    fn take(&mut self, descriptor: &Arc<Descriptor>, name: String) {
        let id = &descriptor.id;
        if descriptor.traits.returns_images && self.given.images != Some(true) {
            let why = "it returns images, and the model is not known to take them";
            return self.leave_out(id, Code::ExtensionToolNeedsImageInput, why);
        }
        let wish = Wish { id: id.clone(), name };
        match self.given.profile.tools.tool_descriptions.get(id).map(|texts| texts.apply(descriptor)) {
            None => self.tools.push((Arc::clone(descriptor), wish)),
            Some(Ok(changed)) => self.tools.push((Arc::new(changed), wish)),
            Some(Err(fault)) => self.leave_out(id, Code::AgentToolOverrideInvalid, &fault.message),
        }
    }

    fn leave_out(&mut self, id: &ToolId, code: Code, why: &str) {
        let message = format!("`{id}` was left out: {}.", why.trim_end_matches('.'));
        self.diagnostics.push(Diagnostic { tool_id: Some(id.to_string()), code, message });
    }

    /// The tool that joins those that are sent as soon as an old result was shortened (RS-74), whatever the allow
    /// list says. Its name is taken as long as results can be shortened.
    pub fn take_dynamic(&mut self) -> Option<Arc<Descriptor>> {
        let builtin = feature_tool(Feature::ContextProjection)?;
        let id = builtin.id();
        if self.given.profile.context.tool_result_window_chars.is_none() || self.denied.contains(&id) {
            return None;
        }
        self.reserved.push(builtin.native);
        self.given.catalog.get(&id).map(|entry| Arc::clone(entry.descriptor()))
    }

    /// Gives the tools their names and the order of the snapshot.
    pub fn name(&self) -> Result<Named, Fault> {
        let wishes: Vec<Wish> = self.tools.iter().map(|(_, wish)| wish.clone()).collect();
        name(&wishes, &self.reserved, self.given.profile.tools.order)
    }

    /// The tools in the order of the snapshot.
    pub fn in_order<'b>(&'b self, named: &'b Named) -> Vec<(&'b Arc<Descriptor>, &'b str)> {
        let tool = |(index, alias): &'b (usize, String)| Some((&self.tools.get(*index)?.0, alias.as_str()));
        named.tools.iter().filter_map(tool).collect()
    }

    /// The same, as the exposure looks at them: what a policy switches off is hidden (PM-13).
    pub fn offers<'b>(&'b self, named: &'b Named) -> Vec<Offer<'b>> {
        let offer = |(descriptor, alias): (&'b Arc<Descriptor>, &'b str)| {
            let off =
                self.given.profile.tier(&descriptor.id, alias) == Tier::Off && !Mutant::OffOffered.is_on();
            Offer { descriptor, alias, hidden: off || descriptor.traits.exposure == Exposure::Hidden }
        };
        self.in_order(named).into_iter().map(offer).collect()
    }
}
