//! Methods of strings that the engine has in a form whose time grows with the square of the text: each search begins
//! at the front again. The ones here give the same results in linear time.

use super::native::{self, Member, argument};
use super::regexp;
use boa_engine::object::builtins::{JsArray, JsFunction};
use boa_engine::string::JsStrVariant;
use boa_engine::value::IntegerOrInfinity;
use boa_engine::{Context, JsObject, JsResult, JsString, JsValue, NativeFunction};

/// Methods that take a regular expression as well, which then reads the whole text.
const SEARCHES: [&str; 4] = ["match", "matchAll", "replace", "search"];

const MEMBERS: [Member; 1] = [("indexOf", 1, index_of)];

/// Replaces the methods.
///
/// # Errors
/// The prototype refuses a property.
pub(crate) fn install(context: &mut Context) -> JsResult<()> {
    let prototype = context.intrinsics().constructors().string().prototype();
    native::define(&prototype, &MEMBERS, false, context)?;
    for name in SEARCHES {
        wrap(
            &prototype,
            name,
            1,
            |original, this, arguments, context| {
                let this = regexp::widened(this, &argument(arguments, 0));
                original.call(&this, arguments, context)
            },
            context,
        )?;
    }
    wrap(&prototype, "split", 2, split, context)?;
    wrap(&prototype, "replaceAll", 2, replace_all, context)
}

/// A method that knows the one it stands for.
pub(super) type Wrapped = fn(&JsFunction, &JsValue, &[JsValue], &mut Context) -> JsResult<JsValue>;

/// Puts a method in front of the one that has its name.
///
/// # Errors
/// There is no such method.
pub(super) fn wrap(
    object: &JsObject,
    name: &'static str,
    length: usize,
    body: Wrapped,
    context: &mut Context,
) -> JsResult<()> {
    let original = object.get(JsString::from(name), context)?.as_function();
    let original = original.ok_or_else(|| native::type_error(format!("there is no {name}")))?;
    let function = NativeFunction::from_copy_closure_with_captures(
        move |this, arguments, original: &JsFunction, context| body(original, this, arguments, context),
        original,
    );
    let function = native::function(context, name, length, function);
    native::property(object, JsString::from(name), function, false, context)
}

/// The text of `this`, unless it is `undefined` or `null`.
fn subject(this: &JsValue, name: &str, context: &mut Context) -> JsResult<JsString> {
    if this.is_null_or_undefined() {
        return Err(native::type_error(format!("String.prototype.{name} called on null or undefined")));
    }
    this.to_string(context)
}

fn index_of(this: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let text = subject(this, "indexOf", context)?;
    let wanted = argument(arguments, 0).to_string(context)?;
    let from = match argument(arguments, 1).to_integer_or_infinity(context)? {
        IntegerOrInfinity::Integer(from) => usize::try_from(from.max(0)).unwrap_or(usize::MAX),
        IntegerOrInfinity::PositiveInfinity => usize::MAX,
        IntegerOrInfinity::NegativeInfinity => 0,
    };
    let found = Search::new(&wanted).find(&text, from.min(text.len()));
    Ok(found.map_or(JsValue::from(-1), |at| JsValue::from(at as f64)))
}

fn split(
    original: &JsFunction,
    this: &JsValue,
    arguments: &[JsValue],
    context: &mut Context,
) -> JsResult<JsValue> {
    let separator = argument(arguments, 0);
    if !separator.is_string() || separator.as_string().is_some_and(|text| text.is_empty()) {
        let this = regexp::widened(this, &separator);
        return original.call(&this, arguments, context);
    }
    let text = subject(this, "split", context)?;
    let limit = argument(arguments, 1);
    let limit = if limit.is_undefined() { u32::MAX } else { limit.to_u32(context)? } as usize;
    let separator = separator.to_string(context)?;
    let search = Search::new(&separator);
    let mut parts: Vec<JsValue> = Vec::new();
    let mut from = 0;
    while parts.len() < limit {
        let Some(at) = search.find(&text, from) else {
            parts.push(text.slice(from, text.len()).into());
            break;
        };
        parts.push(text.slice(from, at).into());
        from = at + separator.len();
    }
    Ok(JsArray::from_iter(parts, context).into())
}

fn replace_all(
    original: &JsFunction,
    this: &JsValue,
    arguments: &[JsValue],
    context: &mut Context,
) -> JsResult<JsValue> {
    let wanted = argument(arguments, 0);
    let replacement = argument(arguments, 1);
    let plain = replacement.as_string().is_some_and(|text| !text.contains(b'$'));
    let empty = wanted.as_string().is_none_or(|text| text.is_empty());
    if empty || !(plain || replacement.is_callable()) {
        let this = regexp::widened(this, &wanted);
        return original.call(&this, arguments, context);
    }
    let text = subject(this, "replaceAll", context)?;
    let wanted = wanted.to_string(context)?;
    let search = Search::new(&wanted);
    let mut parts = Vec::new();
    let mut from = 0;
    while let Some(at) = search.find(&text, from) {
        parts.push(text.slice(from, at));
        parts.push(match replacement.as_callable() {
            Some(function) => {
                let arguments = [wanted.clone().into(), JsValue::from(at as f64), text.clone().into()];
                function.call(&JsValue::undefined(), &arguments, context)?.to_string(context)?
            }
            None => replacement.to_string(context)?,
        });
        from = at + wanted.len();
    }
    if from == 0 {
        return Ok(text.into());
    }
    parts.push(text.slice(from, text.len()));
    Ok(JsString::from(parts.as_slice()).into())
}

/// A text that is looked for, in both of the forms that the engine has for strings.
struct Search {
    narrow: Option<Vec<u8>>,
    wide: Vec<u16>,
}

impl Search {
    fn new(wanted: &JsString) -> Search {
        let wide = wanted.to_vec();
        let narrow = wide.iter().map(|unit| u8::try_from(*unit).ok()).collect();
        Search { narrow, wide }
    }

    fn find(&self, text: &JsString, from: usize) -> Option<usize> {
        match text.variant() {
            JsStrVariant::Latin1(text) => find(text, self.narrow.as_deref()?, from),
            JsStrVariant::Utf16(text) => find(text, &self.wide, from),
        }
    }
}

fn find<T: Copy + PartialEq>(text: &[T], wanted: &[T], from: usize) -> Option<usize> {
    let Some(first) = wanted.first() else { return Some(from) };
    let mut at = from;
    loop {
        at += text.get(at..)?.iter().position(|unit| unit == first)?;
        if text.get(at..)?.starts_with(wanted) {
            return Some(at);
        }
        at += 1;
    }
}
