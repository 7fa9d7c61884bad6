//! The file port, as the library `fs` uses it. Paths are taken relative to the working directory; `/dev/stdin` and its
//! kin are the streams of the program itself.

use super::bytes;
use super::native::{self, Member, argument, property};
use super::process::Process;
use crate::program::port::{Kind, PortError};
use boa_engine::object::builtins::JsArray;
use boa_engine::{Context, JsError, JsNativeError, JsResult, JsString, JsValue, js_string};
use std::rc::Rc;

/// What libraries get of this. The first argument of those that can fail is the name of the system call.
pub(crate) const MEMBERS: [Member; 13] = [
    ("stat", 2, stat),
    ("list", 2, list),
    ("read", 2, read),
    ("readText", 2, read_text),
    ("store", 3, store),
    ("append", 3, append),
    ("mkdir", 3, mkdir),
    ("remove", 3, remove),
    ("rename", 3, rename),
    ("copy", 3, copy),
    ("absolute", 1, absolute),
    ("cwd", 0, cwd),
    ("chdir", 1, chdir),
];

/// Numbers of errors, as Node gives them for Linux.
fn number(error: PortError) -> i32 {
    match error {
        PortError::NotFound => -2,
        PortError::Io => -5,
        PortError::Denied => -13,
        PortError::Exists => -17,
        PortError::NotDirectory => -20,
        PortError::IsDirectory => -21,
        PortError::Invalid => -22,
        PortError::TooLarge => -27,
        PortError::Full => -28,
        PortError::NotEmpty => -39,
        PortError::Unsupported => -95,
        PortError::Cancelled => -125,
    }
}

/// One call, with what its error would say.
struct Call {
    process: Rc<Process>,
    syscall: String,
    given: String,
    path: String,
}

impl Call {
    fn new(arguments: &[JsValue], context: &mut Context) -> JsResult<Call> {
        let process = Process::of(context)?;
        process.going()?;
        let syscall = native::text(arguments, 0, context)?;
        let given = native::text(arguments, 1, context)?;
        if given.contains('\0') {
            return Err(native::type_error("The argument 'path' must be a string without null bytes"));
        }
        let path = process.absolute(&given);
        Ok(Call { process, syscall, given, path })
    }

    fn fail(&self, error: PortError, to: Option<&str>, context: &mut Context) -> JsError {
        let sentence = match error {
            PortError::Exists => "file already exists".to_owned(),
            PortError::IsDirectory => "illegal operation on a directory".to_owned(),
            error => error.sentence().to_lowercase(),
        };
        let to_text = to.map(|to| format!(" -> '{to}'")).unwrap_or_default();
        let message = format!("{}: {sentence}, {} '{}'{to_text}", error.code(), self.syscall, self.given);
        let thrown = JsNativeError::error().with_message(message).into_opaque(context);
        let mut members = vec![
            ("errno", JsValue::from(number(error))),
            ("code", JsString::from(error.code()).into()),
            ("syscall", JsString::from(self.syscall.as_str()).into()),
            ("path", JsString::from(self.given.as_str()).into()),
        ];
        members.extend(to.map(|to| ("dest", JsString::from(to).into())));
        for (name, value) in members {
            if let Err(refused) = property(&thrown, JsString::from(name), value, true, context) {
                return refused;
            }
        }
        JsError::from_opaque(thrown.into())
    }

    /// The bytes of a file, or of standard input.
    fn content(&self, context: &mut Context) -> JsResult<Vec<u8>> {
        match self.path.as_str() {
            "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0" => Ok(self.process.stdin.take()),
            "/dev/null" => Ok(Vec::new()),
            path => self.process.outside.port.read(path).map_err(|error| self.fail(error, None, context)),
        }
    }

    /// Writes to a stream of the program when the path names one.
    fn stream(&self, bytes: &[u8]) -> JsResult<bool> {
        match self.path.as_str() {
            "/dev/stdout" | "/dev/fd/1" => self.process.stdout(bytes)?,
            "/dev/stderr" | "/dev/fd/2" => self.process.stderr(bytes)?,
            "/dev/null" => {}
            _ => return Ok(false),
        }
        Ok(true)
    }
}

fn kind(kind: Kind) -> JsValue {
    JsValue::from(if kind == Kind::File { 1 } else { 2 })
}

/// `stat(syscall, path)`: `[kind, size, mtimeMs]`, or `undefined`.
fn stat(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let call = Call::new(arguments, context)?;
    match call.process.outside.port.stat(&call.path) {
        Ok(Some(stat)) => {
            let parts = [kind(stat.kind), JsValue::from(stat.size as f64), JsValue::from(stat.modified_ms)];
            Ok(JsArray::from_iter(parts, context).into())
        }
        Ok(None) | Err(PortError::NotFound | PortError::NotDirectory) => Ok(JsValue::undefined()),
        Err(error) => Err(call.fail(error, None, context)),
    }
}

/// `list(syscall, path)`: names and kinds in turn, in the order of the names.
fn list(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let call = Call::new(arguments, context)?;
    let mut entries =
        call.process.outside.port.list(&call.path).map_err(|error| call.fail(error, None, context))?;
    entries.sort_by(|one, other| one.name.cmp(&other.name));
    let parts =
        entries.iter().flat_map(|entry| [JsString::from(entry.name.as_str()).into(), kind(entry.stat.kind)]);
    Ok(JsArray::from_iter(parts.collect::<Vec<_>>(), context).into())
}

fn read(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let content = Call::new(arguments, context)?.content(context)?;
    bytes::array(&content, context)
}

fn read_text(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let content = Call::new(arguments, context)?.content(context)?;
    Ok(bytes::text(&content).into())
}

fn given_bytes(value: &JsValue, context: &mut Context) -> JsResult<Vec<u8>> {
    match value.as_string() {
        Some(text) => Ok(bytes::utf8_bytes(&text)),
        None => bytes::of(value, context),
    }
}

/// `store(syscall, path, bytes)`: the whole content of a file.
fn store(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let call = Call::new(arguments, context)?;
    let content = given_bytes(&argument(arguments, 2), context)?;
    if !call.stream(&content)? {
        call.process
            .outside
            .port
            .write(&call.path, &content)
            .map_err(|error| call.fail(error, None, context))?;
    }
    Ok(JsValue::undefined())
}

fn append(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let call = Call::new(arguments, context)?;
    let content = given_bytes(&argument(arguments, 2), context)?;
    if !call.stream(&content)? {
        call.process
            .outside
            .port
            .append(&call.path, &content)
            .map_err(|error| call.fail(error, None, context))?;
    }
    Ok(JsValue::undefined())
}

/// `mkdir(syscall, path, recursive)`.
fn mkdir(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let call = Call::new(arguments, context)?;
    let recursive = argument(arguments, 2).to_boolean();
    call.process
        .outside
        .port
        .mkdir(&call.path, recursive)
        .map_err(|error| call.fail(error, None, context))?;
    Ok(JsValue::undefined())
}

/// `remove(syscall, path, recursive)`.
fn remove(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let call = Call::new(arguments, context)?;
    let recursive = argument(arguments, 2).to_boolean();
    call.process
        .outside
        .port
        .remove(&call.path, recursive)
        .map_err(|error| call.fail(error, None, context))?;
    Ok(JsValue::undefined())
}

fn rename(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let call = Call::new(arguments, context)?;
    let to = native::text(arguments, 2, context)?;
    let target = call.process.absolute(&to);
    call.process
        .outside
        .port
        .rename(&call.path, &target)
        .map_err(|error| call.fail(error, Some(&to), context))?;
    Ok(JsValue::undefined())
}

fn copy(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let call = Call::new(arguments, context)?;
    let to = native::text(arguments, 2, context)?;
    let target = call.process.absolute(&to);
    call.process
        .outside
        .port
        .copy(&call.path, &target)
        .map_err(|error| call.fail(error, Some(&to), context))?;
    Ok(JsValue::undefined())
}

fn absolute(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let path = native::text(arguments, 0, context)?;
    Ok(JsString::from(Process::of(context)?.absolute(&path)).into())
}

fn cwd(_: &JsValue, _: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    Ok(JsString::from(Process::of(context)?.cwd.borrow().as_str()).into())
}

fn chdir(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let given = argument(arguments, 0);
    let call = Call::new(&[js_string!("chdir").into(), given], context)?;
    match call.process.outside.port.stat(&call.path) {
        Ok(Some(stat)) if stat.kind == Kind::Directory => {
            *call.process.cwd.borrow_mut() = call.path;
            Ok(JsValue::undefined())
        }
        Ok(Some(_)) => Err(call.fail(PortError::NotDirectory, None, context)),
        Ok(None) => Err(call.fail(PortError::NotFound, None, context)),
        Err(error) => Err(call.fail(error, None, context)),
    }
}
