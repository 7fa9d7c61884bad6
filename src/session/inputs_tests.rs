//! The short way of reading receipts gives what the long one gives.

use proptest::prelude::*;

use super::{any, receipts};

const SOUND: &str = r#"[{"receipt":{"effectId":"e1","outcome":"ok","payload":{"value":{"a":[1.50,"\u00e9",null]},"images":[]}}}]"#;

#[test]
fn what_is_read_the_short_way_is_what_the_long_way_reads() {
    let two = SOUND
        .replace("}}}]", "}}} , {\"receipt\" : {\"effectId\":\"\", \"outcome\":\"ok\",\"payload\":3 } } ]");
    for text in [SOUND, &two] {
        assert_eq!(receipts(text), Some(any(text).unwrap()), "{text}");
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
    ];
    for text in others {
        assert_eq!(receipts(text), None, "{text}");
    }
}

proptest! {
    #[test]
    fn a_broken_text_is_never_read_the_short_way(
        at in 0..SOUND.len(),
        piece in "[\\[\\]{}\",:\\\\a1 \n\t\u{0}é-]{0,3}",
        cut in 0usize..3,
    ) {
        let end = (at + cut).min(SOUND.len());
        let text = [SOUND.split_at(at).0, &piece, SOUND.split_at(end).1].concat();
        if let Some(read) = receipts(&text) {
            prop_assert_eq!(Ok(read), any(&text));
        }
    }
}
