//! Values as Node's `util.inspect` shows them, because models have read much of that and little else (SH-58).
//!
//! - [`options`]: how much is shown;
//! - [`object`]: what kind of object it is, its prefix and what stands in its braces; [`property`]: one property;
//! - [`collection`]: arrays, maps, sets, buffers;
//! - [`function`] and [`error`]: their one line;
//! - [`layout`]: one line or several, columns;
//! - [`text`]: quotes, escapes, widths.

mod collection;
mod error;
mod format;
mod function;
mod layout;
mod object;
mod options;
mod property;
mod text;

pub(crate) use format::line;
pub(crate) use options::Options;
pub(crate) use text::width;

use super::libraries;
use super::native;
use boa_engine::property::PropertyKey;
use boa_engine::value::JsVariant;
use boa_engine::{Context, JsObject, JsResult, JsString, JsSymbol, JsValue, js_string};
use options::Style;

/// Objects inside objects that are followed, whatever the options say: the stack of the module is small.
const DEEPEST: usize = 200;

/// Characters of one result, after which only the outermost objects are shown.
const BUDGET: usize = 4 * 1024 * 1024;

/// A value with the default options.
///
/// # Errors
/// A getter, a proxy or a `[Symbol.for('nodejs.util.inspect.custom')]` throws.
pub(crate) fn value(value: &JsValue, context: &mut Context) -> JsResult<String> {
    with(value, Options::default(), context)
}

/// A value with options.
///
/// # Errors
/// As [`value`].
pub(crate) fn with(value: &JsValue, options: Options, context: &mut Context) -> JsResult<String> {
    let mut inspector = Inspector {
        context,
        options,
        indentation: 0,
        current_depth: 0,
        seen: Vec::new(),
        circular: Vec::new(),
        written: 0,
    };
    inspector.value(value, 0, false)
}

/// One inspection.
struct Inspector<'a> {
    context: &'a mut Context,
    options: Options,
    /// Columns that the lines of the present value are moved to the right.
    indentation: usize,
    /// The level of the object that was shown last.
    current_depth: usize,
    /// The objects around the present value.
    seen: Vec<JsObject>,
    /// Objects that something inside them points at.
    circular: Vec<JsObject>,
    written: usize,
}

impl Inspector<'_> {
    fn style(&self, text: impl Into<String>, style: Style) -> String {
        if self.options.colors { style.paint(&text.into()) } else { text.into() }
    }

    /// Any value, `level` objects deep. `typed` is set for the buffer of a typed array.
    fn value(&mut self, value: &JsValue, level: usize, typed: bool) -> JsResult<String> {
        let Some(object) = value.as_object() else { return Ok(self.primitive(value)) };
        if self.options.custom
            && let Some(text) = self.custom(&object, level)?
        {
            return Ok(text);
        }
        if self.seen.iter().any(|other| JsObject::equals(other, &object)) {
            let known = self.circular.iter().position(|other| JsObject::equals(other, &object));
            let index = known.unwrap_or_else(|| {
                self.circular.push(object.clone());
                self.circular.len() - 1
            });
            return Ok(self.style(format!("[Circular *{}]", index + 1), Style::Special));
        }
        let text = self.object(&object, level, typed)?;
        self.written += text.len();
        if self.written > BUDGET {
            self.options.depth = -1.0;
        }
        Ok(text)
    }

    fn primitive(&self, value: &JsValue) -> String {
        match value.variant() {
            JsVariant::Null => self.style("null", Style::Null),
            JsVariant::Undefined => self.style("undefined", Style::Undefined),
            JsVariant::Boolean(value) => self.style(value.to_string(), Style::Boolean),
            JsVariant::String(value) => self.string(&value),
            JsVariant::Integer32(_) | JsVariant::Float64(_) => {
                self.number(value.as_number().unwrap_or(f64::NAN))
            }
            JsVariant::BigInt(value) => {
                let digits = text::separate(&value.to_string(), self.options.numeric_separator);
                self.style(format!("{digits}n"), Style::Number)
            }
            JsVariant::Symbol(value) => self.style(text::symbol(&value), Style::Symbol),
            JsVariant::Object(_) => String::new(),
        }
    }

    fn number(&self, value: f64) -> String {
        self.style(text::number(value, self.options.numeric_separator), Style::Number)
    }

    /// A string inside something, in quotes, one piece for each of its lines when it is long.
    fn string(&self, value: &JsString) -> String {
        let length = value.len();
        let shown = length.min(self.options.max_string);
        let rest = length - shown;
        let trailer = match rest {
            0 => String::new(),
            1 => "... 1 more character".into(),
            _ => format!("... {rest} more characters"),
        };
        let units: Vec<u16> = value.iter().take(shown).collect();
        let long = shown > 16 && shown as f64 > self.options.break_length - self.indentation as f64 - 4.0;
        if self.options.compact_always || !long {
            return self.style(text::quote(&units), Style::String) + &trailer;
        }
        let lines: Vec<String> = units
            .split_inclusive(|unit| *unit == u16::from(b'\n'))
            .map(|line| self.style(text::quote(line), Style::String))
            .collect();
        lines.join(&format!(" +\n{}", " ".repeat(self.indentation + 2))) + &trailer
    }

    /// What `[Symbol.for('nodejs.util.inspect.custom')]` of an object makes of it.
    fn custom(&mut self, object: &JsObject, level: usize) -> JsResult<Option<String>> {
        let symbol = custom_symbol(self.context)?;
        let function = object.get(symbol, self.context)?;
        let Some(function) = function.as_callable() else { return Ok(None) };
        let util = libraries::library("values", self.context)?;
        let inspect = libraries::member(&util, "inspect", self.context)?;
        if inspect.as_object().is_some_and(|inspect| JsObject::equals(&inspect, &function)) {
            return Ok(None);
        }
        let depth = self.options.depth - level as f64;
        let options = self.options.to_object(depth, self.context)?;
        let result =
            function.call(&object.clone().into(), &[JsValue::from(depth), options, inspect], self.context)?;
        if result.as_object().is_some_and(|result| JsObject::equals(&result, object)) {
            return Ok(None);
        }
        let Some(text) = result.as_string() else { return self.value(&result, level, false).map(Some) };
        let indentation = format!("\n{}", " ".repeat(self.indentation));
        Ok(Some(text.to_std_string_lossy().replace('\n', &indentation)))
    }
}

/// `Symbol.for('nodejs.util.inspect.custom')`.
///
/// # Errors
/// `Symbol.for` was replaced and throws.
fn custom_symbol(context: &mut Context) -> JsResult<PropertyKey> {
    thread_local! {
        static SYMBOL: std::cell::RefCell<Option<JsSymbol>> = const { std::cell::RefCell::new(None) };
    }
    if let Some(symbol) = SYMBOL.with_borrow(Clone::clone) {
        return Ok(symbol.into());
    }
    let class = context.global_object().get(js_string!("Symbol"), context)?;
    let find = libraries::member(&class, "for", context)?;
    let name = JsString::from("nodejs.util.inspect.custom");
    let find = find.as_callable().ok_or_else(|| native::type_error("Symbol.for is not a function"))?;
    let symbol = find.call(&class, &[name.into()], context)?;
    let symbol = symbol.as_symbol().ok_or_else(|| native::type_error("Symbol.for gives no symbol"))?;
    SYMBOL.with_borrow_mut(|known| *known = Some(symbol.clone()));
    Ok(symbol.into())
}

#[cfg(test)]
mod tests;
