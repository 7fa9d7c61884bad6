//! Programs: sandboxed interpreters, each a Wasm module of its own built from this crate by a feature.
//!
//! A program is a process (AC-02): one instance runs one command and is thrown away. It holds no state, has no
//! network and no clock of its own, and reaches the workspace only through the file port, [`port::Port`].

#[cfg(feature = "engine-javascript")]
pub(crate) mod javascript;
pub(crate) mod port;
pub(crate) mod random;
#[cfg(feature = "program-shell")]
pub(crate) mod shell;
