//! What is known of one tool (CT-01).

use serde::Serialize;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::compiled::Compiled;
use super::reading::{Members, Place, Read, words};
use super::traits::{EffectTrait, Synonyms, Traits};
use crate::arguments::{NotEnforced, Schema};
use crate::identity::{Source, ToolId};
use crate::protocol::limits::ACTION_DEPTH;
use crate::protocol::{Code, Fault};

/// One tool: what the model is told, what the host declares, what the runtime reads of it. The schemas are the
/// author's, untouched: member order and number texts included.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Descriptor {
    /// Its identity.
    pub id: ToolId,
    /// Its name for screens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The description for the model (CT-08).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The schema of its arguments; its root type is `object` (AR-32).
    pub input_schema: Value,
    /// The schema of what it returns (RS-37).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<Value>,
    /// Remarks that decide nothing (CT-02).
    pub annotations: Annotations,
    /// How it behaves.
    #[serde(skip_serializing_if = "is_default")]
    pub traits: Traits,
    /// The template of the action that a call performs (PM-01).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permission: Option<Value>,
    /// The template of the screen sentence for one call (CT-08).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// Calls go to another tool instead (CT-11).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forward: Option<Forward>,
    /// The template of the data for screens (RS-07).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub display: Option<Value>,
    /// Call names it had before; never sent, they resolve calls and history (NM-22).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub former_names: Vec<String>,
    /// The input schema, compiled on first use.
    #[serde(skip)]
    pub(super) compiled: Compiled,
}

/// Remarks on a tool; those of an MCP server are not to be trusted (CT-02, CT-33).
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs)] // The names say it.
pub struct Annotations {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_only: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mutating: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub control: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_kind: Option<String>,
}

/// Where calls of a tool go instead (CT-11).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Forward {
    /// The tool that is called.
    pub to: ToolId,
    /// The template of its arguments; absent: the same arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub args: Option<Value>,
}

words! {
    /// How dangerous an action says it is (PM-01).
    pub enum Risk {
        /// Somebody should look at it.
        Review = "review",
        /// It can do harm.
        Dangerous = "dangerous",
        /// It needs a person's word each time.
        Critical = "critical",
    }
}

impl Descriptor {
    /// A descriptor with nothing but these texts and traits. An absent or empty schema takes no arguments (CT-04).
    ///
    /// # Errors
    /// `tool.descriptor_invalid` when the root type of the schema is not `object`.
    pub fn new(id: ToolId, description: &str, input_schema: Value, traits: Traits) -> Result<Self, Fault> {
        let place = Place::document("tool descriptor", Code::ToolDescriptorInvalid);
        Ok(Self {
            id,
            title: None,
            description: Some(description.into()),
            input_schema: input_schema_of(Some(&input_schema), &place.member("inputSchema"))?,
            output_schema: None,
            annotations: Annotations::default(),
            traits,
            permission: None,
            summary: None,
            forward: None,
            display: None,
            former_names: Vec::new(),
            compiled: Compiled::default(),
        })
    }

    /// Reads a descriptor.
    ///
    /// # Errors
    /// `tool.descriptor_invalid`, naming the member: an unknown one, or one with a value that is not allowed.
    pub fn decode(value: &Value) -> Result<Self, Fault> {
        Self::read(value, &Place::document("tool descriptor", Code::ToolDescriptorInvalid))
    }

    /// Reads the members that a descriptor has beside its id.
    pub(super) fn from_members(
        id: ToolId,
        members: &mut Members<'_>,
        synonyms: Option<Synonyms>,
    ) -> Result<Self, Fault> {
        let external = id.source() != Source::Builtin;
        let traits = match members.raw("traits") {
            Some(value) => Traits::read(value, &members.place("traits"), external)?,
            None => Traits::default(),
        };
        let permission = members.raw("permission");
        if let Some(value) = permission {
            check_action(value, &members.place("permission"), ACTION_DEPTH)?;
        }
        let input_schema = members.raw("inputSchema");
        let former_names: Vec<String> = members.get("formerNames", Vec::new())?;
        if former_names.iter().any(String::is_empty) {
            return Err(members.place("formerNames").fault("must not hold an empty name"));
        }
        let mut descriptor = Self {
            id,
            title: None,
            description: None,
            input_schema: Value::Null,
            output_schema: None,
            annotations: Annotations::default(),
            traits: synonyms.into_iter().fold(traits, Traits::with),
            permission: permission.cloned(),
            summary: None,
            forward: None,
            display: None,
            former_names,
            compiled: Compiled::default(),
        };
        members.set_some("title", &mut descriptor.title);
        members.set_some("description", &mut descriptor.description);
        members.checked()?;
        descriptor.input_schema = input_schema_of(input_schema, &members.place("inputSchema"))?;
        members.set_by("outputSchema", &mut descriptor.output_schema, |value, place| {
            Map::read(value, place).map(|schema| Some(Value::Object(schema)))
        });
        members.set("annotations", &mut descriptor.annotations);
        members.set_some("summary", &mut descriptor.summary);
        members.set_some("forward", &mut descriptor.forward);
        descriptor.display = members.raw("display").cloned();
        members.checked()?;
        Ok(descriptor)
    }

    /// The compiled input schema.
    pub fn schema(&self) -> &Schema {
        &self.compiled.get(&self.input_schema).0
    }

    /// What of the input schema is not enforced (AR-31).
    pub fn not_enforced(&self) -> &[NotEnforced] {
        &self.compiled.get(&self.input_schema).1
    }

    /// The digest that tells whether a tool still takes the same arguments (XT-05). The texts that an override may
    /// change are left out, so an override does not make another tool of it.
    pub fn schema_digest(&self) -> [u8; 32] {
        let mut bare = self.input_schema.clone();
        let properties = bare.get_mut("properties").and_then(Value::as_object_mut);
        for property in properties.into_iter().flat_map(Map::values_mut) {
            if let Some(property) = property.as_object_mut() {
                property.shift_remove("description");
            }
        }
        Sha256::digest(bare.to_string()).into()
    }
}

impl Read for Descriptor {
    fn read(value: &Value, place: &Place) -> Result<Self, Fault> {
        let mut members = Members::open(value, place)?;
        let id = members.need("id")?;
        let descriptor = Self::from_members(id, &mut members, None)?;
        members.end()?;
        Ok(descriptor)
    }
}

impl Read for Annotations {
    fn read(value: &Value, place: &Place) -> Result<Self, Fault> {
        let mut members = Members::open(value, place)?;
        let mut annotations = Self::default();
        members.set_some("readOnly", &mut annotations.read_only);
        members.set_some("mutating", &mut annotations.mutating);
        members.set_some("control", &mut annotations.control);
        members.set_some("sourceKind", &mut annotations.source_kind);
        members.end()?;
        Ok(annotations)
    }
}

impl Read for Forward {
    fn read(value: &Value, place: &Place) -> Result<Self, Fault> {
        let mut members = Members::open(value, place)?;
        let forward = Self { to: members.need("to")?, args: members.raw("args").cloned() };
        members.end()?;
        Ok(forward)
    }
}

/// The schema as the author wrote it, if its root type is `object`; an absent or empty one takes no arguments.
fn input_schema_of(schema: Option<&Value>, place: &Place) -> Result<Value, Fault> {
    let Some(schema) = schema else { return Ok(no_arguments()) };
    let object = schema.as_object().ok_or_else(|| place.expected("an object", schema))?;
    if object.is_empty() {
        return Ok(no_arguments());
    }
    if object.get("type").and_then(Value::as_str) != Some("object") {
        return Err(place.member("type").fault("must be `object`: arguments are one JSON object"));
    }
    Ok(schema.clone())
}

fn no_arguments() -> Value {
    json!({"type": "object", "properties": {}})
}

/// An action template is kept as it is; here it is only checked (CT-18).
fn check_action(value: &Value, place: &Place, depth: usize) -> Result<(), Fault> {
    let mut members = Members::open(value, place)?;
    members.need::<String>("name")?;
    members.raw("target");
    members.opt::<Vec<Risk>>("risk")?;
    members.opt::<EffectTrait>("effect")?;
    members.opt::<bool>("remember")?;
    let parts = members.raw("parts");
    members.end()?;
    let Some(parts) = parts else { return Ok(()) };
    let place = place.member("parts");
    if depth == 0 {
        return Err(place.fault("are nested too deep"));
    }
    let parts = parts.as_array().ok_or_else(|| place.expected("a list", parts))?;
    parts.iter().enumerate().try_for_each(|(index, part)| check_action(part, &place.item(index), depth - 1))
}

/// Whether a value is what its absence means.
pub(super) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
