//! The short way of reading receipts gives what the long one gives.

use proptest::prelude::*;

use super::{Codec, Read, any, receipts};
use crate::protocol::Input;

/// `m…` are requests to the model.
fn asked(effect_id: &str) -> Option<Codec> {
    effect_id.starts_with('m').then_some(Codec::OpenaiChat)
}

fn short(text: &str) -> Option<Vec<Read>> {
    Some(receipts(text, &asked)?.into_iter().map(seen).collect())
}

fn long(text: &str) -> Option<Vec<Read>> {
    Some(any(text).ok()?.into_iter().map(Read::Input).map(seen).collect())
}

/// An input with the reply in it, if there is one, as who knows its format sees it.
fn seen(read: Read) -> Read {
    let Read::Input(Input::Receipt(receipt)) = &read else { return read };
    let body =
        receipt.payload.as_ref().and_then(|payload| payload.get("reply")).filter(|body| !body.is_null());
    let (Some(codec), Some(body)) = (asked(&receipt.effect_id), body) else { return read };
    Read::Reply { effect_id: receipt.effect_id.clone(), reply: Box::new(codec.parse(body)) }
}

const SOUND: &str = r#"[{"receipt":{"effectId":"e1","outcome":"ok","payload":{"value":{"a":[1.50,"\u00e9",null]},"images":[]}}}]"#;

const REPLY: &str = r#"[{"receipt":{"effectId":"m1","outcome":"ok","payload":{"reply":{"choices":[{"message":{"content":"a\u00e9","tool_calls":[{"id":"c1" , "function":{"name":"f","arguments":"{\"a\":[1]}"}}]}}],"n":[5.0e1,"a\u00e9\n",true] , "n": {}}}}}]"#;

#[test]
fn what_is_read_the_short_way_is_what_the_long_way_reads() {
    let two =
        SOUND.replace("}}}]", "}}},{\"receipt\":{\"effectId\":\"\",\"outcome\":\"ok\",\"payload\":3}}]");
    let escaped = SOUND.replace("e1", "e\\u0031\\n");
    for text in [SOUND, REPLY, &two, &escaped, &REPLY.replace("m1", "e1"), &SOUND.replace("e1", "x")] {
        assert!(short(text).is_some(), "{text}");
        assert_eq!(short(text), long(text), "{text}");
    }
}

#[test]
fn a_reply_is_read_by_who_knows_its_format() {
    let read = short(REPLY).unwrap();
    let [Read::Reply { effect_id, reply }] = read.as_slice() else { panic!("{read:?}") };
    let (reply, id) = (Result::as_ref(reply).unwrap(), effect_id.as_str());
    assert_eq!((id, reply.text.as_str(), reply.calls.len()), ("m1", "aé", 1));
    let none = r#"[{"receipt":{"effectId":"m1","outcome":"ok","payload":{"reply":[]}}}]"#;
    let read = short(none).unwrap();
    assert!(matches!(read.as_slice(), [Read::Reply { reply, .. }] if reply.is_err()), "{read:?}");
    assert_eq!(short(&REPLY.replace("5.0e1", &nested(154))), long(&REPLY.replace("5.0e1", &nested(154))));
}

#[test]
fn anything_else_goes_the_long_way() {
    let others = [
        "[]",
        r#"[{"tick":{}}]"#,
        r#"[{"receipt":{"effectId":"e1","outcome":"unknown"}}]"#,
        r#"[{"receipt":{"effectId":"e1","outcome":"ok","payload":null}}]"#,
        r#"[{"receipt":{"effectId":1,"outcome":"ok","payload":1}}]"#,
        r#"[{"receipt":{"effectId":"e1","outcome":"ok","payload":1}} ]"#,
        r#"[{"receipt":{"effectId":"e1","outcome":"ok","payload":1}},]"#,
        r#"[{"receipt":{"effectId":"e1","outcome":"ok","payload":1}}]]"#,
        r#"[{"receipt":{"effectId":"m1","outcome":"ok","payload":{"reply":null}}}]"#,
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
            prop_assert_eq!(Some(read), long(&text), "{}", text);
        }
    }
}
