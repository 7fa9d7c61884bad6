//! The libraries of this module, written in JavaScript in `lib/`: the modules of SH-46 and SH-58, and the globals that
//! come with them. A library is parsed when it is first touched, so a program pays for what it uses.
//!
//! Each file is one arrow function `(native, require) => exports`. `native` holds what JavaScript cannot do itself.

use super::native::{self, argument, property, type_error};
use super::natives;
use super::process::Process;
use boa_engine::parser::Source;
use boa_engine::property::PropertyDescriptor;
use boa_engine::{
    Context, JsError, JsObject, JsResult, JsString, JsValue, NativeFunction, Script, js_string,
};
use std::path::Path;
use std::rc::Rc;

macro_rules! libraries {
    ($($name:literal)*) => {
        /// Name and text of each file in `lib/`.
        const LIBRARIES: &[(&str, &str)] = &[$(($name, include_str!(concat!("lib/", $name, ".js"))),)*];
    };
}

libraries! {
    "assert" "buffer" "clone" "crypto" "events" "fs" "intl" "intl_date" "intl_decimal" "intl_locale"
    "intl_number" "intl_symbols" "intl_zone" "module" "os" "path" "performance" "process" "querystring"
    "readline" "stream" "stream_readable" "stream_side" "stream_writable" "string_decoder" "timers" "url"
    "url_host" "url_params" "url_parse" "url_text" "values" "web" "workspace"
}

/// What can be imported: its name, the file that it is in, and the member of that file's exports.
const MODULES: &[(&str, &str, &str)] = &[
    ("assert", "assert", ""),
    ("assert/strict", "assert", "strict"),
    ("buffer", "buffer", ""),
    ("crypto", "crypto", ""),
    ("events", "events", ""),
    ("fs", "fs", ""),
    ("fs/promises", "fs", "promises"),
    ("handrail:workspace", "workspace", ""),
    ("module", "module", ""),
    ("os", "os", ""),
    ("path", "path", ""),
    ("path/posix", "path", ""),
    ("perf_hooks", "performance", ""),
    ("process", "process", "process"),
    ("querystring", "querystring", ""),
    ("readline", "readline", ""),
    ("readline/promises", "readline", "promises"),
    ("stream", "stream", ""),
    ("stream/promises", "stream", "promises"),
    ("string_decoder", "string_decoder", ""),
    ("timers", "timers", ""),
    ("timers/promises", "timers", "promises"),
    ("url", "url", ""),
    ("util", "values", ""),
    ("util/types", "values", "types"),
];

/// Globals that a library defines when they are first read: the name, the file, and the member of its exports.
const GLOBALS: &[(&str, &str, &str)] = &[
    ("AbortController", "web", "AbortController"),
    ("AbortSignal", "web", "AbortSignal"),
    ("Blob", "web", "Blob"),
    ("Buffer", "buffer", "Buffer"),
    ("DOMException", "web", "DOMException"),
    ("Event", "web", "Event"),
    ("EventTarget", "web", "EventTarget"),
    ("CustomEvent", "web", "CustomEvent"),
    ("File", "web", "File"),
    ("Headers", "web", "Headers"),
    ("Intl", "intl", "Intl"),
    ("Request", "web", "Request"),
    ("Response", "web", "Response"),
    ("TextDecoder", "web", "TextDecoder"),
    ("TextEncoder", "web", "TextEncoder"),
    ("URL", "url", "URL"),
    ("URLSearchParams", "url", "URLSearchParams"),
    ("atob", "buffer", "atob"),
    ("btoa", "buffer", "btoa"),
    ("clearImmediate", "timers", "clearImmediate"),
    ("clearInterval", "timers", "clearInterval"),
    ("clearTimeout", "timers", "clearTimeout"),
    ("crypto", "crypto", "webcrypto"),
    ("fetch", "web", "fetch"),
    ("performance", "performance", "performance"),
    ("process", "process", "process"),
    ("queueMicrotask", "timers", "queueMicrotask"),
    ("setImmediate", "timers", "setImmediate"),
    ("setInterval", "timers", "setInterval"),
    ("setTimeout", "timers", "setTimeout"),
    ("structuredClone", "clone", "structuredClone"),
];

/// Methods of built-in prototypes that a library replaces when they are first called.
const METHODS: &[(&str, &str, &str)] = &[
    ("Number", "toLocaleString", "numberToLocaleString"),
    ("BigInt", "toLocaleString", "numberToLocaleString"),
    ("Array", "toLocaleString", "listToLocaleString"),
    ("Date", "toLocaleString", "dateToLocaleString"),
    ("Date", "toLocaleDateString", "dateToLocaleDateString"),
    ("Date", "toLocaleTimeString", "dateToLocaleTimeString"),
];

/// The name of an importable module as the tables hold it.
pub(crate) fn name(name: &str) -> Option<&'static str> {
    MODULES.iter().find(|(module, ..)| *module == name).map(|(module, ..)| *module)
}

/// The names of all importable modules, for an error.
pub(crate) fn listing() -> String {
    MODULES.iter().map(|(module, ..)| *module).collect::<Vec<_>>().join(", ")
}

/// Puts the globals and methods of the libraries in their places.
///
/// # Errors
/// The global object refuses a property.
pub(crate) fn install(context: &mut Context) -> JsResult<()> {
    let global = context.global_object();
    for (name, ..) in GLOBALS {
        let name = JsString::from(*name);
        let get = NativeFunction::from_copy_closure_with_captures(
            |_, _, name: &JsString, context| global_value(name, context),
            name.clone(),
        );
        let set = NativeFunction::from_copy_closure_with_captures(
            |_, arguments, name: &JsString, context| {
                let globals = &Process::of(context)?.globals;
                globals.borrow_mut().insert(name.clone(), argument(arguments, 0));
                Ok(JsValue::undefined())
            },
            name.clone(),
        );
        let descriptor = PropertyDescriptor::builder()
            .get(get.to_js_function(context.realm()))
            .set(set.to_js_function(context.realm()))
            .enumerable(false)
            .configurable(true);
        global.define_property_or_throw(name, descriptor, context)?;
    }
    for (class, method, export) in METHODS {
        let prototype = member(&global.get(JsString::from(*class), context)?, "prototype", context)?;
        let forward = NativeFunction::from_copy_closure_with_captures(
            |this, arguments, export: &JsString, context| {
                let function = member(&library("intl", context)?, &export.to_std_string_lossy(), context)?;
                call(&function, this, arguments, context)
            },
            JsString::from(*export),
        );
        let function = native::function(context, method, 0, forward);
        if let Some(prototype) = prototype.as_object() {
            property(&prototype, JsString::from(*method), function, false, context)?;
        }
    }
    Ok(())
}

/// The value of a global. It stays an accessor: the engine remembers wrongly where a property is that replaces itself.
fn global_value(name: &JsString, context: &mut Context) -> JsResult<JsValue> {
    let process = Process::of(context)?;
    if let Some(value) = process.globals.borrow().get(name) {
        return Ok(value.clone());
    }
    let text = name.to_std_string_lossy();
    let known = GLOBALS.iter().find(|(global, ..)| *global == text);
    let (_, file, export) = known.ok_or_else(|| type_error(format!("no global {text}")))?;
    let value = member(&library(file, context)?, export, context)?;
    process.globals.borrow_mut().insert(name.clone(), value.clone());
    Ok(value)
}

/// The exports of an importable module.
///
/// # Errors
/// Its text throws, which is a fault of this module, or the instructions are used up.
pub(crate) fn require(name: &str, context: &mut Context) -> JsResult<JsValue> {
    let Some((_, file, part)) = MODULES.iter().find(|(module, ..)| *module == name) else {
        return Err(type_error(format!("no library {name}")));
    };
    let exports = library(file, context)?;
    if part.is_empty() { Ok(exports) } else { member(&exports, part, context) }
}

/// The exports of a file in `lib/`.
///
/// # Errors
/// As [`require`].
pub(crate) fn library(name: &str, context: &mut Context) -> JsResult<JsValue> {
    let process = Process::of(context)?;
    if let Some(exports) = process.libraries.borrow().get(name) {
        return Ok(exports.clone());
    }
    let Some((name, text)) = LIBRARIES.iter().find(|(library, _)| *library == name) else {
        return Err(type_error(format!("no library {name}")));
    };
    let native = natives::object(&process, context)?;
    let path = format!("node:{name}");
    let make = Script::parse(Source::from_bytes(text).with_path(Path::new(&path)), None, context)?
        .evaluate(context)?;
    let require = NativeFunction::from_fn_ptr(|_, arguments, context| {
        let name = native::text(arguments, 0, context)?;
        library(&name, context)
    });
    let require = native::function(context, "require", 1, require);
    let exports = call(&make, &JsValue::undefined(), &[native.into(), require.into()], context)?;
    process.libraries.borrow_mut().insert(name, exports.clone());
    Ok(exports)
}

/// A property of a value that should be an object.
///
/// # Errors
/// Its getter throws.
pub(crate) fn member(value: &JsValue, name: &str, context: &mut Context) -> JsResult<JsValue> {
    match value.as_object() {
        Some(object) => object.get(JsString::from(name), context),
        None => Ok(JsValue::undefined()),
    }
}

fn call(
    function: &JsValue,
    this: &JsValue,
    arguments: &[JsValue],
    context: &mut Context,
) -> JsResult<JsValue> {
    let function = function.as_callable().ok_or_else(|| type_error("not a function"))?;
    function.call(this, arguments, context)
}

/// Calls a function of the library behind `process`, if the program has touched `process` at all: otherwise it has set
/// neither a handler nor an exit code.
fn ask(
    name: &str,
    arguments: &[JsValue],
    process: &Process,
    context: &mut Context,
) -> JsResult<Option<JsValue>> {
    let Some(library) = process.libraries.borrow().get("process").cloned() else { return Ok(None) };
    let function = member(&library, name, context)?;
    call(&function, &JsValue::undefined(), arguments, context).map(Some)
}

/// Tells the handlers of `exit` that the program ends; gives its status.
///
/// # Errors
/// A handler throws.
pub(crate) fn finish(context: &mut Context, process: &Rc<Process>) -> JsResult<i32> {
    let code = ask("finish", &[], process, context)?;
    if let Some(code) = process.exited() {
        return Ok(code);
    }
    code.map_or(Ok(0), |code| code.to_i32(context))
}

/// Tells the handlers of `beforeExit` that nothing is pending; true when they have made something to wait for.
///
/// # Errors
/// A handler throws.
pub(crate) fn before_exit(context: &mut Context, process: &Rc<Process>) -> JsResult<bool> {
    Ok(ask("beforeExit", &[], process, context)?.is_some_and(|again| again.to_boolean()))
}

/// Tells the handlers of `unhandledRejection`; false when there are none.
///
/// # Errors
/// A handler throws.
pub(crate) fn rejected(
    context: &mut Context,
    process: &Rc<Process>,
    reason: &JsValue,
    promise: &JsObject,
) -> JsResult<bool> {
    let answer = ask("rejected", &[reason.clone(), promise.clone().into()], process, context)?;
    Ok(answer.is_some_and(|handled| handled.to_boolean()))
}

/// Tells the handlers of `uncaughtException`; gives the error back when there are none.
///
/// # Errors
/// A handler throws.
pub(crate) fn uncaught(
    context: &mut Context,
    process: &Rc<Process>,
    error: JsError,
) -> JsResult<Option<JsError>> {
    if !process.libraries.borrow().contains_key("process") {
        return Ok(Some(error));
    }
    let value = error.clone().into_opaque(context)?;
    let handled = ask("uncaught", std::slice::from_ref(&value), process, context)?;
    Ok(if handled.is_some_and(|handled| handled.to_boolean()) { None } else { Some(error) })
}

/// `JSON.parse`.
///
/// # Errors
/// The text is not JSON.
pub(crate) fn parse_json(text: &str, context: &mut Context) -> JsResult<JsValue> {
    let json = context.global_object().get(js_string!("JSON"), context)?;
    let parse = member(&json, "parse", context)?;
    call(&parse, &json, &[JsString::from(text).into()], context)
}

/// `JSON.stringify`; `None` for what has no JSON.
///
/// # Errors
/// The value is circular or its `toJSON` throws.
pub(crate) fn to_json(value: &JsValue, context: &mut Context) -> JsResult<Option<String>> {
    let json = context.global_object().get(js_string!("JSON"), context)?;
    let stringify = member(&json, "stringify", context)?;
    let text = call(&stringify, &json, std::slice::from_ref(value), context)?;
    Ok(text.as_string().map(|text| text.to_std_string_lossy()))
}

/// The elements of an array as texts; `None` for anything else.
///
/// # Errors
/// An element cannot be made a string.
pub(crate) fn list(value: &JsValue, context: &mut Context) -> JsResult<Option<Vec<String>>> {
    let Some(array) = value.as_object().filter(JsObject::is_array) else { return Ok(None) };
    let length = native::length(&array, context)?;
    let mut texts = Vec::new();
    for index in 0..length {
        let element = array.get(index as u32, context)?;
        texts.push(element.to_string(context)?.to_std_string_lossy());
    }
    Ok(Some(texts))
}
