//! Rules: what they are about, how long they hold, which of them counts.

use serde_json::{Value, json};

use super::*;
use crate::permission::RuleSource;

#[test]
fn final_rules_beat_weaker_questions_and_nothing_else() {
    let with = |source: &str, ask: &str, more: Value| {
        let mut scene = json!({"rules": [{"id": "a", "effect": "allow", "final": true, "source": source}, {"id": "q", "effect": "ask", "source": ask}]});
        scene.as_object_mut().unwrap().extend(object(more));
        said(scene)
    };
    assert_eq!(with("local", "project", json!({})), (Word::Allow, 11));
    assert_eq!(with("project", "local", json!({})), (Word::Ask, 9));
    assert_eq!(with("local", "local", json!({})), (Word::Ask, 9));
    // A tier asks as the project does.
    assert_eq!(with("local", "user", json!({"tier": "ask"})), (Word::Allow, 11));
    assert_eq!(with("project", "user", json!({"tier": "ask"})), (Word::Ask, 9));
    assert_eq!(
        with("policy", "user", json!({"action": {"name": "x", "risk": ["dangerous"]}})),
        (Word::Ask, 7)
    );
}

#[test]
fn rules_are_about_some_people_and_some_time() {
    let who = json!({"user": "ann", "roles": ["admin"], "groups": ["g1", "g2"], "route": "mail", "agent": "writer", "platform": "web"});
    let allowed = |rule: Value| {
        let mut rule = rule;
        rule["id"] = json!("a");
        rule["effect"] = json!("allow");
        said(json!({"who": who, "now": 99, "rules": [rule]})).0 == Word::Allow
    };
    let cases = [
        (json!({"who": {"user": "a*", "role": "admin", "group": "g2"}}), true),
        (json!({"who": {"group": "g3"}}), false),
        (
            json!({"who": {"route": "mail", "agent": "writer", "platform": "web", "session": "s", "level": 5}}),
            true,
        ),
        (json!({"who": {"level": 4}}), false),
        (json!({"who": {"user": "ann", "session": "other"}}), false),
        (json!({"until": 100}), true),
        (json!({"until": 99}), false),
        (json!({"until": "turn"}), true),
        (json!({"tool": "extension/e:*", "action": "x"}), true),
        (json!({"action": "y*"}), false),
        (json!({"pattern": "*"}), false),
    ];
    for (rule, wanted) in cases {
        assert_eq!(allowed(rule.clone()), wanted, "{rule}");
    }
}

#[test]
fn a_rule_that_cannot_be_read_is_named() {
    let cases = [
        (json!([{"id": "a"}]), "rules[0].effect"),
        (json!([{"effect": "deny"}]), "rules[0].id"),
        (json!([{"id": "a", "effect": "forbid"}]), "rules[0].effect"),
        (json!([{"id": "a", "effect": "deny", "tools": "x"}]), "rules[0].tools"),
        (json!([{"id": "a", "effect": "deny", "who": {"name": "x"}}]), "rules[0].who.name"),
        (json!([{"id": "a", "effect": "deny", "until": "monday"}]), "rules[0].until"),
        (json!([{"id": "a", "effect": "deny", "source": "me"}]), "rules[0].source"),
        (json!([{"id": "a", "effect": "deny", "final": true}]), "rules[0].final"),
        (json!([{"id": "a", "effect": "deny"}, {"id": "a", "effect": "ask"}]), "rules[1].id"),
        (json!({}), "rules"),
    ];
    for (rules, member) in cases {
        let fault = RuleBook::decode(&rules).unwrap_err();
        assert_eq!(fault.code, Code::CommandInvalid);
        assert!(fault.message.contains(&format!("`{member}`")), "{}", fault.message);
    }
}

#[test]
fn the_book_forgets_and_replaces() {
    let mut book = RuleBook::decode(&json!([{"id": "t", "effect": "deny", "until": "turn"}, {"id": "s", "effect": "ask", "until": "session"}])).unwrap();
    let before = book.clone();
    book.end_turn(false);
    assert_eq!(book, before, "what forbids holds while another run goes on");
    book.end_turn(true);
    assert!(book != before && !book.looks_into("a:b", "b", "s"));
    let mut book = RuleBook::default();
    let key = Key { tool_id: ToolId::parse("a:b").unwrap(), action: "x".into(), content: None };
    let rule = key.rule(super::super::RuleEffect::Allow, RuleSource::Local, "");
    book.add(rule.clone());
    book.add(rule.clone());
    let mut again = RuleBook::default();
    again.add(rule);
    assert_eq!(book, again);
    assert!(book.looks_into("a:b", "b", "s") && !book.looks_into("a:c", "c", "s"));
}

#[test]
fn the_end_of_a_session_ends_what_holds_so_long() {
    let about = |id: &str, effect: &str, until: &str, session: Option<&str>| {
        let mut rule = json!({"id": id, "effect": effect, "tool": "a:b", "until": until});
        if let Some(session) = session {
            rule["who"] = json!({"session": session});
        }
        rule
    };
    let all = [
        about("allow", "allow", "session", None),
        about("allow-s1", "allow", "session", Some("s1")),
        about("allow-s2", "allow", "session", Some("s2")),
        about("deny", "deny", "session", None),
        about("ask-s1", "ask", "session", Some("s1")),
        about("deny-s*", "deny", "session", Some("s*")),
        about("deny-ever", "deny", "forever", Some("s1")),
    ];
    let denial = |book: &mut RuleBook, session: &str| {
        let key = Key { tool_id: ToolId::parse("a:b").unwrap(), action: "x".into(), content: None };
        book.denials.add(session, key.rule(super::super::RuleEffect::Deny, RuleSource::Local, ""));
    };
    for (is_last, stays) in
        [(false, &["allow-s2", "deny", "deny-s*", "deny-ever"][..]), (true, &["allow-s2", "deny-ever"][..])]
    {
        let mut book = RuleBook::decode(&json!(all)).unwrap();
        denial(&mut book, "s1");
        denial(&mut book, "s2");
        book.end_session("s1", is_last);
        let left: Vec<_> = all.iter().filter(|rule| stays.contains(&rule["id"].as_str().unwrap())).collect();
        let mut expected = RuleBook::decode(&json!(left)).unwrap();
        denial(&mut expected, "s2");
        assert_eq!(book, expected, "last: {is_last}");
    }
}

#[test]
fn the_path_of_a_rule_cannot_be_walked_around() {
    let allowed = |path: &str| {
        said(json!({"mode": ["manual"], "effect": "write", "action": {"name": "x", "target": {"path": path}},
            "rules": [{"id": "a", "effect": "allow", "pattern": "docs/*"}]}))
        .0 == Word::Allow
    };
    assert!(allowed("docs/a.md") && allowed("./docs//a.md") && allowed(r"docs\a.md"));
    assert!(!allowed("docs/../secret") && !allowed("docs/a/../../secret") && !allowed("/docs/a"));
    let denied = |path: &str| {
        said(json!({"mode": ["full_access"], "action": {"name": "x", "target": {"path": path}},
            "rules": [{"id": "d", "effect": "deny", "pattern": r"docs\secret*"}]}))
        .0 == Word::Deny
    };
    assert!(denied("docs/secret.md") && denied("docs/./x/../secret") && !denied("docs/open"));
}
