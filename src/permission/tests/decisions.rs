//! Verdicts: the truth table, and what it leaves open.

use serde_json::{Value, json};

use super::*;
use crate::permission::mode::Mode;
use crate::permission::{Access, Reason, RuleSource, decide_edited, mode_of, port_allows, reviewed};
use crate::protocol::BoundNames;

#[test]
fn the_truth_table_holds() {
    let rows: Vec<Value> = serde_json::from_str(include_str!("truth_table.json")).unwrap();
    let numbers: std::collections::BTreeSet<u64> =
        rows.iter().map(|row| row["row"].as_u64().unwrap()).collect();
    assert_eq!(numbers.len(), 25);
    for row in rows {
        let wanted: (Word, u64) = (word(&row["word"]), row["step"].as_u64().unwrap());
        let modes: Vec<&str> = match row["anyMode"] == true {
            true => Mode::ALL.iter().map(|mode| mode.as_str()).collect(),
            false => vec![""],
        };
        for mode in modes {
            let mut scene = row["scene"].clone();
            if !mode.is_empty() {
                scene["mode"] = json!([mode]);
            }
            let (word, step) = said(scene);
            assert_eq!((word, u64::from(step)), wanted, "row {} ({mode})", row["row"]);
        }
    }
}

#[test]
fn the_strictest_of_several_modes_counts_for_each_call() {
    // `files` denies code and lets marked writes of the workspace ask; `auto` reviews both.
    assert_eq!(said(json!({"mode": ["files", "auto"]})), (Word::Deny, 13));
    let marked = json!({"mode": ["files", "auto"], "effect": "write", "bounded": true, "action": {"name": "x", "risk": ["review"]}});
    assert_eq!(said(marked), (Word::Ask, 13));
    assert_eq!(
        said(json!({"mode": ["full_access", "allow"], "action": {"name": "x", "risk": ["dangerous"]}})).0,
        Word::Ask
    );
    assert_eq!(said(json!({"mode": ["plan", "allow"]})), (Word::Ask, 13));
}

#[test]
fn the_mode_table_holds() {
    let marked = json!({"name": "x", "risk": ["review"]});
    let at = |path: &str| json!({"name": "x", "target": {"path": path}});
    let columns = [
        vec![json!({"control": true, "effect": "write"}), json!({"control": true})],
        vec![json!({"effect": "read"})],
        vec![json!({"effect": "read", "action": marked})],
        vec![json!({"bounded": true, "effect": "write"}), json!({"bounded": true, "effect": "exec"})],
        vec![
            json!({"bounded": true, "effect": "write", "action": marked}),
            json!({"bounded": true, "effect": "exec", "action": marked}),
        ],
        vec![json!({"effect": "write", "action": at("output/a")})],
        vec![
            json!({"effect": "write", "action": at("far/a")}),
            json!({"effect": "write"}),
            json!({"effect": "write", "action": {"name": "x", "risk": ["review"], "target": {"path": "output/a"}}}),
        ],
        vec![
            json!({"effect": "exec", "action": at("output/a")}),
            json!({"effect": "exec", "action": marked}),
        ],
    ];
    // The columns of PM-61 as the rows of the specification have them: a allow, r review, q ask, d deny.
    let rows = [
        ("read-only", 5, "aaqddddq"),
        ("read-only", 1, "aaqddddq"),
        ("read-only", 0, "aaqddddd"),
        ("files", 5, "aaqaqaqd"),
        ("manual", 5, "aaqaqqqq"),
        ("accept-edits", 5, "aaqaqaqq"),
        ("auto", 5, "aararrrr"),
        ("allow", 4, "aararrrr"),
        ("full_access", 4, "aararrrr"),
        ("allow", 5, "aaaaaaaa"),
        ("full_access", 5, "aaaaaaaa"),
    ];
    for (mode, level, words) in rows {
        for (scenes, wanted) in columns.iter().zip(words.chars()) {
            for scene in scenes {
                let mut scene = scene.clone();
                scene["mode"] = json!([mode]);
                scene["level"] = level.into();
                (scene["reviewer"], scene["classifier"]) = (true.into(), true.into());
                let wanted = match wanted {
                    'a' => Word::Allow,
                    'r' => Word::Review,
                    'q' => Word::Ask,
                    _ => Word::Deny,
                };
                assert_eq!(said(scene.clone()).0, wanted, "{scene}");
            }
        }
    }
}

#[test]
fn what_only_steers_the_run_passes_in_every_mode() {
    for mode in Mode::ALL {
        for effect in ["read", "write", "exec"] {
            let action = json!({"name": "x", "risk": ["review"]});
            let scene =
                json!({"mode": [mode], "level": 3, "control": true, "effect": effect, "action": action});
            assert_eq!(said(scene), (Word::Allow, 13), "{mode:?} {effect}");
        }
    }
}

#[test]
fn words_for_modes() {
    let setting = |words: &[&str], level| Setting::new(words.iter().copied(), level);
    assert!(setting(&["plan"], 5).planning);
    assert!(setting(&["unattended"], 5).unattended);
    assert_eq!(setting(&["unattended"], 5).modes.strictest(), Mode::FullAccess);
    assert_eq!(setting(&["dontAsk"], 3).modes.strictest(), Mode::Auto);
    assert!(!setting(&["dontAsk"], 3).can_prompt);
    assert_eq!(setting(&["bypass"], 4).modes.strictest(), Mode::Auto);
    assert_eq!(setting(&["nonsense"], 5).modes.strictest(), Mode::ReadOnly);
    for word in [
        "read-only",
        "files",
        "manual",
        "accept-edits",
        "auto",
        "allow",
        "full_access",
        "plan",
        "default",
        "bypass",
        "full-access",
        "unattended",
    ] {
        let mode = mode_of(word).unwrap();
        let profile =
            json!({"id": "p", "displayName": "P", "tools": {"allow": []}, "permissions": {"mode": mode}});
        crate::catalog::Profile::decode(&profile).unwrap();
    }
}

#[test]
fn a_level_comes_from_roles_and_an_explicit_word() {
    let level = |subject: Value| Subject::decode(Some(&subject)).unwrap().level;
    assert_eq!(Subject::decode(None).unwrap().level, 5);
    assert_eq!(level(json!({"id": "u"})), 1);
    assert_eq!(level(json!({"roles": ["member", "admin", "guest"]})), 3);
    assert_eq!(level(json!({"roles": ["member"], "level": 4})), 4);
    assert_eq!(level(json!({"roles": ["owner"], "level": 2})), 5);
    assert_eq!(level(json!({"roles": ["group-owner"]})), 4);
    assert_eq!(level(json!({"roles": ["owner"], "level": 0})), 0);
    assert!(Subject::decode(Some(&json!({"level": 6}))).unwrap_err().message.contains("subject.level"));
}

#[test]
fn commands_in_parts() {
    let run = |command: &str, parts: Value, rules: Value| {
        said(json!({"action": {"name": "x", "target": {"command": command}, "parts": parts}, "rules": rules}))
    };
    let git = json!([{"id": "a", "effect": "allow", "pattern": "git *"}]);
    assert_eq!(run("git status", json!([]), git.clone()), (Word::Allow, 11));
    // Nobody took it apart: the star does not run over the semicolon.
    assert_eq!(run("git status; rm x", json!([]), git.clone()).0, Word::Ask);
    let two = json!([{"name": "p", "target": {"command": "git status"}}, {"name": "p", "target": {"command": "rm x"}}]);
    assert_eq!(run("git status; rm x", two.clone(), git.clone()).0, Word::Ask);
    // What was not all understood is a part of itself, which nobody has taken apart.
    let rest = json!([{"name": "p", "target": {"command": "git status"}}, {"name": "x", "target": {"command": "git status; rm x"}}]);
    assert_eq!(run("git status; rm x", rest, git.clone()).0, Word::Ask);
    // One command, known to be one: the star may run over what is quoted.
    let one = json!([{"name": "p", "target": {"command": "git log --format='%h; %s'"}}]);
    assert_eq!(run("git log --format='%h; %s'", one, git.clone()), (Word::Allow, 11));
    let all = json!([{"id": "a", "effect": "allow", "pattern": "git *"}, {"id": "b", "effect": "allow", "pattern": "rm *"}]);
    assert_eq!(run("git status; rm x", two, all), (Word::Allow, 11));
}

#[test]
fn parts_inherit_risk_and_effect() {
    let part = |more: Value| json!({"name": "x", "risk": ["critical"], "effect": "read", "parts": [more]});
    let scene = |action: Value| json!({"mode": ["full_access"], "action": action});
    assert_eq!(said(scene(part(json!({"name": "y"})))), (Word::Ask, 4));
    let read = json!({"mode": ["read-only"], "action": {"name": "x", "effect": "read", "parts": [{"name": "y"}, {"name": "z", "effect": "write"}]}});
    assert_eq!(said(read), (Word::Deny, 13));
}

#[test]
fn a_grant_covers_its_key_and_its_findings() {
    let env = |findings: Value, more: Value| {
        let mut grant = json!({"findings": findings});
        grant.as_object_mut().unwrap().extend(object(more));
        said(
            json!({"effect": "read", "action": {"name": "x", "target": {"path": "output/.env"}}, "grants": [grant]}),
        )
    };
    assert_eq!(env(json!(["credentials"]), json!({})), (Word::Allow, 8));
    assert_eq!(env(json!(["ssh"]), json!({})), (Word::Ask, 6));
    assert_eq!(env(json!([]), json!({})), (Word::Ask, 6));
    assert_eq!(env(json!(["credentials"]), json!({"content": "output/.env.local"})), (Word::Ask, 6));
    assert_eq!(env(json!(["credentials"]), json!({"session": "other"})), (Word::Ask, 6));
    assert_eq!(env(json!(["credentials"]), json!({"invocation": "i"})), (Word::Allow, 8));
    assert_eq!(env(json!(["credentials"]), json!({"invocation": "child"})), (Word::Ask, 6));
}

#[test]
fn a_hook_answers_soft_questions_only() {
    let with = |hook: &str, more: Value| {
        let mut scene = json!({"hook": hook});
        scene.as_object_mut().unwrap().extend(object(more));
        said(scene)
    };
    assert_eq!(with("allow", json!({})), (Word::Allow, 13));
    assert_eq!(
        with("allow", json!({"mode": ["auto"], "reviewer": true, "classifier": true})),
        (Word::Allow, 14)
    );
    assert_eq!(with("allow", json!({"mode": ["files"]})), (Word::Deny, 13));
    assert_eq!(with("allow", json!({"tier": "ask"})), (Word::Ask, 9));
    assert_eq!(with("allow", json!({"check": "ask"})), (Word::Ask, 5));
    assert_eq!(with("ask", json!({"mode": ["allow"]})), (Word::Ask, 9));
    assert_eq!(with("ask", json!({"mode": ["full_access"]})), (Word::Allow, 10));
}

#[test]
fn a_reviewer_must_be_sure() {
    let cases = [
        (json!({"verdict": "safe", "confidence": 0.8}), true),
        (json!({"verdict": "safe", "confidence": 0.79}), false),
        (json!({"verdict": "safe", "confidence": 7}), false),
        (json!({"verdict": "safe"}), false),
        (json!({"verdict": "unsafe", "confidence": 1}), false),
        (json!({"verdict": ["safe", "unsafe"], "confidence": 1}), false),
        (json!({"verdict": "safe or unsafe", "confidence": 1}), false),
        (json!(null), false),
    ];
    for (review, wanted) in cases {
        let ask = || Box::new(ask(json!({"mode": ["auto"]})));
        let word = reviewed(Some(&review), ask(), true).word();
        assert_eq!(word, if wanted { Word::Allow } else { Word::Ask }, "{review}");
        assert_eq!(reviewed(Some(&review), ask(), false).word() == Word::Allow, wanted, "{review}");
        assert_eq!(reviewed(None, ask(), true).ground().step, 14);
    }
}

#[test]
fn edited_arguments_pass_the_first_steps_only() {
    let edited = |scene: Value, answer: Answer| {
        decide_edited(&Scene::new(&scene).facts(), answer).map(|verdict| verdict.word())
    };
    assert_eq!(edited(json!({"mode": ["files"]}), Answer::Once), None);
    assert_eq!(edited(json!({"rules": [{"id": "d", "effect": "deny"}]}), Answer::Once), Some(Word::Deny));
    let critical = json!({"action": {"name": "x", "risk": ["critical"]}});
    assert_eq!(edited(critical.clone(), Answer::Once), None);
    assert_eq!(edited(critical, Answer::Session), Some(Word::Ask));
}

#[test]
fn programs_are_refused_what_would_be_asked() {
    let names: BoundNames = [("workspace.read_file".to_owned(), "look".to_owned())].into_iter().collect();
    let allows = |scene: Value, path: &str, access: Access| {
        port_allows(&Scene::new(&scene).facts(), &names, &[], path, access)
    };
    let (read, write) = (Access::Read, Access::Write);
    assert!(allows(json!({}), "output/a.md", write) && allows(json!({}), "output/.git/config", read));
    assert!(
        !allows(json!({}), "output/.git/config", write)
            && !allows(json!({}), "output/.GIT/config", Access::Remove)
    );
    assert!(
        !allows(json!({}), "output/.env", read)
            && allows(json!({"mode": ["full_access"]}), "output/.env", read)
    );
    // A grant opens a place to what it was given for: reading what is there, or writing there.
    for (tool, action, opens) in [
        ("builtin:workspace.read_file", "x", (true, false)),
        ("builtin:workspace.search_files", "x", (true, false)),
        ("builtin:workspace.shell", "shell:read", (true, false)),
        ("builtin:workspace.shell", "shell:write", (false, false)),
        ("builtin:workspace.write_file", "x", (false, true)),
        ("builtin:workspace.apply_patch", "x", (false, true)),
        ("builtin:workspace.list_files", "x", (false, false)),
        ("extension/e:t", "x", (false, false)),
    ] {
        let grant = json!({"content": "output/.env", "action": action, "findings": ["credentials"]});
        let at = |path: &str, access: Access| allows(json!({"tool": tool, "grants": [grant]}), path, access);
        assert_eq!((at("output/.env", read), at("output/.env", write)), opens, "{tool} {action}");
        assert_eq!(at("output/.env", Access::Remove), opens.1, "{tool} {action}");
        assert!(!at("output/x/.env", read) && !at("output/x/.env", write), "{tool} {action}");
    }
    // A rule may call the tool what the model calls it.
    let rules = json!({"rules": [{"id": "r", "effect": "deny", "tool": "look", "pattern": "output/a"}]});
    assert!(!allows(rules, "output/a", read));
    let rules = json!({"mode": ["full_access"], "rules": [
        {"id": "r", "effect": "deny", "tool": "workspace_read_file", "pattern": "output/private/*"},
        {"id": "w", "effect": "deny", "tool": "workspace_write_file", "pattern": "output/fixed/*"},
        {"id": "d", "effect": "deny", "tool": "workspace_delete"},
    ]});
    assert!(
        !allows(rules.clone(), "output/private/a", read) && allows(rules.clone(), "output/private/a", write)
    );
    assert!(
        !allows(rules.clone(), "output/fixed/a", write)
            && !allows(rules.clone(), "output/fixed/a", Access::Remove)
    );
    assert!(allows(rules, "output/a", Access::Remove));
}

#[test]
fn a_denial_says_who_decided() {
    let cases = [
        (
            json!({"rules": [{"id": "d", "effect": "deny", "source": "project"}]}),
            Code::PermissionRuleDenied,
            "rule of this project",
        ),
        (
            json!({"mode": ["files"]}),
            Code::PermissionModeDenied,
            "running code or other programs is off in the current mode (files)",
        ),
        (
            json!({"mode": ["read-only"], "effect": "write"}),
            Code::PermissionModeDenied,
            "changing anything is off",
        ),
        (json!({"mode": ["plan"], "effect": "write"}), Code::PermissionModeDenied, "leave planning first"),
        (
            json!({"check": {"decision": "deny", "reason": "Closed on Sundays."}}),
            Code::PermissionToolDenied,
            ": Closed on Sundays. Do not",
        ),
        (
            json!({"level": 1, "action": {"name": "x", "risk": ["critical"]}}),
            Code::PermissionLevelTooLow,
            "too few rights",
        ),
        (
            json!({"approver": false}),
            Code::PermissionNoApprover,
            "not run: it needs a person's consent, and nobody can be asked",
        ),
        (
            json!({"approver": false, "action": {"name": "x", "risk": ["dangerous"]}}),
            Code::PermissionNoApprover,
            "it is marked as risky and needs a person's consent",
        ),
        (
            json!({"approver": false, "effect": "read", "action": {"name": "x", "target": {"path": "a/.env"}}}),
            Code::PermissionNoApprover,
            "it touches a protected place and needs a person's consent",
        ),
        (
            json!({"mode": ["plan", "files"]}),
            Code::PermissionModeDenied,
            "running code or other programs is off in the current mode (files)",
        ),
        (
            json!({"mode": ["plan", "files"], "effect": "write"}),
            Code::PermissionModeDenied,
            "leave planning first",
        ),
        (
            json!({"mode": ["read-only"], "bounded": true}),
            Code::PermissionModeDenied,
            "running code or other programs is off in the current mode (read-only)",
        ),
        (json!({"server": "off"}), Code::McpToolDisabled, "switched this tool off"),
        (json!({"tier": "off"}), Code::AgentToolDenied, "not available in this run"),
    ];
    for (scene, code, piece) in cases {
        let (found, text) = denial(scene.clone());
        assert_eq!(found, code, "{scene}");
        assert!(text.contains(piece), "{text}");
        assert!(!text.contains("extension/e"), "{text}");
    }
}

#[test]
fn a_denial_says_whose_rule_it_is() {
    for (source, whose) in [
        ("policy", "a rule of a policy forbids it"),
        ("host", "a rule of this app forbids it"),
        ("session", "a rule of this session forbids it"),
        ("local", "a rule of the user forbids it"),
        ("project", "a rule of this project forbids it"),
        ("user", "a rule of the user forbids it"),
    ] {
        let (code, text) = denial(json!({"rules": [{"id": "d", "effect": "deny", "source": source}]}));
        assert_eq!(code, Code::PermissionRuleDenied);
        assert!(text.contains(whose) && text.contains("ask the user"), "{text}");
    }
}

#[test]
fn a_question_names_the_mode_that_asks() {
    let text = |scene: Value| ask(scene).text;
    assert_eq!(
        text(
            json!({"mode": ["files", "manual"], "effect": "write", "action": {"name": "x", "target": {"path": "output/a"}}})
        ),
        "The mode manual asks before this."
    );
    assert_eq!(text(json!({"mode": ["manual", "auto"]})), "The mode manual asks before this.");
    assert_eq!(text(json!({"mode": ["allow", "auto"]})), "The mode auto asks before this.");
}

#[test]
fn the_strongest_source_is_reported() {
    let rules = json!([{"id": "u", "effect": "deny", "source": "user"}, {"id": "p", "effect": "deny", "source": "policy"}]);
    let verdict = verdict(json!({"rules": rules}));
    let ground = verdict.ground();
    assert_eq!(
        (ground.reason, ground.source, ground.rule_id.as_deref()),
        (Reason::Rule, Some(RuleSource::Policy), Some("p"))
    );
    // Also if the stronger one comes later, from an answer.
    let mut scene = Scene::new(&json!({"rules": [{"id": "p", "effect": "deny", "source": "project"}]}));
    let key = Key { tool_id: scene.tool.clone(), action: "x".into(), content: None };
    scene.rules.add(key.rule(super::super::RuleEffect::Deny, RuleSource::Local, "s"));
    assert_eq!(scene.decide().ground().source, Some(RuleSource::Local));
    let journal = serde_json::to_value(ground).unwrap();
    assert_eq!(journal, json!({"step": 3, "reasonCode": "rule", "ruleId": "p", "source": "policy"}));
}

#[test]
fn a_leave_is_for_the_arguments_that_were_approved() {
    use std::sync::Arc;

    use crate::catalog::{Choice, Snapshot, Turn};
    use crate::permission::{Answered, follow, permit_by};
    use crate::protocol::{Call, Wire};

    let snapshot = json!({"schemaVersion": 1, "id": "s", "bindings": [{"descriptor": {"id": "extension/e:t"}, "modelAlias": "t"}]});
    let snapshot = Snapshot::decode(&snapshot).unwrap();
    let turn = Turn::new(&snapshot, vec![ToolId::parse("extension/e:t").unwrap()], Choice::Auto).unwrap();
    let checked = |args: Value| {
        let call = Call {
            call_id: "c".into(),
            provider_id: None,
            name: "t".into(),
            arguments: Wire::Json(args),
            cut: false,
        };
        let found =
            crate::gate::find(&turn, &snapshot, &Arc::new(call)).unwrap_or_else(|miss| panic!("{miss:?}"));
        crate::arguments::check(found, false).unwrap_or_else(|refused| panic!("{}", refused.refusal.message))
    };
    assert!(verdict(json!({})).leave().is_none());
    let leave = verdict(json!({"mode": ["allow"]})).leave().unwrap();
    assert!(permit_by(checked(json!({"a": 1})), &leave).is_ok());
    let given = crate::permission::Given::decode(&json!({"answer": "once"})).unwrap();
    let Answered::Go(consent) = follow(&ask(json!({})), given, "s", "i") else { panic!() };
    let leave = consent.leave(&checked(json!({"a": 1})));
    assert!(permit_by(checked(json!({"a": 1.0})), &leave).is_ok());
    assert!(permit_by(checked(json!({"a": 2})), &leave).is_err());
}
