use super::*;

fn after(settled: &[Status]) -> LoopGuard {
    let mut guard = LoopGuard::default();
    for status in settled {
        guard.settled("a".into(), *status);
    }
    guard
}

#[test]
fn two_failures_in_a_row_block_the_third() {
    use Status::{Backgrounded, Cancelled, Denied, Error, Ok, Skipped, TimedOut, Unknown};
    let cases: &[(&[Status], bool)] = &[
        (&[], false),
        (&[Error], false),
        (&[Error, Error], true),
        (&[TimedOut, Unknown], true),
        (&[Error, Ok, Error], false),
        (&[Error, Error, Ok], false),
        (&[Error, Error, Backgrounded], false),
        (&[Error, Denied, Cancelled, Skipped], false),
        (&[Error, Denied, Cancelled, Skipped, Error], true),
    ];
    for (settled, blocked) in cases {
        assert_eq!(after(settled).blocks("a"), *blocked, "{settled:?}");
        assert!(!after(settled).blocks("b"), "{settled:?}");
    }
}

#[test]
fn a_success_leaves_nothing_behind() {
    assert!(after(&[Status::Error, Status::Ok]).is_calm());
    assert!(!after(&[Status::Error]).is_calm());
}

#[test]
fn only_the_last_twenty_steps_count() {
    let mut guard = LoopGuard::default();
    let stops =
        |guard: &mut LoopGuard, steps: &str| steps.chars().position(|step| guard.turned(step.to_string()));
    assert_eq!(stops(&mut guard, "aaaaaaaabcdefghijklmabc"), None);
    assert_eq!(guard.steps.len(), 20);
    assert_eq!(stops(&mut LoopGuard::default(), "xxxxxxxxx"), Some(8));
    assert_eq!(stops(&mut LoopGuard::default(), "xaxbxcxdxexfxgxhx"), Some(16));
    // The first of nine is the twenty-first from the end.
    assert_eq!(stops(&mut LoopGuard::default(), "xabcdefghijklxxxxxxxx"), None);
}

#[test]
fn the_order_of_members_and_the_spelling_of_numbers_do_not_matter() {
    let tool = ToolId::make("builtin", "dice.roll").unwrap();
    let digest =
        |text: &str| call_signature(&tool, serde_json::from_str::<Value>(text).unwrap().as_object().unwrap());
    assert_eq!(digest(r#"{"a": 1.0, "b": [1e2]}"#), digest(r#"{"b":[100],"a":1}"#));
    assert_ne!(digest(r#"{"a": 1}"#), digest(r#"{"a": 2}"#));
    let of = |texts: [&str; 2]| {
        let mut signature = super::Signature::default();
        texts.iter().for_each(|text| signature.text(text));
        signature.end()
    };
    assert_ne!(of(["ab", "c"]), of(["a", "bc"]));
}
