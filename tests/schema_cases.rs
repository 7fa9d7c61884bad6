//! Every keyword of the dialect on cases of our own, whose verdicts the `jsonschema` crate shares.

#![cfg(not(target_arch = "wasm32"))] // The peer is not built for browsers.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // A test, also outside of its test functions.

use std::collections::BTreeSet;

use handrail::arguments::{Schema, read};
use serde_json::{Value, json};

/// The dialect of AR-31, and what it leaves alone.
const KEYWORDS: &str = "type enum const properties required additionalProperties patternProperties propertyNames \
    minProperties maxProperties items prefixItems additionalItems contains minContains maxContains minItems maxItems \
    uniqueItems minLength maxLength pattern minimum maximum exclusiveMinimum exclusiveMaximum multipleOf allOf anyOf \
    oneOf not if then else dependentRequired dependentSchemas $defs definitions $ref $anchor format";

fn groups() -> Vec<Value> {
    read(include_str!("schema_cases.json")).unwrap().as_array().unwrap().clone()
}

fn schema(group: &Value) -> Value {
    let mut schema = group["schema"].clone();
    if let Some(draft) = group.get("draft") {
        schema["$schema"] = draft.clone();
    }
    schema
}

fn values<'a>(group: &'a Value, verdict: &str) -> &'a [Value] {
    group[verdict].as_array().unwrap()
}

#[test]
fn every_keyword_is_enforced() {
    let mut wrong = Vec::new();
    for group in groups() {
        let (schema, not_enforced) = Schema::compile(&schema(&group));
        assert!(not_enforced.is_empty(), "{not_enforced:?}");
        for (verdict, wanted) in [("valid", true), ("invalid", false)] {
            let differ = values(&group, verdict).iter().filter(|value| schema.is_valid(value) != wanted);
            wrong.extend(differ.map(|value| format!("{}: {value} is {verdict}", group["schema"])));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_peer_agrees() {
    for group in groups() {
        let peer = jsonschema::validator_for(&schema(&group)).unwrap();
        for (verdict, wanted) in [("valid", true), ("invalid", false)] {
            // Beyond the range of a double the peer rounds; there only the text decides.
            let exact =
                |value: &&Value| !value.to_string().contains("e400") && !value.to_string().contains("e-400");
            for value in values(&group, verdict).iter().filter(exact).filter(|value| !value.is_number()) {
                assert_eq!(peer.is_valid(value), wanted, "{} against {}", value, group["schema"]);
            }
        }
    }
}

#[test]
fn no_keyword_is_left_out() {
    let tried: BTreeSet<String> =
        groups().iter().map(|group| group["keyword"].as_str().unwrap().to_owned()).collect();
    let missing: Vec<&str> =
        KEYWORDS.split_whitespace().filter(|keyword| !tried.contains(*keyword)).collect();
    assert_eq!(json!(missing), json!([]));
}
