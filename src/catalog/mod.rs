//! The tools that are known.

mod bind;
mod binding;
mod compiled;
mod description;
mod descriptor;
mod entry;
mod exposure;
mod listing;
mod names;
mod naming;
mod pattern;
mod profile;
mod reading;
mod registration;
mod registry;
mod selection;
mod snapshot;
mod tools;
mod traits;
mod turn;

#[cfg(test)]
mod tests;

pub use bind::{Bound, InvocationKind, bind};
pub use binding::{Binding, BindingExposure};
pub use description::DescriptionOverride;
pub use descriptor::{Annotations, Descriptor, Forward, Risk};
pub use entry::{Entry, Origin};
pub use listing::{Item, Listing};
#[cfg(feature = "testing")]
pub(crate) use naming::{Wish, name};
pub use pattern::matches;
pub use profile::{
    Activation, ArgumentRepair, Artifact, Context, Delegation, ExposureMode, ExposureSettings, Features,
    Instructions, Lanes, Model, ModelMode, ModelRetry, Order, Output, Permissions, Presentation, Preset,
    PresetMode, Profile, Run, Skills, Tier, Tools, UnknownOutcome, Workspace,
};
pub use registration::{Contexts, ExtensionFunction, Registration, Returns};
pub use registry::{BUILTINS, Builtin, Feature, builtin, builtin_of};
pub use snapshot::Snapshot;
pub use tools::{Catalog, Registered};
pub use traits::{Bounded, EffectTrait, Exposure, Interrupt, Parallel, ResultBudget, Traits};
pub use turn::{Choice, Turn};
