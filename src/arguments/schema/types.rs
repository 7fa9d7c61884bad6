//! Sets of JSON types.

use serde_json::Value;

use crate::arguments::number::{is_integer, is_plain};

/// A set of JSON types. `number` is two of them, with and without a fractional part, so that `integer` is a part
/// of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Types(u8);

impl Default for Types {
    fn default() -> Self {
        Types::ALL
    }
}

impl Types {
    pub(crate) const NONE: Types = Types(0);
    pub(crate) const NULL: Types = Types(1);
    pub(crate) const BOOLEAN: Types = Types(2);
    pub(crate) const INTEGER: Types = Types(4);
    /// A number that is no integer.
    pub(crate) const FRACTION: Types = Types(8);
    pub(crate) const STRING: Types = Types(16);
    pub(crate) const ARRAY: Types = Types(32);
    pub(crate) const OBJECT: Types = Types(64);
    pub(crate) const NUMBER: Types = Types(4 | 8);
    pub(crate) const ALL: Types = Types(127);

    /// The types that a name of JSON Schema stands for.
    pub(crate) fn named(name: &str) -> Option<Types> {
        Some(match name {
            "null" => Types::NULL,
            "boolean" => Types::BOOLEAN,
            "integer" => Types::INTEGER,
            "number" => Types::NUMBER,
            "string" => Types::STRING,
            "array" => Types::ARRAY,
            "object" => Types::OBJECT,
            _ => return None,
        })
    }

    /// The type of a value. `1.0` is an integer, as JSON Schema says, unless integers have to be written as such.
    pub(crate) fn of(value: &Value, written: bool) -> Types {
        match value {
            Value::Null => Types::NULL,
            Value::Bool(_) => Types::BOOLEAN,
            Value::Number(number) => {
                let text = number.as_str();
                if is_plain(text) || (!written && is_integer(text)) {
                    Types::INTEGER
                } else {
                    Types::FRACTION
                }
            }
            Value::String(_) => Types::STRING,
            Value::Array(_) => Types::ARRAY,
            Value::Object(_) => Types::OBJECT,
        }
    }

    pub(crate) fn and(self, other: Types) -> Types {
        Types(self.0 & other.0)
    }

    pub(crate) fn or(self, other: Types) -> Types {
        Types(self.0 | other.0)
    }

    pub(crate) fn has(self, other: Types) -> bool {
        self.0 & other.0 == other.0
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// What values of these types are called: `an integer`, `a string or null`.
    pub(crate) fn words(self) -> String {
        let names = [
            (Types::STRING, "a string"),
            (Types::NUMBER, "a number"),
            (Types::INTEGER, "an integer"),
            (Types::FRACTION, "a number with a fraction"),
            (Types::BOOLEAN, "true or false"),
            (Types::OBJECT, "an object"),
            (Types::ARRAY, "an array"),
            (Types::NULL, "null"),
        ];
        let mut rest = self;
        let mut words = Vec::new();
        for (types, name) in names {
            if rest.has(types) {
                words.push(name);
                rest = Types(rest.0 & !types.0);
            }
        }
        match words.split_last() {
            Some((last, [])) => (*last).to_owned(),
            Some((last, others)) => format!("{} or {last}", others.join(", ")),
            None => "nothing".to_owned(),
        }
    }
}
