//! Where the name of a module leads: a library of this module, or a file of the workspace (SH-36, SH-47, SH-58).

use super::libraries;
use super::native::coded_error;
use super::nesting;
use super::process::{Process, directory, normal};
use crate::program::port::Kind;
use boa_engine::{Context, JsError, JsResult, JsString};
use serde_json::Value;

/// What a name leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// A library, by its name without `node:`.
    Library(&'static str),
    /// A file, by its path.
    File(String),
}

/// Who asks, which decides the words of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// `import`.
    Import,
    /// `require`.
    Require,
}

/// Libraries of the optional kit (SH-36).
const KIT: [&str; 6] = ["dayjs", "es-toolkit", "fast-xml-parser", "marked", "papaparse", "slugify"];

/// What may be left out at the end of a path.
const ENDINGS: [&str; 4] = [".js", ".json", ".cjs", ".mjs"];

/// Finds a module.
///
/// # Errors
/// Nothing is there; the error has the code that Node gives it and names what there is.
pub(crate) fn resolve(from: &str, name: &str, style: Style, context: &mut Context) -> JsResult<Found> {
    if let Some(library) = libraries::name(name.strip_prefix("node:").unwrap_or(name)) {
        return Ok(Found::Library(library));
    }
    let process = Process::of(context)?;
    let directory = directory(from).to_owned();
    let path = match name.strip_prefix("file://") {
        Some(path) => decode(path),
        None if name.starts_with('/')
            || name.starts_with("./")
            || name.starts_with("../")
            || name == "."
            || name == ".." =>
        {
            normal(&directory, name)
        }
        None => {
            return package(&process, &directory, name)
                .map(Found::File)
                .ok_or_else(|| no_package(from, name, style, context));
        }
    };
    match candidate(&process, &path) {
        Some(path) if is_typescript(&path) => Err(typescript(&path, context)),
        Some(path) => Ok(Found::File(path)),
        None => Err(no_file(from, name, &path, style, context)),
    }
}

/// The URL of a file.
pub(crate) fn url(path: &str) -> String {
    let mut url = String::from("file://");
    for byte in path.bytes() {
        match byte {
            b'/' | b'-' | b'_' | b'.' | b'~' | b'@' | b'[' | b']' | b'+' | b'=' => url.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => url.push(char::from(byte)),
            _ => url.push_str(&format!("%{byte:02X}")),
        }
    }
    url
}

fn decode(path: &str) -> String {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        let hex = tail.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.filter(|_| *first == b'%').and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = tail.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn kind(process: &Process, path: &str) -> Option<Kind> {
    process.outside.port.stat(path).ok().flatten().map(|stat| stat.kind)
}

/// The file that a path means: itself, with an ending, or the index of a directory.
fn candidate(process: &Process, path: &str) -> Option<String> {
    let is_file = |path: &str| kind(process, path) == Some(Kind::File);
    let with_ending =
        |path: &str| ENDINGS.iter().map(|ending| format!("{path}{ending}")).find(|path| is_file(path));
    match kind(process, path) {
        Some(Kind::File) => return Some(path.to_owned()),
        None => return with_ending(path),
        Some(Kind::Directory) => {}
    }
    let base = path.trim_end_matches('/');
    let main = package_json(process, &format!("{base}/package.json")).and_then(|json| main_of(&json));
    let named = main.map(|main| normal(base, &main));
    let named = named.and_then(|main| if is_file(&main) { Some(main) } else { with_ending(&main) });
    named.or_else(|| with_ending(base)).or_else(|| with_ending(&format!("{base}/index")))
}

fn package_json(process: &Process, path: &str) -> Option<Value> {
    let bytes = process.outside.port.read(path).ok()?;
    serde_json::from_slice(&bytes).ok()
}

fn main_of(json: &Value) -> Option<String> {
    let exports = json.get("exports").map(|exports| exports.get(".").unwrap_or(exports));
    let exports = exports.and_then(|exports| match exports {
        Value::String(path) => Some(path.clone()),
        Value::Object(conditions) => ["import", "node", "default", "require"]
            .iter()
            .find_map(|name| conditions.get(*name).and_then(Value::as_str).map(str::to_owned)),
        _ => None,
    });
    exports.or_else(|| json.get("main").and_then(Value::as_str).map(str::to_owned))
}

/// A package that somebody has put into a `node_modules` of the workspace.
fn package(process: &Process, from: &str, name: &str) -> Option<String> {
    let mut directory = from.to_owned();
    loop {
        let base = format!("{}/node_modules", directory.trim_end_matches('/'));
        if kind(process, &base) == Some(Kind::Directory)
            && let Some(path) = candidate(process, &normal(&base, name))
        {
            return Some(path);
        }
        if directory == "/" {
            return None;
        }
        directory = super::process::directory(&directory).to_owned();
    }
}

/// Whether a file is an ES module: by its ending, by the nearest `package.json`, or by looking at it.
///
/// # Errors
/// The engine belongs to no program.
pub(crate) fn is_module(path: &str, text: &str, context: &Context) -> JsResult<bool> {
    if path.ends_with(".mjs") {
        return Ok(true);
    }
    if path.ends_with(".cjs") {
        return Ok(false);
    }
    let process = Process::of(context)?;
    let mut folder = directory(path).to_owned();
    loop {
        if let Some(json) = package_json(&process, &normal(&folder, "package.json")) {
            match json.get("type").and_then(Value::as_str) {
                Some("module") => return Ok(true),
                Some("commonjs") => return Ok(false),
                _ => break,
            }
        }
        if folder == "/" {
            break;
        }
        folder = directory(&folder).to_owned();
    }
    Ok(nesting::scan(text).module)
}

/// Whether a file is TypeScript, which is not accepted (SH-47).
pub(crate) fn is_typescript(path: &str) -> bool {
    [".ts", ".tsx", ".mts", ".cts", ".jsx"].iter().any(|ending| path.ends_with(ending))
}

/// The error for a file that is TypeScript.
pub(crate) fn typescript(path: &str, context: &mut Context) -> JsError {
    let message = format!("{path} is TypeScript or JSX, which is not accepted here: write plain JavaScript");
    coded_error(&message, &[("code", JsString::from("ERR_UNKNOWN_FILE_EXTENSION").into())], context)
}

fn no_file(from: &str, name: &str, path: &str, style: Style, context: &mut Context) -> JsError {
    match style {
        Style::Import => {
            let message = format!("Cannot find module '{path}' imported from {from}");
            coded_error(&message, &[("code", JsString::from("ERR_MODULE_NOT_FOUND").into())], context)
        }
        Style::Require => {
            let message = format!("Cannot find module '{name}'\nRequire stack:\n- {from}");
            coded_error(&message, &[("code", JsString::from("MODULE_NOT_FOUND").into())], context)
        }
    }
}

fn no_package(from: &str, name: &str, style: Style, context: &mut Context) -> JsError {
    let root = name.split('/').next().unwrap_or(name);
    let why = if KIT.contains(&root) {
        "the kit of libraries is not installed on this host".to_owned()
    } else {
        format!("there are no npm packages and no host modules here, only {}", libraries::listing())
    };
    let (message, code) = match style {
        Style::Import => {
            (format!("Cannot find package '{name}' imported from {from}: {why}"), "ERR_MODULE_NOT_FOUND")
        }
        Style::Require => (format!("Cannot find module '{name}': {why}"), "MODULE_NOT_FOUND"),
    };
    coded_error(&message, &[("code", JsString::from(code).into())], context)
}
