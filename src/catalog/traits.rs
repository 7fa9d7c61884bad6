//! What a tool declares about its behaviour. What it does not declare is read on the careful side (CT-13).

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::descriptor::is_default;
use super::reading::{Members, Place, Read, integer, words};
use crate::protocol::Fault;
use crate::protocol::limits::TRAIT_TIMEOUT_MS;

words! {
    /// What a call of the tool can touch; an input of the permission decision, not to be confused with the effects
    /// that the core asks for.
    #[derive(Default)]
    pub enum EffectTrait {
        /// Runs no code of others and changes no state.
        Read = "read",
        /// Changes state.
        Write = "write",
        /// Anything, also running code. What an external tool is taken for when it declares nothing.
        #[default]
        Exec = "exec",
    }

    /// What the tool is confined to.
    pub enum Bounded {
        /// The virtual workspace.
        Workspace = "workspace",
    }

    /// Whether and how the tool is offered to the model.
    #[derive(Default)]
    pub enum Exposure {
        /// With its schema.
        #[default]
        Direct = "direct",
        /// By name; its schema is sent after a search found it.
        Deferred = "deferred",
        /// Not at all; only another tool may forward to it.
        Hidden = "hidden",
    }

    /// What a cancel does to a running call.
    #[derive(Default)]
    pub enum Interrupt {
        /// Aborts it.
        #[default]
        Cancel = "cancel",
        /// Waits for its end.
        Block = "block",
    }

    /// Which end of a long text is kept.
    #[derive(Default)]
    pub enum Truncate {
        /// The beginning.
        #[default]
        Head = "head",
        /// The end.
        Tail = "tail",
    }
}

/// Whether calls of the tool may run side by side (SC-20).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Parallel {
    /// Never.
    #[default]
    No,
    /// Always.
    Yes,
    /// Asked for each input.
    Inspect,
}

/// How much of a result the model is shown before it is projected (RS-40).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultBudget {
    /// Up to this many characters.
    Chars(u64),
    /// Everything: the tool bounds itself (CT-14).
    Unlimited,
}

/// The traits of a tool. The defaults are those of an external tool that declares nothing; only what differs from
/// them is written.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Traits {
    /// What a call can touch.
    #[serde(skip_serializing_if = "is_default")]
    pub effect: EffectTrait,
    /// Only steers the run. Reserved to builtins.
    #[serde(skip_serializing_if = "is_default")]
    pub control: bool,
    /// What it is confined to. Reserved to builtins.
    #[serde(skip_serializing_if = "is_default")]
    pub bounded: Option<Bounded>,
    /// Whether calls may run side by side.
    #[serde(skip_serializing_if = "is_default")]
    pub parallel: Parallel,
    /// Limit of synchronous waiting; absent: SC-40.
    #[serde(skip_serializing_if = "is_default")]
    pub timeout_ms: Option<u64>,
    /// Goes to the background on timeout; absent: SC-41.
    #[serde(skip_serializing_if = "is_default")]
    pub background: Option<bool>,
    /// Whether and how it is offered.
    #[serde(skip_serializing_if = "is_default")]
    pub exposure: Exposure,
    /// A failure stops the siblings it started with. False unless said: a wrong cascade kills unrelated calls.
    #[serde(skip_serializing_if = "is_default")]
    pub cascades_on_failure: bool,
    /// How much of a result is shown; absent: the limit of the profile.
    #[serde(skip_serializing_if = "is_default")]
    pub result_budget: Option<ResultBudget>,
    /// What a cancel does.
    #[serde(skip_serializing_if = "is_default")]
    pub interrupt: Interrupt,
    /// Template of the text for the reviewer; absent: mode `auto` always asks.
    #[serde(skip_serializing_if = "is_default")]
    pub classifier_text: Option<String>,
    /// Which end of a long text is kept.
    #[serde(skip_serializing_if = "is_default")]
    pub truncate: Truncate,
    /// May return images: bound only where the model takes them (CT-42).
    #[serde(skip_serializing_if = "is_default")]
    pub returns_images: bool,
}

impl Traits {
    /// What a builtin has unless its section of chapter 10 says otherwise.
    pub fn builtin() -> Self {
        Self {
            effect: EffectTrait::Write,
            bounded: Some(Bounded::Workspace),
            background: Some(false),
            result_budget: Some(ResultBudget::Unlimited),
            ..Self::default()
        }
    }

    /// Reads traits, the synonyms of CT-18 included. `external`: what is reserved to builtins is refused.
    pub(super) fn read(value: &Value, place: &Place, external: bool) -> Result<Self, Fault> {
        let mut members = Members::open(value, place)?;
        let synonym = synonyms(&mut members)?;
        let mut traits = Self::default();
        members.set("effect", &mut traits.effect);
        members.set("control", &mut traits.control);
        members.set_some("bounded", &mut traits.bounded);
        members.set("parallel", &mut traits.parallel);
        members.set_by("timeoutMs", &mut traits.timeout_ms, timeout);
        members.set_some("background", &mut traits.background);
        members.set("exposure", &mut traits.exposure);
        members.set("cascadesOnFailure", &mut traits.cascades_on_failure);
        members.set_some("resultBudget", &mut traits.result_budget);
        members.set("interrupt", &mut traits.interrupt);
        members.set_some("classifierText", &mut traits.classifier_text);
        members.set("truncate", &mut traits.truncate);
        members.set("returnsImages", &mut traits.returns_images);
        members.checked()?;
        let reserved = ["control", "bounded"].into_iter().find(|name| members.raw(name).is_some());
        if let Some(name) = reserved.filter(|_| external) {
            return Err(place.member(name).fault("is reserved to builtin tools"));
        }
        members.end()?;
        Ok(traits.with(synonym))
    }

    /// These traits with those that other words for them set.
    pub(super) fn with(mut self, synonym: Synonyms) -> Self {
        self.timeout_ms = self.timeout_ms.or(synonym.timeout_ms);
        if synonym.deferred && self.exposure == Exposure::Direct {
            self.exposure = Exposure::Deferred;
        }
        self
    }
}

/// Traits under other names (CT-18); where the usual name stands as well, that one counts.
pub(super) struct Synonyms {
    timeout_ms: Option<u64>,
    deferred: bool,
}

/// Reads `timeout` and `deferred`.
pub(super) fn synonyms(members: &mut Members<'_>) -> Result<Synonyms, Fault> {
    let timeout_ms = members.integer_opt("timeout", 1..=TRAIT_TIMEOUT_MS)?;
    Ok(Synonyms { timeout_ms, deferred: members.get("deferred", false)? })
}

fn timeout(value: &Value, place: &Place) -> Result<Option<u64>, Fault> {
    integer(value, place, 1..=TRAIT_TIMEOUT_MS).map(Some)
}

impl Read for Parallel {
    fn read(value: &Value, place: &Place) -> Result<Self, Fault> {
        match value {
            Value::Bool(true) => Ok(Parallel::Yes),
            Value::Bool(false) => Ok(Parallel::No),
            Value::String(word) if word == "inspect" => Ok(Parallel::Inspect),
            other => Err(place.expected("true, false or `inspect`", other)),
        }
    }
}

impl Read for ResultBudget {
    fn read(value: &Value, place: &Place) -> Result<Self, Fault> {
        if value.as_str() == Some("unlimited") {
            return Ok(ResultBudget::Unlimited);
        }
        if !value.is_object() {
            return Err(place.expected("`unlimited` or {chars}", value));
        }
        let mut members = Members::open(value, place)?;
        let chars = members.integer_opt("chars", 1..=u64::MAX)?;
        members.end()?;
        chars.map(ResultBudget::Chars).ok_or_else(|| place.member("chars").fault("is required"))
    }
}

impl Serialize for Parallel {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Parallel::No => serializer.serialize_bool(false),
            Parallel::Yes => serializer.serialize_bool(true),
            Parallel::Inspect => serializer.serialize_str("inspect"),
        }
    }
}

impl Serialize for ResultBudget {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            ResultBudget::Chars(chars) => json!({"chars": chars}).serialize(serializer),
            ResultBudget::Unlimited => serializer.serialize_str("unlimited"),
        }
    }
}
