//! What a scenario begins with: tools, rules, hooks, a profile, a run. All drawn from the seed.

use serde_json::{Value, json};

use crate::random::Random;

/// A tool of an extension.
pub struct Tool {
    pub id: String,
    /// What the model calls it.
    pub alias: String,
    /// It wants a whole number `n`.
    pub strict: bool,
}

/// How a scenario goes.
pub struct Setting {
    pub tools: Vec<Tool>,
    pub builtins: Vec<&'static str>,
    pub hooks: Vec<Value>,
    pub rules: Vec<Value>,
    pub neutral: bool,
    pub driven: bool,
    /// Replies with calls before the last one.
    pub rounds: usize,
    /// So many of a hundred answers are not good ones.
    pub trouble: usize,
    /// Thinks, waits and forgets for so long at most, in milliseconds.
    pub patience: u64,
    /// What the host does by itself.
    pub acts: usize,
    /// The command that starts a run.
    pub start: Value,
    /// Builtins that the model calls more than others.
    pub favourites: &'static [&'static str],
    /// What the model does when it does not behave.
    pub habit: Habit,
}

/// How a model goes wrong for longer than a reply.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Habit {
    None,
    /// It says nothing.
    Silent,
    /// It makes the same calls again and again.
    Stubborn,
}

/// What extensions call their tools, and what the model calls them.
const NAMES: [(&str, &str); 10] = [
    ("get_weather", "get_weather"),
    ("send", "send"),
    ("p", "p"),
    ("q", "q"),
    ("lookup.user:all", "lookup_user_all"),
    ("pütt", "p_tt"),
    ("put it!", "put_it_"),
    ("buy", "buy"),
    ("k", "k"),
    ("note", "note"),
];

/// Builtins by the names that the model uses.
pub const BUILTINS: [&str; 7] = [
    "workspace_read_file",
    "workspace_write_file",
    "workspace_apply_patch",
    "workspace_list_files",
    "workspace_search_files",
    "workspace_shell",
    "dice_roll",
];

/// What a model may be after.
const FAVOURITES: [&[&str]; 4] = [
    &[],
    &[],
    &["workspace_shell"],
    &[
        "workspace_read_file",
        "workspace_read_file",
        "workspace_write_file",
        "workspace_apply_patch",
        "workspace_shell",
    ],
];

/// The identity of a builtin.
pub fn builtin_id(alias: &str) -> String {
    format!("builtin:{}", alias.replacen('_', ".", 1))
}

const POINTS: [&str; 6] =
    ["before-permission", "before-permission", "permission-request", "before-run", "after-run", "after-run"];
const MODES: [&str; 8] = ["full_access", "full_access", "allow", "manual", "auto", "read-only", "manual", ""];

/// Draws a scenario, and the lines it begins with.
pub fn draw(random: &mut Random) -> (Setting, Vec<Value>) {
    let (mut tools, mut registered) = (Vec::new(), Vec::new());
    for place in 0..3 + random.below(6) {
        let (name, alias) = NAMES[place];
        let strict = random.chance(50);
        registered.push(registration(random, name, alias, strict));
        tools.push(Tool { id: format!("extension/x:{name}"), alias: alias.to_owned(), strict });
    }
    let builtins: Vec<&str> = BUILTINS.into_iter().filter(|_| random.chance(85)).collect();
    let mut setting = Setting {
        start: Value::Null,
        hooks: if random.chance(45) { hooks(random, &tools) } else { Vec::new() },
        rules: if random.chance(60) { rules(random, &tools) } else { Vec::new() },
        neutral: random.chance(30),
        driven: random.chance(15),
        favourites: FAVOURITES[random.below(FAVOURITES.len())],
        rounds: random.below(6),
        habit: match random.below(100) {
            0..=2 => Habit::Silent,
            3..=12 => Habit::Stubborn,
            _ => Habit::None,
        },
        trouble: *random.pick(&[0, 10, 30, 60]),
        patience: *random.pick(&[0, 40, 300, 4_000]),
        acts: if random.chance(60) { random.below(9) } else { 0 },
        tools,
        builtins,
    };
    setting.start = start(random, &setting);
    let lines = vec![
        json!({"command": {"type": "registerTools", "tools": registered}}),
        json!({"command": {"type": "rules.set", "rules": setting.rules}}),
        json!({"command": {"type": "registerHooks", "hooks": setting.hooks}}),
        json!({"command": setting.start}),
    ];
    (setting, lines)
}

fn registration(random: &mut Random, name: &str, action: &str, strict: bool) -> Value {
    let mut traits = json!({"effect": random.pick(&["read", "write", "exec"])});
    let mut maybe = |percent: usize, member: &str, value: Value| {
        if random.chance(percent) {
            traits[member] = value;
        }
    };
    maybe(55, "parallel", json!(true));
    maybe(25, "cascadesOnFailure", json!(true));
    maybe(15, "interrupt", json!("block"));
    maybe(15, "background", json!(false));
    maybe(10, "resultBudget", json!({"chars": 80}));
    maybe(30, "classifierText", json!("It does something with {{n}}."));
    if random.chance(35) {
        traits["timeoutMs"] = random.between(10, 600).into();
    }
    let schema = match strict {
        true => json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}),
        false => json!({"type": "object"}),
    };
    let risk = if random.chance(8) { json!(["critical"]) } else { json!([]) };
    json!({
        "extensionId": "x", "name": name, "description": "A tool of the host.", "inputSchema": schema,
        "traits": traits, "returns": if random.chance(35) { "blocks" } else { "json" },
        "permission": {"name": action, "risk": risk, "target": {"n": "$.n"}},
    })
}

fn hooks(random: &mut Random, tools: &[Tool]) -> Vec<Value> {
    let mut hooks = Vec::new();
    for number in 0..1 + random.below(4) {
        let include = match random.below(3) {
            0 => json!([]),
            1 => json!([random.pick(tools).id]),
            _ => json!([random.pick(tools).alias, random.pick(&BUILTINS)]),
        };
        hooks.push(json!({
            "hookId": format!("h{number}"), "point": random.pick(&POINTS), "include": include,
            "timeoutMs": random.between(1_000, 3_000),
        }));
    }
    for point in ["user-prompt", "run-stop"] {
        if random.chance(20) {
            hooks.push(json!({"hookId": point, "point": point, "timeoutMs": 1_000}));
        }
    }
    hooks
}

fn rules(random: &mut Random, tools: &[Tool]) -> Vec<Value> {
    let mut rules = Vec::new();
    for number in 0..1 + random.below(3) {
        let effect = random.pick(&["deny", "deny", "ask", "allow"]);
        let tool = if random.chance(70) {
            random.pick(tools).id.clone()
        } else {
            builtin_id(BUILTINS[random.below(BUILTINS.len())])
        };
        rules.push(json!({"id": format!("r{number}"), "effect": effect, "tool": tool}));
    }
    if random.chance(25) {
        let pattern = json!({"id": "rm", "effect": "deny", "tool": "workspace_shell", "action": "shell:program", "pattern": "rm"});
        rules.push(pattern);
    }
    rules
}

fn start(random: &mut Random, setting: &Setting) -> Value {
    let builtins = setting.builtins.iter().map(|alias| builtin_id(alias));
    let mut allow: Vec<String> = builtins.chain(setting.tools.iter().map(|tool| tool.id.clone())).collect();
    if random.chance(20) {
        allow.pop();
    }
    let mut policy = json!({});
    if random.chance(20) {
        policy[&random.pick(&setting.tools).alias] = json!(random.pick(&["off", "ask"]));
    }
    let mode = *random.pick(&MODES);
    let profile = json!({
        "schemaVersion": 5, "kind": "handrail.agentProfile", "id": "p", "displayName": "P",
        "tools": {
            "allow": allow, "policy": policy,
            "externalResultInlineCharLimit": random.pick(&[50_000, 4_000, 60]),
            "aggregateResultCharLimit": random.chance(25).then_some(6_000),
            "argumentRepair": if random.chance(80) { "lossless" } else { "none" },
        },
        "exposure": {"hideByMode": random.chance(20)},
        "permissions": {
            "mode": Some(mode).filter(|mode| !mode.is_empty()), "reviewer": random.chance(50),
            "askTimeoutMs": random.between(5_000, 9_000), "canPrompt": random.chance(80),
        },
        "run": {
            "lanes": random.pick(&["barrier", "free"]), "parallelLimit": random.between(1, 5),
            "unknownOutcome": if random.chance(25) { "end" } else { "report" },
            "background": random.chance(50), "loopGuard": random.chance(50), "stream": random.chance(50),
            "modelRetry": {"maxRetries": random.below(4), "intervalMs": random.between(1, 3_000)},
        },
    });
    json!({
        "type": "startRun", "scenario": "session", "seed": "dice", "profile": profile, "driven": setting.driven,
        "messages": [{"role": "user", "text": "Go on."}],
        "files": {"output/f0.md": "alpha\nbeta\n", "output/f1.md": "one line"},
        "capabilities": {
            "codec": if setting.neutral { "neutral" } else { "openai-chat" }, "store": random.chance(60),
            "incremental": random.chance(30), "images": random.chance(70), "reviewer": true,
        },
        "canPrompt": random.chance(85), "unattended": random.chance(10),
    })
}
