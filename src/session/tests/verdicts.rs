//! What holds of one call whatever decides about it (chapter 17, IV-40 to IV-48), through a whole session.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::drive;
use super::scene::{Fate, Scene, Story, ended, hook, ok, one, opinions, paths, rule, scene, step};
use super::{call, command, reply, said};
use crate::protocol::{Effect, Input, Payload, Receipt, ReceiptOutcome};

/// Hooks that change the arguments, too.
fn rewriters() -> Value {
    json!([{}, {"decision": "allow"}, {"decision": "ask"}, {"args": {"path": "output/a.md", "n": 1}},
        {"mergeArgs": {"n": 2}}, {"mergeArgs": {"path": "far/a.md"}}, {"args": {"path": "output/.env", "n": 3}}])
}

fn plain() -> impl Strategy<Value = Scene> {
    scene(hook(opinions()))
}

fn says(answer: Value) -> impl FnMut(&Effect, &Value) -> Option<Receipt> {
    move |effect, _| Some(ok(effect, answer.clone()))
}

fn as_it_says(effect: &Effect, answer: &Value) -> Option<Receipt> {
    Some(ok(effect, answer.clone()))
}

fn without_final(mut rule: Value, effect: &str) -> Value {
    rule.as_object_mut().unwrap().shift_remove("final");
    rule["effect"] = effect.into();
    rule
}

proptest! {
    /// IV-40
    #[test]
    fn what_a_deny_rule_hits_never_starts(scene in scene(hook(rewriters())), about in one(json!([{}, {"tool": "t"}, {"pattern": "*"}]))) {
        // Of a tool whose look is broken nobody knows what a call is about.
        prop_assume!(scene.look != "broken" || about["pattern"].is_null());
        let story = scene.with_rule(without_final(about, "deny")).play();
        prop_assert!(story.called.is_empty() && story.asked.is_empty(), "{:?}", story);
    }

    /// IV-40: also a rule that comes while somebody is asked.
    #[test]
    fn a_deny_rule_holds_from_the_moment_it_is_set(scene in plain(), which in 0_usize..4) {
        let (mut session, asked) = scene.open();
        let mut held = Vec::new();
        let (mut called, mut seen) = (0, 0);
        let mut inputs = vec![Input::Receipt(ok(&asked, reply(json!([call("a", "t", &scene.args.to_string())]))))];
        for _ in 0..2 {
            drive(&mut session, std::mem::take(&mut inputs), 1, |effect| {
                let answer = match &effect.payload {
                    Payload::ModelRequest { .. } => said("Done."),
                    Payload::ExtensionCall { .. } => {
                        called += 1;
                        json!({"value": 1})
                    }
                    Payload::ApprovalRequest(_) => json!({"answer": "once"}),
                    Payload::ReviewRequest { .. } => json!({"verdict": "safe", "confidence": 1}),
                    Payload::HookRun { hook_id, .. } => scene.hooks[hook_id.parse::<usize>().unwrap()].1.clone(),
                    Payload::ExtensionInspect { .. } if scene.look != "broken" => scene.look.clone(),
                    _ => json!({}),
                };
                seen += 1;
                let waits = seen == which + 1 && !matches!(effect.payload, Payload::ExtensionCall { .. });
                let answer = ok(effect, answer);
                if waits { held.push(answer); None } else { Some(answer) }
            });
            if called > 0 || held.is_empty() {
                break;
            }
            step(&mut session, vec![command(json!({"type": "rules.set", "rules": [{"id": "late", "effect": "deny"}]}))]);
            inputs = held.drain(..).map(Input::Receipt).collect();
            seen = 100;
        }
        // Nothing was held before it started, or it never started.
        prop_assert!(called == 0 || seen < 100);
    }

    /// IV-41
    #[test]
    fn something_critical_needs_a_person_once(mut scene in scene(hook(rewriters())), answer in one(json!(["turn", "session", "always", "reject", "never"]))) {
        scene.tool["permission"]["risk"] = json!(["critical"]);
        // Broken looks make an action of their own.
        if scene.look == "broken" {
            scene.look = Value::Null;
        }
        let story = scene.play_with(says(json!({"answer": answer})), as_it_says);
        prop_assert!(story.called.is_empty(), "{:?}", story);
        prop_assert!(scene.play().fate() > Fate::Ran);
    }

    /// IV-42
    #[test]
    fn without_an_approver_nobody_is_asked_and_nothing_asked_about_starts(mut scene in plain()) {
        scene.terms["canPrompt"] = true.into();
        if scene.terms["mode"] == "dontAsk" {
            scene.terms["mode"] = "manual".into();
        }
        let with = scene.play();
        scene.terms["canPrompt"] = false.into();
        let without = scene.play();
        prop_assert!(without.asked.is_empty());
        prop_assert_eq!(without.fate(), if with.fate() == Fate::Asked { Fate::Denied } else { with.fate() });
    }

    /// IV-43
    #[test]
    fn another_rule_never_relaxes(scene in plain(), rule in rule()) {
        let before = scene.play().fate();
        let denied = scene.with_rule(without_final(rule.clone(), "deny")).play().fate();
        prop_assert!(denied >= before, "deny: {:?} {:?}", before, denied);
        let asked = scene.with_rule(without_final(rule, "ask")).play().fate();
        prop_assert!(asked > Fate::Ran || before == Fate::Ran, "ask: {:?} {:?}", before, asked);
    }

    /// IV-43
    #[test]
    fn another_risk_never_relaxes(mut scene in plain(), risk in one(json!(["review", "dangerous", "critical"])), place in any::<prop::sample::Index>()) {
        let before = scene.play().fate();
        // A broken look hides what the tool declares.
        let action = &mut scene.tool["permission"];
        let parts = action["parts"].as_array().unwrap().len();
        let place = place.index(parts + 1);
        let node = if place == parts { action } else { &mut action["parts"][place] };
        node["risk"].as_array_mut().unwrap().push(risk);
        // What was granted was granted without it; so it is still.
        let after = scene.play().fate();
        prop_assert!(after >= before, "{:?} {:?}", before, after);
    }

    /// IV-44
    #[test]
    fn a_call_that_is_cancelled_while_something_is_asked_never_starts(scene in scene(hook(rewriters())), which in 0_usize..5, together in any::<bool>(), alone in any::<bool>()) {
        let (mut session, asked) = scene.open();
        let (mut held, mut seen, mut called) = (None, 0, 0);
        let mut perform = |effect: &Effect| {
            let answer = match &effect.payload {
                Payload::ModelRequest { .. } => said("Done."),
                Payload::ExtensionCall { .. } => {
                    called += 1;
                    json!({"value": 1})
                }
                Payload::ApprovalRequest(_) => json!({"answer": "always"}),
                Payload::ReviewRequest { .. } => json!({"verdict": "safe", "confidence": 1}),
                Payload::HookRun { hook_id, .. } => scene.hooks[hook_id.parse::<usize>().unwrap()].1.clone(),
                Payload::ExtensionInspect { .. } if scene.look != "broken" => scene.look.clone(),
                _ => json!({}),
            };
            seen += 1;
            if seen - 1 == which {
                held = Some(ok(effect, answer));
                return None;
            }
            Some(ok(effect, answer))
        };
        let made = reply(json!([call("a", "t", &scene.args.to_string())]));
        drive(&mut session, vec![Input::Receipt(ok(&asked, made))], 1, &mut perform);
        let before = called;
        let mut stops = json!({"type": "cancelRun", "runId": run_id(&asked)});
        if alone {
            (stops["type"], stops["callId"]) = ("cancelCall".into(), "a".into());
        }
        let cancel = command(stops);
        let late = held.map(Input::Receipt);
        let mut perform = |effect: &Effect| {
            called += usize::from(matches!(effect.payload, Payload::ExtensionCall { .. }));
            None
        };
        if together {
            drive(&mut session, std::iter::once(cancel).chain(late).collect(), 1, &mut perform);
        } else {
            drive(&mut session, vec![cancel], 1, &mut perform);
            drive(&mut session, late.into_iter().collect(), 1, &mut perform);
        }
        prop_assert_eq!(called, before);
    }

    /// IV-45: what runs is what a person approved, or what nobody has to approve.
    #[test]
    fn what_was_approved_is_what_runs(scene in scene(hook(rewriters())), edits in prop::collection::vec(one(json!([null, null, {"path": "output/a.md", "n": 7}, {"path": "far/z", "n": 8}])), 4)) {
        let mut approved: Vec<Value> = Vec::new();
        let story = scene.play_with(
            |effect, request| {
                let place = approved.len() % 4;
                let shown = request["action"]["target"].clone();
                let mut answer = json!({"answer": "once"});
                approved.push(if edits[place].is_null() { shown } else {
                    answer["args"] = edits[place].clone();
                    edits[place].clone()
                });
                Some(ok(effect, answer))
            },
            as_it_says,
        );
        // A broken look leaves nothing to show.
        let hidden = scene.look == "broken" && edits.iter().any(Value::is_null);
        let ran = story.called.first().zip(approved.last()).filter(|(args, last)| !hidden && args != last);
        if let Some((args, last)) = ran {
            let again = Scene { args: args.clone(), hooks: Vec::new(), ..scene };
            prop_assert_eq!(again.play().fate(), Fate::Ran, "ran {} after {}", args, last);
        }
    }

    /// IV-46
    #[test]
    fn what_is_off_never_starts(mut scene in plain()) {
        scene.tier = "off".into();
        let story = scene.play();
        prop_assert!(story.called.is_empty() && story.asked.is_empty());
    }

    /// IV-47: a builtin tool and one of an extension that do the same are judged the same.
    #[test]
    fn where_a_tool_comes_from_does_not_matter(mut scene in plain(), args in paths()) {
        (scene.look, scene.granted, scene.tier) = (Value::Null, false, "auto".into());
        scene.args = args.clone();
        for rule in &mut scene.rules {
            rule["tool"] = "*".into();
        }
        scene.tool = json!({
            "permission": {"name": "tool:workspace_read_file", "target": {"path": "$.path"}}, "traits": {"effect": "read"},
        });
        let ours = scene.play();
        let (mut session, asked) = scene.open();
        let mut theirs = Story::default();
        let made = reply(json!([call("a", "workspace_read_file", &json!({"path": args["path"]}).to_string())]));
        let output = drive(&mut session, vec![Input::Receipt(ok(&asked, made))], 1, |effect| match &effect.payload {
            Payload::ApprovalRequest(request) => {
                theirs.asked.push(request.clone());
                Some(ok(effect, json!({"answer": "once"})))
            }
            Payload::HookRun { hook_id, .. } => Some(ok(effect, scene.hooks[hook_id.parse::<usize>().unwrap()].1.clone())),
            Payload::ModelRequest { .. } => Some(ok(effect, said("Done."))),
            _ => None,
        });
        theirs.hear(&output);
        prop_assert_eq!(&ours.decided, &theirs.decided);
        prop_assert_eq!(ours.asked.len(), theirs.asked.len());
        let answers = |story: &Story| story.asked.iter().map(|asked| asked["answers"].clone()).collect::<Vec<_>>();
        prop_assert_eq!(answers(&ours), answers(&theirs));
    }

    /// IV-48
    #[test]
    fn a_hook_that_breaks_is_as_none(scene in plain(), hooks in prop::collection::vec(hook(rewriters()), 1..4), how in 0_usize..7) {
        let breaks = |effect: &Effect, _: &Value| {
            let malformed = || ok(effect, json!({"decision": "perhaps", "args": {"path": "far/a.md"}, "halt": true}));
            let ends = [
                ReceiptOutcome::Failed, ReceiptOutcome::NotSent, ReceiptOutcome::TimedOut, ReceiptOutcome::Unknown,
                ReceiptOutcome::Cancelled,
            ];
            Some(ends.get(how).map_or_else(malformed, |outcome| {
                // What a receipt that is not ok brings along counts for nothing.
                Receipt { payload: Some(json!({"decision": "deny"})), ..ended(effect, *outcome) }
            }))
        };
        let once = says(json!({"answer": "once"}));
        let with = Scene { hooks, ..scene.clone() }.play_with(once, breaks);
        let without = Scene { hooks: Vec::new(), ..scene }.play();
        prop_assert_eq!(with.called, without.called);
        prop_assert_eq!(with.decided.last(), without.decided.last());
        let shown = |asked: &[Value]| -> Vec<Value> {
            asked.iter().map(|asked| json!([asked["answers"], asked["action"], asked["reason"]])).collect()
        };
        prop_assert_eq!(shown(&with.asked), shown(&without.asked));
    }
}

fn run_id(effect: &Effect) -> &str {
    &effect.run_id
}
