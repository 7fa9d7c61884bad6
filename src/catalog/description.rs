//! Other words for a tool: description overrides (CT-06, CT-07).

use serde::Serialize;
use serde_json::Value;

use super::descriptor::{Descriptor, is_default};
use super::reading::{Members, Place, Read, echo};
use crate::protocol::{Code, Fault, SortedMap};

/// Texts that take the place of a tool's own, verbatim; nothing else of the tool changes. Where several apply, the
/// last wins: the server's or registered text, then the registration's override, then the profile's (CT-07).
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct DescriptionOverride {
    /// The description of the tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The descriptions of its parameters, by name.
    #[serde(skip_serializing_if = "is_default")]
    pub properties: SortedMap<String, String>,
}

impl DescriptionOverride {
    /// Reads an override.
    ///
    /// # Errors
    /// `tool.descriptor_invalid` for any other member and for a value that is no text.
    pub fn decode(value: &Value) -> Result<Self, Fault> {
        Self::read(value, &Place::document("description override", Code::ToolDescriptorInvalid))
    }

    /// The descriptor with these texts.
    ///
    /// # Errors
    /// `tool.description_override_properties_invalid`: the schema has no object `properties`;
    /// `tool.description_override_unknown_property`; `tool.description_override_property_schema_invalid`: the
    /// schema of that parameter is not an object.
    pub fn apply(&self, descriptor: &Descriptor) -> Result<Descriptor, Fault> {
        let mut changed = descriptor.clone();
        if let Some(description) = &self.description {
            changed.description = Some(description.clone());
        }
        if self.properties.is_empty() {
            return Ok(changed);
        }
        let properties = changed.input_schema.get_mut("properties").and_then(Value::as_object_mut);
        let properties = properties.ok_or_else(|| {
            let text = "The description override names parameters, but the tool's schema declares none.";
            Fault::new(Code::ToolDescriptionOverridePropertiesInvalid, text)
        })?;
        for (name, text) in &self.properties {
            let schema = properties.get_mut(name).ok_or_else(|| {
                let text = format!("The description override names `{}`, which is no parameter.", echo(name));
                Fault::new(Code::ToolDescriptionOverrideUnknownProperty, text)
            })?;
            let schema = schema.as_object_mut().ok_or_else(|| {
                let text =
                    format!("The schema of `{}` is not an object and takes no description.", echo(name));
                Fault::new(Code::ToolDescriptionOverridePropertySchemaInvalid, text)
            })?;
            schema.insert("description".into(), Value::String(text.clone()));
        }
        Ok(changed)
    }
}

impl Read for DescriptionOverride {
    fn read(value: &Value, place: &Place) -> Result<Self, Fault> {
        let mut members = Members::open(value, place)?;
        let texts = Self {
            description: members.opt("description")?,
            properties: members.get("properties", SortedMap::new())?,
        };
        members.end()?;
        Ok(texts)
    }
}
