//! The elements of arrays, maps, sets, buffers and promises.

use super::Inspector;
use super::object::{Content, Shown};
use super::options::Style;
use crate::program::javascript::native;
use boa_engine::builtins::promise::PromiseState;
use boa_engine::object::builtins::{JsArrayBuffer, JsPromise, JsSharedArrayBuffer};
use boa_engine::property::PropertyKey;
use boa_engine::{JsObject, JsResult, JsString, JsValue};

/// The bytes of an `ArrayBuffer`, shared or not.
pub(super) fn buffer_bytes(object: &JsObject) -> Vec<u8> {
    if let Ok(buffer) = JsArrayBuffer::from_object(object.clone()) {
        return buffer.to_vec().unwrap_or_default();
    }
    JsSharedArrayBuffer::from_object(object.clone()).map(|buffer| buffer.to_vec()).unwrap_or_default()
}

impl Inspector<'_> {
    /// What stands in front of the properties.
    pub(super) fn content(
        &mut self,
        object: &JsObject,
        shown: &Shown,
        keys: &mut Vec<PropertyKey>,
        level: usize,
    ) -> JsResult<Vec<String>> {
        match &shown.content {
            Content::Nothing => Ok(Vec::new()),
            Content::Array => self.array(object, level),
            Content::Typed(length) => self.typed(object, *length, level),
            Content::Set(set) => {
                let mut values = Vec::new();
                set.for_each_native(|value| {
                    values.push(value);
                    Ok(())
                })?;
                self.set(&values, level)
            }
            Content::Map(map) => {
                let mut entries = Vec::new();
                map.for_each_native(|key, value| {
                    entries.push((key, value));
                    Ok(())
                })?;
                self.map(&entries, level)
            }
            Content::Buffer(bytes) => Ok(vec![self.bytes(bytes)]),
            Content::Promise => self.promise(object, level),
            Content::Unknown => Ok(vec![self.style("<items unknown>", Style::Special)]),
            Content::Namespace => {
                let mut parts = Vec::new();
                for key in std::mem::take(keys) {
                    let part = match object.get(key.clone(), self.context) {
                        Ok(_) => self.property(object, &key, level)?,
                        Err(_) => format!("{key}: {}", self.style("<uninitialized>", Style::Special)),
                    };
                    parts.push(part);
                }
                Ok(parts)
            }
        }
    }

    fn more(&self, parts: &mut Vec<String>, rest: usize) {
        match rest {
            0 => {}
            1 => parts.push("... 1 more item".into()),
            _ => parts.push(format!("... {rest} more items")),
        }
    }

    fn element(&mut self, value: &JsValue, level: usize) -> JsResult<String> {
        self.indentation += 2;
        let text = self.value(value, level, false);
        self.indentation -= 2;
        text
    }

    /// An element of an array, which may be an accessor.
    fn array_element(&mut self, array: &JsObject, index: usize, level: usize) -> JsResult<String> {
        let key = PropertyKey::from(index as u32);
        match native::own(array, &key, self.context)? {
            Some(own) if own.is_accessor_descriptor() => {
                let text = self.property(array, &key, level)?;
                Ok(text.split_once(": ").map_or(text.clone(), |(_, value)| value.to_owned()))
            }
            Some(own) => self.element(own.value().unwrap_or(&JsValue::undefined()), level),
            None => {
                let value = array.get(key, self.context)?;
                self.element(&value, level)
            }
        }
    }

    fn array(&mut self, array: &JsObject, level: usize) -> JsResult<Vec<String>> {
        let length = native::length(array, self.context)?;
        let shown = length.min(self.options.max_array);
        let mut parts = Vec::new();
        let mut index = 0;
        while index < length && parts.len() < shown {
            if array.has_own_property(index as u32, self.context)? {
                parts.push(self.array_element(array, index, level)?);
                index += 1;
                continue;
            }
            let next = self.next_element(array, index, length)?;
            let holes = next - index;
            let text = if holes == 1 { "<1 empty item>".into() } else { format!("<{holes} empty items>") };
            parts.push(self.style(text, Style::Undefined));
            index = next;
        }
        self.more(&mut parts, length - index);
        Ok(parts)
    }

    /// The first element at or after an index; the length when there is none. A long array is not walked.
    fn next_element(&mut self, array: &JsObject, from: usize, length: usize) -> JsResult<usize> {
        for index in from..length.min(from + 1_000) {
            if array.has_own_property(index as u32, self.context)? {
                return Ok(index);
            }
        }
        if length <= from + 1_000 {
            return Ok(length);
        }
        let keys = array.own_property_keys(self.context)?;
        let next = keys.iter().filter_map(|key| match key {
            PropertyKey::Index(index) => Some(index.get() as usize).filter(|index| *index >= from),
            _ => None,
        });
        Ok(next.min().unwrap_or(length))
    }

    fn typed(&mut self, array: &JsObject, length: usize, level: usize) -> JsResult<Vec<String>> {
        let shown = length.min(self.options.max_array);
        let mut parts = Vec::with_capacity(shown);
        for index in 0..shown {
            let value = array.get(index as u32, self.context)?;
            parts.push(self.primitive(&value));
        }
        self.more(&mut parts, length - shown);
        if self.options.show_hidden {
            self.indentation += 2;
            for name in ["BYTES_PER_ELEMENT", "length", "byteLength", "byteOffset", "buffer"] {
                let value = array.get(JsString::from(name), self.context)?;
                let text = self.value(&value, level, true)?;
                parts.push(format!("[{name}]: {text}"));
            }
            self.indentation -= 2;
        }
        Ok(parts)
    }

    fn set(&mut self, values: &[JsValue], level: usize) -> JsResult<Vec<String>> {
        let shown = values.len().min(self.options.max_array);
        let mut parts = Vec::with_capacity(shown);
        for value in values.iter().take(shown) {
            parts.push(self.element(value, level)?);
        }
        self.more(&mut parts, values.len() - shown);
        Ok(parts)
    }

    fn map(&mut self, entries: &[(JsValue, JsValue)], level: usize) -> JsResult<Vec<String>> {
        let shown = entries.len().min(self.options.max_array);
        let mut parts = Vec::with_capacity(shown);
        for (key, value) in entries.iter().take(shown) {
            let key = self.element(key, level)?;
            parts.push(format!("{key} => {}", self.element(value, level)?));
        }
        self.more(&mut parts, entries.len() - shown);
        Ok(parts)
    }

    fn bytes(&mut self, bytes: &[u8]) -> String {
        let shown = bytes.len().min(self.options.max_array);
        let hex: Vec<String> = bytes.iter().take(shown).map(|byte| format!("{byte:02x}")).collect();
        let mut text = hex.join(" ");
        match bytes.len() - shown {
            0 => {}
            1 => text.push_str(" ... 1 more byte"),
            rest => text.push_str(&format!(" ... {rest} more bytes")),
        }
        format!("{}: <{text}>", self.style("[Uint8Contents]", Style::Special))
    }

    fn promise(&mut self, object: &JsObject, level: usize) -> JsResult<Vec<String>> {
        let state = JsPromise::from_object(object.clone())?.state();
        let (label, value) = match &state {
            PromiseState::Pending => return Ok(vec![self.style("<pending>", Style::Special)]),
            PromiseState::Fulfilled(value) => (None, value),
            PromiseState::Rejected(value) => (Some("<rejected>"), value),
        };
        let text = self.element(value, level)?;
        Ok(vec![match label {
            Some(label) => format!("{} {text}", self.style(label, Style::Special)),
            None => text,
        }])
    }
}
