//! The short way of reading receipts gives what the long one gives.

use proptest::prelude::*;
use serde_json::json;

use super::{Read, any, receipts};
use crate::protocol::{Input, Receipt};

/// What the short way reads, with replies where they stand; `m…` are requests to the model.
fn short(text: &str) -> Option<Vec<Input>> {
    let whole = |read: Read| match read {
        Read::Input(input) => input,
        Read::Reply { effect_id, reply } => {
            let payload = Some(json!({"reply": crate::arguments::read_within(&reply, 160).unwrap()}));
            Input::Receipt(Receipt { payload, ..Receipt::ok(effect_id) })
        }
    };
    Some(receipts(text, |effect_id| effect_id.starts_with('m'))?.into_iter().map(whole).collect())
}

const SOUND: &str = r#"[{"receipt":{"effectId":"e1","outcome":"ok","payload":{"value":{"a":[1.50,"\u00e9",null]},"images":[]}}}]"#;

const REPLY: &str = r#"[{"receipt":{"effectId":"m1","outcome":"ok","payload":{"reply": {"n":[5.0e1,"a\u00e9\n",true] , "n": {}} }}}]"#;

#[test]
fn what_is_read_the_short_way_is_what_the_long_way_reads() {
    let two = SOUND
        .replace("}}}]", "}}} , {\"receipt\" : {\"effectId\":\"\", \"outcome\":\"ok\",\"payload\":3 } } ]");
    for text in [SOUND, REPLY, &two, &REPLY.replace("m1", "e1")] {
        assert_eq!(short(text), Some(any(text).unwrap()), "{text}");
    }
}

#[test]
fn anything_else_goes_the_long_way() {
    let others = [
        "[]",
        r#"[{"tick":{}}]"#,
        r#"[{"receipt":{"effectId":"e1","outcome":"unknown"}}]"#,
        r#"[{"receipt":{"effectId":"e1","outcome":"ok","payload":null}}]"#,
        r#"[{"receipt":{"effectId":"e\u0031","outcome":"ok","payload":1}}]"#,
        "[{\"receipt\":{\"effectId\":\"e1\n\",\"outcome\":\"ok\",\"payload\":1}}]",
        r#"[{"receipt":{"outcome":"ok","effectId":"e1","payload":1}}]"#,
        r#"[{"receipt":{"effectId":"e1","outcome":"ok","payload":1,"payload":2}}]"#,
        r#"[{"receipt":{"effectId":"e1","outcome":"ok","payload":1,"stopped":true}}]"#,
        r#"[{"receipt":{"effectId":"m1","outcome":"ok","payload":{"reply":1},"stopped":true}}]"#,
        &REPLY.replace("5.0e1", "05"),
        &REPLY.replace("5.0e1", "\"\\ud800\""),
        &REPLY.replace("\"n\"", "\"$serde_json::private::Number\""),
        &REPLY.replace("5.0e1", &nested(155)),
    ];
    for text in others {
        assert_eq!(short(text), None, "{text}");
    }
}

#[test]
fn replies_stay_text() {
    let read = receipts(REPLY, |_| true).unwrap();
    let reply = r#"{"n":[5.0e1,"a\u00e9\n",true] , "n": {}}"#.to_owned();
    assert_eq!(read, [Read::Reply { effect_id: "m1".into(), reply }]);
    assert_eq!(
        short(&REPLY.replace("5.0e1", &nested(154))),
        Some(any(&REPLY.replace("5.0e1", &nested(154))).unwrap())
    );
}

/// Lists inside one another.
fn nested(depth: usize) -> String {
    "[".repeat(depth) + &"]".repeat(depth)
}

proptest! {
    #[test]
    fn a_broken_text_is_never_read_the_short_way(
        sound in prop::sample::select(vec![SOUND, REPLY]),
        at in 0..SOUND.len().min(REPLY.len()),
        piece in "[\\[\\]{}\",:\\\\a1 \n\t\u{0}é-]{0,3}",
        cut in 0usize..3,
    ) {
        let end = (at + cut).min(sound.len());
        let text = [sound.split_at(at).0, &piece, sound.split_at(end).1].concat();
        if let Some(read) = short(&text) {
            prop_assert_eq!(Ok(read), any(&text));
        }
    }
}
