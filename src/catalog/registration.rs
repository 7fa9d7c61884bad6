//! What an extension says about a tool it brings (XT-01).

use serde::Serialize;
use serde_json::Value;

use super::descriptor::Descriptor;
use super::reading::{Members, Place, Read, words};
use super::traits::synonyms;
use crate::identity::ToolId;
use crate::protocol::limits::{REGISTERED_NAME_CHARS, SCHEMA_BYTES};
use crate::protocol::{Code, Fault, Scenario};

/// A tool of an extension: what is known of it, and how its function is called.
#[derive(Clone, Debug, PartialEq)]
pub struct Registration {
    /// What is known of the tool.
    pub descriptor: Descriptor,
    /// How its function is called.
    pub function: ExtensionFunction,
}

/// How the function behind an extension tool is offered and called.
#[derive(Clone, Debug, PartialEq)]
pub struct ExtensionFunction {
    /// Where the tool may be bound.
    pub contexts: Contexts,
    /// Whether new calls are allowed (XT-02).
    pub enabled: bool,
    /// What a returned value means (RS-30).
    pub returns: Returns,
    /// The host can look at a call before it runs (AR-34).
    pub inspect: bool,
    /// The host computes the description for each caller (CT-09).
    pub describe_for_model: bool,
}

/// The scenarios a tool is for; at least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contexts {
    chat: bool,
    session: bool,
}

impl Contexts {
    /// Both scenarios.
    pub const BOTH: Self = Self { chat: true, session: true };

    /// Whether a scenario is among them.
    pub fn contains(self, scenario: Scenario) -> bool {
        match scenario {
            Scenario::Chat => self.chat,
            Scenario::Session => self.session,
        }
    }
}

words! {
    /// What the value means that a function returns (RS-30).
    pub enum Returns {
        /// Plain data.
        Json = "json",
        /// A text, or content blocks.
        Blocks = "blocks",
    }
}

impl Registration {
    /// Reads a registration, the synonyms of CT-18 included.
    ///
    /// # Errors
    /// `extension.registration_invalid` for what only a registration has (XT-08), `tool.descriptor_invalid` for an
    /// unknown member and for what makes the descriptor.
    pub fn decode(value: &Value) -> Result<Self, Fault> {
        Self::read(value, &Place::document("registration", Code::ToolDescriptorInvalid))
    }
}

impl Read for Registration {
    fn read(value: &Value, place: &Place) -> Result<Self, Fault> {
        let own = place.with_code(Code::ExtensionRegistrationInvalid);
        let mut members = Members::open(value, place)?;
        let extension: String = required(&mut members, "extensionId", &own)?;
        if !is_extension_id(&extension) {
            let text = "must be 1 to 128 of the characters A-Z a-z 0-9 . _ -";
            return Err(own.member("extensionId").fault(text));
        }
        let name: String = required(&mut members, "name", &own)?;
        if !is_tool_name(&name) {
            return Err(own
                .member("name")
                .fault("must be 1 to 128 characters, none of them a control character"));
        }
        let schema = members.raw("inputSchema");
        if schema.is_some_and(|schema| schema.to_string().len() > SCHEMA_BYTES) {
            let text = format_args!("must not be larger than {SCHEMA_BYTES} bytes");
            return Err(own.member("inputSchema").fault(text));
        }
        let function = ExtensionFunction {
            contexts: optional(&mut members, "contexts", Contexts::BOTH, &own)?,
            enabled: optional(&mut members, "enabled", true, &own)?,
            returns: optional(&mut members, "returns", Returns::Json, &own)?,
            inspect: optional(&mut members, "inspect", false, &own)?,
            describe_for_model: optional(&mut members, "describeForModel", false, &own)?,
        };
        let id = ToolId::make(&format!("extension/{extension}"), &name)?;
        let synonyms = synonyms(&mut members)?;
        let mut descriptor = Descriptor::from_members(id, &mut members, Some(synonyms))?;
        let summarize = members.opt("summarize")?;
        descriptor.summary = descriptor.summary.or(summarize);
        descriptor.traits.returns_images |= members.get("returnsImages", false)?;
        members.end()?;
        Ok(Self { descriptor, function })
    }
}

fn required<T: Read>(members: &mut Members<'_>, name: &'static str, place: &Place) -> Result<T, Fault> {
    let place = place.member(name);
    match members.raw(name) {
        Some(value) => T::read(value, &place),
        None => Err(place.fault("is required")),
    }
}

fn optional<T: Read>(
    members: &mut Members<'_>,
    name: &'static str,
    default: T,
    place: &Place,
) -> Result<T, Fault> {
    members.raw(name).map_or(Ok(default), |value| T::read(value, &place.member(name)))
}

fn is_extension_id(text: &str) -> bool {
    let legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    (1..=REGISTERED_NAME_CHARS).contains(&text.len()) && text.chars().all(legal)
}

fn is_tool_name(text: &str) -> bool {
    (1..=REGISTERED_NAME_CHARS).contains(&text.chars().take(REGISTERED_NAME_CHARS + 1).count())
        && !text.chars().any(char::is_control)
}

impl Read for Contexts {
    fn read(value: &Value, place: &Place) -> Result<Self, Fault> {
        let scenarios = Vec::<Scenario>::read(value, place)?;
        let contexts = Self {
            chat: scenarios.contains(&Scenario::Chat),
            session: scenarios.contains(&Scenario::Session),
        };
        if !contexts.chat && !contexts.session {
            return Err(place.fault("must hold `chat`, `session` or both"));
        }
        Ok(contexts)
    }
}

impl Serialize for Contexts {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq([Scenario::Chat, Scenario::Session].iter().filter(|s| self.contains(**s)))
    }
}
