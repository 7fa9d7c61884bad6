//! What a person has denied for good and the host could not keep as a rule (PM-67): it holds for its session, in every
//! run of it. In memory and in snapshots, nowhere else.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::rule::{Rule, RuleSource, Until};
use crate::catalog::reading::{Members, Place, Read};
use crate::protocol::{Code, Fault};

/// A denial, as a rule of its session.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Denial {
    session: String,
    rule: Rule,
}

/// All of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Denials(Vec<Denial>);

impl Denials {
    /// Adds the rule that an answer in a session brought; the same one stands there once.
    pub fn add(&mut self, session: &str, rule: Rule) {
        let rule = Rule { until: Until::Session, source: RuleSource::Session, ..rule };
        let denial = Denial { session: session.to_owned(), rule };
        if !self.0.contains(&denial) {
            self.0.push(denial);
        }
    }

    /// Forgets what was denied in a session.
    pub fn end_session(&mut self, session: &str) {
        self.0.retain(|denial| denial.session != session);
    }

    /// Whether something was denied in a session.
    pub fn has_session(&self, session: &str) -> bool {
        self.of(session).next().is_some()
    }

    /// The rules of a session.
    pub(super) fn of(&self, session: &str) -> impl Iterator<Item = &Rule> {
        self.0.iter().filter(move |denial| denial.session == session).map(|denial| &denial.rule)
    }
}

impl Read for Denial {
    fn read(value: &Value, place: &Place) -> Result<Self, Fault> {
        let mut members = Members::open(value, place)?;
        let denial = Self { session: members.need("session")?, rule: members.need("rule")? };
        members.end()?;
        Ok(denial)
    }
}

impl<'de> Deserialize<'de> for Denials {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let denials = Value::deserialize(deserializer)?;
        let place = Place::document("snapshot", Code::StateSnapshotCorrupt).member("denials");
        Vec::read(&denials, &place).map(Self).map_err(serde::de::Error::custom)
    }
}
