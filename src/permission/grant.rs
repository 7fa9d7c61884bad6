//! What a person has allowed for a while (PM-43). In memory and in snapshots, nowhere else.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::action::SHELL_WRITE;
use super::case::{Asker, Case, Part};
use super::content::Pattern;
use super::rule::{Rule, RuleEffect, RuleSource, Until, Who};
use super::safety::Finding;
use crate::catalog::reading::{Members, Place, Read};
use crate::identity::ToolId;
use crate::protocol::digest::short_hash;
use crate::protocol::{Code, Fault};

/// The builtins that show what is at the path that they are about.
const READERS: [&str; 3] = ["workspace.read_file", "workspace.search_files", "workspace.shell"];
/// Those that write there.
const WRITERS: [&str; 4] =
    ["workspace.write_file", "workspace.apply_patch", "workspace.edit", "workspace.delete"];

/// What a lasting answer is about: a tool, the name of an action, and its content key if it has one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Key {
    /// The tool.
    pub tool_id: ToolId,
    /// The action.
    pub action: String,
    /// The content key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
}

impl Key {
    /// Whether it can stand in a rule: a `*` in it would be a pattern (PM-28).
    pub fn is_plain(&self) -> bool {
        let content = self.content.as_deref().unwrap_or_default();
        ![self.tool_id.as_str(), &self.action, content].iter().any(|text| text.contains('*'))
    }

    /// Whether what it is about is reading its path, or writing there.
    fn opens(&self, writes: bool) -> bool {
        let natives = if writes { WRITERS.as_slice() } else { READERS.as_slice() };
        natives.iter().any(|native| ToolId::builtin(native) == self.tool_id) && self.action != SHELL_WRITE
    }

    /// The rule about exactly this, from an answer in a session; one of the session holds in it alone, and as long as it
    /// (PM-04). The same rule has the same id.
    pub fn rule(&self, effect: RuleEffect, source: RuleSource, session: &str) -> Rule {
        let content = self.content.as_deref().unwrap_or_default();
        let session = Some(session).filter(|_| source == RuleSource::Session);
        let mut named =
            [effect.as_str(), source.as_str(), self.tool_id.as_str(), &self.action, content].join("\n");
        if let Some(session) = session {
            named = format!("{named}\n{session}");
        }
        Rule {
            id: format!("rule_{}", short_hash(&named)),
            effect,
            tool: self.tool_id.as_str().to_owned(),
            action: Some(self.action.clone()),
            pattern: self.content.clone().map(Pattern::new),
            who: session.map(Who::of_session),
            until: if session.is_some() { Until::Session } else { Until::Forever },
            source,
            is_final: false,
        }
    }
}

/// How long a grant holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Grant {
    /// The session it was given in.
    pub session: String,
    /// The invocation it ends with; absent: it holds as long as the session (SA-15).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invocation: Option<String>,
    /// What it is about.
    pub key: Key,
    /// The findings that the person saw when it was given; it covers no other.
    pub findings: Vec<Finding>,
}

/// All grants.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Grants(Vec<Grant>);

impl Grants {
    /// Adds a grant. What was given before for the same key and time stays given.
    pub fn add(&mut self, grant: Grant) {
        let same = |known: &&mut Grant| {
            known.session == grant.session && known.invocation == grant.invocation && known.key == grant.key
        };
        match self.0.iter_mut().find(same) {
            Some(known) => {
                let new = grant.findings.iter().filter(|finding| !known.findings.contains(finding));
                let new: Vec<Finding> = new.copied().collect();
                known.findings.extend(new);
            }
            None => self.0.push(grant),
        }
    }

    /// Adds all of these.
    pub fn extend(&mut self, grants: Grants) {
        grants.0.into_iter().for_each(|grant| self.add(grant));
    }

    /// Forgets what an invocation was given for its time.
    pub fn end_invocation(&mut self, invocation: &str) {
        self.0.retain(|grant| grant.invocation.as_deref() != Some(invocation));
    }

    /// Forgets what a session was given.
    pub fn end_session(&mut self, session: &str) {
        self.0.retain(|grant| grant.session != session);
    }

    /// Whether a session was given something.
    pub fn has_session(&self, session: &str) -> bool {
        self.0.iter().any(|grant| grant.session == session)
    }

    /// The findings that the grants with the key of a part cover; `None` without such a grant. Those of a part that says
    /// itself what it is about are granted with its own key alone: the same command touches other places elsewhere.
    pub(super) fn of(&self, case: &Case<'_>, part: &Part<'_>) -> Option<Vec<Finding>> {
        let is_own = |grant: &Grant| part.content.is_none() || part.has_key(case, &grant.key);
        let covers = |grant: &&Grant| case.keyed(part).any(|part| part.has_key(case, &grant.key));
        let mut grants =
            self.live(&case.facts.asker.session, &case.facts.asker.invocation).filter(covers).peekable();
        grants.peek()?;
        Some(grants.filter(|grant| is_own(grant)).flat_map(|grant| grant.findings.iter().copied()).collect())
    }

    /// Whether a finding at a path was granted in this session to a builtin that does the same (FP-06).
    pub(super) fn cover(
        &self,
        session: &str,
        invocation: &str,
        path: &str,
        finding: Finding,
        writes: bool,
    ) -> bool {
        self.live(session, invocation).any(|grant| {
            grant.key.content.as_deref() == Some(path)
                && grant.findings.contains(&finding)
                && grant.key.opens(writes)
        })
    }

    /// Whether a builtin was granted something at a path in this session.
    pub(super) fn about(&self, asker: &Asker, native: &'static str, path: &str) -> bool {
        let tool = ToolId::builtin(native);
        self.live(&asker.session, &asker.invocation)
            .any(|grant| grant.key.tool_id == tool && grant.key.content.as_deref() == Some(path))
    }

    /// Whether something was granted to a tool.
    pub(super) fn name(&self, tool: &ToolId) -> bool {
        self.0.iter().any(|grant| grant.key.tool_id == *tool)
    }

    fn live(&self, session: &str, invocation: &str) -> impl Iterator<Item = &Grant> {
        self.0.iter().filter(move |grant| {
            let until = grant.invocation.as_deref();
            grant.session == session && until.is_none_or(|until| until == invocation)
        })
    }
}

impl Part<'_> {
    fn has_key(&self, case: &Case<'_>, key: &Key) -> bool {
        key.tool_id == *case.facts.tool
            && key.action == self.action.name
            && key.content.as_deref() == self.content.as_ref().map(|(_, text)| &**text)
    }
}

impl Read for Key {
    fn read(value: &Value, place: &Place) -> Result<Self, Fault> {
        let mut members = Members::open(value, place)?;
        let key = Self {
            tool_id: members.need("toolId")?,
            action: members.need("action")?,
            content: members.opt("content")?,
        };
        members.end()?;
        Ok(key)
    }
}

impl Read for Grant {
    fn read(value: &Value, place: &Place) -> Result<Self, Fault> {
        let mut members = Members::open(value, place)?;
        let grant = Self {
            session: members.need("session")?,
            invocation: members.opt("invocation")?,
            key: members.need("key")?,
            findings: members.need("findings")?,
        };
        members.end()?;
        Ok(grant)
    }
}

impl<'de> Deserialize<'de> for Grants {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let grants = Value::deserialize(deserializer)?;
        let place = Place::document("snapshot", Code::StateSnapshotCorrupt).member("grants");
        Vec::read(&grants, &place).map(Self).map_err(serde::de::Error::custom)
    }
}
