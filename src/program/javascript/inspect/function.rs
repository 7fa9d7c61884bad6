//! The one line of a function or class.

use super::Inspector;
use super::object::Class;
use crate::program::javascript::native::{self, OwnProperty};
use boa_engine::builtins::function::OrdinaryFunction;
use boa_engine::{JsObject, JsResult, JsValue, js_string};

impl Inspector<'_> {
    /// `[Function: name]`, `[class A extends B]`.
    pub(super) fn function(&mut self, function: &JsObject, class: &Class) -> JsResult<String> {
        if is_class(function) {
            return self.class_line(function, class);
        }
        let kinds = ["AsyncFunction", "GeneratorFunction", "AsyncGeneratorFunction"];
        let kind = kinds.into_iter().find(|kind| class.is(kind)).unwrap_or("Function");
        let mut base = format!("[{kind}");
        if class.constructor.is_none() {
            base.push_str(" (null prototype)");
        }
        let name = function.get(js_string!("name"), self.context)?;
        match name.as_string().map(|name| name.to_std_string_lossy()) {
            Some(name) if !name.is_empty() => base.push_str(&format!(": {name}")),
            _ => base.push_str(" (anonymous)"),
        }
        base.push(']');
        if let Some(constructor) = class.constructor.as_deref()
            && constructor != kind
            && constructor != "Function"
        {
            base.push_str(&format!(" {constructor}"));
        }
        self.push_tag(&mut base, class);
        Ok(base)
    }

    fn class_line(&mut self, function: &JsObject, class: &Class) -> JsResult<String> {
        let own = native::own(function, &js_string!("name").into(), self.context)?;
        let name = own.and_then(|own| own.value().and_then(JsValue::as_string)).unwrap_or_default();
        let name = if name.is_empty() { "(anonymous)".into() } else { name.to_std_string_lossy() };
        let mut base = format!("[class {name}");
        if let Some(constructor) = class.constructor.as_deref()
            && constructor != "Function"
        {
            base.push_str(&format!(" [{constructor}]"));
        }
        self.push_tag(&mut base, class);
        match function.prototype() {
            _ if class.constructor.is_none() => base.push_str(" extends null"),
            Some(parent) => {
                let parent = parent.get(js_string!("name"), self.context)?;
                if let Some(parent) = parent.as_string().filter(|parent| !parent.is_empty()) {
                    base.push_str(&format!(" extends {}", parent.to_std_string_lossy()));
                }
            }
            None => {}
        }
        base.push(']');
        Ok(base)
    }

    fn push_tag(&self, base: &mut String, class: &Class) {
        if !class.tag.is_empty() && class.constructor.as_deref() != Some(class.tag.as_str()) {
            base.push_str(&format!(" [{}]", class.tag));
        }
    }
}

/// Whether a function is a class. The engine does not keep the text of a class, but only classes written in JavaScript
/// have a `prototype` that cannot be replaced.
fn is_class(function: &JsObject) -> bool {
    let prototype = function.get_own(&js_string!("prototype").into());
    function.is::<OrdinaryFunction>() && prototype.is_some_and(|own| own.writable() == Some(false))
}
