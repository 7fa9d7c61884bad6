//! ES modules: where an import leads, and how the text that it finds becomes a module.

use super::commonjs;
use super::hooks::TOO_DEEP;
use super::libraries;
use super::native;
use super::nesting;
use super::process::{Process, directory};
use super::resolve::{self, Found};
use boa_engine::module::{ModuleLoader, ModuleRequest, Referrer, SyntheticModuleInitializer};
use boa_engine::parser::Source;
use boa_engine::property::PropertyKey;
use boa_engine::{Context, JsNativeError, JsObject, JsResult, JsString, JsValue, Module, js_string};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

/// The modules of a program, each made once.
#[derive(Default)]
pub(crate) struct Loader {
    modules: RefCell<BTreeMap<String, Module>>,
}

impl ModuleLoader for Loader {
    async fn load_imported_module(
        self: Rc<Self>,
        referrer: Referrer,
        request: ModuleRequest,
        context: &RefCell<&mut Context>,
    ) -> JsResult<Module> {
        let from = referrer.path().map(|path| path.to_string_lossy().into_owned());
        self.load(from.as_deref(), &request.specifier().to_std_string_lossy(), &mut context.borrow_mut())
    }

    fn init_import_meta(self: Rc<Self>, meta: &JsObject, module: &Module, context: &mut Context) {
        let Some(path) = module.path().map(|path| path.to_string_lossy().into_owned()) else { return };
        // A property of a fresh object cannot be refused.
        let _ = describe(meta, &path, context);
    }
}

fn describe(meta: &JsObject, path: &str, context: &mut Context) -> JsResult<()> {
    native::property(meta, js_string!("dirname"), JsString::from(directory(path)), true, context)?;
    native::property(meta, js_string!("filename"), JsString::from(path), true, context)?;
    let process = Process::of(context)?;
    let main = process.main_path.borrow().as_str() == path;
    native::property(meta, js_string!("main"), main, true, context)?;
    native::define(meta, &[("resolve", 1, resolve_import)], true, context)?;
    native::property(meta, js_string!("url"), JsString::from(resolve::url(path)), true, context)
}

fn resolve_import(this: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let name = native::text(arguments, 0, context)?;
    let from = match this.as_object() {
        Some(meta) => meta.get(js_string!("filename"), context)?.to_string(context)?.to_std_string_lossy(),
        None => String::new(),
    };
    Ok(match resolve::resolve(&from, &name, resolve::Style::Import, context)? {
        Found::Library(name) => JsString::from(format!("node:{name}")).into(),
        Found::File(path) => JsString::from(resolve::url(&path)).into(),
    })
}

impl Loader {
    /// The module that an import leads to.
    ///
    /// # Errors
    /// Nothing is there, or it cannot be parsed, or it is CommonJS and throws.
    fn load(&self, from: Option<&str>, name: &str, context: &mut Context) -> JsResult<Module> {
        let cwd = Process::of(context)?.cwd.borrow().clone();
        let from = from.map_or_else(|| format!("{cwd}/[eval]"), str::to_owned);
        match resolve::resolve(&from, name, resolve::Style::Import, context)? {
            Found::Library(library) => self.once(library, context, |context| {
                let exports = libraries::require(library, context)?;
                Ok(synthetic(&exports, context))
            }),
            Found::File(path) => self.once(&path, context, |context| file(&path, context)),
        }
    }

    fn once(
        &self,
        key: &str,
        context: &mut Context,
        make: impl FnOnce(&mut Context) -> JsResult<Module>,
    ) -> JsResult<Module> {
        if let Some(module) = self.modules.borrow().get(key) {
            return Ok(module.clone());
        }
        let module = make(context)?;
        self.modules.borrow_mut().insert(key.to_owned(), module.clone());
        Ok(module)
    }
}

/// Registers a module under its path, so that an import of that path finds it.
pub(crate) fn register(path: &str, module: &Module, context: &Context) {
    if let Some(loader) = context.downcast_module_loader::<Loader>() {
        loader.modules.borrow_mut().insert(path.to_owned(), module.clone());
    }
}

/// The module of a file, CommonJS or not.
///
/// # Errors
/// Those of an import of it.
pub(crate) fn load(path: &str, context: &mut Context) -> JsResult<Module> {
    let loader = context.downcast_module_loader::<Loader>().unwrap_or_default();
    loader.load(None, path, context)
}

fn file(path: &str, context: &mut Context) -> JsResult<Module> {
    if path.ends_with(".json") {
        let value = commonjs::json(path, context)?;
        return Ok(synthetic_default(value, context));
    }
    let text = commonjs::read(path, context)?;
    if resolve::is_module(path, &text, context)? {
        return parse(path, &text, context);
    }
    let exports = commonjs::require_file(path, context)?;
    Ok(synthetic(&exports, context))
}

/// Parses the text of a module.
///
/// # Errors
/// A `SyntaxError`.
pub(crate) fn parse(path: &str, text: &str, context: &mut Context) -> JsResult<Module> {
    let shape = nesting::scan(text);
    if shape.too_deep {
        return Err(JsNativeError::syntax().with_message(TOO_DEEP).into());
    }
    // The parser of the engine takes no `export default async () => …`; as the value of an assignment it does.
    let mut patched = text.to_owned();
    for at in shape.async_defaults.iter().rev() {
        patched.insert_str(*at, "[][0]=");
    }
    let text = &patched;
    Module::parse(Source::from_bytes(text).with_path(Path::new(path)), None, context)
}

fn synthetic_default(value: JsValue, context: &mut Context) -> Module {
    Module::from_value_as_default(value, context)
}

/// A module whose default export is a value and whose other exports are its own enumerable properties.
fn synthetic(exports: &JsValue, context: &mut Context) -> Module {
    let names = names(exports, context);
    let mut all = names.clone();
    all.push(js_string!("default"));
    let fill = SyntheticModuleInitializer::from_copy_closure_with_captures(
        |module, (exports, names): &(JsValue, Vec<JsString>), context| {
            module.set_export(&js_string!("default"), exports.clone())?;
            let Some(object) = exports.as_object() else { return Ok(()) };
            for name in names {
                let value = object.get(name.clone(), context)?;
                module.set_export(name, value)?;
            }
            Ok(())
        },
        (exports.clone(), names),
    );
    Module::synthetic(&all, fill, None, None, context)
}

fn names(exports: &JsValue, context: &mut Context) -> Vec<JsString> {
    let Some(object) = exports.as_object() else { return Vec::new() };
    let keys = object.own_property_keys(context).unwrap_or_default();
    let mut names = Vec::new();
    for key in keys {
        let PropertyKey::String(name) = &key else { continue };
        let listed = name != &js_string!("default") && (!object.is_callable() || !is_function_key(name));
        if listed {
            names.push(name.clone());
        }
    }
    names
}

/// The properties that every function has.
fn is_function_key(name: &JsString) -> bool {
    ["length", "name", "prototype", "arguments", "caller"].iter().any(|key| name == &JsString::from(*key))
}
