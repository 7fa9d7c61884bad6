//! Errors as Node shows them: `stack` with its first line, and what stderr says of an error that nobody caught.

use super::commonjs;
use super::inspect;
use super::native::{self, OwnProperty, argument, type_error};
use super::process::Process;
use boa_engine::builtins::error::Error;
use boa_engine::object::builtins::JsFunction;
use boa_engine::property::{PropertyDescriptor, PropertyKey};
use boa_engine::{Context, JsError, JsObject, JsResult, JsString, JsValue, NativeFunction, js_string};

/// Longest line of a source that is shown under its error.
const SHOWN_CHARS: usize = 240;

/// Frames of these sources are the machinery around a program.
const HIDDEN: &str = "node:internal/";

/// Gives errors the `stack` that scripts expect.
///
/// # Errors
/// The engine refuses a property.
pub(crate) fn install(context: &mut Context) -> JsResult<()> {
    let constructor = context.intrinsics().constructors().error().constructor();
    let prototype = context.intrinsics().constructors().error().prototype();
    let key = PropertyKey::from(js_string!("stack"));
    let accessor = prototype.get_own(&key);
    let get = accessor.as_ref().and_then(|accessor| accessor.get()).and_then(JsValue::as_object);
    let set = accessor.as_ref().and_then(|accessor| accessor.set()).cloned().unwrap_or_default();
    let get = get.and_then(JsFunction::from_object).ok_or_else(|| type_error("errors have no stack"))?;
    let stack = NativeFunction::from_copy_closure_with_captures(
        |this, _, get: &JsFunction, context| {
            let Some(error) = this.as_object().filter(JsObject::is::<Error>) else {
                return Ok(JsValue::undefined());
            };
            let frames = get.call(this, &[], context)?;
            let frames = frames.as_string().map(|frames| frames.to_std_string_lossy()).unwrap_or_default();
            Ok(JsString::from(with_header(&error, &frames, context)?).into())
        },
        get,
    );
    let descriptor = PropertyDescriptor::builder()
        .get(stack.to_js_function(context.realm()))
        .set(set)
        .enumerable(false)
        .configurable(true);
    prototype.define_property_or_throw(key, descriptor, context)?;
    native::property(&constructor, js_string!("stackTraceLimit"), 10, true, context)?;
    native::define(&constructor, &[("captureStackTrace", 2, capture)], false, context)
}

/// The frames of the present call, each on a line of its own, without that of the native function that asks.
///
/// # Errors
/// The engine cannot make an error.
pub(crate) fn here(context: &mut Context) -> JsResult<String> {
    let constructor = context.intrinsics().constructors().error().constructor();
    let error = constructor.construct(&[], None, context)?;
    let stack = error.get(js_string!("stack"), context)?.to_string(context)?.to_std_string_lossy();
    Ok(stack.lines().skip(2).fold(String::new(), |frames, line| frames + "\n" + line))
}

fn capture(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let target = argument(arguments, 0)
        .as_object()
        .ok_or_else(|| type_error("Error.captureStackTrace needs an object"))?;
    let stack = format!("{}{}", header(&target, context)?, here(context)?);
    native::property(&target, js_string!("stack"), JsString::from(stack), false, context)?;
    Ok(JsValue::undefined())
}

fn header(error: &JsObject, context: &mut Context) -> JsResult<String> {
    let mut part = |name: &str, default: &str| -> JsResult<String> {
        let value = error.get(JsString::from(name), context)?;
        if value.is_undefined() || value.is_symbol() {
            return Ok(default.to_owned());
        }
        Ok(value.to_string(context)?.to_std_string_lossy())
    };
    let name = part("name", "Error")?;
    let message = part("message", "")?;
    Ok(match (name.is_empty(), message.is_empty()) {
        (_, true) => name,
        (true, false) => message,
        (false, false) => format!("{name}: {message}"),
    })
}

fn with_header(error: &JsObject, frames: &str, context: &mut Context) -> JsResult<String> {
    let mut stack = header(error, context)?;
    for frame in frames.lines().filter_map(|line| Frame::read(line, context)) {
        stack.push_str("\n    at ");
        stack.push_str(&frame.to_string());
    }
    Ok(stack)
}

/// One call of a stack.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Frame {
    name: String,
    path: String,
    line: u32,
    column: u32,
}

impl Frame {
    /// Reads `    at name (path:line:column)`, the way the engine writes it.
    fn read(text: &str, context: &Context) -> Option<Frame> {
        let text = text.trim_start().strip_prefix("at ")?;
        let (name, place) = text.rsplit_once(" (")?;
        let place = place.strip_suffix(')')?;
        let name = if name == "<main>" || name == "<anonymous>" { "" } else { name };
        if place.starts_with(HIDDEN) {
            return None;
        }
        let mut parts = place.rsplitn(3, ':');
        let (column, line, path) = (parts.next(), parts.next(), parts.next());
        let (Some(column), Some(line), Some(path)) = (column, line, path) else {
            return Some(Frame { name: name.into(), ..Frame::default() });
        };
        let mut frame = Frame {
            name: name.into(),
            path: path.into(),
            line: line.parse().unwrap_or(0),
            column: column.parse().unwrap_or(0),
        };
        if frame.line == 1 {
            frame.column = frame.column.saturating_sub(head(path, context) as u32);
        }
        Some(frame)
    }
}

impl std::fmt::Display for Frame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Frame { name, path, line, column } = self;
        match (name.is_empty(), path.is_empty() || *line == 0) {
            (true, true) => f.write_str("<anonymous>"),
            (false, true) => write!(f, "{name} (<anonymous>)"),
            (true, false) => write!(f, "{path}:{line}:{column}"),
            (false, false) => write!(f, "{name} ({path}:{line}:{column})"),
        }
    }
}

/// Characters in front of the first line of a file.
fn head(path: &str, context: &Context) -> usize {
    let Ok(process) = Process::of(context) else { return 0 };
    let cache = process.required.borrow().clone();
    match cache.is_some_and(|cache| cache.get_own(&PropertyKey::from(JsString::from(path))).is_some()) {
        true => commonjs::HEAD.len(),
        false if *process.main_path.borrow() == path => process.main_head.get(),
        false => 0,
    }
}

/// What stderr says of an error that nobody caught: where it happened, and the error as `console.error` prints it.
pub(crate) fn uncaught(context: &mut Context, process: &Process, error: JsError) -> String {
    let trace = error.to_string();
    let Ok(value) = error.into_opaque(context) else { return format!("Uncaught {trace}\n") };
    let is_error = value.as_object().is_some_and(|object| object.is::<Error>());
    let text = inspect::value(&value, context).unwrap_or_else(|_| trace.clone());
    let frames = if is_error { &text } else { &trace };
    let place = frames.lines().filter_map(|line| place(line, context)).next();
    let head = place.map(|frame| excerpt(process, &frame)).unwrap_or_default();
    let body = if is_error { text } else { format!("Uncaught {text}") };
    format!("{head}{body}\n")
}

fn place(line: &str, context: &Context) -> Option<Frame> {
    let line = line.trim_start().strip_prefix("at ")?;
    let place = line.rsplit_once('(').map_or(line, |(_, place)| place).trim_end_matches(')');
    let frame = Frame::read(&format!("at x ({place})"), context)?;
    (frame.line > 0 && !frame.path.starts_with("node:")).then_some(frame)
}

fn excerpt(process: &Process, frame: &Frame) -> String {
    let text = if frame.path == *process.main_path.borrow() && !process.main_text.borrow().is_empty() {
        process.main_text.borrow().clone()
    } else {
        let bytes = process.outside.port.read(&frame.path).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    };
    pointed(&frame.path, &text, frame.line, frame.column)
}

/// A line of a source with a mark under one place.
fn pointed(path: &str, text: &str, line: u32, column: u32) -> String {
    let shown = text
        .lines()
        .nth(line.saturating_sub(1) as usize)
        .filter(|shown| shown.chars().count() <= SHOWN_CHARS);
    let Some(shown) = shown else { return format!("{path}:{line}\n\n") };
    let gap: String = shown
        .chars()
        .take(column.saturating_sub(1) as usize)
        .map(|c| if c == '\t' { c } else { ' ' })
        .collect();
    format!("{path}:{line}\n{shown}\n{gap}^\n\n")
}

/// What stderr says of a text that does not parse.
pub(crate) fn syntax(path: &str, text: &str, head: usize, message: &str) -> String {
    let message = message.lines().next().unwrap_or_default();
    let place = message.rsplit_once(" at line ").and_then(|(head, place)| {
        let (line, column) = place.split_once(", col ")?;
        let column = column.split_whitespace().next()?;
        Some((head, line.trim().parse().ok()?, column.parse::<u32>().ok()?))
    });
    let Some((message, line, column)) = place else { return format!("{path}\n\n{message}\n") };
    let column = if line == 1 { column.saturating_sub(head as u32) } else { column };
    format!("{}{message}\n", pointed(path, text, line, column))
}
