//! The tool's own word about one call (step 5). It can object or consent, never decide (PM-01, PM-24).

use serde::Serialize;
use serde_json::Value;

use super::safety::Finding;
use crate::catalog::reading::{Members, Place, Read, words};
use crate::protocol::{Code, Fault};

words! {
    /// What the tool says.
    #[derive(Default)]
    pub enum CheckWord {
        /// Nothing.
        #[default]
        Passthrough = "passthrough",
        /// It has no objection; counts behind all questions.
        Allow = "allow",
        /// A person should be asked.
        Ask = "ask",
        /// It must not be done.
        Deny = "deny",
    }

    /// What kind of question it asks.
    #[derive(Default)]
    pub enum Query {
        /// Whether this may be done.
        #[default]
        Plain = "plain",
        /// What the user wants: only the user can answer, also in full access.
        Choice = "choice",
        /// Whether this may be done, unless a mode or a rule says so already.
        Consent = "consent",
        /// The same, because the tool cannot tell what the call will do.
        Unverifiable = "unverifiable",
    }
}

/// The tool's own check of one call.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Check {
    /// What it says.
    pub decision: CheckWord,
    /// What kind of question it asks.
    pub kind: Query,
    /// Why, in one sentence.
    pub reason: Option<String>,
    /// What to choose from.
    pub options: Vec<String>,
    /// What it found.
    pub findings: Vec<Finding>,
}

impl Check {
    /// The question of a tool that cannot tell what a call will do (PM-55).
    pub fn unverifiable() -> Self {
        Self { decision: CheckWord::Ask, kind: Query::Unverifiable, ..Self::default() }
    }

    /// Whether it asks, and how.
    pub fn asks(&self) -> Option<Query> {
        (self.decision == CheckWord::Ask).then_some(self.kind)
    }

    /// Reads the member `check` of the answer to `extension.inspect`: a word, or `{decision, kind?, reason?,
    /// options?, findings?}`.
    ///
    /// # Errors
    /// `effect.bad_payload`: the answer is then no answer (AR-34).
    pub fn decode(value: &Value) -> Result<Self, Fault> {
        Self::read(value, &Place::document("inspection", Code::EffectBadPayload).member("check"))
    }
}

impl Read for Check {
    fn read(value: &Value, place: &Place) -> Result<Self, Fault> {
        if value.is_string() {
            return Ok(Self { decision: CheckWord::read(value, place)?, ..Self::default() });
        }
        let mut members = Members::open(value, place)?;
        let check = Self {
            decision: members.need("decision")?,
            kind: members.get("kind", Query::Plain)?,
            reason: members.opt("reason")?,
            options: members.get("options", Vec::new())?,
            findings: members.get("findings", Vec::new())?,
        };
        members.end()?;
        Ok(check)
    }
}
