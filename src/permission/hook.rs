//! Hooks: functions of the host around a call. Which there are and which of them a call meets (HK-02, HK-10).

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::catalog::matches;
use crate::catalog::reading::{Members, Place, Read, not_a_word};
use crate::identity::ToolId;
use crate::protocol::limits::{HOOK_TIMEOUT_MAX_MS, HOOK_TIMEOUT_MIN_MS, HOOK_TIMEOUT_MS};
use crate::protocol::order::sort;
use crate::protocol::{Code, Fault};

/// Where hooks are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Point {
    /// Before the decision.
    BeforePermission,
    /// Before a person is asked.
    PermissionRequest,
    /// Before the call starts.
    BeforeRun,
    /// After it ended.
    AfterRun,
    /// Before the first model request.
    UserPrompt,
    /// Before a completed end.
    RunStop,
}

/// The points by name, with the names that other systems have for them.
const POINTS: [(&str, Point); 13] = [
    ("before-permission", Point::BeforePermission),
    ("permission-request", Point::PermissionRequest),
    ("before-run", Point::BeforeRun),
    ("after-run", Point::AfterRun),
    ("user-prompt", Point::UserPrompt),
    ("run-stop", Point::RunStop),
    ("PreToolUse", Point::BeforePermission),
    ("PermissionRequest", Point::PermissionRequest),
    ("tool-before", Point::BeforeRun),
    ("PostToolUse", Point::AfterRun),
    ("tool-after", Point::AfterRun),
    ("UserPromptSubmit", Point::UserPrompt),
    ("Stop", Point::RunStop),
];

/// One hook.
#[derive(Clone, Debug, PartialEq)]
pub struct Hook {
    /// What the host calls it.
    pub id: String,
    /// Where it is called.
    pub point: Point,
    /// Smaller ones first.
    pub order: i64,
    /// Patterns over tool id or call name; empty: all tools.
    pub include: Vec<String>,
    /// Patterns of tools it does not meet; beats `include`.
    pub exclude: Vec<String>,
    /// How long it may take, in milliseconds (HK-13).
    pub timeout_ms: u64,
}

/// All hooks, in the order in which they are called.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hooks(Vec<Hook>);

impl Hooks {
    /// Reads the member `hooks` of the command `registerHooks`. The new list replaces the old one.
    ///
    /// # Errors
    /// `command.invalid`, naming the member.
    pub fn decode(hooks: &Value) -> Result<Self, Fault> {
        let place = Place::document("command", Code::CommandInvalid).member("hooks");
        let mut hooks = Vec::<Hook>::read(hooks, &place)?;
        sort(&mut hooks, |a, b| a.order.cmp(&b.order));
        Ok(Self(hooks))
    }

    /// The hooks that a call of a tool meets at a point, in their order.
    pub fn of_call<'a>(
        &'a self,
        point: Point,
        tool: &'a ToolId,
        alias: &'a str,
    ) -> impl Iterator<Item = &'a Hook> {
        let names = move |patterns: &[String]| {
            patterns.iter().any(|pattern| matches(pattern, alias) || matches(pattern, tool.as_str()))
        };
        self.at(point)
            .filter(move |hook| (hook.include.is_empty() || names(&hook.include)) && !names(&hook.exclude))
    }

    /// The hooks at a point that is about no tool.
    pub fn at(&self, point: Point) -> impl Iterator<Item = &Hook> {
        self.0.iter().filter(move |hook| hook.point == point)
    }
}

impl Read for Hook {
    fn read(value: &Value, place: &Place) -> Result<Self, Fault> {
        let mut members = Members::open(value, place)?;
        let order = match members.raw("order") {
            None => 0,
            Some(order) => {
                let order = order.as_i64();
                order.ok_or_else(|| members.place("order").fault("must be an integer"))?
            }
        };
        let range = HOOK_TIMEOUT_MIN_MS..=HOOK_TIMEOUT_MAX_MS;
        let hook = Self {
            id: members.need("hookId")?,
            point: members.need("point")?,
            order,
            include: members.get("include", Vec::new())?,
            exclude: members.get("exclude", Vec::new())?,
            timeout_ms: members.integer_opt("timeoutMs", range)?.unwrap_or(HOOK_TIMEOUT_MS),
        };
        members.end()?;
        Ok(hook)
    }
}

impl Read for Point {
    fn read(value: &Value, place: &Place) -> Result<Self, Fault> {
        let point = POINTS.iter().find(|(name, _)| value.as_str() == Some(name));
        let names: Vec<&str> = POINTS.iter().take(6).map(|(name, _)| *name).collect();
        point.map(|(_, point)| *point).ok_or_else(|| not_a_word(value, place, &names))
    }
}
