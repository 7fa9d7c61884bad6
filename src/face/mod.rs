//! Translation between JavaScript and the session; the only place that names a binding crate.
