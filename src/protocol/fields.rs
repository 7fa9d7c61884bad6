//! Types of many members from JSON objects.
//!
//! What serde derives for such a type is a loop over the members, a table of their names and a way out behind each.
//! Here each member is one call. What is wrong is told at the end, in the words of serde and as serde finds it: first
//! what stands first in the object, then what is missing.

use serde::de::value::Error;
use serde::de::{DeserializeOwned, Error as _};
use serde_json::{Map, Value};

use super::tree::{from_tree, misfit};

/// The members of one object, each to be asked for once.
pub(crate) struct Fields {
    members: Vec<(String, Option<Value>)>,
    known: Vec<&'static str>,
    /// What is wrong with a value, and its place in the object.
    misfit: Option<(usize, Error)>,
    missing: Option<&'static str>,
}

impl Fields {
    /// The members of this object.
    pub fn new(object: Map<String, Value>) -> Self {
        let members = object.into_iter().map(|(name, value)| (name, Some(value))).collect();
        Self { members, known: Vec::new(), misfit: None, missing: None }
    }

    /// The members of an object that is expected to be this.
    pub fn of(value: Value, expected: &'static str) -> Result<Self, Error> {
        match value {
            Value::Object(object) => Ok(Self::new(object)),
            other => Err(misfit(&other, &expected)),
        }
    }

    /// A member that may be absent.
    pub fn get<T: DeserializeOwned + Default>(&mut self, name: &'static str) -> T {
        match self.take(name) {
            Some((place, value)) => self.made(place, from_tree(value)).unwrap_or_default(),
            None => T::default(),
        }
    }

    /// A member that must be there; where it is not, the default stands in until [`Fields::end`] says so.
    pub fn need<T: DeserializeOwned + Default>(&mut self, name: &'static str) -> T {
        self.need_or(name, T::default())
    }

    /// The same for a type without a default.
    pub fn need_or<T: DeserializeOwned>(&mut self, name: &'static str, stand_in: T) -> T {
        match self.take_needed(name) {
            Some((place, value)) => self.made(place, from_tree(value)).unwrap_or(stand_in),
            None => stand_in,
        }
    }

    /// The same for a type that is read in a way of its own.
    pub fn need_by<T: Default>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(Value) -> Result<T, Error>,
    ) -> T {
        match self.take_needed(name) {
            Some((place, value)) => self.made(place, read(value)).unwrap_or_default(),
            None => T::default(),
        }
    }

    fn take_needed(&mut self, name: &'static str) -> Option<(usize, Value)> {
        let taken = self.take(name);
        if taken.is_none() {
            self.missing.get_or_insert(name);
        }
        taken
    }

    fn take(&mut self, name: &'static str) -> Option<(usize, Value)> {
        self.known.push(name);
        let mut members = self.members.iter_mut().enumerate();
        members
            .find(|(_, (known, _))| known == name)
            .and_then(|(place, (_, value))| Some((place, value.take()?)))
    }

    fn made<T>(&mut self, place: usize, made: Result<T, Error>) -> Option<T> {
        made.map_err(|error| self.misfits(place, error)).ok()
    }

    fn misfits(&mut self, place: usize, error: Error) {
        if self.misfit.as_ref().is_none_or(|(first, _)| place < *first) {
            self.misfit = Some((place, error));
        }
    }

    /// What was made of the members, unless something is wrong with them.
    pub fn end<T>(mut self, made: T) -> Result<T, Error> {
        self.check().map(|()| made)
    }

    fn check(&mut self) -> Result<(), Error> {
        if let Some(place) = self.members.iter().position(|(_, value)| value.is_some())
            && let Some((name, _)) = self.members.get(place)
        {
            let error = Error::custom(format_args!("unknown field `{name}`, {}", self.expected()));
            self.misfits(place, error);
        }
        match (self.misfit.take(), self.missing) {
            (Some((_, error)), _) => Err(error),
            (None, Some(name)) => Err(Error::missing_field(name)),
            (None, None) => Ok(()),
        }
    }

    fn expected(&self) -> String {
        match *self.known {
            [] => "there are no fields".to_owned(),
            [one] => format!("expected `{one}`"),
            [one, two] => format!("expected `{one}` or `{two}`"),
            ref all => format!("expected one of `{}`", all.join("`, `")),
        }
    }
}
