//! The facts of an event, and the body of a request to the model, as JSON text: written once, passed on as it is.

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::writer::{self, Unwritable, json_text, write_json};

/// The facts of an event, or the body of a request to the model: an object as JSON text. Nothing in the core reads them
/// again, so they are never a tree of values; a call makes about ten events, and that tree was most of what a call cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Facts(Arc<str>);

impl Facts {
    /// The facts of an object.
    pub fn of(object: &Value) -> Self {
        Self(object.to_string().into())
    }

    /// The facts of something that is written as an object, or as another value that is only passed on.
    pub fn written(object: &(impl Serialize + ?Sized)) -> Result<Self, Unwritable> {
        Ok(Self(json_text(object)?.into()))
    }

    /// The JSON text.
    pub fn text(&self) -> &str {
        &self.0
    }
}

impl Default for Facts {
    fn default() -> Self {
        Self("{}".into())
    }
}

impl Serialize for Facts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        writer::serialize_raw(&self.0, serializer)
    }
}

impl<'de> Deserialize<'de> for Facts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(Value::deserialize(deserializer)?.to_string().into()))
    }
}

#[cfg(feature = "testing")]
impl schemars::JsonSchema for Facts {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Facts".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "object",
            "additionalProperties": true,
            "description": "The facts of an event. Which members there are depends on its type, and no type says so: look before use.",
        })
    }
}

/// Bytes that the facts of most events fit into.
const USUAL_BYTES: usize = 256;

/// Writes facts, member by member.
#[derive(Clone, Debug)]
pub struct FactsWriter(String);

impl Default for FactsWriter {
    fn default() -> Self {
        Self(String::with_capacity(USUAL_BYTES))
    }
}

impl FactsWriter {
    /// Adds a member. A value that is no JSON becomes null.
    pub fn member(&mut self, name: &'static str, value: &(impl Serialize + ?Sized)) -> &mut Self {
        self.name(name);
        if write_json(&mut self.0, value).is_err() {
            self.0.push_str("null");
        }
        self
    }

    /// Adds a member if there is a value for it.
    pub fn maybe(&mut self, name: &'static str, value: Option<&(impl Serialize + ?Sized)>) -> &mut Self {
        if let Some(value) = value {
            self.member(name, value);
        }
        self
    }

    /// Adds a member whose value is JSON text already.
    pub fn text(&mut self, name: &'static str, json: &str) -> &mut Self {
        self.name(name);
        self.0.push_str(json);
        self
    }

    fn name(&mut self, name: &'static str) {
        self.0.push_str(if self.0.is_empty() { "{\"" } else { ",\"" });
        self.0.push_str(name);
        self.0.push_str("\":");
    }

    /// The facts.
    pub fn end(mut self) -> Facts {
        self.0.push_str(if self.0.is_empty() { "{}" } else { "}" });
        Facts(self.0.into())
    }
}

/// Facts with these members: `facts!({"callId": id, "state": state})`. Names are plain words.
#[cfg(feature = "core")]
macro_rules! facts {
    ({ $($name:literal : $value:expr),* $(,)? }) => {{
        #[allow(unused_mut)]
        let mut facts = $crate::protocol::FactsWriter::default();
        $(facts.member($name, &$value);)*
        facts.end()
    }};
}
#[cfg(feature = "core")]
pub(crate) use facts;
