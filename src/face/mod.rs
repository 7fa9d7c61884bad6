//! Translation only; the one place that names a binding crate. JSON crosses as text, bytes as byte arrays.
#![allow(unsafe_code)] // the expansions of the binding crates need it; by hand only what getrandom asks for.

#[cfg(all(feature = "component", feature = "core"))]
mod component;
#[cfg(feature = "js")]
mod js;
#[cfg(any(feature = "program-javascript", feature = "program-shell"))]
mod js_program;
#[cfg(feature = "component-javascript")]
mod program_component;
#[cfg(feature = "program-javascript")]
mod program_javascript;
#[cfg(feature = "program-shell")]
mod program_shell;
