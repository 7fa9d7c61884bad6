//! JSON text, written piece by piece.

use serde::Serialize;

use super::writer::{write_json, write_quoted};

/// JSON text that grows. What it holds is as sound as what is put into it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct JsonText(String);

impl JsonText {
    /// An empty text with room for so many bytes.
    pub(crate) fn with_capacity(bytes: usize) -> Self {
        Self(String::with_capacity(bytes))
    }

    /// Adds what is JSON already, or a part of it.
    pub(crate) fn piece(&mut self, json: &str) -> &mut Self {
        self.0.push_str(json);
        self
    }

    /// Adds a string.
    pub(crate) fn string(&mut self, text: &str) -> &mut Self {
        write_quoted(&mut self.0, text);
        self
    }

    /// Adds a value. One that is no JSON becomes null.
    pub(crate) fn value(&mut self, value: &(impl Serialize + ?Sized)) -> &mut Self {
        if write_json(&mut self.0, value).is_err() {
            self.0.push_str("null");
        }
        self
    }

    /// The text.
    pub(crate) fn end(self) -> String {
        self.0
    }
}
