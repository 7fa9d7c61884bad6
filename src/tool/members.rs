//! Reading arguments into the types of the tools. The check has been made before; what a tool relies on it looks at
//! again (AR-27).

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Number, Value};

use crate::protocol::{Code, Refusal};
use crate::workspace::refusal::grouped;

/// A bad argument.
pub(super) fn bad(message: String) -> Refusal {
    Refusal::new(Code::ToolInvalidArguments, message)
}

/// The arguments as the tool's own type.
pub(super) fn read<'a, T: Deserialize<'a>>(arguments: &'a Map<String, Value>) -> Result<T, Refusal> {
    T::deserialize(arguments).map_err(|_| {
        bad("The arguments do not fit this tool. Send one object as its schema describes it.".into())
    })
}

/// A string that must hold something, without the white space around it.
pub(super) fn required<'a>(name: &str, text: &'a str) -> Result<&'a str, Refusal> {
    match text.trim() {
        "" => Err(bad(format!("`{name}` is required and must not be blank."))),
        trimmed => Ok(trimmed),
    }
}

/// An integer of any size; beyond 64 bits it stands for the nearest end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Whole(i64);

impl Whole {
    /// The number, if it is at least `least`.
    pub(super) fn at_least(self, name: &str, least: usize) -> Result<usize, Refusal> {
        let number = usize::try_from(self.0).ok().or((self.0 > 0).then_some(usize::MAX));
        number.filter(|number| *number >= least).ok_or_else(|| {
            bad(format!("`{name}` must be an integer of at least {least}; received {}.", self.0))
        })
    }

    /// The number, if it is in this range.
    pub(super) fn within(self, name: &str, least: usize, most: usize) -> Result<usize, Refusal> {
        let number = self.at_least(name, least)?;
        if number <= most {
            return Ok(number);
        }
        let most = grouped(most as u64);
        Err(bad(format!("`{name}` must be an integer from {least} to {most}; received {}.", self.0)))
    }
}

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = Number::deserialize(deserializer)?;
        let text = number.as_str();
        let digits = text.strip_prefix('-').unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(serde::de::Error::custom("not an integer"));
        }
        let end = if text.starts_with('-') { i64::MIN } else { i64::MAX };
        Ok(Self(text.parse().unwrap_or(end)))
    }
}

impl JsonSchema for Whole {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Whole".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "integer"})
    }
}
