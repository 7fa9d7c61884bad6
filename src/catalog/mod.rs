//! Which tools there are, and which of them an invocation has.
//!
//! - Comes in: descriptors of builtins, registrations of extensions, tools discovered on servers; profiles.
//! - Goes out: [`Bound`], what one invocation has; frozen in a [`Snapshot`]; the contract of a step, a [`Turn`].
//! - Invariants: a snapshot never changes; call names in it are legal and pairwise distinct; the schemas in it are the
//!   author's.
//! - Refuses with: the codes of chapter 16, section 1, all for the developer of the host.
//! - Not here: whether a call may be made (rooms `gate`, `permission`), and the functions behind the tools.

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
pub mod profile;
pub(crate) mod reading;
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
pub(crate) use pattern::matches_where;
pub use profile::Profile;
pub use registration::{Contexts, ExtensionFunction, Registration, Returns};
pub use registry::{BUILTINS, Builtin, Feature, builtin, builtin_of};
pub use snapshot::Snapshot;
pub use tools::{Catalog, Registered};
pub use traits::{Bounded, EffectTrait, Exposure, Interrupt, Parallel, ResultBudget, Traits, Truncate};
pub use turn::{Choice, Turn};
