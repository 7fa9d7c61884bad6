//! Errors: their stack, under the name of their class, with what else they carry.

use super::Inspector;
use super::object::Class;
use boa_engine::property::PropertyKey;
use boa_engine::{JsObject, JsResult, JsString, JsValue, js_string};

impl Inspector<'_> {
    /// The lines of an error. Keys that say what the stack says already are taken away; `cause` and `errors` are added.
    pub(super) fn error(
        &mut self,
        error: &JsObject,
        class: &Class,
        keys: &mut Vec<PropertyKey>,
    ) -> JsResult<String> {
        let name = self.text_of(error, "name")?.unwrap_or_else(|| "Error".into());
        let message = self.text_of(error, "message")?.unwrap_or_default();
        let stack = match self.text_of(error, "stack")? {
            Some(stack) if !stack.is_empty() => stack,
            _ => JsValue::from(error.clone()).to_string(self.context)?.to_std_string_lossy(),
        };
        if !self.options.show_hidden {
            for known in ["name", "message", "stack"] {
                let key = PropertyKey::from(JsString::from(known));
                if let Some(index) = keys.iter().position(|other| *other == key) {
                    let value = error.get(key, self.context)?;
                    if value.as_string().is_none_or(|value| stack.contains(&value.to_std_string_lossy())) {
                        keys.remove(index);
                    }
                }
            }
        }
        for extra in [js_string!("cause"), js_string!("errors")] {
            let key = PropertyKey::from(extra.clone());
            let wanted = if extra == js_string!("cause") {
                error.has_property(key.clone(), self.context)?
            } else {
                error.get(key.clone(), self.context)?.as_object().is_some_and(|errors| errors.is_array())
            };
            if wanted && !keys.contains(&key) {
                keys.push(key);
            }
        }
        let stack = improved(stack, &name, class);
        let after =
            if message.is_empty() { 0 } else { stack.find(&message).map_or(0, |at| at + message.len()) };
        let frames = stack.get(after..).and_then(|rest| rest.find("\n    at")).map(|at| at + after);
        let text = match frames {
            None => format!("[{stack}]"),
            Some(_) => stack,
        };
        if self.indentation == 0 {
            return Ok(text);
        }
        Ok(text.replace('\n', &format!("\n{}", " ".repeat(self.indentation))))
    }

    fn text_of(&mut self, error: &JsObject, name: &str) -> JsResult<Option<String>> {
        let value = error.get(JsString::from(name), self.context)?;
        if value.is_null_or_undefined() || value.is_symbol() {
            return Ok(None);
        }
        Ok(Some(value.to_string(self.context)?.to_std_string_lossy()))
    }
}

/// Puts the name of the class in front when the stack names another.
fn improved(stack: String, name: &str, class: &Class) -> String {
    let named = name.ends_with("Error")
        && stack.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '\n']));
    if class.constructor.is_some() && !named {
        return stack;
    }
    let (fallback, length) = match class.constructor {
        Some(_) => ("Error", name.len()),
        None if named => (name, name.len()),
        None => ("Error", 0),
    };
    let prefix = class.prefix(fallback, "");
    let prefix = prefix.trim_end();
    if prefix == name {
        return stack;
    }
    let rest = stack.get(length..).unwrap_or_default();
    match (prefix.contains(name), length) {
        (true, 0) => format!("{prefix}: {stack}"),
        (true, _) => format!("{prefix}{rest}"),
        (false, _) => format!("{prefix} [{name}]{rest}"),
    }
}
