use proptest::prelude::*;
use serde_json::json;

use super::*;

#[test]
fn a_value_that_came_read_has_the_same_bound() {
    let nested = |depth: usize| {
        let inner = (1..depth)
            .fold(json!(1), |inner, n| if n % 2 == 0 { json!([inner]) } else { json!({"a": inner}) });
        Wire::Json(json!({"a": inner}))
    };
    assert!(matches!(decode(&nested(128)), ToolArguments::Object(_)));
    assert!(matches!(decode(&nested(129)), ToolArguments::Invalid(_)));
}

#[test]
fn both_wire_forms_are_one() {
    for text in [r#"{"b":1.50,"a":[1e400,{"__proto__":null}]}"#, "{}", r#"{"a":"\"{}\""}"#] {
        let object = read(text).unwrap();
        assert_eq!(decode(&Wire::Text(text.into())), decode(&Wire::Json(object.clone())));
        assert_eq!(Value::Object(replay(decode(&Wire::Json(object)))).to_string(), text);
    }
}

proptest! {
    #[test]
    fn text_is_an_object_or_kept(text in ".*") {
        match decode(&Wire::Text(text.clone())) {
            ToolArguments::Invalid(raw) => prop_assert_eq!(raw, text),
            ToolArguments::Object(members) => {
                let shown = replay(ToolArguments::Object(members.clone()));
                prop_assert_eq!(decode(&Wire::Json(Value::Object(shown))), ToolArguments::Object(members));
            }
        }
    }
}
