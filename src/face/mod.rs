//! Translation between JavaScript and the session; the only place that names a binding crate.

#[cfg(feature = "program-javascript")]
mod program_javascript;
