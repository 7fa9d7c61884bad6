use std::collections::BTreeMap;

use proptest::prelude::*;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{json_text, special, write_json};

#[derive(Serialize)]
enum Shape {
    Unit,
    Newtype(u8),
    Tuple(i64, char),
    Struct { a: Option<bool>, b: () },
}

#[derive(Serialize)]
struct Unit;

#[derive(Serialize)]
struct Pair(f64, &'static str);

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Whole<'a> {
    first_one: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<u8>,
    shapes: Vec<Shape>,
    pair: Pair,
    unit: Unit,
    numbered: BTreeMap<i32, bool>,
    #[serde(flatten)]
    rest: &'a Tagged,
    value: Value,
    raw: &'a serde_json::value::RawValue,
    none: Option<()>,
}

#[derive(Serialize)]
#[serde(tag = "kind", content = "payload")]
enum Tagged {
    Named { text: String },
}

fn assert_same(value: &(impl Serialize + ?Sized)) {
    assert_eq!(json_text(value).unwrap(), serde_json::to_string(value).unwrap());
}

#[test]
fn writes_every_kind_of_value_as_serde_json_does() {
    let number: Value = serde_json::from_str("[1e400, -0, 0.10, 123456789012345678901234567890]").unwrap();
    assert_same(&Whole {
        first_one: "a\"b\\c\u{1}\u{8}\u{c}\n\r\t\u{7f}é😀\u{2028}",
        left_out: None,
        shapes: vec![
            Shape::Unit,
            Shape::Newtype(7),
            Shape::Tuple(i64::MIN, '"'),
            Shape::Struct { a: Some(true), b: () },
        ],
        pair: Pair(0.1, ""),
        unit: Unit,
        numbered: BTreeMap::from([(-1, true), (0, false)]),
        rest: &Tagged::Named { text: "t".into() },
        value: json!({"n": number, "__proto__": {}, "": [], "é\"": null}),
        raw: &serde_json::value::RawValue::from_string("{ \"as\":  [it,is] }".replace("it,is", "1")).unwrap(),
        none: None,
    });
    for number in [f64::NAN, f64::INFINITY, -0.0, 1e21, 1e-7, 1.0, f64::MIN_POSITIVE] {
        assert_same(&number);
    }
    for number in [0, 9, 10, 99, 100, u64::MAX] {
        assert_same(&number);
    }
    assert_same(&1.5f32);
    assert_same(&[i8::MIN as i64, -1, i64::MAX]);
    assert_same(&(1u8, 2u16, 3u32, -4i8, -5i16, -6i32));
}

#[test]
fn a_key_that_is_no_text_is_refused_and_leaves_the_text_as_it_was() {
    let mut text = String::from("before");
    assert!(write_json(&mut text, &BTreeMap::from([(vec![1], 1)])).is_err());
    assert!(write_json(&mut text, &BTreeMap::from([((), 1)])).is_err());
    assert_eq!(text, "before");
}

#[test]
fn finds_what_a_string_cannot_hold() {
    for (text, expected) in [
        ("", None),
        ("abcdefghijklmnop", None),
        ("abcdefgh\"", Some(8)),
        ("\\", Some(0)),
        ("abc\u{1f}defgh", Some(3)),
        ("ééééééééé\n", Some(18)),
        ("\u{20}\u{7f}", None),
    ] {
        assert_eq!(special(text.as_bytes()), expected, "{text:?}");
    }
}

fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        "[a-z\"\\\\\n\u{0}-\u{1f}é]{0,40}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((any::<String>(), inner), 0..6)
                .prop_map(|members| Value::Object(Map::from_iter(members))),
        ]
    })
}

proptest! {
    #[test]
    fn the_first_special_byte_is_found(bytes in prop::collection::vec(prop_oneof![any::<u8>(), Just(b'a'), Just(b'!')], 0..30)) {
        let first = bytes.iter().position(|b| *b == b'"' || *b == b'\\' || *b < 0x20);
        prop_assert_eq!(special(&bytes), first);
    }

    #[test]
    fn writes_values_as_serde_json_does(value in values()) {
        prop_assert_eq!(json_text(&value).unwrap(), serde_json::to_string(&value).unwrap());
    }
}
