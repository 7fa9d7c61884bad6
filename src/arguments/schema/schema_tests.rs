use std::fmt::Write as _;

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use super::*;
use crate::arguments::read;

fn not_enforced(schema: &Value) -> Vec<(String, String)> {
    Schema::compile(schema).1.into_iter().map(|fault| (fault.location, fault.reason)).collect()
}

#[test]
fn what_is_not_enforced_is_said_once_with_its_place() {
    let remote = "it leads out of the schema, and nothing is fetched";
    let cases = [
        (
            json!({"properties": {"a/b": {"$ref": "https://example.com/x.json"}}}),
            "/properties/a~1b/$ref",
            remote,
        ),
        (json!({"$ref": "#/$defs/none"}), "/$ref", "it leads to no schema"),
        (json!({"$ref": "#nowhere"}), "/$ref", "it leads to no schema"),
        (
            json!({"items": {"pattern": "(?=x)"}}),
            "/items/pattern",
            "the pattern looks around or sets flags, which is not supported",
        ),
        (
            json!({"anyOf": [true, {"type": "strnig"}]}),
            "/anyOf/1/type",
            "it must name the types of JSON Schema",
        ),
        (json!({"minimum": "5"}), "/minimum", "it must be a number"),
        (json!({"minLength": -1}), "/minLength", "it must be an integer that is not negative"),
        (json!({"minLength": 1.5}), "/minLength", "it must be an integer that is not negative"),
        (
            json!({"multipleOf": 0}),
            "/multipleOf",
            "it must be above 0 and have at most 18 significant digits",
        ),
        (json!({"enum": "a"}), "/enum", "it must be a list of values"),
        (json!({"required": true}), "/required", "it must be a list of names"),
        (json!({"uniqueItems": 1}), "/uniqueItems", "it must be true or false"),
        (json!({"properties": []}), "/properties", "it must be an object of schemas"),
        (json!({"properties": {"a": 1}}), "/properties", "a schema must be an object, true or false"),
        (json!({"allOf": []}), "/allOf", "it must be a list of schemas"),
        (json!({"exclusiveMinimum": true, "minimum": 1}), "/exclusiveMinimum", "it must be a number"),
        (json!({"unevaluatedProperties": false}), "/unevaluatedProperties", "the keyword is not supported"),
        (json!({"$dynamicRef": "#x"}), "/$dynamicRef", "the keyword is not supported"),
    ];
    for (schema, location, reason) in cases {
        assert_eq!(not_enforced(&schema), [(location.to_owned(), reason.to_owned())], "{schema}");
    }
    for fine in [json!({"format": "email", "x-mine": 1, "default": 3, "$comment": 1}), json!(true), json!({})]
    {
        assert_eq!(not_enforced(&fine), [], "{fine}");
    }
    for none in [json!(null), json!(1), json!("x"), json!([])] {
        let (schema, faults) = Schema::compile(&none);
        assert!(schema.is_valid(&json!({})) && faults.is_empty());
    }
    let (_, faults) = Schema::compile(&json!({"pattern": "("}));
    let diagnostic = faults.first().unwrap().diagnostic("mcp/x:y");
    assert_eq!(diagnostic.code, Code::ToolSchemaNotEnforced);
    assert!(diagnostic.message.starts_with("`pattern` of the input schema is not enforced at /pattern: "));
}

#[test]
fn what_is_not_enforced_refuses_nothing() {
    let remote = json!({"$ref": "https://example.com/x.json"});
    let bad = json!({"pattern": "(?=x)"});
    for schema in [
        remote.clone(),
        json!({"not": remote}),
        json!({"not": {"not": {"not": bad}}}),
        json!({"oneOf": [remote, true]}),
        json!({"if": bad, "then": false, "else": false}),
        json!({"not": {"properties": {"a": bad}, "required": ["a"]}}),
        json!({"contains": bad, "maxContains": 0}),
        json!({"patternProperties": {"(?=x)": true}, "additionalProperties": false}),
        json!({"$defs": {"a": {"not": {"$ref": "#/$defs/a"}}}, "$ref": "#/$defs/a"}),
    ] {
        let (compiled, faults) = Schema::compile(&schema);
        assert!(!faults.is_empty(), "{schema}");
        for value in [json!("x"), json!({"a": "x"}), json!(["x"]), json!(1)] {
            assert!(compiled.is_valid(&value), "{value} against {schema}: {faults:?}");
        }
    }
}

#[test]
fn loops_end() {
    for schema in [
        json!({"$ref": "#"}),
        json!({"allOf": [{"$ref": "#"}]}),
        json!({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"anyOf": [{"$ref": "#/$defs/a"}, false]}}, "$ref": "#/$defs/a"}),
        json!({"if": true, "then": {"$ref": "#"}}),
        json!({"dependentSchemas": {"a": {"$ref": "#"}}}),
    ] {
        let (compiled, faults) = Schema::compile(&schema);
        assert_eq!(faults.len(), 1, "{schema}: {faults:?}");
        assert!(compiled.is_valid(&json!({"a": 1})) && compiled.is_valid(&json!(5)), "{schema}");
    }
    // Going round while the value gets smaller is no loop.
    let (tree, faults) =
        Schema::compile(&json!({"properties": {"kid": {"$ref": "#"}}, "additionalProperties": false}));
    assert_eq!(faults, []);
    assert!(tree.is_valid(&json!({"kid": {"kid": {}}})) && !tree.is_valid(&json!({"kid": {"x": 1}})));
}

#[test]
fn blow_ups_are_bounded() {
    // Each definition applies the next one twice: 2^n subschemas for one value.
    let doubling = |n: usize, keyword: &str| {
        let mut text = String::from("{\"$defs\":{");
        for i in 0..n {
            let next = format!("{{\"$ref\":\"#/$defs/d{}\"}}", i + 1);
            let _ = write!(text, "\"d{i}\":{{\"{keyword}\":[{next},{next}]}},");
        }
        let _ = write!(text, "\"d{n}\":{{\"type\":\"integer\"}}}},\"$ref\":\"#/$defs/d0\"}}");
        read(&text).unwrap()
    };
    for keyword in ["allOf", "anyOf", "oneOf"] {
        let (compiled, faults) = Schema::compile(&doubling(25, keyword));
        assert!(!faults.is_empty());
        let _ = compiled.report(&json!("x"));
    }
    // A chain that would only be deep.
    let mut chain = String::from("{\"$defs\":{");
    for i in 0..5_000 {
        let _ = write!(chain, "\"d{i}\":{{\"$ref\":\"#/$defs/d{}\"}},", i + 1);
    }
    chain.push_str("\"d5000\":{\"type\":\"integer\"}},\"$ref\":\"#/$defs/d0\"}");
    let (compiled, faults) = Schema::compile(&read(&chain).unwrap());
    assert!(!faults.is_empty() && compiled.is_valid(&json!(1)));
    // Levels of the value and of references together are bounded as well, before the stack ends.
    let mut links = String::from("{\"$defs\":{");
    for i in 0..60 {
        let _ = write!(links, "\"d{i}\":{{\"$ref\":\"#/$defs/d{}\"}},", i + 1);
    }
    links.push_str("\"d60\":{\"items\":{\"$ref\":\"#/$defs/d0\"}}},\"$ref\":\"#/$defs/d0\"}");
    let (compiled, faults) = Schema::compile(&read(&links).unwrap());
    assert_eq!(faults, []);
    let nest = |n: usize| read(&format!("{}{}", "[".repeat(n), "]".repeat(n))).unwrap();
    assert!(compiled.is_valid(&nest(16)) && !compiled.is_valid(&nest(17)));
    assert!(compiled.report(&nest(128)).unwrap().to_string().contains("too deeply nested"));
    // Twice as much with each level of the value: only the work tells.
    let twice = json!({"$defs": {"a": {"allOf": [{"items": {"$ref": "#/$defs/a"}}, {"items": {"$ref": "#/$defs/a"}}]}}, "$ref": "#/$defs/a"});
    let (compiled, faults) = Schema::compile(&twice);
    assert_eq!(faults, []);
    let deep = read(&format!("{}{}", "[".repeat(100), "]".repeat(100))).unwrap();
    let report = compiled.report(&deep).unwrap();
    assert!(report.to_string().contains("too large or too deeply nested to be checked"), "{report}");
}

#[test]
fn addresses_tell_parts_apart() {
    let schema = json!({
        "$id": "https://example.com/root.json",
        "$defs": {
            "item": {"$id": "item.json", "$defs": {"n": {"type": "integer"}}, "items": {"$ref": "#/$defs/n"}},
            "n": {"type": "string"},
        },
        "properties": {"list": {"$ref": "https://example.com/item.json"}, "one": {"$ref": "item.json#/$defs/n"}, "text": {"$ref": "#/$defs/n"}},
    });
    let (compiled, faults) = Schema::compile(&schema);
    assert_eq!(faults, []);
    assert!(compiled.is_valid(&json!({"list": [1], "one": 1, "text": "x"})));
    for wrong in [json!({"list": ["x"]}), json!({"one": "x"}), json!({"text": 1})] {
        assert!(!compiled.is_valid(&wrong), "{wrong}");
    }
}

#[test]
fn large_schemas_compile_quickly() {
    let name = "n".repeat(100_000);
    let mut inner = json!({});
    for i in 0..2_000 {
        inner[format!("p{i}")] = json!({"type": "integer", "pattern": "("});
    }
    let (compiled, faults) = Schema::compile(&json!({"properties": {name.clone(): {"properties": inner}}}));
    assert_eq!(faults.len(), 2_000);
    assert!(compiled.is_valid(&json!({name: {"p1": 1}})));
}

#[test]
fn a_tool_takes_an_object() {
    for (schema, wanted) in [
        (json!({"type": "object"}), true),
        (json!({"type": ["object"]}), false),
        (json!({"type": "string"}), false),
        (json!({}), false),
        (json!(true), false),
    ] {
        assert_eq!(Schema::compile(&schema).0.is_object(), wanted, "{schema}");
    }
}

proptest! {
    #[test]
    fn random_documents_compile(keywords in prop::collection::vec((select(vec![
        "$ref", "$id", "$anchor", "type", "properties", "items", "allOf", "anyOf", "not", "if", "then", "pattern", "enum", "minimum",
        "required", "additionalProperties", "prefixItems", "contains", "dependentSchemas", "$defs", "multipleOf", "maxLength",
    ]), select(vec![
        "\"#\"", "\"#/$defs/a\"", "\"x\"", "\"http://a/b#c\"", "[]", "[{\"$ref\":\"#\"}]", "{\"a\":{\"$ref\":\"#/allOf/0\"}}", "true", "1e400",
        "-1", "[\"a\",1]", "{\"a\":{\"type\":\"integer\"}}", "{\"$ref\":\"#/properties/a\"}", "null",
    ])), 0..8)) {
        let members = keywords.iter().map(|(keyword, value)| ((*keyword).to_owned(), read(value).unwrap()));
        let (compiled, _) = Schema::compile(&Value::Object(members.collect()));
        for value in [json!({}), json!({"a": 1}), json!([1, "a"]), json!("x"), json!(1)] {
            let _ = compiled.report(&value);
        }
    }
}
