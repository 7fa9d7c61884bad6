//! `util.format`, and with it what `console.log` prints.

use super::{Options, value, with};
use crate::program::javascript::libraries;
use crate::program::javascript::native;
use boa_engine::builtins::error::Error;
use boa_engine::value::JsVariant;
use boa_engine::{Context, JsObject, JsResult, JsString, JsValue, js_string};

/// The arguments of `console.log` as one text, without the line feed.
///
/// # Errors
/// Something that is shown throws.
pub(crate) fn line(arguments: &[JsValue], context: &mut Context) -> JsResult<String> {
    match arguments {
        [] => Ok(String::new()),
        [only] => plain(only, context),
        [first, rest @ ..] => match first.as_string().map(|text| text.to_std_string_lossy()) {
            Some(text) => format(&text, rest, context),
            None => spaced(arguments, String::new(), context),
        },
    }
}

/// A string as it is, anything else as it is shown.
fn plain(argument: &JsValue, context: &mut Context) -> JsResult<String> {
    match argument.as_string() {
        Some(text) => Ok(text.to_std_string_lossy()),
        None => value(argument, context),
    }
}

fn spaced(arguments: &[JsValue], mut text: String, context: &mut Context) -> JsResult<String> {
    for (index, argument) in arguments.iter().enumerate() {
        if index > 0 || !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&plain(argument, context)?);
    }
    Ok(text)
}

/// `util.format` of a text with `%` places and the arguments for them; the rest follows after spaces.
///
/// # Errors
/// Something that is shown throws.
fn format(text: &str, arguments: &[JsValue], context: &mut Context) -> JsResult<String> {
    let mut result = String::with_capacity(text.len());
    let mut left = arguments;
    let mut rest = text;
    while let Some((head, tail)) = rest.split_once('%') {
        result.push_str(head);
        let mut chars = tail.chars();
        let place = chars.next();
        rest = chars.as_str();
        match (place, left.split_first()) {
            (Some('%'), _) => result.push('%'),
            (Some(place @ ('s' | 'd' | 'i' | 'f' | 'j' | 'o' | 'O' | 'c')), Some((argument, after))) => {
                result.push_str(&placed(place, argument, context)?);
                left = after;
            }
            (Some(place), _) => {
                result.push('%');
                result.push(place);
            }
            (None, _) => result.push('%'),
        }
    }
    result.push_str(rest);
    if left.is_empty() {
        return Ok(result);
    }
    result.push(' ');
    let tail = spaced(left, String::new(), context)?;
    result.push_str(&tail);
    Ok(result)
}

fn placed(place: char, argument: &JsValue, context: &mut Context) -> JsResult<String> {
    match place {
        's' => as_text(argument, context),
        'd' => as_number(argument, context),
        'i' => parsed("parseInt", argument, context),
        'f' => parsed("parseFloat", argument, context),
        'j' => json(argument, context),
        'o' => with(argument, Options { show_hidden: true, depth: 4.0, ..Options::default() }, context),
        'O' => value(argument, context),
        _ => Ok(String::new()),
    }
}

fn as_text(argument: &JsValue, context: &mut Context) -> JsResult<String> {
    let Some(object) = argument.as_object() else {
        return match argument.as_string() {
            Some(text) => Ok(text.to_std_string_lossy()),
            None => value(argument, context),
        };
    };
    if has_own_text(&object, context)? {
        return Ok(argument.to_string(context)?.to_std_string_lossy());
    }
    with(argument, Options { depth: 0.0, ..Options::default() }, context)
}

/// Whether an object says itself how it is written: errors do, and what has a `toString` of its own or of its class.
fn has_own_text(object: &JsObject, context: &mut Context) -> JsResult<bool> {
    if object.is::<Error>() {
        return Ok(true);
    }
    let name = js_string!("toString");
    let mut holder = Some(object.clone());
    while let Some(present) = holder {
        if native::own(&present, &name.clone().into(), context)?.is_some() {
            let constructor = native::own(&present, &js_string!("constructor").into(), context)?;
            let class = constructor.and_then(|own| own.value().and_then(JsValue::as_callable));
            let Some(class) = class else { return Ok(true) };
            let class = class.get(js_string!("name"), context)?;
            let class = class.as_string().map(|class| class.to_std_string_lossy()).unwrap_or_default();
            let known = context.global_object().get(JsString::from(class), context)?;
            let built_in = known.as_object().zip(constructor_of(&present, context)?);
            return Ok(!built_in.is_some_and(|(known, own)| JsObject::equals(&known, &own)));
        }
        holder = present.prototype();
    }
    Ok(false)
}

fn constructor_of(object: &JsObject, context: &mut Context) -> JsResult<Option<JsObject>> {
    Ok(object.get(js_string!("constructor"), context)?.as_object())
}

fn as_number(argument: &JsValue, context: &mut Context) -> JsResult<String> {
    match argument.variant() {
        JsVariant::BigInt(value) => Ok(format!("{value}n")),
        JsVariant::Symbol(_) => Ok("NaN".into()),
        _ => Ok(super::text::number(argument.to_number(context).unwrap_or(f64::NAN), false)),
    }
}

fn parsed(name: &str, argument: &JsValue, context: &mut Context) -> JsResult<String> {
    match argument.variant() {
        JsVariant::BigInt(value) if name == "parseInt" => return Ok(format!("{value}n")),
        JsVariant::Symbol(_) => return Ok("NaN".into()),
        _ => {}
    }
    let parse = context.global_object().get(JsString::from(name), context)?;
    let Some(parse) = parse.as_callable() else { return Ok("NaN".into()) };
    let number = parse.call(&JsValue::undefined(), std::slice::from_ref(argument), context)?;
    Ok(super::text::number(number.as_number().unwrap_or(f64::NAN), false))
}

fn json(argument: &JsValue, context: &mut Context) -> JsResult<String> {
    match libraries::to_json(argument, context) {
        Ok(text) => Ok(text.unwrap_or_else(|| "undefined".into())),
        Err(error) if error.to_string().contains("circular") || error.to_string().contains("cyclic") => {
            Ok("[Circular]".into())
        }
        Err(error) => Err(error),
    }
}
