//! What a tool says about one call of it before it is judged (AR-34).

use serde_json::Value;

use super::check::Check;
use crate::catalog::reading::{Members, Place, Read};
use crate::protocol::limits::REASON_CHARS;
use crate::protocol::{Code, Fault, Refusal};

/// The answer to `extension.inspect`. What it does not say stays as the tool declares it; an answer that cannot be
/// read is none, and the call is then judged as if it could do anything ([`super::Action::careful`]).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inspection {
    /// What the call does, as [`super::Action::computed`] reads it.
    pub action: Option<Value>,
    /// It may run beside others.
    pub parallel: bool,
    /// Whether it changes nothing.
    pub read_only: Option<bool>,
    /// The tool's own word.
    pub check: Option<Check>,
    /// The arguments are no good, and why.
    pub refusal: Option<Refusal>,
    /// What the reviewer reads.
    pub classifier_text: Option<String>,
    /// What people read.
    pub summary: Option<String>,
}

impl Inspection {
    /// Reads the payload of an ok receipt.
    ///
    /// # Errors
    /// `effect.bad_payload`: the receipt counts as failed (EF-07).
    pub fn decode(payload: &Value) -> Result<Self, Fault> {
        let place = Place::document("inspection", Code::EffectBadPayload);
        let mut members = Members::open(payload, &place)?;
        let validation = members.get::<Option<Validation>>("validation", None)?;
        let inspection = Self {
            action: members.raw("action").filter(|action| !action.is_null()).cloned(),
            parallel: members.get::<Option<bool>>("parallel", None)? == Some(true),
            read_only: members.get("readOnly", None)?,
            check: members.get("check", None)?,
            refusal: validation.and_then(Validation::refusal),
            classifier_text: members.get("classifierText", None)?,
            summary: members.get("summary", None)?,
        };
        members.end()?;
        Ok(inspection)
    }
}

struct Validation {
    ok: bool,
    message: String,
}

impl Validation {
    fn refusal(self) -> Option<Refusal> {
        let said: String = self.message.trim().chars().take(REASON_CHARS).collect();
        let silent = "This tool cannot work with these arguments. Change them, or continue without it.";
        let message = if said.is_empty() { silent.to_owned() } else { said };
        (!self.ok).then(|| Refusal::new(Code::ToolInvalidArguments, message))
    }
}

impl Read for Validation {
    fn read(value: &Value, place: &Place) -> Result<Self, Fault> {
        let mut members = Members::open(value, place)?;
        let message = members.get::<Option<String>>("message", None)?.unwrap_or_default();
        let validation = Self { ok: members.need("ok")?, message };
        members.end()?;
        Ok(validation)
    }
}
