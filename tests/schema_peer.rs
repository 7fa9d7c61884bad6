//! The schema checker against the `jsonschema` crate, on schemas and values made at random.

#![cfg(not(target_arch = "wasm32"))] // The peer is not built for browsers.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // A test, also outside of its test functions.

use handrail::arguments::{Schema, read};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};

const NAMES: [&str; 4] = ["a", "b", "ab", "c"];

fn scalar() -> impl Strategy<Value = Value> {
    let texts = [
        "null", "true", "false", "0", "1", "1.0", "2", "-1", "0.5", "3", "1e1", "10", "\"\"", "\"a\"",
        "\"ab\"", "\"灯\"",
    ];
    select(texts.to_vec()).prop_map(|text| read(text).unwrap())
}

fn value() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(3, 12, 4, |inner| {
        let member = (select(NAMES.to_vec()), inner.clone());
        prop_oneof![
            prop::collection::vec(inner, 0..4).prop_map(Value::from),
            prop::collection::vec(member, 0..4)
                .prop_map(|all| object(all.into_iter().map(|(k, v)| (k.into(), v)))),
        ]
    })
}

fn object(members: impl Iterator<Item = (String, Value)>) -> Value {
    Value::Object(members.collect::<Map<String, Value>>())
}

fn count() -> impl Strategy<Value = Value> {
    (0u8..4).prop_map(Value::from)
}

fn number() -> impl Strategy<Value = Value> {
    select(vec!["-1", "0", "0.5", "1", "1.0", "2", "3"]).prop_map(|text| read(text).unwrap())
}

/// One keyword with a value, the subschemas given.
fn keyword(inner: BoxedStrategy<Value>) -> BoxedStrategy<(String, Value)> {
    let named =
        |key: &'static str, value: BoxedStrategy<Value>| value.prop_map(move |v| (key.to_owned(), v)).boxed();
    let kind = select(vec!["null", "boolean", "integer", "number", "string", "array", "object"]);
    let kinds = prop::collection::btree_set(kind.clone(), 1..4).prop_map(|set| json!(set));
    let list = prop::collection::vec(inner.clone(), 1..3).prop_map(Value::from).boxed();
    let map = prop::collection::vec((select(NAMES.to_vec()), inner.clone()), 0..3)
        .prop_map(|all| object(all.into_iter().map(|(k, v)| (k.into(), v))))
        .boxed();
    let patterns =
        prop::collection::vec((select(vec!["a", "^b", "c$", "^[ab]+$", "."]), inner.clone()), 1..3)
            .prop_map(|all| object(all.into_iter().map(|(k, v)| (k.into(), v))))
            .boxed();
    let names = prop::collection::btree_set(select(NAMES.to_vec()), 0..3).prop_map(|set| json!(set)).boxed();
    let needs = (select(NAMES.to_vec()), names.clone())
        .prop_map(|(k, v)| object([(k.into(), v)].into_iter()))
        .boxed();
    let values = prop::collection::vec(value(), 1..4).prop_map(Value::from).boxed();
    let refs = select(vec!["#/$defs/x", "#/$defs/y", "#y"]).prop_map(Value::from).boxed();
    prop_oneof![
        4 => prop_oneof![
            named("type", kind.prop_map(Value::from).boxed()),
            named("type", kinds.boxed()),
            named("enum", values),
            named("const", value().boxed()),
        ],
        4 => prop_oneof![
            named("properties", map.clone()),
            named("required", names),
            named("additionalProperties", inner.clone()),
            named("patternProperties", patterns),
            named("propertyNames", inner.clone()),
            named("minProperties", count().boxed()),
            named("maxProperties", count().boxed()),
            named("dependentRequired", needs),
            named("dependentSchemas", map),
        ],
        3 => prop_oneof![
            named("items", inner.clone()),
            named("prefixItems", list.clone()),
            named("contains", inner.clone()),
            named("minContains", count().boxed()),
            named("maxContains", count().boxed()),
            named("minItems", count().boxed()),
            named("maxItems", count().boxed()),
            named("uniqueItems", any::<bool>().prop_map(Value::from).boxed()),
        ],
        3 => prop_oneof![
            named("minLength", count().boxed()),
            named("maxLength", count().boxed()),
            named("pattern", select(vec!["a", "^a", "b$", "^[^a]*$", "^$"]).prop_map(Value::from).boxed()),
            named("minimum", number().boxed()),
            named("maximum", number().boxed()),
            named("exclusiveMinimum", number().boxed()),
            named("exclusiveMaximum", number().boxed()),
            named("multipleOf", select(vec![json!(0.5), json!(1), json!(2), json!(0.1)]).boxed()),
        ],
        4 => prop_oneof![
            named("allOf", list.clone()),
            named("anyOf", list.clone()),
            named("oneOf", list),
            named("not", inner.clone()),
            named("if", inner.clone()),
            named("then", inner.clone()),
            named("else", inner),
            named("$ref", refs),
        ],
    ]
    .boxed()
}

fn subschema() -> BoxedStrategy<Value> {
    let leaf = prop_oneof![any::<bool>().prop_map(Value::from), Just(json!({}))].boxed();
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop::collection::vec(keyword(inner.boxed()), 1..4).prop_map(|all| object(all.into_iter()))
    })
    .boxed()
}

/// A schema whose definitions refer to nothing, so that no reference goes round in circles.
fn schema() -> impl Strategy<Value = Value> {
    let plain =
        select(vec![json!({"type": "integer"}), json!({"minLength": 1}), json!({"maxProperties": 1})]);
    let root = prop::collection::vec(keyword(subschema()), 1..5);
    (root, plain.clone(), plain).prop_map(|(keywords, x, mut y)| {
        let mut root = object(keywords.into_iter());
        y["$anchor"] = json!("y");
        root["$defs"] = json!({"x": x, "y": y});
        root
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn verdicts_agree(schema in schema(), values in prop::collection::vec(value(), 8)) {
        let (ours, not_enforced) = Schema::compile(&schema);
        prop_assert!(not_enforced.is_empty(), "{not_enforced:?}");
        let theirs = jsonschema::validator_for(&schema).unwrap();
        for value in values {
            prop_assert_eq!(ours.is_valid(&value), theirs.is_valid(&value), "{} against {}", value, schema);
            let report = ours.report(&value);
            prop_assert_eq!(report.is_none(), ours.is_valid(&value));
            if let Some(report) = report {
                prop_assert!((1..=5).contains(&report.problems.len()), "{} against {}: {:?}", value, schema, report);
                prop_assert!(report.problems.iter().all(|p| p.text.ends_with(['.', '?'])), "{}", report);
            }
        }
    }
}
