//! The room on scenes: a situation as JSON, with defaults.

mod answers;
mod decisions;
mod hooks;
mod parts;
mod properties;
mod rules;

use serde_json::{Map, Value, json};

use super::{
    Action, Answer, Ask, Asker, Bounds, Check, Grant, Grants, Key, RuleBook, Setting, Situation, Subject,
    Verdict, Word, decide,
};
use crate::catalog::EffectTrait;
use crate::catalog::profile::Tier;
use crate::catalog::reading::{Place, Read};
use crate::identity::ToolId;
use crate::protocol::Code;

/// A word of a fixed list, from a scene.
fn word<T: Read>(value: &Value) -> T {
    T::read(value, &Place::document("scene", Code::CommandInvalid)).unwrap()
}

/// A situation that owns what it is made of.
struct Scene {
    tool: ToolId,
    action: Action,
    effect: EffectTrait,
    control: bool,
    bounded: bool,
    classifier: bool,
    check: Check,
    tier: Tier,
    server: Tier,
    subject: Subject,
    asker: Asker,
    setting: Setting,
    rules: RuleBook,
    grants: Grants,
    hook: Option<Word>,
    bounds: Bounds,
    now: u64,
    approver: bool,
    reviewer: bool,
}

impl Scene {
    /// What is not said: an extension `t` without traits, whose action is called `x`, in mode `manual`, at level 5, on
    /// the first day, with somebody to ask.
    fn new(scene: &Value) -> Self {
        let or = |name: &str, default: Value| scene.get(name).cloned().unwrap_or(default);
        let tool = ToolId::parse(or("tool", json!("extension/e:t")).as_str().unwrap()).unwrap();
        let action = Action::decode(&or("action", json!({"name": "x"}))).unwrap();
        let level = u8::try_from(or("level", json!(5)).as_u64().unwrap()).unwrap();
        let who = or("who", json!({}));
        let texts = |name: &str| {
            who[name].as_array().into_iter().flatten().map(|t| t.as_str().unwrap().to_owned()).collect()
        };
        let one = |name: &str| who[name].as_str().map(str::to_owned);
        let modes = or("mode", json!(["manual"]));
        let modes: Vec<&str> = modes.as_array().unwrap().iter().map(|mode| mode.as_str().unwrap()).collect();
        let mut grants = Grants::default();
        for grant in or("grants", json!([])).as_array().unwrap() {
            let text = |name: &str| grant.get(name).and_then(Value::as_str).map(str::to_owned);
            let target = action.target.as_ref();
            let own = super::content::key(target).map(|(_, text)| text.to_string());
            grants.add(Grant {
                session: text("session").unwrap_or("s".into()),
                invocation: text("invocation"),
                key: Key {
                    tool_id: tool.clone(),
                    action: text("action").unwrap_or(action.name.clone()),
                    content: text("content").or(own),
                },
                findings: word(&grant.get("findings").cloned().unwrap_or(json!([]))),
            });
        }
        Self {
            effect: word(&or("effect", json!("exec"))),
            control: or("control", json!(false)) == true,
            bounded: or("bounded", json!(false)) == true,
            classifier: or("classifier", json!(false)) == true,
            check: Check::decode(&or("check", json!("passthrough"))).unwrap(),
            tier: word(&or("tier", json!("auto"))),
            server: word(&or("server", json!("auto"))),
            subject: Subject { id: one("user"), level, roles: texts("roles"), groups: texts("groups") },
            asker: Asker {
                session: "s".into(),
                invocation: "i".into(),
                route: one("route"),
                agent: one("agent"),
                platform: one("platform"),
            },
            setting: Setting::new(modes, level),
            rules: RuleBook::decode(&or("rules", json!([]))).unwrap(),
            hook: scene.get("hook").map(word),
            bounds: Bounds {
                directories: vec!["output".into(), "/srv/added".into()],
                hosts: vec!["*.example.org".into()],
            },
            now: or("now", json!(0)).as_u64().unwrap(),
            approver: or("approver", json!(true)) == true,
            reviewer: or("reviewer", json!(false)) == true,
            tool,
            action,
            grants,
        }
    }

    fn facts(&self) -> Situation<'_> {
        Situation {
            tool: &self.tool,
            alias: self.tool.native(),
            action: &self.action,
            effect: self.effect,
            control: self.control,
            bounded: self.bounded,
            has_classifier_text: self.classifier,
            check: &self.check,
            tier: self.tier,
            server: self.server,
            subject: &self.subject,
            asker: &self.asker,
            mode: self.setting,
            rules: &self.rules,
            grants: &self.grants,
            hook: self.hook,
            bounds: &self.bounds,
            now: self.now,
            approver: self.approver,
            reviewer: self.reviewer,
        }
    }

    fn decide(&self) -> Verdict {
        decide(&self.facts())
    }
}

/// The verdict of a scene.
fn verdict(scene: Value) -> Verdict {
    Scene::new(&scene).decide()
}

/// The word and the step of a scene.
fn said(scene: Value) -> (Word, u8) {
    let verdict = verdict(scene);
    (verdict.word(), verdict.ground().step)
}

/// The question of a scene.
fn ask(scene: Value) -> Ask {
    match verdict(scene) {
        Verdict::Ask(_, ask) => *ask,
        other => panic!("no question: {other:?}"),
    }
}

/// The text of a denial.
fn denial(scene: Value) -> (Code, String) {
    match verdict(scene) {
        Verdict::Deny(_, refusal) => (refusal.code, refusal.message),
        other => panic!("no denial: {other:?}"),
    }
}

fn object(value: Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap()
}

fn words(answers: &[Answer]) -> String {
    answers.iter().map(|answer| answer.as_str()).collect::<Vec<_>>().join(" ")
}
