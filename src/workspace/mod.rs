//! The in-memory file system of a run: paths and roots, the tree of files, what was read, and what changed.
//!
//! Tools see files through [`Roots`], which turns the text they were given into a [`WorkspacePath`] they may use. They
//! read a [`Tree`] and say what they want done as a [`FileEffect`]; only [`apply`] does it.

mod change;
mod digest;
mod effect;
mod file;
pub mod patch;
mod path;
mod port;
mod read_state;
pub(crate) mod refusal;
mod roots;
pub mod search;
pub mod text;
mod touches;
mod tree;

pub use change::{Author, Change, Changes};
pub use digest::{Digest, NoDigest};
pub use effect::{FileEffect, Guard, WriteMode, apply};
pub use file::File;
pub use path::WorkspacePath;
pub use port::Port;
pub use read_state::{ReadObservation, ReadState, Seen};
pub use roots::{READ_ONLY_ROOTS, Roots, WRITABLE_ROOTS};
pub use text::Metrics;
pub use touches::Touches;
pub use tree::{Blob, Branch, Directory, Entry, Found, Limits, Tree, Usage, Walk};

#[cfg(test)]
#[path = "path_tests.rs"]
mod path_tests;
