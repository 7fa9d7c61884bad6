//! The entry of a program: the text that the command line names, parsed and ready to run.

use super::command_line::{Entry, Syntax};
use super::commonjs;
use super::errors;
use super::hooks::TOO_DEEP;
use super::inspect;
use super::libraries;
use super::modules;
use super::native::{self, property, type_error};
use super::nesting;
use super::process::{Process, normal};
use super::resolve;
use crate::protocol::limits::JAVASCRIPT_STDIN_BYTES;
use boa_engine::object::builtins::JsArray;
use boa_engine::parser::Source;
use boa_engine::{
    Context, JsError, JsNativeError, JsObject, JsResult, JsString, JsValue, Module, Script, js_string,
};
use std::path::Path;
use std::rc::Rc;

/// Why an entry cannot run.
pub(crate) enum Unready {
    /// It does not parse; the text is what stderr shows.
    Syntax(String),
    /// It cannot be read.
    Error(JsError),
}

impl From<JsError> for Unready {
    fn from(error: JsError) -> Self {
        Unready::Error(error)
    }
}

/// An entry that is ready to run.
pub(crate) struct Prepared {
    /// The modules that are required first (`--require`).
    pub preload: Vec<String>,
    /// The entry itself.
    pub main: Main,
}

/// What runs.
pub(crate) enum Main {
    /// A script, which the driver can interrupt.
    Script(Script),
    /// A module.
    Module(Module),
    /// The text was only to be parsed.
    Nothing,
}

/// Requires a module before the entry.
///
/// # Errors
/// Those of `require`.
pub(crate) fn preload(context: &mut Context, name: &str) -> JsResult<()> {
    let require = context.global_object().get(js_string!("require"), context)?;
    let require = require.as_callable().ok_or_else(|| type_error("require is not a function"))?;
    require.call(&JsValue::undefined(), &[JsString::from(name).into()], context).map(drop)
}

struct Text {
    path: String,
    text: String,
    /// The text has no file: its top level is the global scope.
    bare: bool,
    syntax: Syntax,
}

/// Reads and parses the entry of a program.
///
/// # Errors
/// It cannot be read or parsed.
pub(crate) fn prepare(context: &mut Context, process: &Rc<Process>) -> Result<Prepared, Unready> {
    let text = text(process, context)?;
    *process.main_path.borrow_mut() = text.path.clone();
    if text.bare {
        *process.main_text.borrow_mut() = text.text.clone();
    }
    let module = commonjs::module_object(&text.path, context)?;
    *process.main.borrow_mut() = Some(module.clone());
    let require = commonjs::require_for(&text.path, context)?;
    let global = context.global_object();
    property(&global, js_string!("require"), require, false, context)?;
    let main = parse(&text, &module, process, context).map_err(|error| {
        let head = match process.main_head.get() {
            0 if !text.bare => commonjs::HEAD.len(),
            head => head,
        };
        Unready::Syntax(errors::syntax(&text.path, &text.text, head, &error.to_string()))
    })?;
    let main = if matches!(process.command.entry, Entry::Check(_)) { Main::Nothing } else { main };
    let preload = process.command.preload.clone();
    Ok(Prepared { preload, main })
}

fn text(process: &Process, context: &mut Context) -> Result<Text, Unready> {
    let bare = |name: &str, text: String| Text {
        path: process.absolute(name),
        text,
        bare: true,
        syntax: process.command.syntax,
    };
    match &process.command.entry {
        Entry::Code { code, .. } => Ok(bare("[eval]", code.clone())),
        Entry::Stdin => {
            let bytes = process.stdin.take();
            if bytes.len() > JAVASCRIPT_STDIN_BYTES {
                let limit = JAVASCRIPT_STDIN_BYTES / 1024;
                let sentence = format!(
                    "js: the program on standard input is longer than {limit} KiB; write it to a file\n"
                );
                return Err(Unready::Syntax(sentence));
            }
            Ok(bare("[stdin]", String::from_utf8_lossy(&bytes).into_owned()))
        }
        Entry::File(file) | Entry::Check(file) | Entry::Call { file, .. } => {
            from_file(file, process, context)
        }
        Entry::Text(text) => Ok(bare("[eval]", (*text).to_owned())),
    }
}

fn from_file(file: &str, process: &Process, context: &mut Context) -> Result<Text, Unready> {
    let from = normal(&process.cwd.borrow(), "[entry]");
    let name = process.absolute(file);
    let path = match resolve::resolve(&from, &name, resolve::Style::Require, context)? {
        resolve::Found::File(path) => path,
        resolve::Found::Library(name) => name.to_owned(),
    };
    let text = commonjs::read(&path, context)?;
    let syntax = match process.command.entry {
        // The export is reached through the module.
        Entry::Call { .. } => Syntax::Module,
        _ if resolve::is_module(&path, &text, context)? => Syntax::Module,
        _ => Syntax::Common,
    };
    Ok(Text { path, text, bare: false, syntax })
}

fn parse(text: &Text, module: &JsObject, process: &Process, context: &mut Context) -> JsResult<Main> {
    let shape = nesting::scan(&text.text);
    if shape.too_deep {
        return Err(JsNativeError::syntax().with_message(TOO_DEEP).into());
    }
    if let Entry::Call { .. } = process.command.entry {
        return modules::load(&text.path, context).map(Main::Module);
    }
    let is_module = text.syntax == Syntax::Module || (text.syntax == Syntax::Either && shape.module);
    if is_module {
        return source_module(text, context);
    }
    if text.path.ends_with(".json") {
        commonjs::json(&text.path, context)?;
        return Ok(Main::Nothing);
    }
    let script =
        if text.bare { global_script(text, module, context) } else { wrapped_script(text, module, context) };
    match script {
        Ok(script) => Ok(Main::Script(script)),
        // An `await` inside a block is seen by the parser only.
        Err(error) if text.text.contains("await") => source_module(text, context).map_err(|_| error),
        Err(error) => Err(error),
    }
}

fn source_module(text: &Text, context: &mut Context) -> JsResult<Main> {
    let shape = nesting::scan(&text.text);
    let module = match rest_as_function(&text.text, &shape) {
        Some((head, whole)) => {
            Process::of(context)?.main_head.set(head);
            modules::parse(&text.path, &whole, context)?
        }
        None => modules::parse(&text.path, &text.text, context)?,
    };
    modules::register(&text.path, &module, context);
    Ok(Main::Module(module))
}

/// A module without exports as its imports, and everything else in a function that it exports: the driver can
/// interrupt a function that a script calls, but not the evaluation of a module. Lines stay where they are. Gives the
/// length of what is put in front, and the text.
fn rest_as_function(text: &str, shape: &nesting::Shape) -> Option<(usize, String)> {
    if shape.exports {
        return None;
    }
    let mut head = String::new();
    let mut rest = String::with_capacity(text.len());
    let mut from = 0;
    for import in &shape.imports {
        rest.push_str(text.get(from..import.start)?);
        let statement = text.get(import.clone())?;
        head.push_str(&statement.replace('\n', " "));
        head.push(';');
        rest.extend(statement.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
        from = import.end;
    }
    rest.push_str(text.get(from..)?);
    let comment = if rest.starts_with("#!") { "//" } else { "" };
    head.push_str(&format!("export default [][0]=async () => {{{comment}"));
    Some((head.len(), format!("{head}{rest}\n}};")))
}

/// The call of what [`rest_as_function`] has made of a module, once that is evaluated.
///
/// # Errors
/// The engine refuses a property.
pub(crate) fn rest(context: &mut Context, module: &Module) -> JsResult<Option<Script>> {
    if Process::of(context)?.main_head.get() == 0 {
        return Ok(None);
    }
    let function = module.namespace(context).get(js_string!("default"), context)?;
    Ok(match function.as_callable() {
        Some(function) => Some(call_script(function, Vec::new(), context)?),
        None => None,
    })
}

fn global_script(text: &Text, module: &JsObject, context: &mut Context) -> JsResult<Script> {
    let script =
        Script::parse(Source::from_bytes(&text.text).with_path(Path::new(&text.path)), None, context)?;
    let global = context.global_object();
    let [exports, _, module, file, directory] = commonjs::arguments(&text.path, module, context)?;
    property(&global, js_string!("exports"), exports, false, context)?;
    property(&global, js_string!("module"), module, false, context)?;
    property(&global, js_string!("__filename"), file, false, context)?;
    property(&global, js_string!("__dirname"), directory, false, context)?;
    Ok(script)
}

/// The call of the function around a file, as a script of its own: a function that a script calls runs inside the
/// loop of that script, so the driver can interrupt it; a function that Rust calls does not return.
fn wrapped_script(text: &Text, module: &JsObject, context: &mut Context) -> JsResult<Script> {
    let function = commonjs::compile(&text.path, &text.text, context)?;
    let arguments = commonjs::arguments(&text.path, module, context)?;
    let cache = Process::of(context)?.required.borrow().clone();
    if let Some(cache) = cache {
        property(&cache, JsString::from(text.path.as_str()), module.clone(), true, context)?;
    }
    call_script(function, arguments.into(), context)
}

/// A script that calls a function and gives what it gives.
fn call_script(function: JsObject, arguments: Vec<JsValue>, context: &mut Context) -> JsResult<Script> {
    let call = native::object(context);
    let list = JsArray::from_iter(arguments, context);
    property(&call, js_string!("function"), function, true, context)?;
    property(&call, js_string!("arguments"), list, true, context)?;
    property(&context.global_object(), js_string!("%main%"), call, false, context)?;
    let source = "{ const main = globalThis['%main%']; delete globalThis['%main%']; (0, main.function)(...main.arguments); }";
    Script::parse(Source::from_bytes(source).with_path(Path::new("node:internal/main")), None, context)
}

/// Prints the value of `-p CODE`.
///
/// # Errors
/// Those of what the value runs when it is printed.
pub(crate) fn print(context: &mut Context, process: &Process, value: &JsValue) -> JsResult<()> {
    if !matches!(process.command.entry, Entry::Code { print: true, .. }) {
        return Ok(());
    }
    let text = inspect::line(std::slice::from_ref(value), context)?;
    process.stdout(format!("{text}\n").as_bytes())
}

/// Calls an export with the arguments of the command line (SH-37).
///
/// # Errors
/// There is no such function, the arguments are not JSON, or the function throws.
pub(crate) fn call(context: &mut Context, module: &Module, name: &str, arguments: &str) -> JsResult<JsValue> {
    let namespace = module.namespace(context);
    let function = namespace.get(JsString::from(name), context)?;
    let function =
        function.as_callable().ok_or_else(|| type_error(format!("the file exports no function '{name}'")))?;
    let parsed = libraries::parse_json(arguments, context).map_err(|_| {
        type_error("--args-json is not JSON: pass an array with one element for each argument")
    })?;
    let list = match parsed.as_object().filter(JsObject::is_array) {
        Some(array) => {
            let length = array.get(js_string!("length"), context)?.to_length(context)?;
            (0..length).map(|index| array.get(index, context)).collect::<JsResult<Vec<_>>>()?
        }
        None => vec![parsed],
    };
    function.call(&JsValue::undefined(), &list, context)
}

/// Prints what a called export returned, as one line of JSON (SH-37).
///
/// # Errors
/// The value has no JSON.
pub(crate) fn print_json(context: &mut Context, process: &Process, value: &JsValue) -> JsResult<()> {
    let text = libraries::to_json(value, context)?;
    process.stdout(format!("{}\n", text.unwrap_or_else(|| "null".into())).as_bytes())
}
