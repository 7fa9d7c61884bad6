//! Templates over the arguments of a call: values (`"$.path"`, PM-01, CT-11) and sentences (`Read {path}`, CT-08).

use serde_json::{Map, Value};

/// The value of a template. A text `$.x` picks the argument `x`, `$.x.y` what stands in it; a member whose argument
/// is missing is left out. `None`: the whole is such a text.
pub fn value(template: &Value, args: &Map<String, Value>) -> Option<Value> {
    match template {
        Value::String(text) => match text.strip_prefix("$.") {
            Some(path) => pick(path, args).cloned(),
            None => Some(template.clone()),
        },
        Value::Array(items) => Some(items.iter().filter_map(|item| value(item, args)).collect()),
        Value::Object(members) => {
            let filled =
                members.iter().filter_map(|(name, member)| Some((name.clone(), value(member, args)?)));
            Some(Value::Object(filled.collect()))
        }
        other => Some(other.clone()),
    }
}

/// The sentence of a template: `{x}` stands for the argument `x`, as text if it is one, as JSON otherwise; for a
/// missing one nothing is put.
pub fn sentence(template: &str, args: &Map<String, Value>) -> String {
    let mut sentence = String::new();
    let mut rest = template;
    while let Some((before, opened)) = rest.split_once('{') {
        let Some((name, behind)) = opened.split_once('}') else { break };
        sentence.push_str(before);
        match pick(name, args) {
            Some(Value::String(text)) => sentence.push_str(text),
            Some(other) => sentence.push_str(&other.to_string()),
            None => {}
        }
        rest = behind;
    }
    sentence.push_str(rest);
    sentence
}

fn pick<'a>(path: &str, args: &'a Map<String, Value>) -> Option<&'a Value> {
    let mut names = path.split('.');
    let first = args.get(names.next()?)?;
    names.try_fold(first, |value, name| value.get(name))
}
