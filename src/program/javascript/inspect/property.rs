//! Properties: their names, their values, and accessors.

use super::Inspector;
use super::options::Style;
use super::text;
use crate::program::javascript::libraries;
use crate::program::javascript::native;
use boa_engine::property::{PropertyDescriptor, PropertyKey};
use boa_engine::{JsObject, JsResult, JsValue};

impl Inspector<'_> {
    /// One property, `key: value`.
    pub(super) fn property(
        &mut self,
        object: &JsObject,
        key: &PropertyKey,
        level: usize,
    ) -> JsResult<String> {
        let own = match native::own(object, key, self.context)? {
            Some(own) => own,
            None => {
                let value = object.get(key.clone(), self.context)?;
                PropertyDescriptor::builder().value(value).enumerable(true).configurable(true).build()
            }
        };
        let name = self.name(key, &own);
        let deeper = if self.options.compact_always { 3 } else { 2 };
        let mut gap = " ".to_owned();
        let text = match own.value() {
            Some(value) => {
                self.indentation += deeper;
                let text = self.value(value, level, false)?;
                if self.options.compact_always && self.options.break_length < text::width(&text) as f64 {
                    gap = format!("\n{}", " ".repeat(self.indentation));
                }
                self.indentation -= deeper;
                text
            }
            None => self.accessor(object, &own, level)?,
        };
        Ok(format!("{name}:{gap}{text}"))
    }

    fn accessor(&mut self, object: &JsObject, own: &PropertyDescriptor, level: usize) -> JsResult<String> {
        let get = own.get().and_then(JsValue::as_callable);
        let set = own.set().is_some_and(JsValue::is_callable);
        let Some(get) = get else {
            return Ok(match set {
                true => self.style("[Setter]", Style::Special),
                false => self.style("undefined", Style::Undefined),
            });
        };
        let label = if set { "Getter/Setter" } else { "Getter" };
        if !self.options.getters {
            return Ok(self.style(format!("[{label}]"), Style::Special));
        }
        let value = match get.call(&object.clone().into(), &[], self.context) {
            Ok(value) => value,
            Err(error) if error.as_engine().is_some() => return Err(error),
            Err(error) => {
                let reason = error.into_opaque(self.context)?;
                let message = libraries::member(&reason, "message", self.context)?;
                let message = message.to_string(self.context)?.to_std_string_lossy();
                return Ok(self.style(format!("[{label}: <Inspection threw ({message})>]"), Style::Special));
            }
        };
        if value.is_object() {
            self.indentation += 2;
            let text = self.value(&value, level, false)?;
            self.indentation -= 2;
            return Ok(format!("{} {text}", self.style(format!("[{label}]"), Style::Special)));
        }
        let open = self.style(format!("[{label}:"), Style::Special);
        Ok(format!("{open} {}{}", self.primitive(&value), self.style("]", Style::Special)))
    }

    fn name(&self, key: &PropertyKey, own: &PropertyDescriptor) -> String {
        let key = match key {
            PropertyKey::Symbol(symbol) => {
                return format!("[{}]", self.style(text::symbol(symbol), Style::Symbol));
            }
            PropertyKey::String(name) => name.clone(),
            PropertyKey::Index(index) => return self.style(format!("'{}'", index.get()), Style::String),
        };
        let units: Vec<u16> = key.iter().collect();
        let plain = key.to_std_string_lossy();
        if plain == "__proto__" {
            return "['__proto__']".into();
        }
        if own.enumerable() == Some(false) {
            return format!("[{plain}]");
        }
        if text::is_name(&plain) {
            return self.style(plain, Style::Name);
        }
        self.style(text::quote(&units), Style::String)
    }
}
