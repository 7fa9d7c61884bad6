use proptest::prelude::*;
use serde_json::Value;

use super::*;

#[test]
fn nearly_an_object_is_mended() {
    let cases = [
        (r#"{"a":1,}"#, r#"{"a":1}"#),
        ("{\"a\":[1,2, \n ], }", r#"{"a":[1,2]}"#),
        (r#"{"a":[{},],}"#, r#"{"a":[{}]}"#),
        ("```json\n{\"a\":1}\n```", r#"{"a":1}"#),
        ("```{\"a\":1}```", r#"{"a":1}"#),
        ("  ```\n{\"a\":1,}\n```  ", r#"{"a":1}"#),
        ("{\"a\":1}\n```", r#"{"a":1}"#),
        (r#"{"a":1}}"#, r#"{"a":1}"#),
        (r#"{"a":1}]}"#, r#"{"a":1}"#),
        ("{\"a\":1}</tool_call>", r#"{"a":1}"#),
        ("{\"a\":1}\n</tool_call>\n", r#"{"a":1}"#),
        ("{\"a\":\"x\ny\tz\u{1}\"}", r#"{"a":"x\ny\tz\u0001"}"#),
        ("{\"a\":\"\r\n\"}", r#"{"a":"\r\n"}"#),
        ("{\"a\nb\":1}", r#"{"a\nb":1}"#),
        (r#"{"s":"keep ,} and \",] and }} ","n":1.50,}"#, r#"{"s":"keep ,} and \",] and }} ","n":1.50}"#),
        (r#"{"a":1}"#, r#"{"a":1}"#),
    ];
    for (text, wanted) in cases {
        let mended = mend(text).unwrap_or_else(|| panic!("{text:?}"));
        assert_eq!(Value::Object(mended).to_string(), wanted, "{text:?}");
    }
}

#[test]
fn everything_else_stays_refused() {
    for text in [
        r#"{"a":1"#,
        r#"{"a":1}{"a":2}"#,
        r#"{"a":1}}{"a":2}"#,
        r#"{"a":1} {"#,
        r#"{'a':1}"#,
        r#"{a:1}"#,
        r#"{"a":NaN}"#,
        r#"{"a":1,,}"#,
        r#"{,}"#,
        r#"{"a":,}"#,
        r#"{"a":[,]}"#,
        r#"{"a":[1,,]}"#,
        r#"Here you go: {"a":1}"#,
        r#"[{"a":1}]"#,
        r#""{\"a\":1}""#,
        "```json\n{\"a\":1}",
        "```json\n[1]\n```",
        "```\n```json\n{\"a\":1}\n```\n```",
        "{\"a\":1}</a></b>",
        "{\"a\":1}<tag>",
        "{\"a\":1}</>",
        "{\"a\":1} done",
        "{\"a\":1}}</tool_call>",
        "{\"a\":\"x\\\ny\"}",
        "{\"a\":1\u{c}}",
        "{\"a\":[1}",
        r#"{"a":"\ud83d",}"#,
        "\u{3000}{\"a\":1}",
        "\u{feff}{\"a\":1}",
        "{\"a\":1}\u{a0}",
        "",
        "}",
    ] {
        assert_eq!(mend(text), None, "{text:?}");
    }
    assert_eq!(mend(&"{\"a\":".repeat(20_000)), None);
    let deep = format!("{{\"a\":{}1{},}}", "[".repeat(200), "]".repeat(200));
    assert_eq!(mend(&deep), None);
}

proptest! {
    #[test]
    fn never_panics(text in r#"[\{\}\[\]",:1a \n\\`<>/]{0,30}"#) {
        if let Some(members) = mend(&text) {
            // Once mended, it reads as what it is.
            let value = Value::Object(members);
            prop_assert_eq!(read(&value.to_string()).unwrap(), value);
        }
    }
}
