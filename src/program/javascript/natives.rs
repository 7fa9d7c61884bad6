//! The object `native`, which the libraries in `lib/` are made of: what JavaScript cannot do itself, or not fast enough.

use super::bytes;
use super::collate;
use super::commonjs;
use super::digest;
use super::errors;
use super::files;
use super::inspect::{self, Options};
use super::jobs::{Callback, Jobs};
use super::kinds;
use super::libraries;
use super::native::{self, Member, argument, property};
use super::process::Process;
use crate::program::random;
use boa_engine::job::PromiseJob;
use boa_engine::{Context, JsObject, JsResult, JsString, JsValue, js_string};

/// Bytes of one `randomBytes`.
const RANDOM_BYTES: usize = 1024 * 1024;

const MEMBERS: [Member; 24] = [
    ("inspect", 2, inspect),
    ("format", 1, format),
    ("kind", 1, kinds::kind),
    ("compare", 3, collate::compare),
    ("hash", 2, digest::hash),
    ("hmac", 3, digest::hmac),
    ("random", 1, random_bytes),
    ("now", 0, now),
    ("elapsed", 0, elapsed),
    ("write", 2, write),
    ("stdin", 0, stdin),
    ("exit", 1, exit),
    ("tick", 2, tick),
    ("microtask", 1, microtask),
    ("pending", 0, pending),
    ("immediate", 2, immediate),
    ("timer", 4, timer),
    ("cancel", 1, cancel),
    ("keepAlive", 2, keep_alive),
    ("require", 1, require_for),
    ("modules", 0, modules),
    ("frames", 0, frames),
    ("width", 1, width),
    ("render", 1, render),
];

/// The object, made when the first library asks for it.
///
/// # Errors
/// The engine refuses a property.
pub(crate) fn object(process: &Process, context: &mut Context) -> JsResult<JsObject> {
    if let Some(object) = process.native.borrow().clone() {
        return Ok(object);
    }
    let object = native::object(context);
    native::define(&object, &MEMBERS, false, context)?;
    native::define(&object, &files::MEMBERS, false, context)?;
    native::define(&object, &bytes::MEMBERS, false, context)?;
    property(&object, js_string!("request"), request(process, context)?, false, context)?;
    *process.native.borrow_mut() = Some(object.clone());
    Ok(object)
}

/// What the program was started with, as the libraries read it.
fn request(process: &Process, context: &mut Context) -> JsResult<JsValue> {
    let command = process.request.argv.first().map_or("js", String::as_str);
    let mut argv = vec![command.to_owned()];
    match &process.command.entry {
        super::command_line::Entry::Code { .. } => {}
        super::command_line::Entry::Stdin => argv.push("-".into()),
        _ => argv.push(process.main_path.borrow().clone()),
    }
    argv.extend(process.command.arguments.iter().cloned());
    let json = serde_json::json!({
        "argv": argv,
        "env": process.request.env,
        "context": process.request.context,
        "macros": process.request.macros,
        "networkTools": process.request.network_tools,
        "version": super::command_line::VERSION,
    });
    libraries::parse_json(&json.to_string(), context)
}

fn inspect(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let options = Options::default().read(&argument(arguments, 1), context)?;
    Ok(JsString::from(inspect::with(&argument(arguments, 0), options, context)?).into())
}

fn format(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    Ok(JsString::from(inspect::line(arguments, context)?).into())
}

fn width(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    Ok(JsValue::from(inspect::width(&native::text(arguments, 0, context)?) as f64))
}

fn random_bytes(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let count = argument(arguments, 0).to_length(context)? as usize;
    if count > RANDOM_BYTES {
        return Err(native::type_error("at most 1 MiB of random bytes can be asked for at once"));
    }
    let mut block = vec![0; count];
    random::fill(&mut block);
    bytes::array(&block, context)
}

fn now(_: &JsValue, _: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    Ok(JsValue::from(Process::of(context)?.now()))
}

fn elapsed(_: &JsValue, _: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    Ok(JsValue::from(Process::of(context)?.elapsed()))
}

fn write(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let text = argument(arguments, 1);
    let text = match text.as_string() {
        Some(text) => text.to_std_string_lossy().into_bytes(),
        None => bytes::of(&text, context)?,
    };
    let process = Process::of(context)?;
    if argument(arguments, 0).as_number() == Some(2.0) {
        process.stderr(&text)?
    } else {
        process.stdout(&text)?
    }
    Ok(JsValue::undefined())
}

fn stdin(_: &JsValue, _: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let bytes = Process::of(context)?.stdin.take();
    bytes::array(&bytes, context)
}

fn exit(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let code = argument(arguments, 0).to_i32(context)?;
    Err(Process::of(context)?.exit(code & 0xff))
}

fn callback(arguments: &[JsValue], at: usize, context: &mut Context) -> JsResult<Callback> {
    let function =
        argument(arguments, at).as_callable().ok_or_else(|| native::type_error("not a function"))?;
    let list = argument(arguments, at + 1);
    let mut passed = Vec::new();
    if let Some(list) = list.as_object() {
        for index in 0..native::length(&list, context)? {
            passed.push(list.get(index as u32, context)?);
        }
    }
    Ok(Callback { function, arguments: passed })
}

fn tick(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let callback = callback(arguments, 0, context)?;
    Jobs::of(context)?.tick(callback);
    Ok(JsValue::undefined())
}

fn microtask(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let callback = callback(arguments, 0, context)?;
    context.enqueue_job(
        PromiseJob::new(move |context| callback.call(context).map(|()| JsValue::undefined())).into(),
    );
    Ok(JsValue::undefined())
}

fn pending(_: &JsValue, _: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    Ok(JsValue::from(Jobs::of(context)?.pending() as f64))
}

fn immediate(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let callback = callback(arguments, 0, context)?;
    Ok(JsValue::from(Jobs::of(context)?.immediate(callback)))
}

/// `timer(delay, repeats, function, arguments)`.
fn timer(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let delay = argument(arguments, 0).to_number(context)?;
    let repeats = argument(arguments, 1).to_boolean();
    let callback = callback(arguments, 2, context)?;
    let now = Process::of(context)?.outside.port.now();
    Ok(JsValue::from(Jobs::of(context)?.timer(callback, now, delay, repeats)))
}

fn cancel(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let id = argument(arguments, 0).to_u32(context)?;
    Jobs::of(context)?.cancel(id);
    Ok(JsValue::undefined())
}

fn keep_alive(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let id = argument(arguments, 0).to_u32(context)?;
    Jobs::of(context)?.keep_alive(id, argument(arguments, 1).to_boolean());
    Ok(JsValue::undefined())
}

fn require_for(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let from = native::text(arguments, 0, context)?;
    Ok(commonjs::require_for(&from, context)?.into())
}

fn modules(_: &JsValue, _: &[JsValue], _: &mut Context) -> JsResult<JsValue> {
    Ok(JsString::from(libraries::listing()).into())
}

fn frames(_: &JsValue, _: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    Ok(JsString::from(errors::here(context)?).into())
}

/// Replaces `{{name}}` by the macros of the host, which are looked up without their case (SH-35).
fn render(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let text = native::text(arguments, 0, context)?;
    let process = Process::of(context)?;
    let Some(macros) = &process.request.macros else {
        return Err(native::type_error("the host supplied no macros"));
    };
    let mut rendered = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some((head, tail)) = rest.split_once("{{") {
        rendered.push_str(head);
        let Some((name, after)) = tail.split_once("}}") else {
            rendered.push_str("{{");
            rest = tail;
            continue;
        };
        let value = macros.iter().find(|(known, _)| known.eq_ignore_ascii_case(name.trim()));
        match value {
            Some((_, value)) => rendered.push_str(value),
            None => rendered.push_str(&format!("{{{{{name}}}}}")),
        }
        rest = after;
    }
    rendered.push_str(rest);
    Ok(JsString::from(rendered).into())
}
