//! Decisions, levels, modes, and scripts of calls and answers, each through a whole session.

use handrail::testing::{Verdict, case};
use serde_json::{Value, json};

use super::script::{Script, play};

pub fn run(input: &Value, expect: &Value) -> Verdict {
    let result = match input["op"].as_str() {
        Some("decide") => decide(input, expect),
        Some("level") => level(input, expect),
        Some("default_mode" | "merge_modes") => mode(input, expect),
        Some("script") => calls(input, expect),
        other => Err(format!("unknown op {other:?}")),
    };
    result.into()
}

/// A tool that makes the calls of a case, under this name.
fn tool(call: &Value, name: &str) -> Value {
    let id = call["toolId"].as_str().unwrap_or_default();
    let (owner, _) = id.trim_start_matches("extension/").split_once(':').unwrap_or_default();
    let mut permission = json!({"name": call["action"], "target": {"path": "$.path"}});
    if let Some(risk) = call["risk"].as_str().filter(|risk| *risk != "none") {
        permission["risk"] = json!([risk]);
    }
    if let Some(parts) = call["parts"].as_array() {
        permission["parts"] = parts.iter().map(part).collect();
    }
    let traits = json!({"effect": call["effect"], "classifierText": "A call"});
    let mut tool = json!({"extensionId": owner, "name": name, "permission": permission, "traits": traits});
    if let Some(word) = call.get("toolCheck") {
        let check =
            if word == "consent" { json!({"decision": "ask", "kind": "consent"}) } else { word.clone() };
        tool["looks"] = json!([{"check": check}]);
    }
    tool
}

fn part(part: &Value) -> Value {
    let mut said = json!({"name": part["action"]});
    if let Some(path) = part.get("target") {
        said["target"] = json!({"path": path});
    }
    if let Some(effect) = part.get("effect") {
        said["effect"] = effect.clone();
    }
    if let Some(risk) = part.get("risk") {
        said["risk"] = json!([risk]);
    }
    said
}

/// What touches something protected has a path that says so.
fn arguments(call: &Value) -> Value {
    match call["target"].as_str() {
        _ if call["safety"] == true => json!({"path": "elsewhere/.env"}),
        Some(path) => json!({"path": path}),
        None => json!({}),
    }
}

fn decide(input: &Value, expect: &Value) -> Result<(), String> {
    let call = &input["call"];
    let rules = input["rules"].as_array().cloned().unwrap_or_default();
    // An extension is called by its name; where a rule is about its id, the name is that of the id.
    let by_id = rules.iter().any(|rule| rule["tool"] == call["toolId"]);
    let name = if by_id { "put".to_owned() } else { case::text_of(call, "alias") };
    let mut runs = Vec::new();
    for (place, grant) in input["grants"].as_array().into_iter().flatten().enumerate() {
        let name = if grant["toolId"] == call["toolId"] { name.as_str() } else { "put" };
        let mut granted = grant.clone();
        granted["effect"] = "write".into();
        runs.push(json!({
            "tools": [tool(&granted, name)], "terms": {"mode": "manual"},
            "replies": [[[format!("g{place}"), name, arguments(grant)]]], "answers": ["session"],
        }));
    }
    let mut terms = json!({"mode": input["mode"], "subject": {"level": input["level"]}});
    if input["ui"] == false {
        terms["canPrompt"] = false.into();
    }
    let mut policy = json!({});
    if let Some(tier) = call.get("policy") {
        policy[name.as_str()] = tier.clone();
    }
    let rules = rules.into_iter().enumerate().map(|(place, mut rule)| {
        rule["id"] = format!("r{place}").into();
        rule
    });
    runs.push(json!({
        "tools": [tool(call, &name)], "rules": rules.collect::<Vec<_>>(), "terms": terms,
        "profile": {"policy": policy, "permissions": {"reviewer": !input["reviewer"].is_null()}},
        "replies": [[["c", name, arguments(call)]]], "answers": ["reject"],
    }));
    if let (Some(word), Some(run)) = (input.get("reviewer"), runs.last_mut()) {
        run["reviews"] = json!([{"verdict": word, "confidence": 1}]);
    }
    let mut script = json!({"tools": runs[0]["tools"], "runs": runs});
    if let Some(now) = input.get("now") {
        script["now"] = now.clone();
    }
    let decided = decision(&play(&script)?, "c");
    case::same_json("decision", &decided["verdict"], &expect["decision"])?;
    if !expect["reason"].as_array().is_some_and(|reasons| reasons.contains(&decided["reasonCode"])) {
        return Err(format!("reason {}", decided["reasonCode"]));
    }
    expect.get("source").map_or(Ok(()), |source| case::same_json("source", &decided["source"], source))
}

/// The last decision about a call. A tool that is off is not there to be decided about.
fn decision(played: &Script, call_id: &str) -> Value {
    let of = |kind| played.replay.payloads(kind).filter(|payload| payload["callId"] == call_id).last();
    let decided = of("permission_decided");
    let off = || of("tool_result_stored").is_some_and(|stored| stored["errorCode"] == "agent.tool_denied");
    decided.unwrap_or_else(|| {
        if off() { json!({"verdict": "deny", "reasonCode": "policy"}) } else { Value::Null }
    })
}

fn level(input: &Value, expect: &Value) -> Result<(), String> {
    let rule = |level: u8| json!({"id": format!("level {level}"), "effect": "deny", "who": {"level": level}});
    let mut subject = json!({"roles": input["sources"]});
    if let Some(level) = input.get("explicit") {
        subject["level"] = level.clone();
    }
    let played = play(&json!({
        "tools": [{"name": "t"}], "rules": (0..6).map(rule).collect::<Vec<_>>(),
        "terms": {"mode": "allow", "subject": subject}, "replies": [[["c", "t", {}]]],
    }))?;
    case::same_json("level", &decision(&played, "c")["ruleId"], &format!("level {}", expect["level"]).into())
}

/// Which mode it is, its words tell where it asks or denies; `allow` asks about what is dangerous.
fn mode(input: &Value, expect: &Value) -> Result<(), String> {
    let mut terms = json!({"subject": {"level": input["level"]}});
    let mut permissions = json!({});
    for (place, mode) in [&mut terms, &mut permissions].into_iter().enumerate() {
        if let Some(word) = input["modes"].get(place) {
            mode["mode"] = word.clone();
        }
    }
    let played = play(&json!({
        "tools": [
            {"name": "put", "traits": {"effect": "write"}}, {"name": "rm", "permission": {"name": "rm", "risk": ["dangerous"]}},
        ],
        "terms": terms, "profile": {"permissions": permissions},
        "replies": [[["w", "put", {}], ["d", "rm", {}]]], "answers": ["reject", "reject"],
    }))?;
    let asked = |call: &str| played.host.iter().find(|line| line[0] == "asked" && line[1] == call);
    let word = match decision(&played, "w")["verdict"].as_str() {
        Some("deny") => {
            let mut messages =
                played.requests.iter().flat_map(|messages| messages.as_array().into_iter().flatten());
            let told = messages.find(|message| message["tool_call_id"] == "w").ok_or("nothing was told")?;
            between(told["content"].as_str().unwrap_or_default(), "(", "). Continue")
        }
        Some("ask") => {
            let asked = asked("w").ok_or("nobody was asked")?;
            between(asked[2]["reason"].as_str().unwrap_or_default(), "The mode ", " asks")
        }
        _ if asked("d").is_some() => "allow".to_owned(),
        _ => "full_access".to_owned(),
    };
    case::same_json("mode", &word.into(), &expect["mode"])
}

/// What stands last before `end`, behind `start`.
fn between(text: &str, start: &str, end: &str) -> String {
    let before = text.split_once(end).map_or("", |(before, _)| before);
    before.rsplit_once(start).map_or("", |(_, word)| word).to_owned()
}

fn calls(input: &Value, expect: &Value) -> Result<(), String> {
    let (mut runs, mut session, mut restart): (Vec<Value>, _, _) = (Vec::new(), None, false);
    let (mut begins, mut ids, mut made) = (true, Vec::new(), None);
    for step in input["script"].as_array().into_iter().flatten() {
        match step["do"].as_str() {
            Some("session") => session = step.get("id"),
            Some("restart") => restart = true,
            _ => {}
        }
        if step["do"] != "call" {
            begins = true;
            continue;
        }
        if begins {
            let mut terms = json!({"mode": input["mode"], "subject": {"level": input["level"]}});
            if let Some(session) = session {
                terms["sessionId"] = session.clone();
            }
            runs.push(json!({"terms": terms, "restart": restart, "replies": [], "answers": []}));
            (begins, restart) = (false, false);
        }
        made = made.or(step.get("call"));
        ids.push(format!("c{}", ids.len() + 1));
        let run = runs.last_mut().ok_or("no run")?;
        let reply = json!([[ids.last(), "put", arguments(&step["call"])]]);
        run["replies"].as_array_mut().ok_or("no replies")?.push(reply);
        run["answers"].as_array_mut().ok_or("no answers")?.extend(step.get("answer").cloned());
    }
    let tool = tool(made.ok_or("no call is made")?, "put");
    let played = play(&json!({"tools": [tool], "runs": runs}))?;
    let ran = |id: &String| played.host.iter().any(|line| line[0] == "called" && line[1] == id.as_str());
    let found = ids.iter().map(|id| json!({"decision": decision(&played, id)["verdict"], "runs": ran(id)}));
    case::same_json("calls", &found.collect(), &expect["calls"])
}
