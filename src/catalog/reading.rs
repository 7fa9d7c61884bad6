//! Strict reading of JSON documents: what is not known is refused, and every refusal names the member.

use std::fmt::Display;
use std::ops::RangeInclusive;

use serde_json::{Map, Value, json};

use crate::identity::ToolId;
use crate::protocol::{Code, Fault, Scenario, SortedMap};

/// Characters of a foreign name or text that a message repeats.
const ECHO_CHARS: usize = 64;

/// A place in a document, for messages: which document, and the path as `run.modelRetry.maxRetries` or
/// `tools.allow[2]`; empty for the whole document.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    document: &'static str,
    code: Code,
    path: String,
}

impl Place {
    /// The whole of a document, called for example `profile`; its faults have this code.
    pub fn document(document: &'static str, code: Code) -> Self {
        Self { document, code, path: String::new() }
    }

    /// The same place, whose faults have another code.
    pub fn with_code(&self, code: Code) -> Self {
        Self { code, ..self.clone() }
    }

    /// A member of the object here.
    pub fn member(&self, name: &str) -> Self {
        let name = echo(name);
        let path = if self.path.is_empty() { name } else { format!("{}.{name}", self.path) };
        Self { path, ..self.clone() }
    }

    /// An item of the list here, from 0.
    pub fn item(&self, index: usize) -> Self {
        Self { path: format!("{}[{index}]", self.path), ..self.clone() }
    }

    /// A fault of this place: `problem` goes on after its name.
    pub fn fault(&self, problem: impl Display) -> Fault {
        if self.path.is_empty() {
            return Fault::new(self.code, format!("The {} {problem}.", self.document));
        }
        let message = format!("`{}` of the {} {problem}.", self.path, self.document);
        Fault::new(self.code, message).with_details(json!({"member": self.path}))
    }

    /// The fault that another kind of value was expected here.
    pub fn expected(&self, what: impl Display, found: &Value) -> Fault {
        let found = match found {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::String(_) => "text",
            Value::Array(_) => "a list",
            Value::Object(_) => "an object",
        };
        self.fault(format_args!("must be {what}; found {found}"))
    }
}

/// The beginning of a foreign text.
pub(crate) fn echo(text: &str) -> String {
    let mut chars = text.chars();
    let mut start: String = chars.by_ref().take(ECHO_CHARS).collect();
    if chars.next().is_some() {
        start.push('…');
    }
    start
}

/// What can be read from one JSON value.
pub(crate) trait Read: Sized {
    /// Reads the value at this place.
    fn read(value: &Value, place: &Place) -> Result<Self, Fault>;
}

/// An object of many members, each of which has a default.
pub(crate) trait Section {
    /// Reads the members into their places.
    fn take(&mut self, members: &mut Members<'_>);

    /// Reads the object at this place over the defaults.
    fn read(&mut self, value: &Value, place: &Place) -> Result<(), Fault> {
        let mut members = Members::open(value, place)?;
        self.take(&mut members);
        members.end()
    }
}

/// The members of one object. Ask for each known one, then [`Members::end`].
///
/// Those that are read into their places ([`Members::set`]) keep the first fault for the end: a section of many
/// members is then a list of them, without a way out behind each.
pub(crate) struct Members<'a> {
    object: &'a Map<String, Value>,
    place: &'a Place,
    known: Vec<&'static str>,
    retired: Vec<&'static str>,
    fault: Option<Fault>,
}

impl<'a> Members<'a> {
    /// Opens the object at this place.
    pub fn open(value: &'a Value, place: &'a Place) -> Result<Self, Fault> {
        let object = value.as_object().ok_or_else(|| place.expected("an object", value))?;
        Ok(Self { object, place, known: Vec::new(), retired: Vec::new(), fault: None })
    }

    /// A member as it is.
    pub fn raw(&mut self, name: &'static str) -> Option<&'a Value> {
        self.known.push(name);
        self.object.get(name)
    }

    /// A member that no longer exists: whatever it holds is passed over.
    pub fn retired(&mut self, name: &'static str) {
        self.retired.push(name);
    }

    /// A member that may be absent.
    pub fn opt<T: Read>(&mut self, name: &'static str) -> Result<Option<T>, Fault> {
        match self.raw(name) {
            Some(value) => T::read(value, &self.place.member(name)).map(Some),
            None => Ok(None),
        }
    }

    /// A member that has a default.
    pub fn get<T: Read>(&mut self, name: &'static str, default: T) -> Result<T, Fault> {
        Ok(self.opt(name)?.unwrap_or(default))
    }

    /// A member that must be there.
    pub fn need<T: Read>(&mut self, name: &'static str) -> Result<T, Fault> {
        self.opt(name)?.ok_or_else(|| self.place.member(name).fault("is required"))
    }

    /// An integer that may be absent and has a range.
    pub fn integer_opt(
        &mut self,
        name: &'static str,
        range: RangeInclusive<u64>,
    ) -> Result<Option<u64>, Fault> {
        match self.raw(name) {
            Some(value) => integer(value, &self.place.member(name), range).map(Some),
            None => Ok(None),
        }
    }

    /// Reads a member into its place, which holds the default.
    pub fn set<T: Read>(&mut self, name: &'static str, member: &mut T) {
        self.set_by(name, member, T::read);
    }

    /// The same for a member that must be there.
    pub fn require<T: Read>(&mut self, name: &'static str, member: &mut T) {
        self.set(name, member);
        self.must_have(name);
    }

    /// The same for a section.
    pub fn section(&mut self, name: &'static str, section: &mut dyn Section) {
        let Some(value) = self.raw(name).filter(|_| self.fault.is_none()) else { return };
        if let Err(fault) = section.read(value, &self.place.member(name)) {
            self.fault = Some(fault);
        }
    }

    /// The same for a section that must be there.
    pub fn require_section(&mut self, name: &'static str, section: &mut dyn Section) {
        self.section(name, section);
        self.must_have(name);
    }

    fn must_have(&mut self, name: &str) {
        if !self.object.contains_key(name) {
            let place = self.place.member(name);
            self.fault.get_or_insert_with(|| place.fault("is required"));
        }
    }

    /// The same for a member that is read in a way of its own.
    pub fn set_by<T>(
        &mut self,
        name: &'static str,
        member: &mut T,
        read: fn(&Value, &Place) -> Result<T, Fault>,
    ) {
        let Some(value) = self.raw(name).filter(|_| self.fault.is_none()) else { return };
        match read(value, &self.place.member(name)) {
            Ok(read) => *member = read,
            Err(fault) => self.fault = Some(fault),
        }
    }

    /// The same for a member that is absent or something: null is no value of it.
    pub fn set_some<T: Read>(&mut self, name: &'static str, member: &mut Option<T>) {
        self.set_by(name, member, |value, place| T::read(value, place).map(Some));
    }

    /// The same for an integer that has a range.
    pub fn set_integer(&mut self, name: &'static str, member: &mut u64, range: RangeInclusive<u64>) {
        let Some(value) = self.raw(name).filter(|_| self.fault.is_none()) else { return };
        match integer(value, &self.place.member(name), range) {
            Ok(read) => *member = read,
            Err(fault) => self.fault = Some(fault),
        }
    }

    /// A member's place.
    pub fn place(&self, name: &str) -> Place {
        self.place.member(name)
    }

    /// The first fault of what was read so far.
    pub fn checked(&mut self) -> Result<(), Fault> {
        self.fault.take().map_or(Ok(()), Err)
    }

    /// The first fault of what was read, or that the object has a member that was not asked for, and which.
    pub fn end(mut self) -> Result<(), Fault> {
        self.checked()?;
        let expected = |key: &str| self.known.contains(&key) || self.retired.contains(&key);
        let unknown = self.object.keys().find(|key| !expected(key));
        let Some(name) = unknown else { return Ok(()) };
        let known = self.known.join(", ");
        Err(self.place.member(name).fault(format_args!("is not known; known there: {known}")))
    }
}

/// Reads an integer of at least 1, or the null that switches a limit off.
pub(crate) fn nullable(value: &Value, place: &Place) -> Result<Option<u64>, Fault> {
    if value.is_null() { Ok(None) } else { integer(value, place, 1..=u64::MAX).map(Some) }
}

/// Reads an integer in a range; `u64::MAX` as its end means no upper bound.
pub(crate) fn integer(value: &Value, place: &Place, range: RangeInclusive<u64>) -> Result<u64, Fault> {
    if let Some(number) = value.as_u64().filter(|number| range.contains(number)) {
        return Ok(number);
    }
    let (start, end) = range.into_inner();
    let wanted = match end {
        u64::MAX => format!("an integer of at least {start}"),
        end => format!("an integer from {start} to {end}"),
    };
    match value {
        Value::Number(number) => {
            Err(place.fault(format_args!("must be {wanted}; found {}", echo(&number.to_string()))))
        }
        other => Err(place.expected(wanted, other)),
    }
}

impl Read for bool {
    fn read(value: &Value, place: &Place) -> Result<Self, Fault> {
        value.as_bool().ok_or_else(|| place.expected("true or false", value))
    }
}

impl Read for String {
    fn read(value: &Value, place: &Place) -> Result<Self, Fault> {
        value.as_str().map(str::to_owned).ok_or_else(|| place.expected("text", value))
    }
}

impl Read for ToolId {
    fn read(value: &Value, place: &Place) -> Result<Self, Fault> {
        let text = value.as_str().ok_or_else(|| place.expected("a tool id", value))?;
        ToolId::parse(text).map_err(|_| {
            place.fault(format_args!("must be a tool id as `builtin:dice.roll`; found `{}`", echo(text)))
        })
    }
}

impl Read for Scenario {
    fn read(value: &Value, place: &Place) -> Result<Self, Fault> {
        match value.as_str() {
            Some("chat") => Ok(Scenario::Chat),
            Some("session") => Ok(Scenario::Session),
            _ => Err(place.fault("must be `chat` or `session`")),
        }
    }
}

/// JSON null is a value of its own: nothing.
impl<T: Read> Read for Option<T> {
    fn read(value: &Value, place: &Place) -> Result<Self, Fault> {
        if value.is_null() {
            return Ok(None);
        }
        T::read(value, place).map(Some)
    }
}

impl<T: Read> Read for Vec<T> {
    fn read(value: &Value, place: &Place) -> Result<Self, Fault> {
        let items = value.as_array().ok_or_else(|| place.expected("a list", value))?;
        let mut list = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            list.push(T::read(item, &place.item(index))?);
        }
        Ok(list)
    }
}

impl<T: Read> Read for SortedMap<String, T> {
    fn read(value: &Value, place: &Place) -> Result<Self, Fault> {
        let object = value.as_object().ok_or_else(|| place.expected("an object", value))?;
        let mut members = Vec::with_capacity(object.len());
        for (name, value) in object {
            members.push((name.clone(), T::read(value, &place.member(name))?));
        }
        Ok(members.into_iter().collect())
    }
}

/// An object as it is.
impl Read for Map<String, Value> {
    fn read(value: &Value, place: &Place) -> Result<Self, Fault> {
        value.as_object().cloned().ok_or_else(|| place.expected("an object", value))
    }
}

/// Enums whose values are fixed words in JSON.
macro_rules! words {
    ($($(#[$doc:meta])* $vis:vis enum $name:ident { $($(#[$word_doc:meta])* $word:ident = $text:literal,)+ })+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $vis enum $name { $($(#[$word_doc])* $word,)+ }

        impl $name {
            /// The word as it stands in JSON.
            pub fn as_str(self) -> &'static str {
                match self { $($name::$word => $text,)+ }
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl $crate::catalog::reading::Read for $name {
            fn read(
                value: &serde_json::Value,
                place: &$crate::catalog::reading::Place,
            ) -> Result<Self, $crate::protocol::Fault> {
                match value.as_str() {
                    $(Some($text) => Ok($name::$word),)+
                    _ => Err($crate::catalog::reading::not_a_word(value, place, &[$($text,)+])),
                }
            }
        }
    )+};
}
pub(crate) use words;

/// The fault that a value is none of the words that are allowed here.
pub(crate) fn not_a_word(value: &Value, place: &Place, words: &[&str]) -> Fault {
    let wanted = format!("one of {}", words.join(", "));
    match value.as_str() {
        Some(text) => place.fault(format_args!("must be {wanted}; found `{}`", echo(text))),
        None => place.expected(wanted, value),
    }
}
