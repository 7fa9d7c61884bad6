//! What a decision is made of: the facts, and the action taken apart.

use std::borrow::Cow;

use super::address;
use super::bounds::Bounds;
use super::check::Check;
use super::content::{self, Content, Pattern};
use super::grant::{Grants, Key};
use super::mode::{Column, Mode, Setting};
use super::rule_book::RuleBook;
use super::safety::{Finding, findings};
use super::subject::Subject;
use super::verdict::Word;
use crate::catalog::profile::Tier;
use crate::catalog::{EffectTrait, Risk, matches};
use crate::identity::ToolId;

/// Where a call comes from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Asker {
    /// The session.
    pub session: String,
    /// The invocation.
    pub invocation: String,
    /// The way the user's request came in, as the host calls it.
    pub route: Option<String>,
    /// The profile of the agent.
    pub agent: Option<String>,
    /// The platform, as the host calls it.
    pub platform: Option<String>,
}

/// Everything a decision depends on (PM-03); not where the tool comes from (PM-14).
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// The tool.
    pub tool: &'a ToolId,
    /// What the model calls it.
    pub alias: &'a str,
    /// What it wants to do.
    pub action: &'a super::Action,
    /// What it can touch.
    pub effect: EffectTrait,
    /// It only steers the run.
    pub control: bool,
    /// It is confined to the virtual workspace (PM-63).
    pub bounded: bool,
    /// A text for the reviewer can be made.
    pub has_classifier_text: bool,
    /// The tool's own word.
    pub check: &'a Check,
    /// Its tier in the profile.
    pub tier: Tier,
    /// Its permission at the server it comes from: `off`, `ask`, or `allow` as [`Tier::Auto`] (PM-50).
    pub server: Tier,
    /// For whom.
    pub subject: &'a Subject,
    /// From where.
    pub asker: &'a Asker,
    /// The modes.
    pub mode: Setting,
    /// The rules.
    pub rules: &'a RuleBook,
    /// What was granted.
    pub grants: &'a Grants,
    /// What the hooks before this said: `allow` or `ask`.
    pub hook: Option<Word>,
    /// Where writing is in bounds.
    pub bounds: &'a Bounds,
    /// Milliseconds since the Unix epoch.
    pub now: u64,
    /// Somebody can be asked: `canPrompt`, and somebody is there (PM-23).
    pub approver: bool,
    /// A reviewer can be asked.
    pub reviewer: bool,
}

/// One node of an action: the whole, or a part of it.
pub(super) struct Part<'a> {
    pub action: &'a super::Action,
    /// What it is a part of.
    above: Option<usize>,
    pub content: Option<(Content, Cow<'a, str>)>,
    /// Its command is known to be one command.
    pub verified: bool,
    pub effect: EffectTrait,
    pub critical: bool,
    pub dangerous: bool,
    pub review: bool,
}

impl Part<'_> {
    /// Whether it says what it is about, and a pattern matches that.
    pub fn is_about(&self, pattern: &Pattern) -> bool {
        let content = self.content.as_ref();
        content.is_some_and(|(kind, key)| pattern.matches(*kind, key, self.verified))
    }
}

/// A decision at work.
pub(super) struct Case<'a> {
    pub facts: &'a Situation<'a>,
    parts: Vec<Part<'a>>,
}

impl<'a> Case<'a> {
    pub fn new(facts: &'a Situation<'a>) -> Self {
        let mut case = Self { facts, parts: Vec::with_capacity(1 + facts.action.parts.len()) };
        case.take_apart(facts.action, None);
        case
    }

    /// Puts an action and its parts on the list. An action is nested no deeper than it can be read.
    fn take_apart(&mut self, action: &'a super::Action, above: Option<usize>) {
        let whole = above.and_then(|above| self.parts.get(above));
        let risky = |risk: Risk, of_whole: fn(&Part<'_>) -> bool| {
            action.risk.contains(&risk) || whole.is_some_and(of_whole)
        };
        let commands = action.parts.iter().filter(|part| command_of(part)).count();
        let is_rest = |part: &super::Action| action.is_rest(part);
        let verified = match whole {
            Some(whole) if action.parts.is_empty() => !whole.action.is_rest(action),
            _ => commands == 1 && !action.parts.iter().any(is_rest),
        };
        let part = Part {
            action,
            above,
            content: content::key(action.target.as_ref()),
            verified,
            effect: action.effect.unwrap_or_else(|| whole.map_or(self.facts.effect, |whole| whole.effect)),
            critical: risky(Risk::Critical, |whole| whole.critical),
            dangerous: risky(Risk::Dangerous, |whole| whole.dangerous),
            review: risky(Risk::Review, |whole| whole.review),
        };
        let place = self.parts.len();
        self.parts.push(part);
        for part in &action.parts {
            self.take_apart(part, Some(place));
        }
    }

    /// What is judged: the parts that consist of nothing else, or the whole.
    pub fn judged(&self) -> impl Iterator<Item = &Part<'a>> {
        self.parts.iter().filter(|part| part.action.parts.is_empty())
    }

    /// A part, what it belongs to, and so on up to the whole.
    pub fn chain<'s>(&'s self, part: &'s Part<'a>) -> impl Iterator<Item = &'s Part<'a>> {
        std::iter::successors(Some(part), |part| self.parts.get(part.above?))
    }

    /// Of those, what a grant can be about: the part, and a whole that says what it is about.
    pub fn keyed<'s>(&'s self, part: &'s Part<'a>) -> impl Iterator<Item = &'s Part<'a>> {
        self.chain(part).filter(|part| part.action.parts.is_empty() || part.content.is_some())
    }

    /// What a lasting answer is about: the whole if it says what it is about, otherwise each part.
    pub fn keys(&self) -> Vec<Key> {
        match self.parts.first() {
            Some(whole) if whole.content.is_some() => vec![self.key(whole)],
            _ => self.distinct(self.judged()),
        }
    }

    /// The protected places in a whole that says what it is about: an answer for a while is about each of them, too.
    pub fn places(&self) -> Vec<Key> {
        let parts = self.judged().filter(|part| part.above.is_some() && part.content.is_some());
        self.distinct(parts.filter(|part| !self.findings(part).is_empty()))
    }

    fn key(&self, part: &Part<'_>) -> Key {
        Key {
            tool_id: self.facts.tool.clone(),
            action: part.action.name.clone(),
            content: part.content.as_ref().map(|(_, text)| text.to_string()),
        }
    }

    fn distinct<'s>(&'s self, parts: impl Iterator<Item = &'s Part<'a>>) -> Vec<Key>
    where
        'a: 's,
    {
        let mut distinct: Vec<Key> = Vec::new();
        for key in parts.map(|part| self.key(part)) {
            if !distinct.contains(&key) {
                distinct.push(key);
            }
        }
        distinct
    }

    /// Whether an answer may last at all.
    pub fn remember(&self) -> bool {
        self.parts.iter().all(|part| part.action.remember)
    }

    /// Whether a pattern names the tool, by id or by call name (PM-54).
    pub fn names_tool(&self, pattern: &str) -> bool {
        matches(pattern, self.facts.alias) || matches(pattern, self.facts.tool.as_str())
    }

    /// What the mode table says about a part.
    pub fn table(&self, part: &Part<'_>) -> Word {
        self.facts.mode.modes.say(self.column(part), self.facts.subject.level)
    }

    /// The first part about which the mode table says this, and the strictest mode that does.
    pub fn ruled(&self, word: Word) -> Option<(&Part<'a>, Mode)> {
        let part = self.judged().find(|part| self.table(part) == word)?;
        let (column, level) = (self.column(part), self.facts.subject.level);
        Some((part, self.facts.mode.modes.iter().find(|mode| mode.say(column, level) == word)?))
    }

    /// The column of a part in the mode table.
    pub fn column(&self, part: &Part<'_>) -> Column {
        let in_bounds = || self.facts.bounds.hold(part.action.target.as_ref());
        Column::of(self.facts.control, part.effect, self.facts.bounded, part.review, in_bounds)
    }

    /// What makes a part one to ask about: its path, that of what it belongs to, and what the tool found.
    pub fn findings(&self, part: &Part<'_>) -> Vec<Finding> {
        let at = self.chain(part).flat_map(|node| {
            let about = |name: &str| node.action.target.as_ref()?.get(name)?.as_str();
            let writes = [part.effect, node.effect].iter().any(|effect| *effect != EffectTrait::Read);
            let file = about("url").and_then(address::file);
            let paths = about("path").map(Cow::Borrowed).into_iter().chain(file.map(Cow::Owned));
            paths.flat_map(move |path| findings(&path, writes))
        });
        let mut found: Vec<Finding> = Vec::new();
        for finding in at.chain(self.facts.check.findings.iter().copied()) {
            if !found.contains(&finding) {
                found.push(finding);
            }
        }
        found
    }
}

fn command_of(part: &super::Action) -> bool {
    part.target.as_ref().is_some_and(|target| target.get("command").is_some_and(serde_json::Value::is_string))
}
