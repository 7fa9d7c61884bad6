use proptest::prelude::*;
use serde_json::Value;

use super::*;
use crate::arguments::read;
use crate::protocol::limits::JSON_DEPTH;

#[test]
fn what_is_spelled_as_it_would_be_written() {
    let names = |count: usize| {
        let members: Vec<String> = (0..count).map(|at| format!("\"n{at}\":{at}")).collect();
        format!("{{{}}}", members.join(","))
    };
    let nested = |depth: usize| format!("{{\"a\":{}{}}}", "[".repeat(depth - 1), "]".repeat(depth - 1));
    let compact = [
        "{}",
        r#"{"a":12,"b":-1.50E+3,"c":[],"d":[{},[null]],"e":true,"f":false}"#,
        r#"{"":"","a\"\\\b\f\n\r\t":"a\"\\\b\f\n\r\tü灯😀/\u007f"}"#,
        r#"{"__proto__":{"a":{"a":1}}}"#,
        &names(16),
        &nested(JSON_DEPTH),
    ];
    for text in compact {
        let text = text.replace("\\u007f", "\u{7f}");
        assert!(is_compact_object(&text), "{text}");
        assert_eq!(read(&text).unwrap().to_string(), text);
    }
    let other = [
        "",
        "null",
        "[]",
        "\"\"",
        "{",
        "{} ",
        " {}",
        "{}{}",
        r#"{"a":1,}"#,
        r#"{"a":1,"a":2}"#,
        r#"{"a":1,"\u0061":2}"#,
        r#"{"a":{"b":1,"b":1}}"#,
        r#"{"a": 1}"#,
        r#"{"a":[1, 2]}"#,
        r#"{"a":"\/"}"#,
        r#"{"a":"\u0001"}"#,
        r#"{"a":"\ud83d"}"#,
        "{\"a\":\"\n\"}",
        r#"{"a":01}"#,
        r#"{"a":1.}"#,
        r#"{"a":NaN}"#,
        r#"{"a":tru}"#,
        r#"{"a":}"#,
        r#"{"a"}"#,
        r#"{a:1}"#,
        r#"{"a":[1}"#,
        r#"{"$serde_json::private::Number":"1"}"#,
        &names(17),
        &nested(JSON_DEPTH + 1),
    ];
    for text in other {
        assert!(!is_compact_object(text), "{text}");
    }
}

/// JSON made of few names, so that some come twice, and of everything that has more than one spelling.
fn spelled() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        prop::sample::select(vec![
            "null",
            "true",
            "1",
            "-0",
            "1e5",
            "1E+05",
            "01",
            "12345678901234567890.10"
        ]),
        prop::sample::select(vec![r#""a""#, r#""\n""#, r#""\u000a""#, r#""\/""#, "\"\u{7f}ü\"", r#""\"""#]),
    ];
    leaf.prop_map(str::to_owned).prop_recursive(4, 24, 5, |inner| {
        let name = prop::sample::select(vec![r#""a""#, r#""b""#, r#""\u0061""#, r#""\\""#, r#""""#]);
        let colon = prop::sample::select(vec![":", ":", ":", ":", ": ", " :"]);
        let comma = prop::sample::select(vec![",", ",", ",", ", ", " ,"]);
        let end = prop::sample::select(vec!["", "", "", " "]);
        let member =
            (name, colon, inner.clone()).prop_map(|(name, colon, value)| format!("{name}{colon}{value}"));
        prop_oneof![
            (prop::collection::vec(inner, 0..3), comma.clone(), end.clone())
                .prop_map(|(items, comma, end)| format!("[{}{end}]", items.join(comma))),
            (prop::collection::vec(member, 0..4), comma, end)
                .prop_map(|(members, comma, end)| format!("{{{end}{}}}", members.join(comma))),
        ]
    })
}

proptest! {
    /// A text that passes is what reading and writing makes of it; and what was written passes, unless it has many
    /// names or a control character.
    #[test]
    fn what_passes_would_be_written_so(text in spelled()) {
        let written = read(&text).ok().filter(Value::is_object).map(|value| value.to_string());
        if is_compact_object(&text) {
            prop_assert_eq!(written.as_ref(), Some(&text));
        } else {
            prop_assert_ne!(written.as_ref(), Some(&text));
        }
        if let Some(written) = written {
            prop_assert!(is_compact_object(&written));
        }
    }

    #[test]
    fn no_text_is_too_much(text in any::<String>()) {
        if is_compact_object(&text) {
            prop_assert_eq!(read(&text).map(|value| value.to_string()), Ok(text));
        }
    }
}
