//! Regular expressions over long texts. For every single match the engine copies a text of one byte per character to
//! one of two bytes, and it splits by trying every position; both grow with the square of the text. A text that has
//! two bytes per character already is not copied, so long texts are widened once, and splitting goes from match to
//! match.
//!
//! A pattern that repeats a repetition, such as `(a+)+$`, can keep the engine busy for ever, and nothing can stop it
//! from inside. Such patterns are searched here, in a way that takes time in proportion to the text, or up to a bound.

mod pattern;
mod program;
mod risk;
mod search;

use super::native::{self, argument, property};
use super::process::Process;
use super::strings::wrap;
use boa_engine::builtins::regexp::RegExp;
use boa_engine::object::builtins::{JsArray, JsFunction};
use boa_engine::string::JsStrVariant;
use boa_engine::{Context, JsObject, JsResult, JsString, JsSymbol, JsValue, NativeFunction, js_string};
use program::Program;
use search::Found;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

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
        (Some(string), Some(object)) if object.is::<RegExp>() => {
            widen(&string).map_or_else(|| text.clone(), JsValue::from)
        }
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

fn exec(
    original: &JsFunction,
    this: &JsValue,
    arguments: &[JsValue],
    context: &mut Context,
) -> JsResult<JsValue> {
    if let Some(regexp) = this.as_object().filter(JsObject::is::<RegExp>)
        && let Some(text) = argument(arguments, 0).as_string().filter(|text| text.len() > SHORT)
        && let Some(program) = risky(&regexp, context)?
    {
        return bounded(&regexp, &program, &text, context);
    }
    let wide = argument(arguments, 0).as_string().and_then(|text| widen(&text));
    match wide {
        Some(wide) => original.call(this, &[wide.into()], context),
        None => original.call(this, arguments, context),
    }
}

/// What follows the slash of a regular expression.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Flags {
    ignore_case: bool,
    multiline: bool,
    dot_all: bool,
    unicode: bool,
    sets: bool,
}

impl Flags {
    fn read(text: &str) -> Flags {
        let has = |flag: char| text.contains(flag);
        Flags {
            ignore_case: has('i'),
            multiline: has('m'),
            dot_all: has('s'),
            unicode: has('u'),
            sets: has('v'),
        }
    }
}

/// The character that stands for all its cases.
fn folded(c: u32, unicode: bool) -> u32 {
    let Some(c) = char::from_u32(c) else { return c };
    let mut cased = if unicode { c.to_lowercase().collect::<Vec<_>>() } else { c.to_uppercase().collect() };
    match (cased.len(), cased.pop()) {
        // Without `u` a letter outside of ASCII never becomes one inside, and stays one unit.
        (1, Some(other)) if unicode || (c.is_ascii() || !other.is_ascii()) && other.len_utf16() == 1 => {
            other.into()
        }
        _ => c.into(),
    }
}

/// The cases of a character that may stand in a class.
fn cases(c: u32, unicode: bool) -> impl Iterator<Item = u32> {
    let base = folded(c, unicode);
    let lower = char::from_u32(base).and_then(|c| c.to_lowercase().next()).map_or(base, u32::from);
    let upper = char::from_u32(base).and_then(|c| c.to_uppercase().next()).map_or(base, u32::from);
    [base, lower, upper].into_iter().filter(move |other| folded(*other, unicode) == base)
}

/// Texts that no pattern takes long for.
const SHORT: usize = 20;
/// Patterns that are remembered.
const REMEMBERED: usize = 16;

/// A pattern by its source and flags; without a program it is left to the engine.
type Known = (JsString, JsString, Option<Rc<Program>>);

thread_local! {
    static KNOWN: RefCell<VecDeque<Known>> = const { RefCell::new(VecDeque::new()) };
}

/// The program of a pattern that the engine is not trusted with.
fn risky(regexp: &JsObject, context: &mut Context) -> JsResult<Option<Rc<Program>>> {
    let source = regexp.get(js_string!("source"), context)?.to_string(context)?;
    if !risk::repeats_groups(&source) {
        return Ok(None);
    }
    let flags = regexp.get(js_string!("flags"), context)?.to_string(context)?;
    let known = KNOWN.with_borrow(|known| {
        let found = known.iter().find(|(other, set, _)| *other == source && *set == flags);
        found.map(|(_, _, program)| program.clone())
    });
    if let Some(program) = known {
        return Ok(program);
    }
    let read = Flags::read(&flags.to_std_string_lossy());
    let units: Vec<u16> = source.iter().collect();
    let pattern = pattern::read(&units, read).filter(|pattern| risk::is_risky(&pattern.node));
    let program = pattern.and_then(|pattern| program::compile(pattern, read)).map(Rc::new);
    KNOWN.with_borrow_mut(|known| {
        known.truncate(REMEMBERED - 1);
        known.push_front((source, flags, program.clone()));
    });
    Ok(program)
}

/// `exec` with a program of ours.
fn bounded(
    regexp: &JsObject,
    program: &Program,
    text: &JsString,
    context: &mut Context,
) -> JsResult<JsValue> {
    let flags = regexp.get(js_string!("flags"), context)?.to_string(context)?;
    let sticky = flags.contains(b'y');
    let moves = sticky || flags.contains(b'g');
    let last = regexp.get(js_string!("lastIndex"), context)?.to_length(context)? as usize;
    let from = if moves { last } else { 0 };
    let found = match text.variant() {
        _ if from > text.len() => Found::Nothing,
        JsStrVariant::Utf16(units) => search::search(program, units, from, sticky),
        JsStrVariant::Latin1(_) => match widen(text).as_ref().map(JsString::variant) {
            Some(JsStrVariant::Utf16(units)) => search::search(program, units, from, sticky),
            _ => search::search(program, &text.to_vec(), from, sticky),
        },
    };
    let slots = match found {
        Found::Match(slots) => slots,
        Found::Nothing => {
            if moves {
                regexp.set(js_string!("lastIndex"), 0, true, context)?;
            }
            return Ok(JsValue::null());
        }
        Found::GaveUp => {
            return Err(Process::of(context)?.stop("a regular expression takes too many steps on this text"));
        }
    };
    let range = |group: usize| {
        let slot = |index: usize| slots.get(index).copied().flatten();
        slot(group * 2).zip(slot(group * 2 + 1))
    };
    let (start, end) = range(0).unwrap_or((from, from));
    if moves {
        regexp.set(js_string!("lastIndex"), end as f64, true, context)?;
    }
    let part = |group: usize| {
        range(group).map_or(JsValue::undefined(), |(start, end)| text.slice(start, end).into())
    };
    let result = JsArray::from_iter((0..=program.groups).map(part), context);
    property(&result, js_string!("index"), start as f64, true, context)?;
    property(&result, js_string!("input"), text.clone(), true, context)?;
    let groups = named(program, context, |group, _| Ok(part(group)))?;
    property(&result, js_string!("groups"), groups, true, context)?;
    if flags.contains(b'd') {
        let pair = |group: usize, context: &mut Context| match range(group) {
            Some((start, end)) => JsValue::from(JsArray::from_iter(
                [JsValue::from(start as f64), JsValue::from(end as f64)],
                context,
            )),
            None => JsValue::undefined(),
        };
        let pairs: Vec<JsValue> = (0..=program.groups).map(|group| pair(group, context)).collect();
        let indices = JsArray::from_iter(pairs, context);
        let groups = named(program, context, |group, context| Ok(pair(group, context)))?;
        property(&indices, js_string!("groups"), groups, true, context)?;
        property(&result, js_string!("indices"), indices, true, context)?;
    }
    Ok(result.into())
}

/// An object with a value for each named group; `undefined` when no group has a name.
fn named(
    program: &Program,
    context: &mut Context,
    value: impl Fn(usize, &mut Context) -> JsResult<JsValue>,
) -> JsResult<JsValue> {
    if program.names.is_empty() {
        return Ok(JsValue::undefined());
    }
    let groups = JsObject::with_null_proto();
    for (name, group) in &program.names {
        let value = value(*group, context)?;
        let key = JsString::from(name.as_str());
        // Of groups with the same name the one that took part counts.
        if !value.is_undefined() || !groups.has_own_property(key.clone(), context)? {
            property(&groups, key, value, true, context)?;
        }
    }
    Ok(groups.into())
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

#[cfg(test)]
mod tests;
