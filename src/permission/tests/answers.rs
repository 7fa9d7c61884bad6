//! Questions and what their answers do.

use serde_json::json;

use super::*;
use crate::permission::{Answered, Consent, Preview, Request, answered, digest};
use crate::protocol::ReceiptOutcome;

fn answer(ask: &Ask, payload: Value) -> Answered {
    answered(ask, ReceiptOutcome::Ok, Some(&payload), "s", "i")
}

fn consent(ask: &Ask, word: &str) -> Consent {
    match answer(ask, json!({"answer": word})) {
        Answered::Go(consent) => consent,
        Answered::Refused(refusal, _) => panic!("{}", refusal.message),
    }
}

#[test]
fn only_answers_that_hold_are_offered() {
    let all = "once turn session always reject never";
    let cases = [
        (json!({}), all),
        (json!({"action": {"name": "x", "remember": false}}), "once reject"),
        (json!({"action": {"name": "x", "parts": [{"name": "y", "remember": false}]}}), "once reject"),
        (json!({"action": {"name": "x", "risk": ["critical"]}}), "once reject never"),
        (json!({"action": {"name": "x", "risk": ["dangerous"]}}), "once reject never"),
        (json!({"action": {"name": "x", "target": {"command": "rm *"}}}), "once turn session reject"),
        (json!({"action": {"name": "x", "target": {"path": "a/.env"}}}), "once turn session reject never"),
        (json!({"tier": "ask"}), "once turn session reject never"),
        (json!({"check": "ask"}), "once turn session reject never"),
        (json!({"check": {"decision": "ask", "kind": "choice"}}), "once reject"),
        (json!({"check": {"decision": "ask", "kind": "consent"}}), all),
    ];
    for (scene, wanted) in cases {
        assert_eq!(words(&ask(scene.clone()).answers), wanted, "{scene}");
    }
}

#[test]
fn an_answer_that_is_offered_settles_the_next_call() {
    let scenes = [
        json!({}),
        json!({"effect": "write", "action": {"name": "x", "target": {"path": "far/a.md"}}}),
        json!({"action": {"name": "x", "target": {"command": "a; b"}}}),
        json!({"action": {"name": "x", "target": {"path": "a/.env"}}}),
        json!({"action": {"name": "x", "parts": [{"name": "y"}, {"name": "z", "target": {"url": "https://a.b/c"}}]}}),
        json!({"action": {"name": "x", "target": {"command": "a; b"}, "parts": [{"name": "y"}, {"name": "z"}]}}),
        json!({"action": {"name": "x", "target": {"command": "a"}, "parts": [{"name": "y", "target": {"path": ".env"}}]}}),
        json!({"action": {"name": "x", "target": {"path": ".env"}, "parts": [{"name": "y", "target": {"url": "a"}}]}}),
        json!({"tier": "ask"}),
        json!({"check": "ask"}),
        json!({"check": {"decision": "ask", "kind": "consent"}}),
    ];
    for json in scenes {
        for given in ask(json.clone()).answers {
            let mut scene = Scene::new(&json);
            let followed = answer(&ask(json.clone()), json!({"answer": given}));
            let wanted = match (given, followed) {
                (Answer::Once | Answer::Reject, _) => Word::Ask,
                (Answer::Never, Answered::Refused(_, rules)) => {
                    rules.into_iter().for_each(|rule| scene.rules.add(rule));
                    Word::Deny
                }
                (_, Answered::Go(consent)) => {
                    consent.grants.into_iter().for_each(|grant| scene.grants.add(grant));
                    consent.rules.into_iter().for_each(|rule| scene.rules.add(rule));
                    Word::Allow
                }
                (given, followed) => panic!("{given:?}: {followed:?}"),
            };
            assert_eq!(scene.decide().word(), wanted, "{json} {given:?}");
        }
    }
}

#[test]
fn an_answer_that_was_not_offered_counts_as_a_narrower_one() {
    let tier = ask(json!({"tier": "ask"}));
    assert_eq!(consent(&tier, "always").answer, Answer::Session);
    let dangerous = ask(json!({"action": {"name": "x", "risk": ["dangerous"]}}));
    assert_eq!(consent(&dangerous, "session").answer, Answer::Once);
    // Something critical passes by `once` alone.
    let critical = ask(json!({"action": {"name": "x", "risk": ["critical"]}}));
    assert_eq!(consent(&critical, "once").answer, Answer::Once);
    assert!(matches!(answer(&critical, json!({"answer": "session"})), Answered::Refused(..)));
    let forgetful = ask(json!({"action": {"name": "x", "remember": false}}));
    assert!(
        matches!(answer(&forgetful, json!({"answer": "never"})), Answered::Refused(_, rules) if rules.is_empty())
    );
}

#[test]
fn rules_that_cannot_be_saved_hold_for_the_session() {
    let question = ask(json!({"action": {"name": "x", "target": {"path": "far/a.md"}}}));
    let given = consent(&question, "always");
    assert_eq!(given.grants, []);
    assert_eq!(given.rules.len(), 1);
    let rule = serde_json::to_value(&given.rules[0]).unwrap();
    assert_eq!(rule["id"], given.rules[0].id);
    let members = json!({"id": rule["id"], "effect": "allow", "tool": "extension/e:t", "action": "x", "pattern": "far/a.md", "until": "forever", "source": "local"});
    assert_eq!(rule, members);
    RuleBook::decode(&json!([rule])).unwrap();
    assert_eq!(given.instead, consent(&question, "session").grants);
    assert_eq!(given.instead[0].invocation, None);
    assert_eq!(consent(&question, "turn").grants[0].invocation.as_deref(), Some("i"));
    let Answered::Go(scoped) = answer(&question, json!({"answer": "always", "scope": "project"})) else {
        panic!()
    };
    assert_eq!(scoped.rules[0].source.as_str(), "project");
    // Nobody makes a policy by answering.
    assert!(matches!(
        answer(&question, json!({"answer": "always", "scope": "policy"})),
        Answered::Refused(..)
    ));
}

#[test]
fn no_answer_is_a_denial() {
    let question = ask(json!({}));
    let code =
        |outcome, payload: Option<Value>| match answered(&question, outcome, payload.as_ref(), "s", "i") {
            Answered::Refused(refusal, _) => refusal.code,
            Answered::Go(_) => panic!(),
        };
    let yes = || Some(json!({"answer": "once"}));
    assert_eq!(code(ReceiptOutcome::Failed, yes()), Code::PermissionNoApprover);
    assert_eq!(code(ReceiptOutcome::NotSent, None), Code::PermissionNoApprover);
    assert_eq!(code(ReceiptOutcome::Unknown, yes()), Code::PermissionNoApprover);
    assert_eq!(code(ReceiptOutcome::TimedOut, yes()), Code::PermissionTimeout);
    assert_eq!(code(ReceiptOutcome::Cancelled, yes()), Code::PermissionNoApprover);
    for bad in [json!({}), json!({"answer": "yes"}), json!("once"), json!({"answer": "once", "args": 1})] {
        assert_eq!(code(ReceiptOutcome::Ok, Some(bad)), Code::PermissionNoApprover);
    }
    let Answered::Refused(refusal, _) =
        answer(&question, json!({"answer": "reject", "message": "Use the other file.", "args": null}))
    else {
        panic!()
    };
    assert_eq!(refusal.code, Code::PermissionRejected);
    assert!(refusal.message.contains("said: Use the other file. Do not repeat"), "{}", refusal.message);
}

#[test]
fn suggestions_say_what_would_last() {
    let kinds = |scene: Value| -> Vec<Value> {
        ask(scene).suggestions.iter().map(|s| json!([s["kind"], s["scope"], s["mode"], s["path"]])).collect()
    };
    let write = |path: &str| json!({"mode": ["manual"], "effect": "write", "action": {"name": "x", "target": {"path": path}}});
    assert_eq!(
        kinds(write("output/a.md")),
        [json!(["rule", "local", null, null]), json!(["mode", null, "accept-edits", null])]
    );
    assert_eq!(
        kinds(write("/etc/a.md")),
        [
            json!(["rule", "local", null, null]),
            json!(["mode", null, "allow", null]),
            json!(["directory", null, null, "/etc"])
        ]
    );
    assert_eq!(kinds(json!({"level": 4})), [json!(["rule", "local", null, null])]);
    assert_eq!(
        kinds(json!({"action": {"name": "x", "target": {"path": "a/.env"}}})),
        [json!(["grant", "session", null, null])]
    );
    assert!(kinds(json!({"action": {"name": "x", "risk": ["critical"]}})).is_empty());
    let parts = json!({"action": {"name": "x", "parts": [{"name": "y"}, {"name": "y"}, {"name": "z"}]}});
    assert_eq!(kinds(parts).iter().filter(|kind| kind[0] == "rule").count(), 2);
}

#[test]
fn a_question_survives_being_written_down() {
    for scene in [
        json!({}),
        json!({"action": {"name": "x", "target": {"path": "a/.env"}}}),
        json!({"check": {"decision": "ask", "kind": "choice", "options": ["a"]}}),
    ] {
        let question = ask(scene);
        let written = serde_json::to_value(&question).unwrap();
        assert_eq!(crate::protocol::from_tree::<Ask>(written).unwrap(), question);
    }
    let mut grants = Grants::default();
    consent(&ask(json!({"action": {"name": "x", "target": {"path": "a/.env"}}})), "session")
        .grants
        .into_iter()
        .for_each(|grant| grants.add(grant));
    let written = serde_json::to_value(&grants).unwrap();
    assert_eq!(crate::protocol::from_tree::<Grants>(written).unwrap(), grants);
    assert!(crate::protocol::from_tree::<Grants>(json!([{"session": 1}])).is_err());
    grants.end_invocation("i");
    assert_ne!(grants, Grants::default());
    grants.end_session("s");
    assert_eq!(grants, Grants::default());
}

#[test]
fn the_payload_shows_the_call() {
    let scene = Scene::new(&json!({"action": {"name": "x", "target": {"path": "far/a.md"}}}));
    let question = ask(json!({"action": {"name": "x", "target": {"path": "far/a.md"}}}));
    let preview = Preview::new(&question, &scene.action, &object(json!({"content": "a\nb"})), None);
    let request = Request {
        approval_id: "a1",
        call_id: "c1",
        tool_id: "extension/e:t",
        alias: "t",
        title: "T",
        summary: "Does it",
        action: &scene.action,
        preview: &preview,
        deadline: 60_000,
        unattended: true,
    };
    let payload = question.payload(&request);
    assert_eq!(
        payload["preview"],
        json!({"kind": "file_write", "path": "far/a.md", "bytes": 3, "firstLines": ["a", "b"], "totalLines": 2, "truncated": false})
    );
    assert_eq!(payload["action"], json!({"name": "x", "target": {"path": "far/a.md"}, "remember": true}));
    assert_eq!(payload["unattended"], true);
    assert_eq!(payload["answers"][0], "once");
    assert_eq!(question.timeout_ms(60_000), 60_000);
}

#[test]
fn previews() {
    let over = |file: Option<&str>, target: Value, args: Value| {
        let action = Action { target: Some(target), ..Action::named("x") };
        let file = file.map(str::as_bytes);
        serde_json::to_value(Preview::new(&ask(json!({})), &action, &object(args), file)).unwrap()
    };
    let preview = |target: Value, args: Value| over(None, target, args);
    assert_eq!(
        preview(json!({"command": "ls"}), json!({"workdir": "output"})),
        json!({"kind": "command", "command": "ls", "cwd": "output"})
    );
    assert_eq!(preview(json!({"url": "https://a"}), json!({})), json!({"kind": "url", "url": "https://a"}));
    assert_eq!(preview(json!({"id": 1}), json!({})), json!({"kind": "plain"}));
    let edit = preview(json!({"path": "a"}), json!({"old_string": "x\ny", "new_string": "z"}));
    assert_eq!(edit, json!({"kind": "file_edit", "path": "a", "diff": "-x\n-y\n+z\n"}));
    assert_eq!(
        preview(json!({"command": "ls"}), json!({"background": true})),
        json!({"kind": "command", "command": "ls", "cwd": null, "background": true})
    );
    assert_eq!(preview(json!({"path": "a"}), json!({"query": "x"})), json!({"kind": "plain", "path": "a"}));
    let all = json!({"old_string": "x", "new_string": "z", "replace_all": true});
    let edit = over(Some("x x\nx"), json!({"path": "a"}), all.clone());
    assert_eq!((&edit["replaceAll"], &edit["occurrences"]), (&json!(true), &json!(3)));
    let edit = preview(json!({"path": "a"}), all);
    assert_eq!((&edit["replaceAll"], &edit["occurrences"]), (&json!(true), &Value::Null));
    let added = over(Some("é\n"), json!({"path": "a"}), json!({"content": "b", "mode": "append"}));
    assert_eq!(
        (&added["append"], &added["bytes"], &added["bytesBefore"]),
        (&json!(true), &json!(1), &json!(3))
    );
    let replaced = over(Some("é\n"), json!({"path": "a"}), json!({"content": "b", "mode": "replace"}));
    assert_eq!((&replaced["append"], &replaced["bytesBefore"]), (&Value::Null, &json!(3)));
    let long = preview(json!({"path": "a"}), json!({"content": "l\n".repeat(50)}));
    assert_eq!(
        (long["truncated"].clone(), long["totalLines"].clone(), long["firstLines"].as_array().unwrap().len()),
        (json!(true), json!(50), 40)
    );
    let choice = ask(
        json!({"check": {"decision": "ask", "kind": "choice", "reason": "Which?", "options": ["a", "b"]}}),
    );
    let shown = serde_json::to_value(Preview::new(&choice, &Action::named("x"), &Map::new(), None)).unwrap();
    assert_eq!(shown, json!({"kind": "choice", "question": "Which?", "options": ["a", "b"]}));
    assert_eq!(choice.timeout_ms(5_000), 3_600_000);
}

#[test]
fn an_approval_is_bound_to_the_arguments() {
    let id = |text: &str| ToolId::parse(text).unwrap();
    let of = |args: Value| digest(&id("a:b"), &object(args));
    assert_eq!(of(json!({"a": 1, "b": [2.0]})), of(serde_json::from_str(r#"{"b": [2], "a": 1.0}"#).unwrap()));
    assert_ne!(of(json!({"a": 1})), of(json!({"a": "1"})));
    assert_ne!(of(json!({})), digest(&id("a:c"), &Map::new()));
}

#[test]
fn a_grant_for_a_command_covers_the_protected_places_that_were_shown_and_no_others() {
    let command = |path: &str, effect: &str| {
        let part = json!({"name": format!("shell:{effect}"), "effect": effect, "target": {"path": path}});
        let action = json!({"name": "x", "target": {"command": "cat .env"}, "parts": [part]});
        json!({"mode": ["allow"], "action": action})
    };
    let grants = consent(&ask(command("output/.env", "read")), "session").grants;
    for (path, effect, word) in [
        ("output/.env", "read", Word::Allow),
        // The same command from another directory.
        ("scratch/.env", "read", Word::Ask),
        ("output/.env", "write", Word::Ask),
    ] {
        let mut scene = Scene::new(&command(path, effect));
        grants.iter().cloned().for_each(|grant| scene.grants.add(grant));
        assert_eq!(scene.decide().word(), word, "{effect} {path}");
    }
}

#[test]
fn a_lasting_answer_for_the_session_is_about_it_alone() {
    let question = ask(json!({"action": {"name": "x", "target": {"path": "far/a.md"}}}));
    let given = |session: &str, word: &str| {
        let payload = json!({"answer": word, "scope": "session"});
        answered(&question, ReceiptOutcome::Ok, Some(&payload), session, "i")
    };
    let Answered::Go(consent) = given("s1", "always") else { panic!("refused") };
    let rule = serde_json::to_value(&consent.rules[0]).unwrap();
    assert_eq!((&rule["until"], &rule["who"]), (&json!("session"), &json!({"session": "s1"})));
    let Answered::Go(other) = given("s2", "always") else { panic!("refused") };
    assert_ne!(other.rules[0].id, consent.rules[0].id, "neither replaces the other");
    // As a pattern this name would be about other sessions.
    let Answered::Go(starred) = given("s*", "always") else { panic!("refused") };
    assert_eq!((starred.rules.len(), starred.grants.len()), (0, 1));
    let Answered::Refused(refusal, rules) = given("s*", "never") else { panic!("allowed") };
    assert_eq!(rules.len(), 1);
    assert!(refusal.message.contains("not be allowed later in this session either"), "{}", refusal.message);
}
