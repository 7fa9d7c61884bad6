//! How much an inspection shows, and in which colours.

use super::super::native::property;
use boa_engine::object::builtins::JsFunction;
use boa_engine::{Context, JsObject, JsResult, JsString, JsValue, NativeFunction, js_string};

/// The options of `util.inspect`.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    /// Levels of objects that are shown.
    pub depth: f64,
    /// Escape sequences of a terminal.
    pub colors: bool,
    /// Properties that are not enumerable as well.
    pub show_hidden: bool,
    /// Ask objects how they want to be shown.
    pub custom: bool,
    /// Elements of an array, a map or a set.
    pub max_array: usize,
    /// Characters of a string.
    pub max_string: usize,
    /// Columns of a line.
    pub break_length: f64,
    /// Levels that may share one line.
    pub compact: usize,
    /// `compact: true`: as much on one line as fits.
    pub compact_always: bool,
    /// Keys in order.
    pub sorted: bool,
    /// Call getters.
    pub getters: bool,
    /// `1_000_000`.
    pub numeric_separator: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            depth: 2.0,
            colors: false,
            show_hidden: false,
            custom: true,
            max_array: 100,
            max_string: 10_000,
            break_length: 80.0,
            compact: 3,
            compact_always: false,
            sorted: false,
            getters: false,
            numeric_separator: false,
        }
    }
}

impl Options {
    /// Changes what an object of options names.
    ///
    /// # Errors
    /// One of its getters throws.
    pub(crate) fn read(mut self, value: &JsValue, context: &mut Context) -> JsResult<Options> {
        let Some(object) = value.as_object() else { return Ok(self) };
        let mut get = |name: &str| -> JsResult<Option<JsValue>> {
            let value = object.get(JsString::from(name), context)?;
            Ok(if value.is_undefined() { None } else { Some(value) })
        };
        if let Some(depth) = get("depth")? {
            self.depth = if depth.is_null() { f64::INFINITY } else { depth.as_number().unwrap_or(2.0) };
        }
        if let Some(length) = get("breakLength")? {
            self.break_length = length.as_number().unwrap_or(self.break_length);
        }
        if let Some(compact) = get("compact")? {
            self.compact_always = compact.as_boolean() == Some(true);
            self.compact = compact.as_number().map_or(0, count);
        }
        if let Some(most) = get("maxArrayLength")? {
            self.max_array = if most.is_null() { usize::MAX } else { most.as_number().map_or(100, count) };
        }
        if let Some(most) = get("maxStringLength")? {
            self.max_string =
                if most.is_null() { usize::MAX } else { most.as_number().map_or(10_000, count) };
        }
        let flags: [(&str, &mut bool); 6] = [
            ("colors", &mut self.colors),
            ("showHidden", &mut self.show_hidden),
            ("customInspect", &mut self.custom),
            ("sorted", &mut self.sorted),
            ("getters", &mut self.getters),
            ("numericSeparator", &mut self.numeric_separator),
        ];
        for (name, flag) in flags {
            if let Some(value) = get(name)? {
                *flag = value.to_boolean();
            }
        }
        Ok(self)
    }

    /// The options as the object that custom functions get, with a `stylize` of its own.
    ///
    /// # Errors
    /// The engine refuses a property.
    pub(crate) fn to_object(&self, depth: f64, context: &mut Context) -> JsResult<JsValue> {
        let object = JsObject::with_object_proto(context.intrinsics());
        let length = |length: usize| {
            if length == usize::MAX { JsValue::from(f64::INFINITY) } else { JsValue::from(length as f64) }
        };
        let compact =
            if self.compact_always { JsValue::from(true) } else { JsValue::from(self.compact as f64) };
        let stylize = NativeFunction::from_copy_closure_with_captures(
            |_, arguments, colors: &bool, context| {
                let text = super::native::text(arguments, 0, context)?;
                let style = super::native::text(arguments, 1, context)?;
                let painted = if *colors { Style::named(&style).paint(&text) } else { text };
                Ok(JsString::from(painted).into())
            },
            self.colors,
        );
        let stylize: JsFunction = stylize.to_js_function(context.realm());
        let members: [(JsString, JsValue); 12] = [
            (js_string!("showHidden"), self.show_hidden.into()),
            (js_string!("depth"), depth.into()),
            (js_string!("colors"), self.colors.into()),
            (js_string!("customInspect"), self.custom.into()),
            (js_string!("maxArrayLength"), length(self.max_array)),
            (js_string!("maxStringLength"), length(self.max_string)),
            (js_string!("breakLength"), self.break_length.into()),
            (js_string!("compact"), compact),
            (js_string!("sorted"), self.sorted.into()),
            (js_string!("getters"), self.getters.into()),
            (js_string!("numericSeparator"), self.numeric_separator.into()),
            (js_string!("stylize"), stylize.into()),
        ];
        for (name, value) in members {
            property(&object, name, value, true, context)?;
        }
        Ok(object.into())
    }
}

fn count(number: f64) -> usize {
    if number.is_nan() { 0 } else { number.clamp(0.0, usize::MAX as f64) as usize }
}

/// The colour of a kind of value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// Functions, accessors, `[Circular]`, `[Object]`.
    Special,
    /// Numbers and bigints.
    Number,
    /// Booleans.
    Boolean,
    /// `undefined`.
    Undefined,
    /// `null`.
    Null,
    /// Strings.
    String,
    /// Symbols.
    Symbol,
    /// Dates.
    Date,
    /// Regular expressions.
    Regexp,
    /// Names of properties.
    Name,
}

impl Style {
    fn named(name: &str) -> Style {
        match name {
            "special" => Style::Special,
            "number" | "bigint" => Style::Number,
            "boolean" => Style::Boolean,
            "undefined" => Style::Undefined,
            "null" => Style::Null,
            "string" => Style::String,
            "symbol" => Style::Symbol,
            "date" => Style::Date,
            "regexp" => Style::Regexp,
            _ => Style::Name,
        }
    }

    /// The text between the sequences that a terminal takes as this colour.
    pub(super) fn paint(self, text: &str) -> String {
        let (on, off) = match self {
            Style::Special => (36, 39),
            Style::Number | Style::Boolean => (33, 39),
            Style::Undefined => (90, 39),
            Style::Null => (1, 22),
            Style::String | Style::Symbol => (32, 39),
            Style::Date => (35, 39),
            Style::Regexp => (31, 39),
            Style::Name => return text.to_owned(),
        };
        format!("\u{1b}[{on}m{text}\u{1b}[{off}m")
    }
}
