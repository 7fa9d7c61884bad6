use std::borrow::Cow;
use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::ids::wire_id;
use super::*;
use crate::protocol::{Call, Code, Wire};

/// The messages of entries, read again.
pub(super) fn rendered(codec: Codec, entries: &[Entry]) -> Vec<Value> {
    let read = |message: &Message| {
        let read: Value = serde_json::from_str(message.json()).unwrap();
        assert_eq!(read.to_string(), message.json(), "compact");
        assert_eq!(read["role"], message.role());
        read
    };
    codec.messages(entries).iter().map(read).collect()
}

/// A whole reply.
pub(super) fn parsed(codec: Codec, body: &Value) -> Result<Reply, ModelFault> {
    codec.parse(body)
}

/// What the model said.
pub(super) fn assistant(said: Assistant) -> Entry<'static> {
    Entry::Assistant(Cow::Owned(said))
}

/// The body of a request, read again.
pub(super) fn asked(request: Request) -> Value {
    let body: Value = serde_json::from_str(request.body.end().text()).unwrap();
    assert_eq!(request.messages, body["messages"].as_array().unwrap().len());
    body
}

fn call(id: &str) -> Call {
    Call { call_id: id.into(), provider_id: None, name: "f".into(), arguments: Wire::Absent, cut: false }
}

fn asks(ids: &[&str]) -> Entry<'static> {
    let calls = ids.iter().map(|id| call(id)).collect();
    assistant(Assistant { calls, ..Assistant::default() })
}

fn answers(ids: &[&str]) -> Entry<'static> {
    let view = |id: &&str| ResultView {
        call_id: (*id).to_owned().into(),
        provider_id: None,
        name: "f".into(),
        is_error: false,
        code: None,
        parts: vec![ResultPart::Text(format!("result {id}").into())],
    };
    Entry::Results(ids.iter().map(view).collect())
}

#[test]
fn call_ids() {
    // The ids of the invocation so far, the provider's id, and the id that comes out.
    let cases: &[(&[&str], Option<&str>, &str)] = &[
        (&[], Some("a"), "a"),
        (&["a"], Some("a"), "a~2"),
        (&["a", "a~2", "a~3"], Some("a"), "a~4"),
        (&["a", "a~2"], Some("b"), "b"),
        (&["a", "a~2"], Some("a~2"), "a~2~2"),
        (&[], None, "c3-1"),
        (&[], Some(""), "c3-1"),
        (&["c3-1"], None, "c3-1~2"),
    ];
    for (taken, provider_id, expected) in cases {
        assert_eq!(call_id(*provider_id, 3, 1, |id| taken.contains(&id)), *expected, "{taken:?}");
    }
}

#[test]
fn a_repeated_id_costs_little() {
    let mut ids = BTreeSet::new();
    let asked = std::cell::Cell::new(0_usize);
    for round in 0..20_000 {
        let id = call_id(Some("same"), round, 0, |id| {
            asked.set(asked.get() + 1);
            ids.contains(id)
        });
        assert!(ids.insert(id));
    }
    assert!(ids.contains("same~20000"));
    assert!(asked.get() < 20_000 * 40, "{} questions", asked.get());
}

#[test]
fn wire_ids() {
    let fits = |id: &str| id.len() <= 8;
    let cases = [
        ("a", None, "a"),
        ("a", Some("a"), "a"),
        ("c1-0", Some("p"), "p"),
        ("a~2", Some("a"), "hash"),
        ("a~2", Some("a~2"), "a~2"),
        ("much too long", Some("much too long"), "hash"),
        ("a~x", Some("a"), "a"),
    ];
    for (id, provider_id, expected) in cases {
        let hash = format!("call_{}", crate::protocol::digest::short_hash(id));
        let expected = if expected == "hash" { hash.as_str() } else { expected };
        assert_eq!(wire_id(id, provider_id, fits), expected, "{id} {provider_id:?}");
    }
}

#[test]
fn surrogates() {
    let cases = [
        (r#"{"a":"b"}"#, r#"{"a":"b"}"#),
        (r#"["\ud83d\ude00"]"#, r#"["\ud83d\ude00"]"#),
        (r#"["\uD83D"]"#, r#"["\ufffd"]"#),
        (r#"["\ude00 \ud83d\ud83d\ude00"]"#, r#"["\ufffd \ufffd\ud83d\ude00"]"#),
        (r#"["\\ud83d"]"#, r#"["\\ud83d"]"#),
        (r#"["\\\ud83d"]"#, r#"["\\\ufffd"]"#),
        (r#"["\ud83d\n"]"#, r#"["\ufffd\n"]"#),
        (r"\ud83", r"\ud83"),
        (r"\", r"\"),
    ];
    for (json, expected) in cases {
        assert_eq!(well_formed(json), expected);
    }
}

proptest! {
    /// Whatever a JavaScript string holds, its JSON text reads, and well-formed text is not touched.
    #[test]
    fn every_javascript_string_reads(units in prop::collection::vec(any::<u16>(), 0..40)) {
        let escaped: String = units.iter().map(|unit| format!("\\u{unit:04x}")).collect();
        let json = format!("\"{escaped}\"");
        let read: String = serde_json::from_str(&well_formed(&json)).unwrap();
        prop_assert_eq!(read, String::from_utf16_lossy(&units));
    }

    #[test]
    fn well_formed_json_stays(text in any::<String>()) {
        let json = json!([text]).to_string();
        prop_assert_eq!(well_formed(&json), json.as_str());
    }
}

#[test]
fn pairs() {
    let user = || Entry::User("go".into());
    let interrupted = |entry: &Entry, at: usize| match entry {
        Entry::Results(results) => {
            let result = &results[at];
            assert_eq!((result.is_error, result.code), (true, Some(Code::ToolOutcomeUnknown)));
            assert!(matches!(&result.parts[..], [ResultPart::Text(text)] if text.contains("Check")));
            result.call_id.clone().into_owned()
        }
        other => panic!("{other:?}"),
    };
    let closed = [user(), asks(&["c1", "c2"]), answers(&["c1", "c2"]), user()];
    assert_eq!(paired(&closed), Paired { entries: closed.to_vec(), ..Paired::default() });

    let open = paired(&[asks(&["c1", "c2", "c3"]), answers(&["c3", "c1"]), asks(&["c4"]), user()]);
    assert_eq!(open.interrupted, ["c2", "c4"]);
    assert_eq!(interrupted(&open.entries[1], 1), "c2");
    assert_eq!(interrupted(&open.entries[3], 0), "c4");
    match &open.entries[1] {
        Entry::Results(results) => {
            let ids: Vec<&str> = results.iter().map(|result| &*result.call_id).collect();
            assert_eq!(ids, ["c1", "c2", "c3"], "call order");
        }
        other => panic!("{other:?}"),
    }

    let orphans = paired(&[answers(&["x"]), asks(&["c1"]), answers(&["c1", "c1"]), answers(&["y"]), user()]);
    assert_eq!(orphans.dropped, ["x", "c1", "y"]);
    assert_eq!(orphans.entries, [asks(&["c1"]), answers(&["c1"]), user()]);
}

#[test]
fn trims_whole_groups() {
    let user = || Entry::User("go".into());
    let history = [user(), asks(&["c1"]), answers(&["c1"]), user(), asks(&["c2"])];
    for (drop, kept) in [(0, 0), (1, 1), (2, 3), (3, 3), (4, 4), (5, 5), (9, 5)] {
        assert_eq!(first_kept(&history, drop), kept, "{drop}");
    }
}

#[test]
fn usage_adds_up() {
    let mut sum = Usage { input_tokens: u64::MAX, output_tokens: 2, ..Usage::default() };
    sum.add(&Usage { input_tokens: 1, output_tokens: 3, reasoning_tokens: 4, ..Usage::default() });
    let expected =
        Usage { input_tokens: u64::MAX, output_tokens: 5, reasoning_tokens: 4, ..Usage::default() };
    assert_eq!(sum, expected);
}

#[test]
fn codecs_have_names() {
    for codec in Codec::ALL {
        assert_eq!(Codec::named(codec.name()), Some(*codec));
        assert_eq!(serde_json::to_value(codec).unwrap(), Value::from(codec.name()));
    }
    assert_eq!(Codec::named("telepathy"), None);
}
