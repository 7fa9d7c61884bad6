//! The stable identity of a tool.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::protocol::{Code, Fault};

const BUILTIN: &str = "builtin";
const MCP: &str = "mcp/";
const EXTENSION: &str = "extension/";

/// A tool's identity: `<provider>:<native>`, split at the first colon, neither half empty (ID-01, ID-02). Nothing is
/// trimmed or folded (ID-09). Ordered by the bytes of its text (ID-06); cheap to clone.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ToolId(Arc<str>);

/// Where a tool comes from (ID-05).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source<'a> {
    /// Part of the runtime.
    Builtin,
    /// Discovered on a server.
    Mcp {
        /// The registration of that server.
        registration_id: &'a str,
    },
    /// Registered by an extension.
    Extension {
        /// Which.
        extension_id: &'a str,
    },
    /// A legal id that no catalog holds.
    Other,
}

impl ToolId {
    /// Reads an id.
    ///
    /// # Errors
    /// `tool.id_invalid` without a colon, `tool.provider_id_empty`, `tool.native_name_empty` (ID-04).
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let Some((provider, native)) = text.split_once(':') else {
            return Err(Fault::new(
                Code::ToolIdInvalid,
                "A tool id needs a colon: `<provider>:<native name>`.",
            ));
        };
        check_halves(provider, native)?;
        Ok(Self(text.into()))
    }

    /// Its text, shared.
    pub fn shared(&self) -> Arc<str> {
        Arc::clone(&self.0)
    }

    /// Builds an id from its halves.
    ///
    /// # Errors
    /// As [`ToolId::parse`]; a provider with a colon is `tool.provider_id_invalid` (ID-04).
    pub fn make(provider: &str, native: &str) -> Result<Self, Fault> {
        if provider.contains(':') {
            let text = "The provider of a tool id must not hold a colon.";
            return Err(Fault::new(Code::ToolProviderIdInvalid, text));
        }
        check_halves(provider, native)?;
        Ok(Self(format!("{provider}:{native}").into()))
    }

    /// The id of a builtin tool. `native` must not be empty; no native name of the registry is.
    pub(crate) fn builtin(native: &'static str) -> Self {
        Self(format!("{BUILTIN}:{native}").into())
    }

    /// The whole text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The half before the first colon.
    pub fn provider(&self) -> &str {
        self.halves().0
    }

    /// The half after the first colon; it may hold further ones.
    pub fn native(&self) -> &str {
        self.halves().1
    }

    /// Where the tool comes from.
    pub fn source(&self) -> Source<'_> {
        let provider = self.provider();
        if provider == BUILTIN {
            return Source::Builtin;
        }
        if let Some(registration_id) = provider.strip_prefix(MCP).filter(|rest| !rest.is_empty()) {
            return Source::Mcp { registration_id };
        }
        if let Some(extension_id) = provider.strip_prefix(EXTENSION).filter(|rest| !rest.is_empty()) {
            return Source::Extension { extension_id };
        }
        Source::Other
    }

    /// The native name, if it is a builtin.
    pub fn builtin_name(&self) -> Option<&str> {
        self.0.strip_prefix(BUILTIN)?.strip_prefix(':')
    }

    fn halves(&self) -> (&str, &str) {
        self.0.split_once(':').unwrap_or_default()
    }
}

fn check_halves(provider: &str, native: &str) -> Result<(), Fault> {
    if provider.is_empty() {
        let text = "A tool id needs a provider before its colon.";
        return Err(Fault::new(Code::ToolProviderIdEmpty, text));
    }
    if native.is_empty() {
        let text = "A tool id needs a native name behind its colon.";
        return Err(Fault::new(Code::ToolNativeNameEmpty, text));
    }
    Ok(())
}

impl fmt::Display for ToolId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for ToolId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.0, f)
    }
}

impl Serialize for ToolId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for ToolId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).map_err(|fault| de::Error::custom(fault.message))
    }
}
