//! Regular expressions over long texts. For every single match the engine copies a text of one byte per character to
//! one of two bytes, and it splits by trying every position; both grow with the square of the text. A text that has
//! two bytes per character already is not copied, so long texts are widened once, and splitting goes from match to
//! match.
//!
//! A pattern that backtracks without end cannot be stopped from inside: it ends with the worker of the program.

use super::native::{self, argument};
use super::strings::wrap;
use boa_engine::builtins::regexp::RegExp;
use boa_engine::object::builtins::{JsArray, JsFunction};
use boa_engine::string::JsStrVariant;
use boa_engine::{Context, JsObject, JsResult, JsString, JsSymbol, JsValue, NativeFunction, js_string};
use std::cell::RefCell;

/// Length above which a text is widened.
const LONG: usize = 512;

thread_local! {
    /// The text that was widened last, in both forms: loops over `exec` ask for the same one again and again.
    static WIDENED: RefCell<Option<(JsString, JsString)>> = const { RefCell::new(None) };
}

/// Replaces the methods.
///
/// # Errors
/// The prototype refuses a property.
pub(crate) fn install(context: &mut Context) -> JsResult<()> {
    let prototype = context.intrinsics().constructors().regexp().prototype();
    wrap(&prototype, "exec", 1, exec, context)?;
    let key = JsSymbol::split();
    let original = prototype.get(key.clone(), context)?.as_function();
    let original = original.ok_or_else(|| native::type_error("regular expressions do not split"))?;
    let split = NativeFunction::from_copy_closure_with_captures(
        |this, arguments, original: &JsFunction, context| match plain(this, context)? {
            Some(regexp) => split(&regexp, arguments, context),
            None => original.call(this, arguments, context),
        },
        original,
    );
    let split = native::function(context, "[Symbol.split]", 2, split);
    native::property(&prototype, key, split, false, context)
}

/// The text to search, when the search is by a regular expression and would copy it often.
pub(super) fn widened(text: &JsValue, pattern: &JsValue) -> JsValue {
    match (text.as_string(), pattern.as_object()) {
        (Some(string), Some(object)) if object.is::<RegExp>() => widen(&string).map_or_else(|| text.clone(), JsValue::from),
        _ => text.clone(),
    }
}

fn widen(text: &JsString) -> Option<JsString> {
    let JsStrVariant::Latin1(bytes) = text.variant() else { return None };
    if bytes.len() < LONG {
        return None;
    }
    WIDENED.with_borrow_mut(|last| {
        if let Some((narrow, wide)) = last
            && let JsStrVariant::Latin1(known) = narrow.variant()
            && std::ptr::eq(known, bytes)
        {
            return Some(wide.clone());
        }
        let wide = JsString::from(text.to_vec().as_slice());
        *last = Some((text.clone(), wide.clone()));
        Some(wide)
    })
}

fn exec(original: &JsFunction, this: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let wide = argument(arguments, 0).as_string().and_then(|text| widen(&text));
    match wide {
        Some(wide) => original.call(this, &[wide.into()], context),
        None => original.call(this, arguments, context),
    }
}

/// A regular expression that nobody has given a method of its own.
fn plain(value: &JsValue, context: &mut Context) -> JsResult<Option<JsObject>> {
    let Some(regexp) = value.as_object().filter(JsObject::is::<RegExp>) else { return Ok(None) };
    let standard = context.intrinsics().constructors().regexp().prototype();
    let inherits = regexp.prototype().is_some_and(|prototype| JsObject::equals(&prototype, &standard));
    let own = regexp.own_property_keys(context)?;
    Ok((inherits && own.len() == 1).then_some(regexp))
}

/// `RegExp.prototype[Symbol.split]`, from one match to the next.
fn split(regexp: &JsObject, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let text = argument(arguments, 0).to_string(context)?;
    let text = widen(&text).unwrap_or(text);
    let limit = argument(arguments, 1);
    let limit = if limit.is_undefined() { u32::MAX } else { limit.to_u32(context)? } as usize;
    let source = regexp.get(js_string!("source"), context)?;
    let flags = regexp.get(js_string!("flags"), context)?.to_string(context)?.to_std_string_lossy();
    let unicode = flags.contains(['u', 'v']);
    let flags: String = flags.chars().filter(|flag| !matches!(flag, 'y' | 'g')).chain(['g']).collect();
    let constructor = context.intrinsics().constructors().regexp().constructor();
    let splitter = constructor.construct(&[source, JsString::from(flags).into()], None, context)?;
    let exec = splitter.get(js_string!("exec"), context)?.as_callable();
    let exec = exec.ok_or_else(|| native::type_error("regular expressions have lost exec"))?;
    let mut parts: Vec<JsValue> = Vec::new();
    let (mut from, mut next) = (0, 0);
    while parts.len() < limit {
        splitter.set(js_string!("lastIndex"), next as f64, true, context)?;
        let found = exec.call(&splitter.clone().into(), &[text.clone().into()], context)?;
        let Some(found) = found.as_object() else { break };
        let at = found.get(js_string!("index"), context)?.to_length(context)? as usize;
        let end = splitter.get(js_string!("lastIndex"), context)?.to_length(context)? as usize;
        if text.is_empty() {
            return Ok(JsArray::new(context)?.into());
        }
        if at >= text.len() {
            break;
        }
        if end == from {
            next = advance(&text, at.max(from), unicode);
            continue;
        }
        parts.push(text.slice(from, at).into());
        let groups = native::length(&found, context)?;
        for group in 1..groups {
            if parts.len() < limit {
                parts.push(found.get(group as u32, context)?);
            }
        }
        from = end;
        next = if end == at { advance(&text, end, unicode) } else { end };
    }
    if parts.len() < limit {
        parts.push(text.slice(from, text.len()).into());
    }
    Ok(JsArray::from_iter(parts, context).into())
}

/// The index after the character at an index.
fn advance(text: &JsString, at: usize, unicode: bool) -> usize {
    let unit = |index: usize| text.code_unit_at(index).unwrap_or(0);
    let pair = unicode && (0xd800..0xdc00).contains(&unit(at)) && (0xdc00..0xe000).contains(&unit(at + 1));
    at + if pair { 2 } else { 1 }
}
