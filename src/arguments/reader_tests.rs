use proptest::prelude::*;
use serde_json::Value;

use super::*;

fn fault(text: &str) -> ReadFault {
    read(text).expect_err(text)
}

#[test]
fn numbers_keep_their_text() {
    for text in ["1e400", "1E5", "1e+5", "-0", "0.10", "9007199254740993", "-9223372036854775808", "1.0"] {
        assert_eq!(read(text).unwrap().to_string(), text);
        let nested = format!("{{\"n\":[{text}]}}");
        assert_eq!(read(&nested).unwrap().to_string(), nested);
    }
}

#[test]
fn members_keep_their_order_and_the_last_duplicate_wins() {
    assert_eq!(read(r#"{"b":1,"a":2,"b":3}"#).unwrap().to_string(), r#"{"b":3,"a":2}"#);
    assert_eq!(read(r#"{"__proto__":{"x":1}}"#).unwrap().to_string(), r#"{"__proto__":{"x":1}}"#);
}

#[test]
fn strings_are_decoded() {
    let read_text = |text: &str| read(text).unwrap().as_str().unwrap().to_owned();
    assert_eq!(read_text(r#""""#), "");
    assert_eq!(read_text(r#""a\"\\\/\b\f\n\r\t\u0041\u0000z""#), "a\"\\/\u{8}\u{c}\n\r\tA\u{0}z");
    assert_eq!(read_text(r#""\ud83d\ude00 e\u0301 灯""#), "😀 e\u{301} 灯");
}

#[test]
fn strings_end_where_they_end() {
    for length in 0..40 {
        for letter in ["x", "\u{7f}", "é", "灯", "😀", "!", "[", "]", "#"] {
            let content = letter.repeat(length);
            let text = format!("[\"{content}\",\"\\n{content}\"]");
            assert_eq!(read(&text).unwrap(), serde_json::json!([content, format!("\n{content}")]));
            assert_eq!(fault(&format!("\"{content}\u{1f}{content}\"")), ReadFault::ControlCharacter);
            assert_eq!(fault(&format!("\"{content}")), ReadFault::CutOff);
        }
    }
}

#[test]
fn depth_is_bounded() {
    let nest = |n: usize| format!("{}{}", "[".repeat(n), "]".repeat(n));
    assert!(read(&nest(128)).is_ok());
    assert_eq!(fault(&nest(129)), ReadFault::TooDeep);
    assert_eq!(fault(&"[".repeat(20_000)), ReadFault::TooDeep);
    assert_eq!(fault(&"{\"a\":".repeat(20_000)), ReadFault::TooDeep);
    let flat = format!("[{}[]]", "[],".repeat(20_000));
    assert!(read(&flat).is_ok());
}

#[test]
fn reserved_names_are_refused_however_they_are_written() {
    for text in [
        r#"{"$serde_json::private::Number":"1"}"#,
        r#"{"a":1,"$serde_json::private::Number":"1"}"#,
        r#"[{"$serde_json::private::RawValue":"1"}]"#,
        r#"{"\u0024serde_json::private::N\u0075mber":"1"}"#,
    ] {
        assert_eq!(fault(text), ReadFault::ReservedName, "{text}");
    }
    assert!(read(r#"{"a":"$serde_json::private::Number","$serde_json":1}"#).is_ok());
}

#[test]
fn faults_are_named() {
    use ReadFault::*;
    let cases: &[(&str, ReadFault)] = &[
        ("", Empty),
        (" \n", Empty),
        ("{", CutOff),
        ("{\"a\"", CutOff),
        ("{\"a\":", CutOff),
        ("{\"a\":1", CutOff),
        ("{\"a\":1,", CutOff),
        ("{\"a\":\"x", CutOff),
        ("{\"a\":\"x\\", CutOff),
        ("{\"a\":\"\\ud83d", CutOff),
        ("{\"a\":\"\\ud83d\\", CutOff),
        ("{\"a\":\"\\u00", CutOff),
        ("{\"a\":tru", CutOff),
        ("[1.", CutOff),
        ("[-", CutOff),
        ("[1e", CutOff),
        ("{}{}", TwoValues),
        ("{} []", TwoValues),
        ("null null", TwoValues),
        ("{} x", TextBehind),
        ("{}}", TextBehind),
        ("{'a':1}", SingleQuotes),
        ("{\"a\":'x'}", SingleQuotes),
        ("{a:1}", BareName),
        ("{1:1}", BareName),
        ("{\"a\":NaN}", Word("NaN")),
        ("{\"a\":-Infinity}", Word("-Infinity")),
        ("undefined", Word("undefined")),
        ("None", Word("None")),
        ("[True]", Word("True")),
        ("[1,]", TrailingComma),
        ("{\"a\":1,}", TrailingComma),
        ("{\"a\":1 // one\n}", Comment),
        ("/* x */{}", Comment),
        ("{\"a\":01}", NumberForm),
        ("{\"a\":-01}", NumberForm),
        ("{\"a\":.5}", NumberForm),
        ("{\"a\":+5}", NumberForm),
        ("{\"a\":1.}", NumberForm),
        ("{\"a\":1.e5}", NumberForm),
        ("{\"a\":\"x\ny\"}", ControlCharacter),
        ("{\"a\":\"x\u{1}\"}", ControlCharacter),
        ("{\"p\":\"C:\\dir\"}", Escape('d')),
        ("{\"p\":\"\\uZZZZ\"}", Escape('u')),
        ("{\"a\":\"\\ud83d\"}", LoneSurrogate),
        ("{\"a\":\"\\ude00\"}", LoneSurrogate),
        ("{\"a\":\"\\ud83d\\u0041\"}", LoneSurrogate),
        ("\u{feff}{}", ByteOrderMark),
        ("oops", Unexpected('o')),
        ("{\"a\"}", Unexpected('}')),
        ("{,}", Unexpected(',')),
        ("[1 2]", Unexpected('2')),
        ("[1}", Unexpected('}')),
        ("\u{3000}{}", Unexpected('\u{3000}')),
    ];
    for (text, wanted) in cases {
        assert_eq!(&fault(text), wanted, "{text:?}");
        let sentence = wanted.to_string();
        assert!(sentence.ends_with('.') && !sentence.contains("column"), "{sentence}");
    }
}

fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_filter("JSON has no such number", |f| f.is_finite()).prop_map(Value::from),
        ".*".prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((".{0,4}", inner), 0..6)
                .prop_map(|m| Value::Object(m.into_iter().collect())),
        ]
    })
}

/// What serde_json says, spelled as it spells numbers.
fn reference(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok()
}

proptest! {
    #[test]
    fn what_is_written_is_read(value in json()) {
        prop_assert_eq!(read(&value.to_string()).unwrap().to_string(), value.to_string());
        let pretty = serde_json::to_string_pretty(&value).unwrap();
        prop_assert_eq!(read(&pretty).unwrap().to_string(), value.to_string());
    }

    #[test]
    fn agrees_with_the_library_on_any_text(text in r#"[\{\}\[\]",:0-9eE+\-. \n\\unultrefas$']{0,24}"#) {
        let ours = read(&text).ok().and_then(|value| reference(&value.to_string()));
        prop_assert_eq!(ours, reference(&text));
    }

    #[test]
    fn agrees_with_the_library_on_a_text_with_a_flaw(
        value in json(),
        part in 0.0f64..1.0,
        flaw in r#"[\{\}\[\]",:0 \\e.-]{0,2}"#,
        cut in 0usize..2,
    ) {
        let text = serde_json::json!([value.clone(), {"a": value}]).to_string();
        let letters: Vec<char> = text.chars().collect();
        let at = (letters.len() as f64 * part) as usize;
        let (before, after) = letters.split_at(at);
        let after = after.get(cut..).unwrap_or_default();
        let text = String::from_iter(before) + &flaw + &String::from_iter(after);
        let ours = read(&text).ok().and_then(|value| reference(&value.to_string()));
        prop_assert_eq!(ours, reference(&text), "{}", text);
    }

    #[test]
    fn never_panics(text in ".*") {
        let _ = read(&text);
    }

    #[test]
    fn every_proper_beginning_of_an_object_is_cut_off(value in json(), part in 0.0f64..1.0) {
        let text = serde_json::json!({"a": value}).to_string();
        let mut end = (text.len() as f64 * part) as usize;
        while !text.is_char_boundary(end) { end -= 1; }
        let expected = if end == 0 { ReadFault::Empty } else { ReadFault::CutOff };
        prop_assert_eq!(read(text.get(..end).unwrap()).unwrap_err(), expected);
    }
}
