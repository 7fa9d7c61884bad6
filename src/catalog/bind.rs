//! From what is known to what one invocation has: scenario, selection, overrides, names, exposure (CT-30).

use std::sync::Arc;

use super::binding::{Binding, BindingExposure, names};
use super::description::DescriptionOverride;
use super::exposure::{exposures, loader, mode};
use super::profile::{Profile, check_selection};
use super::selection::{Circumstances, Selection};
use super::tools::Catalog;
use crate::identity::{ToolId, builtin_call_name};
use crate::protocol::{BoundNames, Diagnostic, Fault, Scenario, SortedMap};

/// How an invocation ends, and hence which tools it may have (CT-35).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvocationKind {
    /// It may finish the run: the root, or the target of a handoff.
    Root,
    /// It returns to the invocation that started it.
    ReturnChild,
}

/// What an invocation has, before it becomes a [`Snapshot`](super::Snapshot).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bound {
    /// The tools, in the order in which they are sent.
    pub bindings: Vec<Binding>,
    /// Tools that join those that are sent later (RS-74).
    pub dynamic: Vec<Binding>,
    /// What was left out, and why (CT-22).
    pub diagnostics: Vec<Diagnostic>,
    /// Which tools lost their plain names (NM-23).
    pub notices: Vec<Diagnostic>,
    /// The words that the profile has for these tools.
    overrides: SortedMap<ToolId, DescriptionOverride>,
}

impl Bound {
    /// The builtin tools that a text may name (NM-09).
    pub fn names(&self) -> BoundNames {
        names(&self.bindings)
    }

    /// Gives a tool texts that were not known before it was bound: those that name other tools (CT-08), or that the
    /// host computes for this caller (CT-09). Where the profile has words of its own, they stay (CT-07). A tool that
    /// is not bound is passed over.
    ///
    /// # Errors
    /// As [`DescriptionOverride::apply`].
    pub fn describe(&mut self, id: &ToolId, texts: &DescriptionOverride) -> Result<(), Fault> {
        let mut bindings = self.bindings.iter_mut().chain(&mut self.dynamic);
        let Some(binding) = bindings.find(|binding| binding.id() == id) else { return Ok(()) };
        let mut descriptor = texts.apply(binding.descriptor())?;
        if let Some(own) = self.overrides.get(id) {
            descriptor = own.apply(&descriptor)?;
        }
        *binding = Binding::new(Arc::new(descriptor), binding.alias().into(), binding.exposure());
        Ok(())
    }
}

/// Binds the tools of an invocation. `images`: whether its model takes images, if that is known (CT-42).
///
/// # Errors
/// `tool.catalog_duplicate_id` and `agent.profile_unknown_tool` for the allow list (NM-21, CT-32).
pub fn bind(
    catalog: &Catalog,
    profile: &Profile,
    scenario: Scenario,
    kind: InvocationKind,
    images: Option<bool>,
) -> Result<Bound, Fault> {
    check_selection(&profile.tools.allow)?;
    let given = Circumstances { catalog, profile, scenario, kind, images };
    let settings = &profile.exposure;

    // Whether a loader is needed depends on the other tools and their names.
    let first = Selection::of(given, None);
    let named = first.name()?;
    let offers = first.offers(&named);
    let mode = mode(settings, &offers);
    let loader = loader(mode, settings, &offers);

    let mut selection = Selection::of(given, loader);
    let dynamic = selection.take_dynamic();
    let named = selection.name()?;
    let exposures = exposures(mode, settings, &selection.offers(&named));
    let tools = selection.in_order(&named).into_iter().zip(exposures);
    let bindings = tools
        .map(|((descriptor, alias), exposure)| Binding::new(Arc::clone(descriptor), alias.into(), exposure))
        .collect();
    let dynamic = dynamic
        .map(|descriptor| {
            let alias = builtin_call_name(descriptor.id.native());
            Binding::new(descriptor, alias, BindingExposure::Resident)
        })
        .into_iter()
        .collect();
    Ok(Bound {
        bindings,
        dynamic,
        diagnostics: selection.diagnostics,
        notices: named.notices,
        overrides: profile.tools.tool_descriptions.clone(),
    })
}
