use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};

use crate::arguments::{Rules, Schema, ToolArguments, accept, decode, read, replay};
use crate::protocol::Wire;

/// The accepted object and where it was repaired, or `None`.
fn run(schema: &Value, value: &str) -> Option<(String, Vec<String>)> {
    let (schema, _) = Schema::compile(schema);
    let accepted = accept(&Wire::Text(value.to_owned()), &schema, &Rules::EXTERNAL, true).ok()?;
    Some((Value::Object(Map::clone(&accepted.arguments)).to_string(), accepted.repaired))
}

fn check(schema: &Value, cases: &[(&str, &str, &[&str])]) {
    for (value, wanted, places) in cases {
        let (accepted, repaired) = run(schema, value).unwrap_or_else(|| panic!("{value}"));
        assert_eq!(
            (accepted.as_str(), repaired),
            (*wanted, places.iter().map(|p| (*p).to_owned()).collect()),
            "{value}"
        );
    }
}

#[test]
fn repair_follows_the_schema_wherever_it_goes() {
    let schema = json!({
        "$defs": {
            "count": {"type": "integer"},
            "tree": {"type": "object", "properties": {"n": {"$ref": "#/$defs/count"}, "kids": {"type": "array", "items": {"$ref": "#/$defs/tree"}}}},
        },
        "type": "object",
        "properties": {
            "ref": {"$ref": "#/$defs/count"},
            "tree": {"$ref": "#/$defs/tree"},
            "all": {"allOf": [{"type": ["array", "integer"]}, {"items": {"type": "boolean"}}]},
            "any": {"anyOf": [{"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}, {"type": "array", "items": {"type": "number"}}]},
            "tag": {"oneOf": [
                {"type": "object", "properties": {"k": {"const": "a"}, "v": {"type": "integer"}}, "required": ["k", "v"]},
                {"type": "object", "properties": {"k": {"const": "b"}, "v": {"type": "boolean"}}, "required": ["k", "v"]},
            ]},
            "tuple": {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}], "items": {"type": "null"}},
            "map": {"type": "object", "patternProperties": {"^x": {"type": "integer"}}, "additionalProperties": {"type": "boolean"}},
            "when": {"type": "object", "properties": {"kind": {"type": "string"}}, "if": {"properties": {"kind": {"const": "n"}}}, "then": {"properties": {"v": {"type": "integer"}}}, "else": {"properties": {"v": {"type": "string"}}}},
            "text": {"type": ["string", "integer"]},
            "free": {},
            "const": {"const": 7},
        },
    });
    check(
        &schema,
        &[
            (r#"{"ref":"5"}"#, r#"{"ref":5}"#, &["/ref"]),
            (
                r#"{"tree":"{\"n\":\"1\",\"kids\":\"[{\\\"n\\\":2}]\"}"}"#,
                r#"{"tree":{"n":1,"kids":[{"n":2}]}}"#,
                &["/tree", "/tree/kids", "/tree/n"],
            ),
            (r#"{"all":"[\"true\"]"}"#, r#"{"all":[true]}"#, &["/all", "/all/0"]),
            (r#"{"any":{"n":"4"}}"#, r#"{"any":{"n":4}}"#, &["/any/n"]),
            (r#"{"any":"[\"1.50\",2]"}"#, r#"{"any":[1.50,2]}"#, &["/any", "/any/0"]),
            (r#"{"tag":{"k":"b","v":"true"}}"#, r#"{"tag":{"k":"b","v":true}}"#, &["/tag/v"]),
            (r#"{"tuple":["1","2","null"]}"#, r#"{"tuple":[1,"2",null]}"#, &["/tuple/0", "/tuple/2"]),
            (r#"{"map":{"x1":"2","y":"false"}}"#, r#"{"map":{"x1":2,"y":false}}"#, &["/map/x1", "/map/y"]),
            (r#"{"when":{"kind":"n","v":"3"}}"#, r#"{"when":{"kind":"n","v":3}}"#, &["/when/v"]),
            (
                r#"{"when":{"kind":"s","v":"3"},"const":"7"}"#,
                r#"{"when":{"kind":"s","v":"3"},"const":7}"#,
                &["/const"],
            ),
            (r#"{"text":"5","free":"[1]","ref":"5"}"#, r#"{"text":"5","free":"[1]","ref":5}"#, &["/ref"]),
            (r#"{"ref":"9007199254740993"}"#, r#"{"ref":9007199254740993}"#, &["/ref"]),
            (r#"{"ref":"5.0"}"#, r#"{"ref":5.0}"#, &["/ref"]),
            (r#"{"all":" [ ] "}"#, r#"{"all":[]}"#, &["/all"]),
            (r#"{"all":[],"free":"x",}"#, r#"{"all":[],"free":"x"}"#, &[""]),
        ],
    );
    for refused in [
        r#"{"ref":"5 "}"#,
        r#"{"ref":"\"5\""}"#,
        r#"{"ref":"[5]"}"#,
        r#"{"ref":"1e999x"}"#,
        r#"{"all":"\"[]\""}"#,
        r#"{"tag":{"k":"c","v":"1"}}"#,
        r#"{"ref":"5","tree":5}"#,
        r#"{"const":"8"}"#,
        r#"{"all":"[1,]"}"#,
    ] {
        assert_eq!(run(&schema, refused), None, "{refused}");
    }
}

#[test]
fn what_is_given_up_is_reported_as_it_came() {
    let (schema, _) =
        Schema::compile(&json!({"properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}}));
    let wire = Wire::Text(r#"{"a":"1","b":"x"}"#.into());
    let message = accept(&wire, &schema, &Rules::EXTERNAL, true).unwrap_err().message;
    assert!(message.starts_with("`a` must be an integer; received the string `1`. `b` must"), "{message}");
    assert!(accept(&Wire::Text(r#"{"a":"1"}"#.into()), &schema, &Rules::EXTERNAL, false).is_err());
}

#[test]
fn repair_does_not_deepen_beyond_the_bound() {
    let schema = json!({"$defs": {"l": {"type": "array", "items": {"$ref": "#/$defs/l"}}}, "properties": {"l": {"$ref": "#/$defs/l"}}});
    let nest = |n: usize| format!("{}{}", "[".repeat(n), "]".repeat(n));
    let inside = |outer: usize, inner: usize| {
        format!("{{\"l\":{}\"{}\"{}}}", "[".repeat(outer), nest(inner), "]".repeat(outer))
    };
    assert!(run(&schema, &inside(60, 67)).is_some());
    assert_eq!(run(&schema, &inside(60, 68)), None);
}

fn value() -> impl Strategy<Value = Value> {
    let texts = [
        "null",
        "true",
        "1",
        "-2.50",
        "1e400",
        "\"\"",
        "\"a\"",
        "\"1\"",
        "\"true\"",
        "\"[1]\"",
        "\"{\\\"a\\\":\\\"1\\\"}\"",
    ];
    let leaf = select(texts.to_vec()).prop_map(|text| read(text).unwrap());
    leaf.prop_recursive(3, 12, 3, |inner| {
        let member = (select(vec!["a", "b", "c"]), inner.clone());
        prop_oneof![
            prop::collection::vec(inner, 0..3).prop_map(Value::from),
            prop::collection::vec(member, 0..3).prop_map(object),
        ]
    })
}

fn object(members: Vec<(&str, Value)>) -> Value {
    Value::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

fn schema() -> impl Strategy<Value = Value> {
    let kind = select(vec!["null", "boolean", "integer", "number", "string", "array", "object"]);
    let leaf = prop_oneof![
        3 => kind.clone().prop_map(|kind| json!({"type": kind})),
        1 => prop::collection::vec(kind, 1..3).prop_map(|kinds| json!({"type": kinds})),
        1 => Just(json!({})),
        1 => Just(json!({"enum": [1, "a", null]})),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        let members = prop::collection::vec((select(vec!["a", "b", "c"]), inner.clone()), 0..3).prop_map(object);
        let list = prop::collection::vec(inner.clone(), 1..3);
        prop_oneof![
            3 => (members, any::<bool>()).prop_map(|(p, closed)| json!({"type": "object", "properties": p, "additionalProperties": !closed})),
            2 => inner.clone().prop_map(|items| json!({"type": "array", "items": items})),
            1 => list.clone().prop_map(|list| json!({"anyOf": list})),
            1 => list.clone().prop_map(|list| json!({"oneOf": list})),
            1 => list.prop_map(|list| json!({"allOf": list})),
            1 => inner.prop_map(|additional| json!({"type": "object", "additionalProperties": additional})),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, ..ProptestConfig::default() })]

    #[test]
    fn repair_is_sound(members in prop::collection::vec((select(vec!["a", "b", "c"]), value()), 0..4),
                       properties in prop::collection::vec((select(vec!["a", "b", "c"]), schema()), 0..4)) {
        let given = object(members);
        let schema = json!({"type": "object", "properties": object(properties)});
        let (compiled, _) = Schema::compile(&schema);
        let run = |wire: &Wire| accept(wire, &compiled, &Rules::EXTERNAL, true);
        let result = run(&Wire::Json(given.clone()));
        // Both wire forms are the same call (IV-33).
        prop_assert_eq!(&result.clone().map(|mut a| { a.original = None; a }),
            &run(&Wire::Text(given.to_string())).map(|mut a| { a.original = None; a }));
        let Ok(accepted) = result else { return Ok(()) };
        let repaired = Value::Object(Map::clone(&accepted.arguments));
        prop_assert!(compiled.is_valid(&repaired));
        prop_assert!(accepted.repaired.is_sorted());
        // What validates is passed on unchanged, and twice is once (IV-35).
        prop_assert_eq!(compiled.is_valid(&given), accepted.repaired.is_empty());
        if accepted.repaired.is_empty() { prop_assert_eq!(&repaired, &given); }
        let again = run(&Wire::Json(repaired.clone())).unwrap();
        prop_assert_eq!((Value::Object(Map::clone(&again.arguments)), again.repaired.len()), (repaired.clone(), 0));
        // A repaired place held a string that spells what is there now.
        for place in &accepted.repaired {
            let now = repaired.pointer(place).unwrap();
            if let Some(before) = given.pointer(place) { prop_assert!(before.is_string() && !now.is_string()); }
        }
    }

    #[test]
    fn nothing_panics(text in r#"[\{\}\[\]",:1a \n\\`<>/u0]{0,30}"#, schema in schema()) {
        let (compiled, _) = Schema::compile(&schema);
        for rules in [Rules::EXTERNAL, Rules::BUILTIN] {
            let _ = accept(&Wire::Text(text.clone()), &compiled, &rules, true);
        }
        let decoded = decode(&Wire::Text(text));
        // Decoding what is replayed gives what was replayed.
        let shown = Value::Object(replay(decoded.clone()));
        prop_assert_eq!(decode(&Wire::Text(shown.to_string())), decode(&Wire::Json(shown.clone())));
        if let ToolArguments::Object(members) = decoded { prop_assert_eq!(Value::Object(members), shown); }
    }

    #[test]
    fn any_schema_compiles(schema in value(), given in value()) {
        let (compiled, _) = Schema::compile(&schema);
        let _ = compiled.report(&given);
    }
}
