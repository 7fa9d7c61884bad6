//! A rule: a lasting word about calls (PM-06).

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::case::{Case, Part};
use super::content::Pattern;
use super::grant::Key;
use super::subject::OWNER_LEVEL;
use crate::catalog::matches;
use crate::catalog::reading::{Members, Place, Read, words};
use crate::protocol::{Code, Fault};

words! {
    /// What a rule says.
    pub enum RuleEffect {
        /// Not to be asked about.
        Allow = "allow",
        /// To be asked about.
        Ask = "ask",
        /// Not to be done.
        Deny = "deny",
    }

    /// Where a rule comes from, the strongest first (PM-25).
    #[derive(PartialOrd, Ord)]
    pub enum RuleSource {
        /// The policy of an organisation.
        Policy = "policy",
        /// The host app.
        Host = "host",
        /// The session.
        Session = "session",
        /// Every session of this host app.
        Local = "local",
        /// The project.
        Project = "project",
        /// The user.
        User = "user",
    }
}

/// How long a rule holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// To the end of the run.
    Turn,
    /// To the end of the session.
    Session,
    /// While `now` is smaller; milliseconds since the Unix epoch.
    Time(u64),
    /// Always.
    Forever,
}

/// A rule. All patterns that are given must match.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Rule {
    /// What the host calls it.
    pub id: String,
    /// What it says.
    pub effect: RuleEffect,
    /// Pattern over tool id or call name.
    pub tool: String,
    /// Pattern over the name of an action.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// Pattern over the content key; an action without one is not meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<Pattern>,
    /// Whom it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub who: Option<Who>,
    /// How long it holds.
    pub until: Until,
    /// Where it comes from.
    pub source: RuleSource,
    /// An allow rule that also beats the ask rules of weaker sources.
    #[serde(rename = "final", skip_serializing_if = "std::ops::Not::not")]
    pub is_final: bool,
}

/// Whom a rule is about: patterns, and a level that must be the same.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Who {
    /// The level.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<u64>,
    /// The others, by name.
    #[serde(flatten)]
    pub patterns: Map<String, Value>,
}

/// What a rule can be about, beside the level.
const ABOUT: [&str; 7] = ["user", "role", "group", "session", "route", "agent", "platform"];

impl Rule {
    /// Reads a rule.
    ///
    /// # Errors
    /// `command.invalid`, naming the member.
    pub fn decode(value: &Value) -> Result<Self, Fault> {
        Self::read(value, &Place::document("rule", Code::CommandInvalid))
    }

    /// Whether it holds for a part of a call. One of which it is not known what it does may be what a rule forbids, or
    /// wants to be asked about (IV-40), and is nothing that a rule allows.
    pub(super) fn hits(&self, case: &Case<'_>, part: &Part<'_>) -> bool {
        let is_meant = || {
            // The pattern first: of many rules about one tool, it is what tells them apart.
            self.pattern.as_ref().is_none_or(|pattern| part.is_about(pattern))
                && self.action.as_ref().is_none_or(|action| matches(action, &part.action.name))
        };
        let may_be = part.action.unknown && self.effect != RuleEffect::Allow;
        (may_be || is_meant()) && self.could_hit(case)
    }

    /// Whether it is about some calls of its tools and not about others.
    pub(super) fn is_partial(&self) -> bool {
        self.action.is_some() || self.pattern.is_some()
    }

    /// Whether it could hold for a call of this tool by this person, whatever that is about.
    pub(super) fn could_hit(&self, case: &Case<'_>) -> bool {
        case.names_tool(&self.tool)
            && self.who.as_ref().is_none_or(|who| who.is(case))
            && self.holds_at(case.facts.now)
    }

    /// Whether it is the rule of an answer about this ([`Key::rule`]).
    pub fn is_about(&self, key: &Key) -> bool {
        self.tool == key.tool_id.as_str()
            && self.action.as_ref() == Some(&key.action)
            && self.pattern.as_ref().map(Pattern::as_str) == key.content.as_deref()
    }

    /// The pattern of the sessions that it is about, if it is about some.
    pub(super) fn session(&self) -> Option<&str> {
        self.who.as_ref()?.patterns.get("session")?.as_str()
    }

    fn holds_at(&self, now: u64) -> bool {
        !matches!(self.until, Until::Time(end) if now >= end)
    }
}

impl Who {
    /// Everybody in one session.
    pub(super) fn of_session(session: &str) -> Self {
        Self { level: None, patterns: Map::from_iter([("session".to_owned(), session.into())]) }
    }

    fn is(&self, case: &Case<'_>) -> bool {
        let (subject, asker) = (case.facts.subject, case.facts.asker);
        let is = |about: &str, pattern: &str| {
            let any = |names: &[String]| names.iter().any(|name| matches(pattern, name));
            let one = |name: Option<&str>| name.is_some_and(|name| matches(pattern, name));
            match about {
                "user" => one(subject.id.as_deref()),
                "role" => any(&subject.roles),
                "group" => any(&subject.groups),
                "session" => matches(pattern, &asker.session),
                "route" => one(asker.route.as_deref()),
                "agent" => one(asker.agent.as_deref()),
                _ => one(asker.platform.as_deref()),
            }
        };
        let mut patterns = self.patterns.iter();
        self.level.is_none_or(|level| level == u64::from(subject.level))
            && patterns.all(|(about, pattern)| pattern.as_str().is_some_and(|pattern| is(about, pattern)))
    }
}

impl Read for Rule {
    fn read(value: &Value, place: &Place) -> Result<Self, Fault> {
        let mut members = Members::open(value, place)?;
        let rule = Self {
            id: members.need("id")?,
            effect: members.need("effect")?,
            tool: members.get("tool", "*".to_owned())?,
            action: members.opt("action")?,
            pattern: members.opt("pattern")?.map(Pattern::new),
            who: members.opt("who")?,
            until: members.get("until", Until::Forever)?,
            source: members.get("source", RuleSource::User)?,
            is_final: members.get("final", false)?,
        };
        members.end()?;
        if rule.is_final && rule.effect != RuleEffect::Allow {
            return Err(place.member("final").fault("is only for rules whose effect is allow"));
        }
        Ok(rule)
    }
}

impl Read for Who {
    fn read(value: &Value, place: &Place) -> Result<Self, Fault> {
        let mut members = Members::open(value, place)?;
        let level = members.integer_opt("level", 0..=u64::from(OWNER_LEVEL))?;
        let mut patterns = Map::new();
        for about in ABOUT {
            if let Some(pattern) = members.opt::<String>(about)? {
                patterns.insert(about.to_owned(), pattern.into());
            }
        }
        members.end()?;
        Ok(Self { level, patterns })
    }
}

impl Read for Until {
    fn read(value: &Value, place: &Place) -> Result<Self, Fault> {
        match (value.as_str(), value.as_u64()) {
            (Some("turn"), _) => Ok(Until::Turn),
            (Some("session"), _) => Ok(Until::Session),
            (Some("forever"), _) => Ok(Until::Forever),
            (_, Some(time)) => Ok(Until::Time(time)),
            _ => Err(place.expected("turn, session, forever or a time in milliseconds", value)),
        }
    }
}

impl Serialize for Until {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = match self {
            Until::Turn => json!("turn"),
            Until::Session => json!("session"),
            Until::Time(time) => json!(time),
            Until::Forever => json!("forever"),
        };
        value.serialize(serializer)
    }
}
