//! CommonJS: `require` of workspace files and of libraries (SH-46).

use super::hooks::TOO_DEEP;
use super::libraries;
use super::native::{self, argument, coded_error, property, type_error};
use super::nesting;
use super::process::{Process, directory};
use super::resolve::{self, Found, Style};
use boa_engine::parser::Source;
use boa_engine::property::PropertyKey;
use boa_engine::{
    Context, JsNativeError, JsObject, JsResult, JsString, JsValue, NativeFunction, Script, js_string,
};
use std::path::Path;

/// What stands before the text of a module, on its first line.
pub(crate) const HEAD: &str = "(function (exports, require, module, __filename, __dirname) {";

/// Makes `require.cache`.
///
/// # Errors
/// The engine belongs to no program.
pub(crate) fn install(context: &mut Context) -> JsResult<()> {
    *Process::of(context)?.required.borrow_mut() = Some(JsObject::with_null_proto());
    Ok(())
}

/// The text of a file of the workspace.
///
/// # Errors
/// It cannot be read.
pub(crate) fn read(path: &str, context: &mut Context) -> JsResult<String> {
    let port = Process::of(context)?.outside.port;
    let bytes = port.read(path).map_err(|error| {
        let message = format!("{}: {}, open '{path}'", error.code(), error.sentence().to_lowercase());
        coded_error(&message, &[("code", JsString::from(error.code()).into())], context)
    })?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned())
}

/// The value of a `.json` file.
///
/// # Errors
/// It cannot be read, or is not JSON.
pub(crate) fn json(path: &str, context: &mut Context) -> JsResult<JsValue> {
    let text = read(path, context)?;
    let object = context.global_object().get(js_string!("JSON"), context)?;
    let parse = object.as_object().map(|json| json.get(js_string!("parse"), context)).transpose()?;
    let parse = parse
        .and_then(|parse| parse.as_callable())
        .ok_or_else(|| type_error("JSON.parse is not a function"))?;
    parse.call(&object, &[JsString::from(text).into()], context).map_err(|error| {
        let message = format!("{path}: {}", error.to_string().lines().next().unwrap_or_default());
        JsNativeError::syntax().with_message(message).into()
    })
}

/// A `require` for the file `from`.
///
/// # Errors
/// The engine belongs to no program.
pub(crate) fn require_for(from: &str, context: &mut Context) -> JsResult<JsObject> {
    let from = JsString::from(from);
    let call = NativeFunction::from_copy_closure_with_captures(
        |_, arguments, from: &JsString, context| {
            require(&from.to_std_string_lossy(), &argument(arguments, 0), context)
        },
        from.clone(),
    );
    let function = native::function(context, "require", 1, call);
    let find = NativeFunction::from_copy_closure_with_captures(
        |_, arguments, from: &JsString, context| {
            let name = native::text(arguments, 0, context)?;
            Ok(match resolve::resolve(&from.to_std_string_lossy(), &name, Style::Require, context)? {
                Found::Library(library) => {
                    JsString::from(if name.starts_with("node:") { name.as_str() } else { library }).into()
                }
                Found::File(path) => JsString::from(path).into(),
            })
        },
        from,
    );
    let find = native::function(context, "resolve", 1, find);
    property(&function, js_string!("resolve"), find, true, context)?;
    let process = Process::of(context)?;
    let cache = process.required.borrow().clone().map_or(JsValue::undefined(), JsValue::from);
    property(&function, js_string!("cache"), cache, true, context)?;
    let main = process.main.borrow().clone().map_or(JsValue::undefined(), JsValue::from);
    property(&function, js_string!("main"), main, true, context)?;
    Ok(function)
}

fn require(from: &str, name: &JsValue, context: &mut Context) -> JsResult<JsValue> {
    let Some(text) = name.as_string() else {
        return Err(type_error("The \"id\" argument must be of type string"));
    };
    match resolve::resolve(from, &text.to_std_string_lossy(), Style::Require, context)? {
        Found::Library(library) => libraries::require(library, context),
        Found::File(path) => require_file(&path, context),
    }
}

/// The exports of a file, which is run when it is required for the first time.
///
/// # Errors
/// It cannot be read or parsed, or throws.
pub(crate) fn require_file(path: &str, context: &mut Context) -> JsResult<JsValue> {
    let cache = Process::of(context)?.required.borrow().clone().unwrap_or_else(JsObject::with_null_proto);
    let key = PropertyKey::from(JsString::from(path));
    let cached = cache.get(key.clone(), context)?;
    if let Some(module) = cached.as_object() {
        return module.get(js_string!("exports"), context);
    }
    if path.ends_with(".json") {
        let value = json(path, context)?;
        let module = module_object(path, context)?;
        property(&module, js_string!("exports"), value.clone(), true, context)?;
        property(&cache, key, module, true, context)?;
        return Ok(value);
    }
    let text = read(path, context)?;
    if resolve::is_module(path, &text, context)? {
        let message =
            format!("require() of ES module {path} is not supported; use import or await import() instead");
        return Err(coded_error(&message, &[("code", JsString::from("ERR_REQUIRE_ESM").into())], context));
    }
    let function = compile(path, &text, context)?;
    let module = module_object(path, context)?;
    property(&cache, key.clone(), module.clone(), true, context)?;
    let arguments = arguments(path, &module, context)?;
    let this = module.get(js_string!("exports"), context)?;
    if let Err(error) = function.call(&this, &arguments, context) {
        cache.delete_property_or_throw(key, context)?;
        return Err(error);
    }
    property(&module, js_string!("loaded"), true, true, context)?;
    module.get(js_string!("exports"), context)
}

/// The object `module` of a file.
///
/// # Errors
/// The engine refuses a property.
pub(crate) fn module_object(path: &str, context: &mut Context) -> JsResult<JsObject> {
    let module = native::object(context);
    let exports = native::object(context);
    let id = if Process::of(context)?.main_path.borrow().as_str() == path { "." } else { path };
    property(&module, js_string!("id"), JsString::from(id), true, context)?;
    property(&module, js_string!("path"), JsString::from(directory(path)), true, context)?;
    property(&module, js_string!("exports"), exports, true, context)?;
    property(&module, js_string!("filename"), JsString::from(path), true, context)?;
    property(&module, js_string!("loaded"), false, true, context)?;
    Ok(module)
}

/// What the function around a file is called with.
///
/// # Errors
/// The engine refuses a property.
pub(crate) fn arguments(path: &str, module: &JsObject, context: &mut Context) -> JsResult<[JsValue; 5]> {
    let require = require_for(path, context)?;
    property(module, js_string!("require"), require.clone(), false, context)?;
    Ok([
        module.get(js_string!("exports"), context)?,
        require.into(),
        module.clone().into(),
        JsString::from(path).into(),
        JsString::from(directory(path)).into(),
    ])
}

/// Parses the text of a file to the function that runs it.
///
/// # Errors
/// A `SyntaxError`.
pub(crate) fn compile(path: &str, text: &str, context: &mut Context) -> JsResult<JsObject> {
    if nesting::scan(text).too_deep {
        return Err(JsNativeError::syntax().with_message(TOO_DEEP).into());
    }
    // A first line `#!…` is no JavaScript inside a function.
    let comment = if text.starts_with("#!") { "//" } else { "" };
    let wrapped = format!("{HEAD}{comment}{text}\n}})");
    let script = Script::parse(Source::from_bytes(&wrapped).with_path(Path::new(path)), None, context)?;
    let function = script.evaluate(context)?;
    function.as_callable().ok_or_else(|| JsNativeError::syntax().with_message("Unexpected token '}'").into())
}
