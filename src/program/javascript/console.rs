//! `console` (SH-34): what goes to stdout, what to stderr, groups, counters, clocks, tables.

use super::errors;
use super::inspect::{self, Options};
use super::libraries;
use super::native::{self, Member, argument};
use super::process::Process;
use super::table;
use boa_engine::{Context, JsResult, JsString, JsValue, js_string};
use std::collections::BTreeMap;

/// What `console` remembers.
#[derive(Debug, Default)]
pub(crate) struct Console {
    groups: usize,
    counts: BTreeMap<String, u64>,
    clocks: BTreeMap<String, f64>,
}

const MEMBERS: [Member; 22] = [
    ("log", 0, out),
    ("warn", 0, err),
    ("dir", 0, dir),
    ("time", 0, time),
    ("timeEnd", 0, time_end),
    ("timeLog", 0, time_log),
    ("trace", 0, trace),
    ("assert", 0, assert),
    ("clear", 0, nothing),
    ("count", 0, count),
    ("countReset", 0, count_reset),
    ("group", 0, group),
    ("groupEnd", 0, group_end),
    ("table", 1, tabular),
    ("debug", 0, out),
    ("info", 0, out),
    ("dirxml", 0, out),
    ("error", 0, err),
    ("groupCollapsed", 0, group),
    ("timeStamp", 0, nothing),
    ("profile", 0, nothing),
    ("profileEnd", 0, nothing),
];

/// Puts `console` on the global object.
///
/// # Errors
/// The global object refuses it.
pub(crate) fn install(context: &mut Context) -> JsResult<()> {
    let console = native::object(context);
    native::define(&console, &MEMBERS, true, context)?;
    native::property(&context.global_object(), js_string!("console"), console, false, context)
}

/// Which stream a line goes to.
#[derive(Clone, Copy)]
enum Stream {
    Out,
    Err,
}

fn write(stream: Stream, text: &str, context: &Context) -> JsResult<()> {
    let process = Process::of(context)?;
    let indentation = " ".repeat(process.console.borrow().groups * 2);
    let mut line = String::with_capacity(text.len() + indentation.len() + 1);
    line.push_str(&indentation);
    line.push_str(&if indentation.is_empty() {
        text.to_owned()
    } else {
        text.replace('\n', &format!("\n{indentation}"))
    });
    line.push('\n');
    match stream {
        Stream::Out => process.stdout(line.as_bytes()),
        Stream::Err => process.stderr(line.as_bytes()),
    }
}

fn out(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let text = inspect::line(arguments, context)?;
    write(Stream::Out, &text, context)?;
    Ok(JsValue::undefined())
}

fn err(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let text = inspect::line(arguments, context)?;
    write(Stream::Err, &text, context)?;
    Ok(JsValue::undefined())
}

fn nothing(_: &JsValue, _: &[JsValue], _: &mut Context) -> JsResult<JsValue> {
    Ok(JsValue::undefined())
}

fn dir(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let options = Options { custom: false, ..Options::default() }.read(&argument(arguments, 1), context)?;
    let text = inspect::with(&argument(arguments, 0), options, context)?;
    write(Stream::Out, &text, context)?;
    Ok(JsValue::undefined())
}

fn trace(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let text = inspect::line(arguments, context)?;
    let head = if text.is_empty() { "Trace".to_owned() } else { format!("Trace: {text}") };
    let frames = errors::here(context)?;
    write(Stream::Err, &format!("{head}{frames}"), context)?;
    Ok(JsValue::undefined())
}

fn assert(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    if argument(arguments, 0).to_boolean() {
        return Ok(JsValue::undefined());
    }
    let rest = arguments.get(1..).unwrap_or_default();
    let text = match rest.split_first() {
        None => "Assertion failed".to_owned(),
        Some((first, others)) => match first.as_string() {
            Some(first) => {
                let first = JsString::from(format!("Assertion failed: {}", first.to_std_string_lossy()));
                let list: Vec<JsValue> =
                    std::iter::once(first.into()).chain(others.iter().cloned()).collect();
                inspect::line(&list, context)?
            }
            None => format!("Assertion failed {}", inspect::line(rest, context)?),
        },
    };
    write(Stream::Err, &text, context)?;
    Ok(JsValue::undefined())
}

fn label(arguments: &[JsValue], context: &mut Context) -> JsResult<String> {
    if argument(arguments, 0).is_undefined() {
        Ok("default".into())
    } else {
        native::text(arguments, 0, context)
    }
}

fn count(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let label = label(arguments, context)?;
    let process = Process::of(context)?;
    let number = {
        let mut console = process.console.borrow_mut();
        let number = console.counts.entry(label.clone()).or_default();
        *number += 1;
        *number
    };
    write(Stream::Out, &format!("{label}: {number}"), context)?;
    Ok(JsValue::undefined())
}

fn count_reset(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let label = label(arguments, context)?;
    Process::of(context)?.console.borrow_mut().counts.remove(&label);
    Ok(JsValue::undefined())
}

fn group(this: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    if !arguments.is_empty() {
        out(this, arguments, context)?;
    }
    Process::of(context)?.console.borrow_mut().groups += 1;
    Ok(JsValue::undefined())
}

fn group_end(_: &JsValue, _: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let process = Process::of(context)?;
    let mut console = process.console.borrow_mut();
    console.groups = console.groups.saturating_sub(1);
    Ok(JsValue::undefined())
}

fn time(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let label = label(arguments, context)?;
    let process = Process::of(context)?;
    if process.console.borrow().clocks.contains_key(&label) {
        write(Stream::Err, &format!("Warning: Label '{label}' already exists for console.time()"), context)?;
        return Ok(JsValue::undefined());
    }
    process.console.borrow_mut().clocks.insert(label, process.elapsed());
    Ok(JsValue::undefined())
}

fn time_end(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let label = label(arguments, context)?;
    elapsed(&label, &[], "timeEnd", context)?;
    Process::of(context)?.console.borrow_mut().clocks.remove(&label);
    Ok(JsValue::undefined())
}

fn time_log(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let label = label(arguments, context)?;
    elapsed(&label, arguments.get(1..).unwrap_or_default(), "timeLog", context)?;
    Ok(JsValue::undefined())
}

fn elapsed(label: &str, rest: &[JsValue], name: &str, context: &mut Context) -> JsResult<()> {
    let process = Process::of(context)?;
    let started = process.console.borrow().clocks.get(label).copied();
    let Some(started) = started else {
        return write(
            Stream::Err,
            &format!("Warning: No such label '{label}' for console.{name}()"),
            context,
        );
    };
    let mut text = format!("{label}: {}", duration(process.elapsed() - started));
    if !rest.is_empty() {
        text.push(' ');
        text.push_str(&inspect::line(rest, context)?);
    }
    write(Stream::Out, &text, context)
}

/// A duration as Node writes it.
fn duration(ms: f64) -> String {
    let (seconds, minutes, hours) = (ms / 1000.0, ms / 60_000.0, ms / 3_600_000.0);
    if hours >= 1.0 {
        format!("{}:{:02}:{:02} (h:mm:ss)", hours as u64, minutes as u64 % 60, seconds as u64 % 60)
    } else if minutes >= 1.0 {
        format!("{}:{:06.3} (m:ss.mmm)", minutes as u64, seconds % 60.0)
    } else if seconds >= 1.0 {
        format!("{seconds:.3}s")
    } else {
        let text = format!("{ms:.3}");
        let text = text.trim_end_matches('0').trim_end_matches('.');
        format!("{text}ms")
    }
}

fn tabular(this: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let data = argument(arguments, 0);
    if !data.is_object() {
        return out(this, arguments, context);
    }
    let columns = libraries::list(&argument(arguments, 1), context)?;
    let text = table::draw(&data, columns.as_deref(), context)?;
    write(Stream::Out, &text, context)?;
    Ok(JsValue::undefined())
}
