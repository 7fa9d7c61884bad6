//! The room's way in: a found call becomes a checked one, or a refusal.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::decode::{ToolArguments, decode};
use super::mend::mend;
use super::problem::Report;
use super::refusal::{unreadable, unreadable_and};
use super::repair::{Repaired, repair};
use super::rules::Rules;
use super::schema::Schema;
use super::tidy::tidied;
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
    pub arguments: Arc<Map<String, Value>>,
    /// What came, or its repaired form, where that is not what the tool gets: a builtin's strings were trimmed or its
    /// nulls taken as absent (AR-20).
    pub untidied: Option<Map<String, Value>>,
    /// JSON pointers of what was repaired, sorted; an empty one stands for the text as a whole (AR-35).
    pub repaired: Vec<String>,
    /// What came, if something was repaired.
    pub original: Option<ToolArguments>,
}

impl Accepted {
    /// The object that history shows to a provider (AR-09): what came, or its repaired form.
    pub fn replay(&self) -> &Map<String, Value> {
        self.untidied.as_ref().unwrap_or(&self.arguments)
    }
}

impl<T> Checked<T> {
    /// The call.
    pub fn found(&self) -> &T {
        &self.found
    }

    /// What the tool gets.
    pub fn arguments(&self) -> &Arc<Map<String, Value>> {
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

    /// Whether the tool gets exactly what came.
    pub fn is_as_asked(&self) -> bool {
        self.accepted.repaired.is_empty() && self.accepted.untidied.is_none()
    }

    /// The object that history shows to a provider (AR-09).
    pub fn replay(&self) -> &Map<String, Value> {
        self.accepted.replay()
    }

    /// What the tool gets.
    pub fn into_arguments(self) -> Arc<Map<String, Value>> {
        self.accepted.arguments
    }

    /// The call and its arguments.
    pub fn into_parts(self) -> (T, Accepted) {
        (self.found, self.accepted)
    }
}

/// Checks a call's arguments; `repair` is `tools.argumentRepair` = `lossless` (AR-30).
pub fn check<T: Target>(found: T, repair: bool) -> Result<Checked<T>, Refused<T>> {
    let decoded = decode(found.arguments());
    check_decoded(found, decoded, repair)
}

/// The same for arguments that were decoded already.
pub fn check_decoded<T: Target>(
    found: T,
    decoded: ToolArguments,
    repair: bool,
) -> Result<Checked<T>, Refused<T>> {
    match accept_decoded(decoded, found.schema(), found.rules(), repair) {
        Ok(accepted) => Ok(Checked { found, accepted }),
        Err(refusal) => Err(Refused { arguments: decode(found.arguments()), found, refusal }),
    }
}

/// The same without a call around it.
pub fn accept(wire: &Wire, schema: &Schema, rules: &Rules, repair: bool) -> Result<Accepted, Refusal> {
    accept_decoded(decode(wire), schema, rules, repair)
}

fn accept_decoded(
    decoded: ToolArguments,
    schema: &Schema,
    rules: &Rules,
    repair: bool,
) -> Result<Accepted, Refusal> {
    match decoded {
        ToolArguments::Object(members) => object(members, schema, rules, repair),
        ToolArguments::Invalid(raw) => text(raw, schema, rules, repair),
    }
}

fn object(
    members: Map<String, Value>,
    schema: &Schema,
    rules: &Rules,
    repair: bool,
) -> Result<Accepted, Refusal> {
    let (report, original) = match settle(members, schema, rules) {
        Ok(accepted) => return Ok(accepted),
        Err(failed) => failed,
    };
    if !repair || report.unfinished {
        return Err(report.refusal());
    }
    match repaired(&original, schema, rules) {
        Some(accepted) => Ok(Accepted { original: Some(ToolArguments::Object(original)), ..accepted }),
        None => Err(report.refusal()),
    }
}

fn text(raw: String, schema: &Schema, rules: &Rules, repair: bool) -> Result<Accepted, Refusal> {
    let Some(members) = mend(&raw).filter(|_| repair) else {
        return Err(unreadable(&raw));
    };
    let accepted = match settle(members, schema, rules) {
        Ok(accepted) => accepted,
        Err((report, members)) => {
            repaired(&members, schema, rules).ok_or_else(|| unreadable_and(&raw, &report))?
        }
    };
    let mut places = vec![String::new()];
    places.extend(accepted.repaired);
    Ok(Accepted { repaired: places, original: Some(ToolArguments::Invalid(raw)), ..accepted })
}

/// An object that satisfies the schema, or what is wrong with it and the object.
fn settle(
    members: Map<String, Value>,
    schema: &Schema,
    rules: &Rules,
) -> Result<Accepted, (Report, Map<String, Value>)> {
    let given = Value::Object(members);
    let tidy = if rules.is_builtin() { tidied(schema, &given) } else { None };
    let report = schema.judge(tidy.as_ref().unwrap_or(&given), rules);
    let (given, tidy) = (into_members(given), tidy.map(into_members));
    if let Some(report) = report {
        return Err((report, given));
    }
    let (arguments, untidied) = match tidy {
        Some(tidy) => (tidy, Some(given)),
        None => (given, None),
    };
    Ok(Accepted { arguments: Arc::new(arguments), untidied, repaired: Vec::new(), original: None })
}

/// The repaired object, if it then satisfies the schema.
fn repaired(members: &Map<String, Value>, schema: &Schema, rules: &Rules) -> Option<Accepted> {
    let Repaired { members, places } = repair(schema, rules, members)?;
    let accepted = settle(members, schema, rules).ok()?;
    Some(Accepted { repaired: places, ..accepted })
}

fn into_members(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}

#[cfg(test)]
#[path = "check_tests.rs"]
mod tests;
