//! The builtin tools of this build, as the catalog knows them.

use serde_json::Value;

use crate::arguments::Rules;
use crate::catalog::{
    Bound, Catalog, DescriptionOverride, Descriptor, EffectTrait, Parallel, ResultBudget, Traits, Truncate,
    builtin,
};
use crate::identity::ToolId;
use crate::protocol::{BoundNames, Fault, Mutant};
use crate::tool::{self, Effect, Outside, Spec, TOOLS};

/// A catalog with the builtin tools.
pub(super) fn catalog() -> Result<Catalog, Fault> {
    let mut catalog = Catalog::new();
    for spec in TOOLS {
        catalog.add_builtin(descriptor(spec)?)?;
        if let Some(schema) = spec.outside().and_then(|outside| outside.background) {
            let traits = Traits { background: Some(true), ..traits(spec) };
            catalog.extend_builtin(described(spec, schema(), traits)?);
        }
    }
    Ok(catalog)
}

fn descriptor(spec: &Spec) -> Result<Descriptor, Fault> {
    described(spec, (spec.schema)(), traits(spec))
}

fn traits(spec: &Spec) -> Traits {
    let outside = spec.outside();
    Traits {
        effect: match spec.effect {
            Effect::Read => EffectTrait::Read,
            Effect::Write => EffectTrait::Write,
            Effect::Exec => EffectTrait::Exec,
        },
        parallel: if spec.parallel { Parallel::Yes } else { Parallel::No },
        background: Some(false),
        result_budget: Some(ResultBudget::Unlimited),
        timeout_ms: outside.map(|outside| outside.timeout_ms),
        cascades_on_failure: outside.is_some_and(|outside| outside.cascades),
        truncate: if outside.is_some() { Truncate::Tail } else { Truncate::Head },
        ..Traits::builtin()
    }
}

fn described(spec: &Spec, schema: Value, traits: Traits) -> Result<Descriptor, Fault> {
    // Without knowing what else is bound no other tool may be named (NM-09).
    let description = (spec.description)(&BoundNames::default());
    let mut descriptor = Descriptor::new(id(spec)?, &description, schema, traits)?;
    descriptor.title = Some(spec.title.to_owned());
    descriptor.summary = Some(spec.summary.to_owned());
    descriptor.annotations.read_only = Some(spec.effect == Effect::Read);
    descriptor.annotations.source_kind = Some("builtin".to_owned());
    Ok(descriptor)
}

/// How the arguments of a builtin are checked.
pub(super) fn rules(native: &str) -> Option<Rules> {
    tool::find(native).map(|spec| spec.rules)
}

/// How the host does a builtin, if it is one that the host does.
pub(super) fn outside(tool_id: Option<&ToolId>) -> Option<&'static Outside> {
    tool::find(tool_id?.builtin_name()?)?.outside()
}

/// Gives the bound builtins the descriptions that name each other (CT-08).
pub(super) fn describe(bound: &mut Bound) -> Result<(), Fault> {
    let mut names = bound.names();
    if Mutant::UnboundNamed.is_on() {
        names = TOOLS.iter().map(|spec| (spec.native.to_owned(), spec.native.replace('.', "_"))).collect();
    }
    for spec in TOOLS {
        let texts =
            DescriptionOverride { description: Some((spec.description)(&names)), ..Default::default() };
        bound.describe(&id(spec)?, &texts)?;
    }
    Ok(())
}

fn id(spec: &Spec) -> Result<ToolId, Fault> {
    match builtin(spec.native) {
        Some(builtin) => Ok(builtin.id()),
        None => ToolId::make("builtin", spec.native),
    }
}
