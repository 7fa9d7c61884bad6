use serde_json::{Value, json};

use crate::arguments::{Schema, read};

fn report(schema: &Value, value: &str) -> String {
    let (schema, not_enforced) = Schema::compile(schema);
    assert!(not_enforced.is_empty(), "{not_enforced:?}");
    schema.report(&read(value).unwrap()).map(|report| report.to_string()).unwrap_or_default()
}

fn check(schema: &Value, cases: &[(&str, &str)]) {
    for (value, wanted) in cases {
        assert_eq!(report(schema, value), *wanted, "{value}");
    }
}

#[test]
fn members_are_named_with_what_would_be_right() {
    let schema = json!({
        "type": "object",
        "properties": {
            "pattern": {"type": "string", "description": "the text to look for"},
            "mode": {"enum": ["replace", "append"], "description": "How to write. Say it."},
            "limit": {"type": "integer", "minimum": 1, "maximum": 50},
            "tags": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 3, "uniqueItems": true},
            "code": {"type": "string", "maxLength": 3, "pattern": "^[a-z]+$"},
            "share": {"type": "number", "exclusiveMinimum": 0, "multipleOf": 0.5},
            "no": false,
        },
        "required": ["pattern"],
        "additionalProperties": false,
    });
    check(
        &schema,
        &[
            (r#"{"pattern":"x","limit":50,"tags":["a"],"mode":"append","share":1.5}"#, ""),
            ("{}", "`pattern` is required: the text to look for."),
            (
                r#"{"patern":"x"}"#,
                "`pattern` is required: the text to look for. Unknown parameter `patern`; accepted: pattern, mode, limit, \
             tags, code, share, no. Did you mean `pattern`?",
            ),
            (
                r#"{"text":"x"}"#,
                "`pattern` is required: the text to look for. Unknown parameter `text`; accepted: pattern, mode, limit, \
             tags, code, share, no. Did you mean `pattern`?",
            ),
            (
                r#"{"input":{"pattern":"x"}}"#,
                "`pattern` is required: the text to look for. Unknown parameter `input`: send its members directly, \
             without it around them.",
            ),
            (r#"{"pattern":5}"#, "`pattern` must be a string; received the number 5."),
            (r#"{"pattern":null}"#, "`pattern` must be a string; received null."),
            (
                r#"{"pattern":"x","mode":"overwrite"}"#,
                "`mode` must be one of replace, append; received `overwrite`.",
            ),
            (
                r#"{"pattern":"x","mode":"Replace"}"#,
                "`mode` must be one of replace, append; received `Replace`. Did you mean `replace`?",
            ),
            (r#"{"pattern":"x","mode":1}"#, "`mode` must be one of replace, append; received the number 1."),
            (r#"{"pattern":"x","limit":100}"#, "`limit` must be from 1 to 50; received 100."),
            (r#"{"pattern":"x","limit":"many"}"#, "`limit` must be an integer; received the string `many`."),
            (r#"{"pattern":"x","limit":""}"#, "`limit` must be an integer; received an empty string."),
            (r#"{"pattern":"x","limit":1.5}"#, "`limit` must be an integer; received the number 1.5."),
            (
                r#"{"pattern":"x","limit":null}"#,
                "`limit` must be an integer; received null. Leave it out if there is none.",
            ),
            (r#"{"pattern":"x","tags":[]}"#, "`tags` must have 1 to 3 items; received 0."),
            (
                r#"{"pattern":"x","tags":["a","b","a"]}"#,
                "`tags` must not hold the same item twice; items 0 and 2 are equal.",
            ),
            (r#"{"pattern":"x","tags":["a",{}]}"#, "`tags[1]` must be a string; received an object."),
            (
                r#"{"pattern":"x","code":"ABCD"}"#,
                "`code` must have at most 3 characters; received 4. `code` must match the pattern `^[a-z]+$`; received \
             `ABCD`.",
            ),
            (
                r#"{"pattern":"x","share":-0.2}"#,
                "`share` must be greater than 0; received -0.2. `share` must be a multiple of 0.5; received -0.2.",
            ),
            (r#"{"pattern":"x","no":1}"#, "`no` must not be given: leave it out."),
        ],
    );
}

#[test]
fn places_inside_are_written_as_a_path() {
    let schema = json!({
        "$defs": {"message": {
            "description": "One message",
            "properties": {"index": {"type": "integer"}, "start_line": {"type": "integer", "minimum": 1}},
            "required": ["index"],
            "additionalProperties": false,
        }},
        "properties": {"messages": {"items": {"$ref": "#/$defs/message"}}, "main": {"$ref": "#/$defs/message"}},
        "required": ["main"],
        "propertyNames": {"pattern": "^[a-z]+$"},
        "dependentRequired": {"messages": ["count"]},
    });
    check(
        &schema,
        &[
            (
                r#"{"main":{"index":1},"count":0,"messages":[{"index":1},{"start_line":0},{"index":1,"startline":2}]}"#,
                "`messages[1].index` is required (an integer). `messages[1].start_line` must be at least 1; received 0. \
             Unknown parameter `messages[2].startline`; accepted: index, start_line. Did you mean `start_line`?",
            ),
            (r#"{"count":1}"#, "`main` is required: One message."),
            (r#"{"messages":[],"main":{"index":0}}"#, "`count` is required when `messages` is given."),
            (r#"{"A.b":1,"main":{"index":0}}"#, r#"The name of `["A.b"]` must match `^[a-z]+$`."#),
        ],
    );
}

#[test]
fn problems_come_in_document_order_and_are_counted() {
    let schema = json!({
        "allOf": [{"properties": {"z": {"type": "integer"}}}, {"properties": {"a": {"type": "integer"}}}],
        "properties": {"m": {"items": {"type": "integer"}}},
    });
    check(
        &schema,
        &[
            (
                r#"{"a":"x","m":["p"],"z":"y"}"#,
                "`a` must be an integer; received the string `x`. `m[0]` must be an integer; received the string `p`. \
             `z` must be an integer; received the string `y`.",
            ),
            (
                r#"{"m":["a","b","c","d","e","f","g"],"a":"x","z":"y"}"#,
                "`m[0]` must be an integer; received the string `a`. `m[1]` must be an integer; received the string `b`. \
             `m[2]` must be an integer; received the string `c`. `m[3]` must be an integer; received the string `d`. \
             `m[4]` must be an integer; received the string `e`. There are 4 more problems.",
            ),
        ],
    );
    let closed = json!({"properties": {"x": {}}, "additionalProperties": false});
    check(
        &closed,
        &[(
            r#"{"a":1,"bcd":1,"c":1,"d":1,"e":1,"f":1}"#,
            "Unknown parameter `a`; accepted: x. Did you mean `x`? Unknown parameter `bcd`. Unknown parameter `c`. Did \
         you mean `x`? Unknown parameter `d`. Did you mean `x`? Unknown parameter `e`. Did you mean `x`? There is 1 \
         more problem.",
        )],
    );
    let none = json!({"type": "object", "additionalProperties": false});
    check(&none, &[(r#"{"a":1}"#, "Unknown parameter `a`; none is accepted here: leave it out.")]);
}

#[test]
fn of_a_union_the_branch_that_was_meant_speaks() {
    let schema = json!({"properties": {
        "maybe": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        "word": {"anyOf": [{"const": "left"}, {"const": "right"}]},
        "shape": {"oneOf": [
            {"type": "object", "properties": {"kind": {"const": "circle"}, "r": {"type": "number"}}, "required": ["kind", "r"]},
            {"$ref": "#/$defs/square"},
        ]},
        "near": {"anyOf": [{"type": "object", "required": ["a", "b"]}, {"type": "object", "required": ["a"], "maxProperties": 1}, {"type": "string"}]},
        "two": {"oneOf": [{"type": "integer", "title": "whole"}, {"type": "number", "title": "any"}]},
        "not": {"not": {"const": 1}},
    }, "$defs": {"square": {
        "type": "object", "properties": {"kind": {"enum": ["square", "box"]}, "side": {"type": "number"}}, "required": ["kind", "side"],
    }}});
    check(
        &schema,
        &[
            (r#"{"maybe":"x"}"#, "`maybe` must be an integer or null; received the string `x`."),
            (r#"{"word":"up"}"#, "`word` must be one of left, right; received `up`."),
            (r#"{"word":3}"#, "`word` must be one of left, right; received the number 3."),
            (r#"{"shape":{"kind":"circle"}}"#, "`shape.r` is required (a number)."),
            (r#"{"shape":{"kind":"box","r":1}}"#, "`shape.side` is required (a number)."),
            (
                r#"{"shape":{"r":1,"kind":"triangle"}}"#,
                "`shape.kind` must be one of circle, square, box; received `triangle`.",
            ),
            (r#"{"shape":{"r":1}}"#, "`shape.kind` is required (one of circle, square, box)."),
            (r#"{"shape":"circle"}"#, "`shape` must be an object; received the string `circle`."),
            (r#"{"near":{"b":1}}"#, "`near.a` is required."),
            (r#"{"near":[1]}"#, "`near` must be a string or an object; received an array."),
            (
                r#"{"two":1}"#,
                "`two` fits more than one of its allowed forms (whole / any): send what fits exactly one.",
            ),
            (r#"{"not":1}"#, "`not` has a value that is not allowed; received the number 1."),
        ],
    );
}

#[test]
fn texts_stay_short() {
    let names: Vec<String> = (0..10_000).map(|n| format!("name_{n}")).collect();
    let properties: Value = names.iter().map(|name| (name.clone(), json!({"type": "integer"}))).collect();
    let schema = json!({"properties": properties, "additionalProperties": {"enum": names}});
    let long = "x".repeat(100_000);
    for value in
        [json!({long.clone(): 1}), json!({"name_1": long}), json!({"b": long}), json!({long.clone(): long})]
    {
        let text = report(&schema, &value.to_string());
        assert!(!text.is_empty() && text.len() < 1_000, "{}: {text}", text.len());
    }
    let closed = json!({"properties": {"a": {}}, "additionalProperties": false});
    let many: Value = (0..10_000).map(|n| (format!("unknown_{n}"), json!(1))).collect();
    let text = report(&closed, &many.to_string());
    assert!(text.ends_with("There are 9995 more problems.") && text.len() < 400, "{text}");
}
