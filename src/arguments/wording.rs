//! The sentences of the structure check: what is wrong, in the words of the schema's author where there are any, and
//! what would be right (AR-20 to AR-25). Nothing of a parser or a checker shows in them.

use serde_json::{Map, Value};

use super::place::clipped;
use super::problem::Brief;
use super::schema::{Applied, Node, NodeId, NumberRules, ObjectRules, Range, Schema, Types};
use super::suggest::suggest;
use crate::protocol::limits;

/// About how much work the words for one problem are, in steps of a check.
pub(super) const STEPS: u64 = 1_000;
/// Names that are looked through for a similar one.
const CANDIDATES: usize = 1_000;
/// Characters that are shown of a received value.
const SHOWN: usize = 60;
/// Characters that are shown of an author's description.
const PURPOSE: usize = 160;

/// What is said of one problem.
pub(super) struct Words {
    pub(super) text: String,
    pub(super) brief: Option<Brief>,
}

impl From<String> for Words {
    fn from(text: String) -> Words {
        Words { text, brief: None }
    }
}

/// A missing member: what it is for, and whether it was given under a name that is nearly its own. A closed object
/// refuses that other name anyway.
pub(super) fn missing(
    path: &str,
    name: &str,
    schema: &Schema,
    rules: &ObjectRules,
    members: &Map<String, Value>,
) -> String {
    let node = rules.member(name).map(|member| member.node);
    let kind = node.and_then(|id| kind(schema, id)).map(|kind| format!(" ({kind})")).unwrap_or_default();
    let purpose = node.and_then(|id| purpose(schema, id));
    let purpose = purpose.map_or_else(|| ".".to_owned(), |purpose| format!(": {purpose}"));
    let others = members.keys().map(String::as_str).filter(|other| rules.member(other).is_none());
    let near = suggest(name, others.take(CANDIDATES)).filter(|near| {
        let is_sure = near.eq_ignore_ascii_case(name) || is_long(name);
        is_sure && rules.additional != Some(NodeId::NOTHING)
    });
    let rename = near.map(|near| format!(" Rename `{near}` to `{name}`.")).unwrap_or_default();
    format!("`{path}` is required{kind}{purpose}{rename}")
}

pub(super) fn missing_tag(path: &str, values: &[Value]) -> String {
    format!("`{path}` is required (one of {}).", choices(values))
}

pub(super) fn needed(path: &str, by: &str) -> String {
    format!("`{path}` is required when `{}` is given.", clipped(by, SHOWN))
}

pub(super) fn blank(path: &str, schema: &Schema, node: NodeId) -> String {
    match purpose(schema, node) {
        Some(purpose) => format!("`{path}` must not be blank: {purpose}"),
        None => format!("`{path}` must not be blank."),
    }
}

pub(super) fn forbidden(path: &str) -> String {
    format!("{} must not be given: leave it out.", subject(path))
}

pub(super) fn wrong_type(path: &str, types: Types, value: &Value) -> String {
    format!("{} must be {}; received {}.", subject(path), types.words(), received(value))
}

/// Null for a member that need not be there.
pub(super) fn null(path: &str, schema: &Schema, node: NodeId) -> String {
    let kind = kind(schema, node).unwrap_or_else(|| "a string".to_owned());
    format!("`{path}` must be {kind}; received null. Leave it out if there is none.")
}

pub(super) fn not_a_choice(path: &str, values: &[Value], value: &Value) -> String {
    let subject = subject(path);
    let long = value.as_str().filter(|text| is_long(text));
    let hint = long.and_then(|text| suggest(text, values.iter().filter_map(Value::as_str).take(CANDIDATES)));
    let hint = hint.map(|near| format!(" Did you mean `{near}`?")).unwrap_or_default();
    let received = match value {
        Value::String(text) => quoted(text),
        other => received(other),
    };
    match values {
        [one] => {
            format!("{subject} must be {}; received {received}.{hint}", choices(std::slice::from_ref(one)))
        }
        _ => format!("{subject} must be one of {}; received {received}.{hint}", choices(values)),
    }
}

/// An unknown member: the known ones, and the one that was probably meant: one with a similar name, else the only
/// required one that is missing if this is the only unknown one.
pub(super) fn unknown(path: &str, name: &str, rules: &ObjectRules, members: &Map<String, Value>) -> Words {
    let names = || rules.declared.iter().map(|member| &*member.name);
    let patterns =
        rules.patterns.iter().map(|(pattern, _)| format!("names that match {}", quoted(pattern.written())));
    let count = rules.declared.len() + rules.patterns.len();
    if count == 0 {
        return format!("Unknown parameter `{path}`; none is accepted here: leave it out.").into();
    }
    let inner = members.get(name).and_then(Value::as_object);
    if inner.is_some_and(|inner| !inner.is_empty() && inner.keys().all(|name| rules.member(name).is_some())) {
        let text = format!("Unknown parameter `{path}`: send its members directly, without it around them.");
        return text.into();
    }
    let near = suggest(name, names().take(CANDIDATES)).or_else(|| {
        let is_only = members.keys().filter(|name| rules.member(name).is_none()).count() == 1;
        let mut missing = rules.required.iter().filter(|name| !members.contains_key(&***name));
        missing.next().filter(|_| is_only && missing.next().is_none()).map(|name| &**name)
    });
    let hint = near.map(|near| format!(" Did you mean `{near}`?")).unwrap_or_default();
    let list = listed(count, names().map(|name| clipped(name, SHOWN)).chain(patterns));
    let text = format!("Unknown parameter `{path}`; accepted: {list}.{hint}");
    Words { text, brief: Some(Brief { list, text: format!("Unknown parameter `{path}`.{hint}") }) }
}

pub(super) fn bad_name(path: &str, schema: &Schema, names: NodeId) -> String {
    let node = schema.node(names);
    if let Some(choices) = node.and_then(|node| node.choices.first()) {
        return format!("Unknown parameter `{path}`; accepted: {}.", self::choices(&choices.values));
    }
    match node.and_then(|node| node.string.as_ref()?.pattern.as_ref()) {
        Some(pattern) => format!("The name of `{path}` must match {}.", quoted(pattern.written())),
        None => format!("`{path}` has a name that is not accepted: rename it or leave it out."),
    }
}

pub(super) fn out_of_range(path: &str, rules: &NumberRules, text: &str) -> String {
    let range = match (&rules.minimum, &rules.above, &rules.maximum, &rules.below) {
        (Some(least), None, Some(most), None) => format!("from {least} to {most}"),
        (least, above, most, below) => {
            let part = |words: &str, end: &Option<Box<str>>| end.as_ref().map(|end| format!("{words} {end}"));
            let parts = [
                part("at least", least),
                part("greater than", above),
                part("at most", most),
                part("less than", below),
            ];
            parts.into_iter().flatten().collect::<Vec<_>>().join(" and ")
        }
    };
    format!("{} must be {}; received {}.", subject(path), clipped(&range, 2 * SHOWN), clipped(text, SHOWN))
}

pub(super) fn no_multiple(path: &str, of: &str, text: &str) -> String {
    format!(
        "{} must be a multiple of {}; received {}.",
        subject(path),
        clipped(of, SHOWN),
        clipped(text, SHOWN)
    )
}

pub(super) fn out_of_count(path: &str, range: Range, count: usize, [one, many]: [&str; 2]) -> String {
    let noun = |count: usize| if count == 1 { one } else { many };
    let range = match (range.least, range.most) {
        (Some(least), Some(most)) if least == most => format!("exactly {least} {}", noun(least)),
        (Some(least), Some(most)) => format!("{least} to {most} {many}"),
        (Some(least), None) => format!("at least {least} {}", noun(least)),
        (None, Some(most)) => format!("at most {most} {}", noun(most)),
        (None, None) => format!("another number of {many}"),
    };
    format!("{} must have {range}; received {count}.", subject(path))
}

pub(super) fn no_match(path: &str, pattern: &str, text: &str) -> String {
    format!("{} must match the pattern {}; received {}.", subject(path), quoted(pattern), quoted(text))
}

pub(super) fn repeated(path: &str, first: usize, second: usize) -> String {
    format!("{} must not hold the same item twice; items {first} and {second} are equal.", subject(path))
}

pub(super) fn contains(path: &str, range: Range, found: usize, schema: &Schema, node: NodeId) -> String {
    let what = match kind(schema, node) {
        Some(kind) => format!("of the required kind ({kind})"),
        None => "of the required kind".to_owned(),
    };
    out_of_count(path, range, found, [&format!("item {what}"), &format!("items {what}")])
}

pub(super) fn excluded(path: &str, value: &Value) -> String {
    format!("{} has a value that is not allowed; received {}.", subject(path), received(value))
}

pub(super) fn no_alternative(path: &str, value: &Value) -> String {
    format!("{} fits none of its allowed forms; received {}.", subject(path), received(value))
}

pub(super) fn several(path: &str, schema: &Schema, pair: [Option<NodeId>; 2]) -> String {
    let names: Vec<String> = pair.into_iter().flatten().filter_map(|id| describe(schema, id)).collect();
    let which = if names.len() == 2 { format!(" ({})", names.join(" / ")) } else { String::new() };
    format!("{} fits more than one of its allowed forms{which}: send what fits exactly one.", subject(path))
}

fn subject(path: &str) -> String {
    if path.is_empty() { "The value".to_owned() } else { format!("`{path}`") }
}

/// What is asked for, where a name alone would not say it.
fn kind(schema: &Schema, id: NodeId) -> Option<String> {
    let node = schema.node(id)?;
    if let Some(choices) = chain(schema, id).into_iter().flat_map(|node| &node.choices).next() {
        return Some(match choices.values.as_slice() {
            [one] => self::choices(std::slice::from_ref(one)),
            values => format!("one of {}", self::choices(values)),
        });
    }
    match node.admits {
        Types::ALL | Types::NONE | Types::STRING => None,
        types => Some(types.words()),
    }
}

/// The first sentence of what the author says a member is for.
fn purpose(schema: &Schema, id: NodeId) -> Option<String> {
    let text = describe(schema, id)?;
    let ends = [". ", ".\n", "\n"].into_iter().filter_map(|end| text.find(end)).min();
    let end = ends.filter(|_| !text.contains("e.g.")).unwrap_or(text.len());
    let sentence = clipped(text.get(..end)?.trim().trim_end_matches('.'), PURPOSE);
    if sentence.is_empty() { None } else { Some(format!("{sentence}.")) }
}

fn describe(schema: &Schema, id: NodeId) -> Option<String> {
    let described = chain(schema, id).into_iter().find_map(|node| node.description.as_deref());
    described.map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
}

/// A node and those it refers to.
fn chain(schema: &Schema, id: NodeId) -> Vec<&Node> {
    let (mut chain, mut next) = (Vec::new(), Some(id));
    while let Some(node) = next.take().and_then(|id| schema.node(id)) {
        next = node.applied.iter().find_map(|applied| match applied {
            Applied::All(id) => Some(*id),
            _ => None,
        });
        chain.push(node);
    }
    chain
}

/// Whether a text has enough letters for a similar one to mean something.
fn is_long(text: &str) -> bool {
    text.chars().nth(3).is_some()
}

/// A received value, shortened.
fn received(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(truth) => truth.to_string(),
        Value::Number(number) => format!("the number {}", clipped(number.as_str(), SHOWN)),
        Value::String(text) if text.is_empty() => "an empty string".to_owned(),
        Value::String(text) => format!("the string {}", quoted(text)),
        Value::Array(_) => "an array".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

/// A text in backticks, or as JSON where it holds something that could be mistaken.
fn quoted(text: &str) -> String {
    let short = clipped(text, SHOWN);
    if short.is_empty() || short.contains(|c: char| c == '`' || c.is_control()) {
        Value::from(short).to_string()
    } else {
        format!("`{short}`")
    }
}

/// Allowed values: strings as they are where that is clear, everything else as JSON.
fn choices(values: &[Value]) -> String {
    let is_plain = |text: &str| !text.is_empty() && !text.contains([',', ' ', '"', '`', '\n']);
    let all_plain = values.iter().all(|value| value.as_str().is_some_and(is_plain));
    listed(
        values.len(),
        values.iter().map(|value| match value.as_str() {
            Some(text) if all_plain => clipped(text, SHOWN),
            _ => clipped(&value.to_string(), SHOWN),
        }),
    )
}

/// A list, cut where it grows too long to help.
fn listed(count: usize, names: impl Iterator<Item = String>) -> String {
    let first: Vec<String> = names.take(limits::ARGUMENT_NAMES).collect();
    match count - first.len() {
        0 => first.join(", "),
        more => format!("{} and {more} more", first.join(", ")),
    }
}
