//! The builtin tools of this build, as the catalog knows them.

use serde_json::json;

use crate::arguments::Rules;
use crate::catalog::{
    Bound, Catalog, Descriptor, EffectTrait, Parallel, Profile, ResultBudget, Traits, builtin,
};
use crate::protocol::{BoundNames, Fault};
use crate::tool::{self, Effect, Spec, TOOLS};

/// A catalog with the builtin tools.
pub(super) fn catalog() -> Result<Catalog, Fault> {
    let mut catalog = Catalog::new();
    for spec in TOOLS {
        catalog.add_builtin(descriptor(spec)?)?;
    }
    Ok(catalog)
}

fn descriptor(spec: &Spec) -> Result<Descriptor, Fault> {
    let traits = Traits {
        effect: match spec.effect {
            Effect::Read => EffectTrait::Read,
            Effect::Write => EffectTrait::Write,
            Effect::Exec => EffectTrait::Exec,
        },
        parallel: if spec.parallel { Parallel::Yes } else { Parallel::No },
        background: Some(false),
        result_budget: Some(ResultBudget::Unlimited),
        ..Traits::builtin()
    };
    let id = match builtin(spec.native) {
        Some(builtin) => builtin.id(),
        None => crate::identity::ToolId::make("builtin", spec.native)?,
    };
    // Without knowing what else is bound no other tool may be named (NM-09).
    let description = (spec.description)(&BoundNames::default());
    let mut descriptor = Descriptor::new(id, &description, (spec.schema)(), traits)?;
    descriptor.title = Some(spec.title.to_owned());
    descriptor.summary = Some(spec.summary.to_owned());
    descriptor.annotations.read_only = Some(spec.effect == Effect::Read);
    descriptor.annotations.source_kind = json!("builtin").as_str().map(str::to_owned);
    Ok(descriptor)
}

/// How the arguments of a builtin are checked.
pub(super) fn rules(native: &str) -> Option<Rules> {
    tool::find(native).map(|spec| spec.rules)
}

/// Gives the bound builtins the descriptions that name each other (CT-08). One that the profile words itself stays.
pub(super) fn describe(bound: &mut Bound, profile: &Profile) {
    let names: BoundNames = bound
        .bindings
        .iter()
        .filter(|binding| binding.is_builtin())
        .map(|binding| (binding.id().native().to_owned(), binding.alias().to_owned()))
        .collect();
    bound.describe(|id| {
        let worded = profile.tools.tool_descriptions.get(id).is_some_and(|own| own.description.is_some());
        let spec = tool::find(id.native()).filter(|_| !worded)?;
        Some((spec.description)(&names))
    });
}
