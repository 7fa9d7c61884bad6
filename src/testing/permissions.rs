//! Decisions, levels, modes, and scripts of calls and answers, without a session.

use serde_json::{Map, Value, json};

use super::{Verdict, case};
use crate::catalog::EffectTrait;
use crate::catalog::profile::Tier;
use crate::identity::ToolId;
use crate::permission::{
    self, Action, Answered, Ask, Asker, Bounds, Check, Consent, Grants, Ground, Mode, Modes, RuleBook,
    Setting, Situation, Subject, mode_of,
};
use crate::protocol::ReceiptOutcome;
use crate::workspace::WRITABLE_ROOTS;

pub fn run(input: &Value, expect: &Value) -> Verdict {
    let result = match input["op"].as_str() {
        Some("decide") => decide(input, expect),
        Some("level") => level(input).and_then(|found| case::pins(&found, expect)),
        Some("default_mode") => {
            let mode = Mode::of_level(level_of(input));
            case::pins(&json!({"mode": mode}), expect)
        }
        Some("merge_modes") => merge_modes(input).and_then(|found| case::pins(&found, expect)),
        Some("script") => script(input, expect),
        other => Err(format!("unknown op {other:?}")),
    };
    result.into()
}

fn level_of(input: &Value) -> u8 {
    input["level"].as_u64().and_then(|level| u8::try_from(level).ok()).unwrap_or_default()
}

fn level(input: &Value) -> Result<Value, String> {
    let mut subject = Map::from_iter([("roles".to_owned(), input["sources"].clone())]);
    subject.extend(input.get("explicit").map(|level| ("level".to_owned(), level.clone())));
    let subject = Subject::decode(Some(&Value::Object(subject))).map_err(|fault| fault.to_string())?;
    Ok(json!({"level": subject.level}))
}

fn merge_modes(input: &Value) -> Result<Value, String> {
    let words = input["modes"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let modes: Option<Vec<Mode>> = words.map(mode_of).collect();
    let modes = modes.ok_or("a mode is not known")?;
    Ok(json!({"mode": Modes::new(modes, level_of(input)).strictest()}))
}

/// What a case is played on.
struct World {
    mode: String,
    subject: Subject,
    asker: Asker,
    rules: RuleBook,
    grants: Grants,
    bounds: Bounds,
    now: u64,
    approver: bool,
    reviewer: bool,
}

/// How a call of a case was decided.
struct Decided {
    word: &'static str,
    ground: Ground,
    ask: Option<Box<Ask>>,
}

impl World {
    fn new(input: &Value) -> Result<Self, String> {
        let level = level_of(input);
        let subject = Subject { level, ..Subject::host() };
        let mut world = Self {
            mode: case::text_of(input, "mode"),
            subject,
            asker: asker("s1", 1),
            rules: RuleBook::decode(&rules(input)).map_err(|fault| fault.to_string())?,
            grants: Grants::default(),
            bounds: Bounds {
                directories: WRITABLE_ROOTS.iter().map(|root| (*root).to_owned()).collect(),
                hosts: Vec::new(),
            },
            now: input["now"].as_u64().unwrap_or_default(),
            approver: input.get("ui") != Some(&Value::Bool(false)),
            reviewer: input["reviewer"] == "safe",
        };
        for given in input["grants"].as_array().into_iter().flatten() {
            world.grant(given)?;
        }
        Ok(world)
    }

    /// A grant comes from an answer: the question about the same call in a mode that asks.
    fn grant(&mut self, given: &Value) -> Result<(), String> {
        let call = json!({
            "toolId": given["toolId"], "alias": "x", "action": given["action"], "target": given["target"],
            "effect": "write",
        });
        let asking = World {
            mode: "manual".to_owned(),
            subject: Subject::host(),
            asker: self.asker.clone(),
            rules: RuleBook::default(),
            grants: Grants::default(),
            bounds: Bounds::default(),
            now: 0,
            approver: true,
            reviewer: false,
        };
        let ask = asking.decide(&call)?.ask.ok_or("the grant was not asked for")?;
        match self.follow(&ask, "session") {
            true => Ok(()),
            false => Err("the grant was not given".into()),
        }
    }

    fn decide(&self, call: &Value) -> Result<Decided, String> {
        let tool = ToolId::parse(&case::text_of(call, "toolId")).map_err(|fault| fault.to_string())?;
        let (action, check) = (action(call)?, check(call)?);
        let alias = case::text_of(call, "alias");
        let situation = Situation {
            tool: &tool,
            alias: &alias,
            action: &action,
            effect: effect(&call["effect"]),
            control: false,
            bounded: false,
            has_classifier_text: self.reviewer,
            check: &check,
            tier: match call["policy"].as_str() {
                Some("ask") => Tier::Ask,
                Some("off") => Tier::Off,
                _ => Tier::Auto,
            },
            server: Tier::Auto,
            subject: &self.subject,
            asker: &self.asker,
            mode: Setting::new([self.mode.as_str()], self.subject.level),
            rules: &self.rules,
            grants: &self.grants,
            hook: None,
            bounds: &self.bounds,
            now: self.now,
            approver: self.approver,
            reviewer: self.reviewer,
        };
        let safe = json!({"verdict": "safe", "confidence": 1});
        let verdict = match permission::decide(&situation) {
            permission::Verdict::Review(_, ask) => permission::reviewed(Some(&safe), ask, self.approver),
            verdict => verdict,
        };
        let word = verdict.word().as_str();
        Ok(match verdict {
            permission::Verdict::Allow(ground) => Decided { word, ground, ask: None },
            permission::Verdict::Deny(ground, refusal) => {
                check_refusal(&refusal.message, &tool)?;
                Decided { word, ground, ask: None }
            }
            permission::Verdict::Ask(ground, ask) | permission::Verdict::Review(ground, ask) => {
                Decided { word, ground, ask: Some(ask) }
            }
        })
    }

    /// Whether the call goes on after an answer; what the answer brings is kept.
    fn follow(&mut self, ask: &Ask, answer: &str) -> bool {
        let payload = json!({"answer": answer, "by": "person"});
        let (session, invocation) = (&self.asker.session, &self.asker.invocation);
        match permission::answered(ask, ReceiptOutcome::Ok, Some(&payload), session, invocation) {
            Answered::Go(Consent { grants, rules, .. }) => {
                grants.into_iter().for_each(|grant| self.grants.add(grant));
                rules.into_iter().for_each(|rule| self.rules.add(rule));
                true
            }
            Answered::Refused(_, rules) => {
                rules.into_iter().for_each(|rule| self.rules.add(rule));
                false
            }
        }
    }
}

fn asker(session: &str, turn: u32) -> Asker {
    Asker { session: session.into(), invocation: format!("inv_{turn}"), ..Asker::default() }
}

fn check_refusal(text: &str, tool: &ToolId) -> Result<(), String> {
    if text.trim().is_empty() || text.contains(tool.as_str()) {
        return Err(format!("no text for a model: {text:?}"));
    }
    Ok(())
}

fn effect(word: &Value) -> EffectTrait {
    match word.as_str() {
        Some("read") => EffectTrait::Read,
        Some("write") => EffectTrait::Write,
        _ => EffectTrait::Exec,
    }
}

fn rules(input: &Value) -> Value {
    let given = input["rules"].as_array().into_iter().flatten().enumerate();
    let with_id = |(index, rule): (usize, &Value)| {
        let mut rule = rule.as_object().cloned().unwrap_or_default();
        rule.insert("id".into(), format!("r{index}").into());
        Value::Object(rule)
    };
    given.map(with_id).collect()
}

/// The action of a call or of a part of it.
fn action(call: &Value) -> Result<Action, String> {
    let mut members = Map::from_iter([("name".to_owned(), call["action"].clone())]);
    if let Some(path) = call.get("target").filter(|path| !path.is_null()) {
        members.insert("target".into(), json!({"path": path}));
    }
    if let Some(risk) = call["risk"].as_str().filter(|risk| *risk != "none") {
        members.insert("risk".into(), json!([risk]));
    }
    let mut read = Action::decode(&Value::Object(members)).map_err(|fault| fault.to_string())?;
    for part in call["parts"].as_array().into_iter().flatten() {
        let effect = part.get("effect").map(effect);
        read.parts.push(Action { effect, ..action(part)? });
    }
    Ok(read)
}

/// The tool's word; what touches something protected is reported by it.
fn check(call: &Value) -> Result<Check, String> {
    let check = match call["toolCheck"].as_str() {
        None => json!({"decision": "passthrough"}),
        Some("consent") => json!({"decision": "ask", "kind": "consent"}),
        Some(word) => json!({"decision": word}),
    };
    let mut check = Check::decode(&check).map_err(|fault| fault.to_string())?;
    check.findings.extend((call["safety"] == true).then_some(permission::Finding::Credentials));
    Ok(check)
}

fn decide(input: &Value, expect: &Value) -> Result<(), String> {
    let decided = World::new(input)?.decide(&input["call"])?;
    case::same_json("decision", &decided.word.into(), &expect["decision"])?;
    let reason = decided.ground.reason.as_str();
    let reasons = expect["reason"].as_array().into_iter().flatten();
    if !reasons.clone().any(|wanted| wanted == reason) {
        return Err(format!("reason {reason}, step {}", decided.ground.step));
    }
    match expect.get("source") {
        Some(source) => case::same_json("source", &json!(decided.ground.source), source),
        None => Ok(()),
    }
}

fn script(input: &Value, expect: &Value) -> Result<(), String> {
    let mut world = World::new(input)?;
    let (mut turn, mut calls) = (1, Vec::new());
    for step in input["script"].as_array().into_iter().flatten() {
        match step["do"].as_str() {
            Some("call") => {
                let decided = world.decide(&step["call"])?;
                let runs = match (&decided.ask, step["answer"].as_str()) {
                    (Some(ask), Some(answer)) => world.follow(ask, answer),
                    _ => decided.word == "allow",
                };
                calls.push(json!({"decision": decided.word, "runs": runs}));
            }
            Some("next_turn") => {
                world.grants.end_invocation(&world.asker.invocation);
                world.rules.end_turn(true);
                turn += 1;
                world.asker = asker(&world.asker.session, turn);
            }
            Some("session") => world.asker = asker(&case::text_of(step, "id"), turn),
            // Grants are in memory and snapshots only; the host has stored the rules.
            Some("restart") => world.grants = Grants::default(),
            other => return Err(format!("unknown step {other:?}")),
        }
    }
    case::same_json("calls", &calls.into(), &expect["calls"])
}
