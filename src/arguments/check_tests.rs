use serde_json::{Map, Value, json};

use super::*;
use crate::arguments::{Claim, Report, read};
use crate::protocol::Code;

struct Call {
    schema: Schema,
    rules: Rules,
    wire: Wire,
}

impl Target for Call {
    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn arguments(&self) -> &Wire {
        &self.wire
    }
}

fn call(schema: &Value, rules: Rules, wire: Wire) -> Call {
    Call { schema: Schema::compile(schema).0, rules, wire }
}

fn text(text: &str) -> Wire {
    Wire::Text(text.to_owned())
}

/// What the tool gets, or what the model is told.
fn builtin(schema: &Value, claims: &'static [Claim], wire: &str) -> Result<String, String> {
    let accepted = accept(&text(wire), &Schema::compile(schema).0, &Rules::builtin(claims), true);
    accepted
        .map(|accepted| Value::Object(Map::clone(&accepted.arguments)).to_string())
        .map_err(|refusal| refusal.message)
}

#[test]
fn a_call_walks_through() {
    let schema = json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]});
    let checked = check(call(&schema, Rules::EXTERNAL, text(r#"{"n":5}"#)), true).map_err(|_| ()).unwrap();
    assert_eq!((checked.repaired(), checked.original()), (&[][..], None));
    assert_eq!(&**checked.arguments(), checked.replay());

    let checked = check(call(&schema, Rules::EXTERNAL, text(r#"{"n":"5",}"#)), true).map_err(|_| ()).unwrap();
    assert_eq!(checked.repaired(), ["", "/n"]);
    assert_eq!(checked.original(), Some(&ToolArguments::Invalid(r#"{"n":"5",}"#.into())));
    assert_eq!(checked.found().wire, text(r#"{"n":"5",}"#));
    let (_, accepted) = checked.into_parts();
    assert_eq!(Value::Object(Map::clone(&accepted.arguments)), json!({"n": 5}));

    let wire = Wire::Json(json!({"n": "5"}));
    let checked = check(call(&schema, Rules::EXTERNAL, wire.clone()), true).map_err(|_| ()).unwrap();
    assert_eq!(checked.original(), Some(&decode(&wire)));
    let refused = check(call(&schema, Rules::EXTERNAL, wire.clone()), false).map(|_| ()).unwrap_err();
    assert_eq!(refused.arguments, decode(&wire));
    assert_eq!(refused.refusal.code, Code::ToolInvalidArguments);
    let wanted =
        "`n` must be an integer; received the string `5`. Correct the arguments and send the call again.";
    assert_eq!(refused.refusal.message, wanted);
}

#[test]
fn no_arguments_are_an_empty_object() {
    let open = Schema::compile(&json!({"type": "object"})).0;
    let needy = Schema::compile(&json!({"type": "object", "required": ["a"]})).0;
    for wire in
        [Wire::Absent, Wire::Json(Value::Null), text(""), text(" \n"), text("null"), text("{}"), text("\"\"")]
    {
        assert!(accept(&wire, &open, &Rules::EXTERNAL, true).unwrap().arguments.is_empty());
        let refusal = accept(&wire, &needy, &Rules::EXTERNAL, true).unwrap_err();
        assert!(refusal.message.starts_with("`a` is required."), "{}", refusal.message);
    }
}

#[test]
fn unreadable_texts_are_named() {
    let schema = Schema::compile(&json!({"type": "object", "properties": {"a": {"type": "integer"}}})).0;
    let cases = [
        ("{\"a\":", "The text is cut off: send the whole call again."),
        ("{\"a\":1}{\"a\":2}", "There are two JSON values in a row: send exactly one."),
        ("{'a':1}", "It has single quotes: put names and strings in double quotes."),
        ("{a:1}", "It has a name without quotes: put every name in double quotes."),
        ("{\"a\":NaN}", "`NaN` is not JSON: use null, true, false, a number or a string."),
        ("None", "`None` is not JSON: use null, true, false, a number or a string."),
        ("[1]", "Expected an object, got an array."),
        ("[{\"a\":1}]", "Expected an object, got an array: send the object without brackets around it."),
        ("3", "Expected an object, got a number."),
        ("true", "Expected an object, got a boolean."),
        ("\"x\"", "Expected an object, got a string."),
        ("\"{\\\"a\\\":1}\"", "It is encoded twice: send the object itself, not a string that holds it."),
        ("{\"a\":\"\\ud800\"}", "A \\u escape is half of a surrogate pair: write the character itself."),
        ("\u{feff}{}", "It has a byte order mark: leave it out."),
        ("oops", "It is text, not JSON."),
        ("Here: {\"a\":1}", "Text stands before the object: send the object alone."),
        (
            "{\"a\":\"x\",}",
            "A comma stands before a closing bracket: leave it out. Also: `a` must be an integer; received the string \
             `x`.",
        ),
    ];
    for (wire, fault) in cases {
        let refusal = accept(&text(wire), &schema, &Rules::EXTERNAL, true).unwrap_err();
        let rule = "Arguments of this tool must be one JSON object; send {} if there are none.";
        assert_eq!(refusal.message, format!("{rule} {fault} Received: `{wire}`"));
        assert_eq!(refusal.code, Code::ToolInvalidArguments);
    }
    let deep = format!("{{\"a\":{}}}", "[".repeat(200));
    let refusal = accept(&text(&deep), &schema, &Rules::EXTERNAL, true).unwrap_err();
    assert!(refusal.message.contains("nested deeper than 128 levels"), "{}", refusal.message);
}

#[test]
fn builtin_arguments_are_tidied() {
    let schema = json!({
        "type": "object",
        "properties": {
            "path": {"type": "string", "description": "The file."},
            "content": {"type": "string"},
            "depth": {"type": "integer", "minimum": 0},
            "note": {"type": "string"},
            "either": {"type": ["string", "null"]},
            "edits": {"type": "array", "items": {
                "type": "object",
                "properties": {"old_text": {"type": "string"}, "name": {"type": "string"}, "line": {"type": "integer"}},
                "required": ["old_text", "name"],
                "additionalProperties": false,
            }},
        },
        "required": ["path", "content"],
        "additionalProperties": false,
    });
    let accepted = |wire: &str| builtin(&schema, &[], wire);
    assert_eq!(accepted(r#"{"path":" a ","content":" b "}"#).unwrap(), r#"{"path":"a","content":" b "}"#);
    assert_eq!(accepted(r#"{"path":"a","content":""}"#).unwrap(), r#"{"path":"a","content":""}"#);
    assert_eq!(
        accepted(r#"{"path":"a","depth":null,"either":null,"note":" ","content":"c"}"#).unwrap(),
        r#"{"path":"a","either":null,"note":" ","content":"c"}"#
    );
    assert_eq!(
        accepted(r#"{"path":"a","content":"","edits":[{"old_text":" ","name":" n ","line":null}]}"#).unwrap(),
        r#"{"path":"a","content":"","edits":[{"old_text":" ","name":"n"}]}"#
    );
    let refused = [
        (r#"{"path":"  ","content":""}"#, "`path` must not be blank: The file."),
        (r#"{"path":"a","content":null}"#, "`content` must be a string; received null."),
        (r#"{"path":"a","content":"","depth":1.0}"#, "`depth` must be an integer; received the number 1.0."),
        (r#"{"path":"a","content":"","depth":1e2}"#, "`depth` must be an integer; received the number 1e2."),
        (
            r#"{"path":"a","content":"","depth":"1.0"}"#,
            "`depth` must be an integer; received the string `1.0`.",
        ),
        (r#"{"path":"a","content":"","depth":-1}"#, "`depth` must be at least 0; received -1."),
        (
            r#"{"path":"a","content":"","edits":[{"old_text":"","name":""}]}"#,
            "`edits[0].name` must not be blank.",
        ),
    ];
    for (wire, wanted) in refused {
        let message = accepted(wire).unwrap_err();
        assert_eq!(message, format!("{wanted} Correct the arguments and send the call again."), "{wire}");
    }
    assert_eq!(
        accepted(r#"{"path":"a","content":"","depth":"1"}"#).unwrap(),
        r#"{"path":"a","content":"","depth":1}"#
    );
}

#[test]
fn history_keeps_what_was_tidied() {
    let schema = json!({"type": "object", "properties": {"p": {"type": "string"}, "n": {"type": "integer"}}, "required": ["p"]});
    let compiled = Schema::compile(&schema).0;
    let accepted = accept(&text(r#"{"p":" x ","n":null}"#), &compiled, &Rules::BUILTIN, true).unwrap();
    assert_eq!(Value::Object(Map::clone(&accepted.arguments)).to_string(), r#"{"p":"x"}"#);
    assert_eq!(Value::Object(accepted.replay().clone()).to_string(), r#"{"p":" x ","n":null}"#);
    assert_eq!((accepted.repaired.len(), &accepted.original), (0, &None));
    let accepted = accept(&text(r#"{"p":" x ","n":"3"}"#), &compiled, &Rules::BUILTIN, true).unwrap();
    assert_eq!(Value::Object(accepted.replay().clone()).to_string(), r#"{"p":" x ","n":3}"#);
    assert_eq!(accepted.repaired, ["/n"]);
    // An external tool gets what came.
    let accepted = accept(&text(r#"{"p":" x "}"#), &compiled, &Rules::EXTERNAL, true).unwrap();
    assert_eq!(Value::Object(Map::clone(&accepted.arguments)).to_string(), r#"{"p":" x "}"#);
}

#[test]
fn a_tool_speaks_of_what_it_claims() {
    const CLAIMS: &[Claim] = &[
        Claim { member: "depth", keyword: "maximum" },
        Claim { member: "limit", keyword: "minimum" },
        Claim { member: "mode", keyword: "enum" },
        Claim { member: "path", keyword: "type" },
        Claim { member: "query", keyword: "minLength" },
        Claim { member: "edits[].old_text", keyword: "minLength" },
    ];
    let schema = json!({
        "type": "object",
        "properties": {
            "depth": {"type": "integer", "minimum": 0, "maximum": 4},
            "limit": {"type": "integer", "minimum": 1},
            "mode": {"enum": ["replace", "append"]},
            "path": {"type": "string"},
            "query": {"type": "string"},
            "edits": {"items": {"properties": {"old_text": {"minLength": 1}, "new_text": {"minLength": 1}}}},
        },
        "required": ["query"],
        "additionalProperties": false,
    });
    for passes in [
        r#"{"query":"x","depth":9}"#,
        r#"{"query":"x","limit":0}"#,
        r#"{"query":"x","mode":"other"}"#,
        r#"{"query":"x","path":5}"#,
        r#"{"query":""}"#,
        r#"{"query":"x","edits":[{"old_text":""}]}"#,
    ] {
        assert_eq!(builtin(&schema, CLAIMS, passes).unwrap(), passes);
    }
    for refused in [
        r#"{"query":"x","depth":-1}"#,
        r#"{"query":"x","depth":"x"}"#,
        r#"{"query":"x","limit":-1}"#,
        r#"{"query":5}"#,
        r#"{}"#,
        r#"{"query":"x","edits":[{"new_text":""}]}"#,
        r#"{"query":"x","deep":1}"#,
    ] {
        builtin(&schema, CLAIMS, refused).unwrap_err();
    }
}

#[test]
fn hostile_arguments_end_quickly() {
    let schema = Schema::compile(&json!({
        "$defs": {"node": {"properties": {"next": {"$ref": "#/$defs/node"}, "text": {"pattern": "^(a+)+$"}}}},
        "type": "object",
        "properties": {
            "node": {"$ref": "#/$defs/node"},
            "list": {"type": "array", "uniqueItems": true, "items": {"anyOf": [{"type": "integer"}, {"type": "boolean"}]}},
        },
    }))
    .0;
    let run = |wire: &str| accept(&text(wire), &schema, &Rules::EXTERNAL, true);
    let deep = format!("{}{{}}{}", "{\"node\":{\"next\":".repeat(60), "}}".repeat(60));
    run(&deep).unwrap();
    run(&"{\"node\":".repeat(20_000)).unwrap_err();
    run(&format!("{{\"node\":{{\"text\":\"{}!\"}}}}", "a".repeat(100_000))).unwrap_err();
    let list: Vec<String> = (0..10_000).map(|n| format!("\"{n}\"")).collect();
    let accepted = run(&format!("{{\"list\":[{}]}}", list.join(","))).unwrap();
    assert_eq!(accepted.repaired.len(), 10_000);
    let members: Vec<String> = (0..10_000).map(|n| format!("\"m{n}\":{n}")).collect();
    run(&format!("{{{}}}", members.join(","))).unwrap();
    run(&format!("{{\"x\":\"{}\"}}", "x".repeat(20_000_000))).unwrap();
}

/// Inputs that broke other runtimes: what the tool gets, or what the model has to be told.
#[test]
fn what_broke_elsewhere_works_here() {
    let typed = |kind: &str| json!({"type": "object", "properties": {"a": {"type": kind}}});
    let number = json!({"type": "object", "properties": {"a": {"type": "number"}}, "required": ["a"]});
    let path = json!({"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]});
    let none = json!({"type": "object", "properties": {}});
    let cases = [
        (typed("object"), r#"{"a":"{\"key\":\"value\"}"}"#, Ok(r#"{"a":{"key":"value"}}"#)),
        (typed("number"), r#"{"a":"890"}"#, Ok(r#"{"a":890}"#)),
        (typed("number"), r#"{"a":"0.9"}"#, Ok(r#"{"a":0.9}"#)),
        (typed("array"), r#"{"a":"[1,\"x\"]"}"#, Ok(r#"{"a":[1,"x"]}"#)),
        (typed("string"), r#"{"a":"{\"data\":{}}"}"#, Ok(r#"{"a":"{\"data\":{}}"}"#)),
        (json!({"properties": {"a": {}}}), r#"{"a":"[\"u1\"]"}"#, Ok(r#"{"a":"[\"u1\"]"}"#)),
        (none.clone(), "", Ok("{}")),
        (none.clone(), "[1,2]", Err("got an array")),
        (none.clone(), "42", Err("got a number")),
        (none.clone(), "not json", Err("text, not JSON")),
        (number.clone(), "", Err("`a` is required (a number).")),
        (number.clone(), "null", Err("`a` is required (a number).")),
        (number.clone(), "[]", Err("got an array")),
        (number.clone(), "\"x\"", Err("got a string")),
        (number.clone(), r#"{"a":"1"}"#, Ok(r#"{"a":1}"#)),
        (number.clone(), r#"{"a":"5px"}"#, Err("`a` must be a number; received the string `5px`.")),
        (number.clone(), r#"{"a":1"#, Err("cut off")),
        (number.clone(), r#"{"a":1}{"a":2}"#, Err("two JSON values in a row")),
        (number.clone(), r#"{"a":1,}"#, Ok(r#"{"a":1}"#)),
        (number.clone(), "```json\n{\"a\":1}\n```", Ok(r#"{"a":1}"#)),
        (number.clone(), r#"{"a":1}}"#, Ok(r#"{"a":1}"#)),
        (number.clone(), r#"{"a":1}</tool_call>"#, Ok(r#"{"a":1}"#)),
        (number.clone(), "{'a':1}", Err("double quotes")),
        (number.clone(), r#"{"A":1}"#, Err("`a` is required (a number). Rename `A` to `a`.")),
        (number, r#"{"tool":"x","parameters":{"a":1}}"#, Err("`a` is required")),
        (path.clone(), r#"{"path":{"value":"a.txt"}}"#, Err("`path` must be a string; received an object.")),
        (path, "{\"path\":\"line 1\nline 2\"}", Ok(r#"{"path":"line 1\nline 2"}"#)),
    ];
    for (schema, wire, wanted) in cases {
        let got = accept(&text(wire), &Schema::compile(&schema).0, &Rules::EXTERNAL, true);
        match (got, wanted) {
            (Ok(got), Ok(wanted)) => {
                assert_eq!(Value::Object(Map::clone(&got.arguments)).to_string(), wanted, "{wire}")
            }
            (Err(got), Err(wanted)) => assert!(got.message.contains(wanted), "{wire}: {}", got.message),
            (got, wanted) => panic!("{wire}: {wanted:?}, but {got:?}"),
        }
    }
}

#[test]
fn a_report_says_what_a_value_lacks() {
    let schema = Schema::compile(&json!({"required": ["a"]})).0;
    let Report { problems, more, .. } = schema.report(&read("{}").unwrap()).unwrap();
    assert_eq!((problems.len(), more), (1, 0));
    let first = problems.first().unwrap();
    assert_eq!(
        (first.path.as_str(), first.keyword, first.text.as_str()),
        ("a", "required", "`a` is required.")
    );
}
