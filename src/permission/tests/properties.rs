//! What holds for every situation (chapter 17, IV-40 to IV-47).

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::permission::matches_command;

/// One of these values.
fn one(values: Value) -> impl Strategy<Value = Value> {
    let values: Vec<Value> = values.as_array().unwrap().clone();
    (0..values.len()).prop_map(move |index| values[index].clone())
}

fn targets() -> impl Strategy<Value = Value> {
    one(
        json!([null, null, {"path": "output/a.md"}, {"path": "far/a.md"}, {"path": "output/.env"}, {"path": "output/.git/x"},
        {"command": "git a; rm b"}, {"command": "git a"}, {"url": "https://a.example.org"}]),
    )
}

fn actions() -> impl Strategy<Value = Value> {
    let node = || {
        let risk = one(json!([[], [], [], ["review"], ["dangerous"], ["critical"]]));
        let effect = one(json!([null, null, "read", "write", "exec"]));
        (one(json!(["x", "y"])), targets(), risk, effect).prop_map(|(name, target, risk, effect)| {
            let mut node = json!({"name": name, "target": target, "risk": risk});
            if !effect.is_null() {
                node["effect"] = effect;
            }
            node
        })
    };
    (node(), prop::collection::vec(node(), 0..3)).prop_map(|(mut whole, parts)| {
        whole["parts"] = parts.into();
        whole
    })
}

fn rules() -> impl Strategy<Value = Vec<Value>> {
    let rule = (
        one(json!(["allow", "allow", "ask", "deny"])),
        one(json!(["*", "t", "other"])),
        one(json!([null, "x", "y", "*"])),
        one(json!([null, null, "git *", "output/*", "*"])),
        one(json!(["policy", "local", "project", "user"])),
        any::<bool>(),
    );
    let rule = rule.prop_map(|(effect, tool, action, pattern, source, is_final)| {
        let mut rule = json!({"effect": effect, "tool": tool, "source": source});
        for (name, value) in [("action", action), ("pattern", pattern)] {
            if !value.is_null() {
                rule[name] = value;
            }
        }
        if effect == "allow" {
            rule["final"] = is_final.into();
        }
        rule
    });
    prop::collection::vec(rule, 0..3)
}

fn scenes() -> impl Strategy<Value = Value> {
    let modes = prop::collection::vec(
        one(json!(["read-only", "files", "manual", "accept-edits", "auto", "allow", "full_access"])),
        0..3,
    );
    let checks = one(
        json!(["passthrough", "passthrough", "allow", "ask", "deny", {"decision": "ask", "kind": "consent"},
        {"decision": "ask", "kind": "choice"}, {"decision": "passthrough", "findings": ["out_of_scope"]}]),
    );
    let grants = one(json!([[], [], [{}], [{"findings": ["credentials", "git_internals"]}]]));
    let tool = (
        one(json!(["read", "write", "exec"])),
        any::<[bool; 3]>(),
        checks,
        one(json!(["auto", "auto", "ask", "off"])),
    );
    let run = (modes, 0..6u8, one(json!([null, "allow", "ask"])), any::<[bool; 2]>());
    (tool, actions(), rules(), grants, run).prop_map(|(tool, action, rules, grants, run)| {
        let (effect, [control, bounded, classifier], check, tier) = tool;
        let (modes, level, hook, [approver, reviewer]) = run;
        let mut scene = json!({
            "effect": effect, "control": control, "bounded": bounded, "classifier": classifier, "check": check, "tier": tier,
            "mode": modes, "level": level, "approver": approver, "reviewer": reviewer, "action": action, "grants": grants,
            "rules": [],
        });
        if !hook.is_null() {
            scene["hook"] = hook;
        }
        rules.into_iter().for_each(|rule| add_rule(&mut scene, rule));
        scene
    })
}

fn add_rule(scene: &mut Value, mut rule: Value) {
    let rules = scene["rules"].as_array_mut().unwrap();
    rule["id"] = format!("r{}", rules.len()).into();
    rules.push(rule);
}

fn word_of(scene: &Value) -> Word {
    said(scene.clone()).0
}

proptest! {
    #[test]
    fn a_deny_rule_always_holds(mut scene in scenes(), about in one(json!([{}, {"tool": "t"}, {"action": "*"}]))) {
        let mut rule = about;
        rule["effect"] = "deny".into();
        add_rule(&mut scene, rule);
        prop_assert_eq!(word_of(&scene), Word::Deny);
    }

    #[test]
    fn another_rule_never_relaxes(scene in scenes(), rules in rules()) {
        let before = word_of(&scene);
        for mut rule in rules {
            rule.as_object_mut().unwrap().shift_remove("final");
            for effect in ["deny", "ask"] {
                let mut scene = scene.clone();
                rule["effect"] = effect.into();
                add_rule(&mut scene, rule.clone());
                let after = word_of(&scene);
                match effect {
                    "deny" => prop_assert!(after >= before, "{:?} {:?}", before, after),
                    _ => prop_assert!(after != Word::Allow || before == Word::Allow),
                }
            }
        }
    }

    #[test]
    fn a_risk_never_relaxes(scene in scenes(), risk in one(json!(["review", "dangerous", "critical"])), part in any::<prop::sample::Index>()) {
        let before = word_of(&scene);
        let mut scene = scene;
        let count = scene["action"]["parts"].as_array().unwrap().len();
        let place = part.index(count + 1);
        let node = if place == count { &mut scene["action"] } else { &mut scene["action"]["parts"][place] };
        node["risk"].as_array_mut().unwrap().push(risk);
        prop_assert!(word_of(&scene) >= before, "{:?} {:?}", before, word_of(&scene));
    }

    #[test]
    fn something_critical_never_passes_by_itself(mut scene in scenes()) {
        scene["action"]["risk"] = json!(["critical"]);
        match verdict(scene) {
            Verdict::Deny(..) => {}
            Verdict::Ask(_, ask) => prop_assert!(ask.answers.iter().all(|answer| matches!(answer, Answer::Once | Answer::Reject | Answer::Never))),
            other => prop_assert!(false, "{:?}", other),
        }
    }

    #[test]
    fn without_an_approver_nothing_is_asked(mut scene in scenes()) {
        scene["approver"] = true.into();
        let with = word_of(&scene);
        scene["approver"] = false.into();
        let without = word_of(&scene);
        prop_assert_eq!(without, if with == Word::Ask { Word::Deny } else { with });
    }

    #[test]
    fn where_a_tool_comes_from_does_not_matter(mut scene in scenes()) {
        let mut words = Vec::new();
        for tool in ["extension/e:t", "mcp/m:t", "builtin:t"] {
            scene["tool"] = tool.into();
            words.push(said(scene.clone()));
        }
        prop_assert!(words.iter().all(|word| *word == words[0]), "{:?}", words);
    }

    #[test]
    fn another_mode_source_never_relaxes(mut scene in scenes(), mode in one(json!(["read-only", "files", "manual", "accept-edits", "auto", "allow"]))) {
        // Without any mode the level gives one, and a configured mode would take its place.
        if scene["mode"] == json!([]) {
            scene["mode"] = json!(["auto"]);
        }
        let before = word_of(&scene);
        scene["mode"].as_array_mut().unwrap().push(mode);
        prop_assert!(word_of(&scene) >= before);
    }

    #[test]
    fn commands_match_as_a_search_would(pattern in "[ab;*]{0,6}", text in "[ab;]{0,8}", verified in any::<bool>()) {
        let star = if verified { ".*" } else { "[^;]*" };
        let regex = format!("^{}$", pattern.replace('*', star));
        let regex = regex_lite::Regex::new(&regex).unwrap();
        prop_assert_eq!(matches_command(&pattern, &text, verified), regex.is_match(&text));
    }

    #[test]
    fn denials_name_no_tool_id(scene in scenes()) {
        if let Verdict::Deny(_, refusal) = verdict(scene) {
            prop_assert!(!refusal.message.contains("extension/e") && !refusal.message.trim().is_empty());
        }
    }
}
