//! What kind of object something is: its prefix, its braces and its properties.

use super::Inspector;
use super::layout::Parts;
use super::options::Style;
use super::{DEEPEST, collection};
use crate::program::javascript::native::{self, OwnProperty};
use boa_engine::builtins::array_buffer::{ArrayBuffer, SharedArrayBuffer};
use boa_engine::builtins::dataview::DataView;
use boa_engine::builtins::date::Date;
use boa_engine::builtins::error::Error;
use boa_engine::builtins::promise::Promise;
use boa_engine::builtins::proxy::Proxy;
use boa_engine::builtins::regexp::RegExp;
use boa_engine::builtins::typed_array::TypedArray;
use boa_engine::module::ModuleNamespace;
use boa_engine::object::builtins::{JsMap, JsSet};
use boa_engine::property::PropertyKey;
use boa_engine::{JsBigInt, JsObject, JsResult, JsString, JsSymbol, JsValue, js_string};

/// Name and tag of an object, from which its prefix is made.
pub(super) struct Class {
    /// The name of its constructor; `None` for an object without prototype.
    pub constructor: Option<String>,
    /// `Symbol.toStringTag`, when it says something else.
    pub tag: String,
}

impl Class {
    /// `Foo(2) [tag] `, with the space behind it.
    pub(super) fn prefix(&self, fallback: &str, size: &str) -> String {
        let Class { constructor, tag } = self;
        match constructor {
            None if !tag.is_empty() && fallback != tag => {
                format!("[{fallback}{size}: null prototype] [{tag}] ")
            }
            None => format!("[{fallback}{size}: null prototype] "),
            Some(name) if !tag.is_empty() && name != tag => format!("{name}{size} [{tag}] "),
            Some(name) => format!("{name}{size} "),
        }
    }

    pub(super) fn is(&self, name: &str) -> bool {
        self.constructor.as_deref() == Some(name)
    }
}

/// An object with what is known about it before its parts are shown.
pub(super) struct Shown {
    pub base: String,
    pub open: String,
    pub close: &'static str,
    pub kind: Parts,
    pub content: Content,
}

/// What stands between the braces, in front of the properties.
pub(super) enum Content {
    Nothing,
    Array,
    Typed(usize),
    Map(JsMap),
    Set(JsSet),
    Buffer(Vec<u8>),
    Promise,
    Unknown,
    Namespace,
}

/// What became of an object: its parts are to be shown, or this is all.
pub(super) enum Look {
    Open(Shown),
    Whole(String),
}

impl Inspector<'_> {
    pub(super) fn object(&mut self, object: &JsObject, level: usize, typed: bool) -> JsResult<String> {
        let class = self.class(object, level)?;
        let mut keys = self.keys(object)?;
        let shown = match self.look(object, &class, &mut keys, typed, level)? {
            Look::Whole(text) => return Ok(text),
            Look::Open(shown) => shown,
        };
        if level as f64 > self.options.depth {
            let name = class.prefix(if object.is_array() { "Array" } else { "Object" }, "");
            let name = name.trim_end();
            let name = if class.constructor.is_some() { format!("[{name}]") } else { name.to_owned() };
            return Ok(self.style(name, Style::Special));
        }
        if level >= DEEPEST {
            let name = class.prefix("Object", "");
            let name = name.trim_end();
            let text =
                format!("[{name}: Inspection interrupted prematurely. Maximum call stack size exceeded.]");
            return Ok(self.style(text, Style::Special));
        }
        self.seen.push(object.clone());
        self.current_depth = level + 1;
        let mut parts = self.content(object, &shown, &mut keys, level + 1)?;
        for key in &keys {
            parts.push(self.property(object, key, level + 1)?);
        }
        self.seen.pop();
        if self.options.sorted {
            match shown.kind {
                Parts::Properties => parts.sort(),
                Parts::Elements => {
                    let elements = parts.len() - keys.len();
                    parts.get_mut(elements..).unwrap_or_default().sort();
                }
            }
        }
        let mut base = shown.base;
        let mut open = shown.open;
        if let Some(index) = self.circular.iter().position(|other| JsObject::equals(other, object)) {
            let reference = self.style(format!("<ref *{}>", index + 1), Style::Special);
            if self.options.compact_always {
                open = format!("{reference} {open}");
            } else {
                base = if base.is_empty() { reference } else { format!("{reference} {base}") };
            }
        }
        let value = matches!(shown.content, Content::Array).then_some(object);
        Ok(self.join(parts, &base, (&open, shown.close), shown.kind, level + 1, value))
    }

    /// The name of the constructor and the tag of an object.
    pub(super) fn class(&mut self, object: &JsObject, level: usize) -> JsResult<Class> {
        let constructor = self.constructor(object, level, 0)?;
        let mut tag = String::new();
        let key = PropertyKey::from(JsSymbol::to_string_tag());
        if let Some(text) = object.get(key.clone(), self.context)?.as_string()
            && !text.is_empty()
        {
            let own = object.get_own(&key);
            let listed = own.is_some_and(|own| self.options.show_hidden || own.enumerable() == Some(true));
            if !listed {
                tag = text.to_std_string_lossy();
            }
        }
        Ok(Class { constructor, tag })
    }

    fn constructor(&mut self, object: &JsObject, level: usize, depth: usize) -> JsResult<Option<String>> {
        if object.is::<Proxy>() {
            // A proxy has no prototype of its own; it says what its target is.
            let function = object.get(js_string!("constructor"), self.context)?.as_callable();
            let name = function.map(|function| function.get(js_string!("name"), self.context)).transpose()?;
            return Ok(name.and_then(|name| name.as_string()).map(|name| name.to_std_string_lossy()));
        }
        let mut holder = Some(object.clone());
        let mut first = None;
        while let Some(present) = holder {
            let own = present.get_own(&js_string!("constructor").into());
            let function = own.as_ref().and_then(|own| own.value()).and_then(JsValue::as_callable);
            if let Some(function) = function {
                let name = function.get(js_string!("name"), self.context)?;
                let name = name.as_string().map(|name| name.to_std_string_lossy()).unwrap_or_default();
                if !name.is_empty() && self.is_instance(object, &function)? {
                    return Ok(Some(name));
                }
            }
            holder = present.prototype();
            if first.is_none() {
                first = Some(holder.clone());
            }
        }
        let Some(Some(prototype)) = first else { return Ok(None) };
        if level as f64 > self.options.depth {
            return Ok(Some("Object <Complex prototype>".into()));
        }
        if depth > 20 {
            return Ok(Some("Object".into()));
        }
        let inner = match self.constructor(&prototype, level + 1, depth + 1)? {
            Some(inner) => inner,
            None if prototype.get_own(&js_string!("constructor").into()).is_some() => {
                "[Object: null prototype]".into()
            }
            None => "[Object: null prototype] {}".into(),
        };
        Ok(Some(format!("Object <{inner}>")))
    }

    /// `object instanceof function`, along the prototypes only.
    fn is_instance(&mut self, object: &JsObject, function: &JsObject) -> JsResult<bool> {
        let Some(wanted) = function.get(js_string!("prototype"), self.context)?.as_object() else {
            return Ok(false);
        };
        let mut holder = object.prototype();
        while let Some(present) = holder {
            if JsObject::equals(&present, &wanted) {
                return Ok(true);
            }
            holder = present.prototype();
        }
        Ok(false)
    }

    /// The keys that are shown: enumerable ones, or all of them.
    fn keys(&mut self, object: &JsObject) -> JsResult<Vec<PropertyKey>> {
        let indexed =
            native::is_array(object, self.context)? || object.is::<TypedArray>() || object.is::<JsString>();
        let mut keys = Vec::new();
        for key in object.own_property_keys(self.context)? {
            if indexed && matches!(key, PropertyKey::Index(_)) {
                continue;
            }
            if self.options.show_hidden || self.is_enumerable(object, &key)? {
                keys.push(key);
            }
        }
        Ok(keys)
    }

    fn is_enumerable(&mut self, object: &JsObject, key: &PropertyKey) -> JsResult<bool> {
        match object.get_own(key) {
            Some(own) => Ok(own.enumerable() == Some(true)),
            // The elements of exotic objects are enumerable; what else they hide is found out the long way.
            None => {
                Ok(native::own(object, key, self.context)?.is_some_and(|own| own.enumerable() == Some(true)))
            }
        }
    }

    fn look(
        &mut self,
        object: &JsObject,
        class: &Class,
        keys: &mut Vec<PropertyKey>,
        typed: bool,
        level: usize,
    ) -> JsResult<Look> {
        let bare = keys.is_empty();
        let open = |open: String, content: Content| {
            Look::Open(Shown { base: String::new(), open, close: "}", kind: Parts::Properties, content })
        };
        let elements = |open: String, content: Content| {
            Look::Open(Shown { base: String::new(), open, close: "]", kind: Parts::Elements, content })
        };
        if native::is_array(object, self.context)? {
            let length = native::length(object, self.context)?;
            let plain = class.is("Array") && class.tag.is_empty();
            let prefix = if plain { String::new() } else { class.prefix("Array", &format!("({length})")) };
            if length == 0 && bare {
                return Ok(Look::Whole(format!("{prefix}[]")));
            }
            return Ok(elements(format!("{prefix}["), Content::Array));
        }
        if let Ok(set) = JsSet::from_object(object.clone()) {
            let size = set.size();
            let prefix = class.prefix("Set", &format!("({size})"));
            if size == 0 && bare {
                return Ok(Look::Whole(format!("{prefix}{{}}")));
            }
            return Ok(open(format!("{prefix}{{"), Content::Set(set)));
        }
        if let Ok(map) = JsMap::from_object(object.clone()) {
            let size = map.get_size(self.context)?.as_number().unwrap_or(0.0);
            let prefix = class.prefix("Map", &format!("({size})"));
            if size == 0.0 && bare {
                return Ok(Look::Whole(format!("{prefix}{{}}")));
            }
            return Ok(open(format!("{prefix}{{"), Content::Map(map)));
        }
        if object.is::<TypedArray>() {
            let length = native::length(object, self.context)?;
            let fallback = if class.constructor.is_none() { class.tag.clone() } else { String::new() };
            let prefix = class.prefix(&fallback, &format!("({length})"));
            if length == 0 && bare && !self.options.show_hidden {
                return Ok(Look::Whole(format!("{prefix}[]")));
            }
            return Ok(elements(format!("{prefix}["), Content::Typed(length)));
        }
        if object.is_callable() {
            let base = self.function(object, class)?;
            return Ok(self.based(base, Style::Special, bare));
        }
        if object.is::<RegExp>() {
            let text = JsValue::from(object.clone()).to_string(self.context)?.to_std_string_lossy();
            let prefix = class.prefix("RegExp", "");
            let base = if prefix == "RegExp " { text } else { format!("{prefix}{text}") };
            return Ok(self.based(base, Style::Regexp, bare || level as f64 > self.options.depth));
        }
        if object.is::<Date>() {
            let text = self.date(object)?;
            let prefix = class.prefix("Date", "");
            let base = if prefix == "Date " { text } else { format!("{prefix}{text}") };
            return Ok(self.based(base, Style::Date, bare));
        }
        if object.is::<Error>() {
            let base = self.error(object, class, keys)?;
            let bare = keys.is_empty();
            return Ok(match bare {
                true => Look::Whole(base),
                false => Look::Open(Shown {
                    base,
                    open: "{".into(),
                    close: "}",
                    kind: Parts::Properties,
                    content: Content::Nothing,
                }),
            });
        }
        if object.is::<ArrayBuffer>() || object.is::<SharedArrayBuffer>() {
            let name = if object.is::<ArrayBuffer>() { "ArrayBuffer" } else { "SharedArrayBuffer" };
            let bytes = collection::buffer_bytes(object);
            let prefix = class.prefix(name, "");
            if typed && bare {
                let length = self.number(bytes.len() as f64);
                return Ok(Look::Whole(format!("{prefix}{{ byteLength: {length} }}")));
            }
            keys.insert(0, js_string!("byteLength").into());
            return Ok(open(
                format!("{prefix}{{"),
                if typed { Content::Nothing } else { Content::Buffer(bytes) },
            ));
        }
        if object.is::<DataView>() {
            for (index, key) in ["byteLength", "byteOffset", "buffer"].into_iter().enumerate() {
                keys.insert(index, JsString::from(key).into());
            }
            return Ok(open(format!("{}{{", class.prefix("DataView", "")), Content::Nothing));
        }
        if object.is::<Promise>() {
            return Ok(open(format!("{}{{", class.prefix("Promise", "")), Content::Promise));
        }
        if object.is::<ModuleNamespace>() {
            let tag = Class { constructor: None, tag: "Module".into() };
            return Ok(open(format!("{}{{", tag.prefix("Module", "")), Content::Namespace));
        }
        if let Some(base) = self.boxed(object, class) {
            return Ok(self.based(base.0, base.1, bare));
        }
        if matches!(class.tag.as_str(), "WeakMap" | "WeakSet") || class.is("WeakMap") || class.is("WeakSet") {
            return Ok(open(format!("{}{{", class.prefix(&class.tag, "")), Content::Unknown));
        }
        if class.is("Object") && is_arguments(object) {
            return Ok(open("[Arguments] {".into(), Content::Nothing));
        }
        let plain = class.is("Object") && class.tag.is_empty();
        let prefix = if plain { String::new() } else { class.prefix("Object", "") };
        if bare {
            return Ok(Look::Whole(format!("{prefix}{{}}")));
        }
        Ok(open(format!("{prefix}{{"), Content::Nothing))
    }

    /// Something with a line of its own, in front of its properties.
    fn based(&self, base: String, style: Style, whole: bool) -> Look {
        match whole {
            true => Look::Whole(self.style(base, style)),
            false => Look::Open(Shown {
                base,
                open: "{".into(),
                close: "}",
                kind: Parts::Properties,
                content: Content::Nothing,
            }),
        }
    }

    fn date(&mut self, object: &JsObject) -> JsResult<String> {
        let prototype = self.context.intrinsics().constructors().date().prototype();
        let this = JsValue::from(object.clone());
        let mut call = |name: &str| -> JsResult<JsValue> {
            let method = prototype.get(JsString::from(name), self.context)?;
            let method = method.as_callable().ok_or_else(|| native::type_error("Date has lost a method"))?;
            method.call(&this, &[], self.context)
        };
        let valid = call("getTime")?.as_number().is_some_and(|time| !time.is_nan());
        let text = call(if valid { "toISOString" } else { "toString" })?;
        Ok(text.to_string(self.context)?.to_std_string_lossy())
    }

    /// `[Number: 3]` and the like.
    fn boxed(&mut self, object: &JsObject, class: &Class) -> Option<(String, Style)> {
        let (name, value, style): (_, JsValue, _) = if let Some(value) = object.downcast_ref::<f64>() {
            ("Number", JsValue::from(*value), Style::Number)
        } else if let Some(value) = object.downcast_ref::<bool>() {
            ("Boolean", JsValue::from(*value), Style::Boolean)
        } else if let Some(value) = object.downcast_ref::<JsString>() {
            ("String", JsValue::from(value.clone()), Style::String)
        } else if let Some(value) = object.downcast_ref::<JsBigInt>() {
            ("BigInt", JsValue::from(value.clone()), Style::Number)
        } else if let Some(value) = object.downcast_ref::<JsSymbol>() {
            ("Symbol", JsValue::from(value.clone()), Style::Symbol)
        } else {
            return None;
        };
        let mut base = format!("[{name}");
        match &class.constructor {
            None => base.push_str(" (null prototype)"),
            Some(constructor) if constructor != name => base.push_str(&format!(" ({constructor})")),
            Some(_) => {}
        }
        let colors = std::mem::replace(&mut self.options.colors, false);
        base.push_str(&format!(": {}]", self.primitive(&value)));
        self.options.colors = colors;
        if !class.tag.is_empty() && class.constructor.as_deref() != Some(class.tag.as_str()) {
            base.push_str(&format!(" [{}]", class.tag));
        }
        Some((base, style))
    }
}

/// Whether an object is the `arguments` of a function: the engine tells nobody, but only they look like this.
fn is_arguments(object: &JsObject) -> bool {
    let hidden = |key: PropertyKey| object.get_own(&key).is_some_and(|own| own.enumerable() == Some(false));
    hidden(js_string!("length").into())
        && hidden(js_string!("callee").into())
        && hidden(JsSymbol::iterator().into())
}
