//! Several runs of one session, one after the other and side by side.

use serde_json::{Value, json};

use super::super::Session;
use super::{call, command, effects, journal, receipt, reply, restored, said, start, weather};
use crate::protocol::limits::ENDED_RUNS;
use crate::protocol::{Event, Input, Output, Payload, ReceiptOutcome};

fn cancel(run_id: &str) -> Input {
    command(json!({"type": "cancelRun", "runId": run_id}))
}

#[test]
fn runs_that_have_ended_are_forgotten_with_what_they_waited_for() {
    let mut session = Session::new();
    for number in 1..=ENDED_RUNS + 20 {
        let output = session.step(vec![start(json!({}))], 1);
        assert_eq!(output.replies[0].value.as_ref().unwrap()["runId"], format!("run_{number}"));
        // Nobody ever answers the request that is told to stop.
        session.step(vec![cancel(&format!("run_{number}"))], 1);
    }
    assert_eq!((session.runs.len(), session.awake.len()), (ENDED_RUNS, ENDED_RUNS));
    let output = session.step(vec![command(json!({"type": "readEvents", "runId": "run_1"}))], 1);
    assert_eq!(output.replies[0].code.unwrap().as_str(), "run.not_found");
    let session = restored(&mut session);
    assert_eq!((session.runs.len(), session.awake.len()), (ENDED_RUNS, ENDED_RUNS));
}

#[test]
fn runs_side_by_side_do_not_meet() {
    let mut session = Session::new();
    let two = vec![command(weather()), start(json!({"sessionId": "a"})), start(json!({"sessionId": "b"}))];
    let output = session.step(two, 1);
    let asked = effects(&output);
    assert_eq!((&*asked[0].run_id, &*asked[1].run_id), ("run_1", "run_2"));
    let calls = json!([call("same", "get_weather", "{\"city\":\"Oslo\"}")]);
    let said_by_both =
        asked.iter().map(|asked| Input::Receipt(receipt(asked, ReceiptOutcome::Ok, reply(calls.clone()))));
    let output = session.step(said_by_both.collect(), 1);
    let mut session = restored(&mut session);
    let called = effects(&output);
    assert_eq!(called.len(), 2);
    // A receipt that belongs to none of them is told to no journal.
    let mut stranger = receipt(&called[0], ReceiptOutcome::Ok, json!({"value": 1}));
    stranger.effect_id = "e99".into();
    let output = session.step(vec![Input::Receipt(stranger), cancel("run_1")], 1);
    assert!(matches!(&output.events[0], Event::Live(event) if event.kind == "receipt_ignored"));
    let second = receipt(&called[1], ReceiptOutcome::Ok, json!({"value": "sunny"}));
    let output = session.step(vec![Input::Receipt(second)], 1);
    let asked = effects(&output).remove(0);
    assert_eq!(&*asked.run_id, "run_2");
    let output = session.step(vec![Input::Receipt(receipt(&asked, ReceiptOutcome::Ok, said("Sunny.")))], 1);
    assert_eq!(journal(&output).last().map(String::as_str), Some("run_completed"));
    let first = receipt(&called[0], ReceiptOutcome::Unknown, Value::Null);
    let output = session.step(vec![Input::Receipt(first)], 1);
    assert_eq!(journal(&output).last().map(String::as_str), Some("run_cancelled"));
}

#[test]
fn what_nobody_watches_is_kept_and_stored_all_the_same() {
    let run = |events: &str| {
        let mut session = Session::new();
        let capabilities = json!({"store": true, "events": events});
        let mut output =
            session.step(vec![command(weather()), start(json!({"capabilities": capabilities}))], 1);
        let mut replies =
            vec![said("Done."), reply(json!([call("a", "get_weather", "{\"city\":\"Oslo\"}")]))];
        let (mut told, mut stored) = (Vec::new(), Vec::new());
        loop {
            told.extend(kinds(&output));
            let mut inputs = Vec::new();
            for effect in &output.effects {
                let payload = match &effect.payload {
                    Payload::StoreAppend { records, .. } => {
                        stored.extend(records.iter().map(|record| (record.seq, record.kind.clone())));
                        json!({})
                    }
                    Payload::ModelRequest { .. } => replies.pop().unwrap(),
                    Payload::ExtensionCall { .. } => json!({"value": 1}),
                    _ => continue,
                };
                inputs.push(Input::Receipt(receipt(effect, ReceiptOutcome::Ok, payload)));
            }
            if inputs.is_empty() {
                break (told, stored);
            }
            output = session.step(inputs, 1);
        }
    };
    let (all, stored) = run("all");
    assert!(stored.iter().map(|(seq, _)| *seq).eq(1..=stored.len() as u64));
    assert!(all.iter().any(|kind| kind == "tool_end"));
    let (journal, stored_too) = run("journal");
    assert_eq!(stored_too, stored);
    assert!(journal.iter().eq(stored.iter().map(|(_, kind)| kind)));
    assert_eq!(run("run"), (vec!["run_created".to_owned(), "run_completed".to_owned()], stored));
}

fn kinds(output: &Output) -> Vec<String> {
    let kind = |event: &Event| match event {
        Event::Journal(event) => event.kind.to_string(),
        Event::Live(event) => event.kind.to_owned(),
    };
    output.events.iter().map(kind).collect()
}

#[test]
fn what_was_allowed_goes_with_its_session() {
    let mut session = Session::new();
    let rule = |id: &str, effect: &str, session: Value| json!({"id": id, "effect": effect, "tool": "get_weather", "until": "session", "who": session});
    let rules = json!([
        rule("a", "allow", json!({})),
        rule("b", "allow", json!({"session": "two"})),
        rule("c", "deny", json!({"session": "one"})),
        rule("d", "ask", json!({})),
    ]);
    let begin = |id: &str| start(json!({"sessionId": id, "mode": "manual"}));
    let inputs = vec![command(weather()), begin("one"), begin("two")];
    let asked = effects(&session.step(inputs, 1));
    let said = reply(json!([call("a", "get_weather", "{\"city\":\"Oslo\"}")]));
    let output = session.step(vec![Input::Receipt(receipt(&asked[0], ReceiptOutcome::Ok, said))], 1);
    let question = effects(&output).remove(0);
    let answer = receipt(&question, ReceiptOutcome::Ok, json!({"answer": "session"}));
    session.step(vec![command(json!({"type": "rules.set", "rules": rules})), Input::Receipt(answer)], 1);
    assert!(session.core.grants.has_session("one"));

    let delete = |id: &str| command(json!({"type": "session.delete", "sessionId": id}));
    session.step(vec![delete("one")], 1);
    assert!(!session.core.grants.has_session("one"));
    let left = |rules: Value| crate::permission::RuleBook::decode(&rules).unwrap();
    assert_eq!(session.core.rules, left(json!([rules[1], rules[3]])), "the ask rule may be for another one");
    session.step(vec![delete("two")], 1);
    assert_eq!(session.core.rules, left(json!([])));
    let session = restored(&mut session);
    assert_eq!(session.core.deleted, ["one", "two"]);
}

#[test]
fn deleted_sessions_are_remembered_for_a_while() {
    let mut session = Session::new();
    let delete = |id: usize| command(json!({"type": "session.delete", "sessionId": format!("s{id}")}));
    for number in 0..=ENDED_RUNS {
        session.step(vec![start(json!({"sessionId": format!("s{number}")})), delete(number)], 1);
    }
    assert!(session.runs.is_empty() && session.awake.is_empty());
    let started = |session: &mut Session, id: &str| {
        session.step(vec![start(json!({"sessionId": id}))], 1).replies[0].ok
    };
    assert!(started(&mut session, "s0"));
    assert!(!started(&mut session, "s1"));
}
