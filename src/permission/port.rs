//! What programs may touch through the file port (FP-06): nobody is asked in mid-command, so what would be asked about
//! is refused there.

use serde::{Deserialize, Serialize};

use super::case::{Case, Situation};
use super::content::Content;
use super::grant::Grants;
use super::path;
use super::rule::RuleEffect;
use super::safety::findings;
use super::{Action, Mode};
use crate::catalog::EffectTrait;
use crate::identity::ToolId;
use crate::protocol::BoundNames;

/// The tool whose rules are about reading a file.
const READER: &str = "workspace.read_file";

/// What a program does to a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Reads a file.
    Read,
    /// Writes, renames or makes something.
    Write,
    /// Removes it.
    Remove,
}

impl Access {
    /// The tools whose deny rules hold for the port too; a removal is also a write.
    fn tools(self) -> &'static [&'static str] {
        match self {
            Access::Read => &[READER],
            Access::Write => &["workspace.write_file"],
            Access::Remove => &["workspace.delete", "workspace.write_file"],
        }
    }
}

/// A protected place that a call names, and that it was let through with: by the answer of a person to it, or by what
/// persons have granted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opened {
    path: String,
    writes: bool,
}

/// The protected places that the action of a call names.
pub fn protected(facts: &Situation<'_>) -> Vec<Opened> {
    if is_full(facts) {
        // They are open as long as the mode is.
        return Vec::new();
    }
    let case = Case::new(facts);
    let places = case.judged().filter_map(|part| match &part.content {
        Some((Content::Path, path)) if !case.findings(part).is_empty() => {
            Some(Opened { path: path.to_string(), writes: part.effect != EffectTrait::Read })
        }
        _ => None,
    });
    places.collect()
}

/// Whether a program may do this to a path of the workspace. `facts` are those of the call that runs the program, and
/// `opened` what that was let through with; what they say of its action does not matter here.
pub fn port_allows(
    facts: &Situation<'_>,
    names: &BoundNames,
    opened: &[Opened],
    path: &str,
    access: Access,
) -> bool {
    let mut tools = access.tools().iter();
    let denied = tools.any(|native| rules_say(RuleEffect::Deny, facts, names, native, path));
    !denied && (is_safe(facts, facts.grants, path, access) || is_open(opened, path, access))
}

/// Whether a search may show what a file holds. Nobody is asked about each file: those that the tool for reading files
/// would be asked about, or refused, are left out. Save below a protected place that the search itself names: `opened` is
/// what it was let through with.
pub fn search_shows(facts: &Situation<'_>, names: &BoundNames, opened: &[Opened], path: &str) -> bool {
    let named = |place: &Opened| {
        let place = place.path.trim_start_matches('/');
        place == path || path::is_below(path, place)
    };
    let says = |effect: RuleEffect| rules_say(effect, facts, names, READER, path);
    let asks = || !is_full(facts) && says(RuleEffect::Ask) && !facts.grants.about(facts.asker, READER, path);
    !says(RuleEffect::Deny)
        && !asks()
        && (is_safe(facts, facts.grants, path, Access::Read) || opened.iter().any(named))
}

fn is_open(opened: &[Opened], path: &str, access: Access) -> bool {
    let path = path::normal(path);
    opened.iter().any(|place| place.path == path && (place.writes || access == Access::Read))
}

fn is_full(facts: &Situation<'_>) -> bool {
    facts.mode.modes.strictest() == Mode::FullAccess
}

fn is_safe(facts: &Situation<'_>, grants: &Grants, path: &str, access: Access) -> bool {
    if is_full(facts) {
        return true;
    }
    let (path, asker, writes) = (path::normal(path), facts.asker, access != Access::Read);
    let mut found = findings(&path, writes).into_iter();
    found.all(|finding| grants.cover(&asker.session, &asker.invocation, &path, finding, writes))
}

/// Whether a rule with a pattern is about a tool at this path, by whatever name the tool is called.
fn rules_say(
    effect: RuleEffect,
    facts: &Situation<'_>,
    names: &BoundNames,
    native: &'static str,
    path: &str,
) -> bool {
    if !facts.rules.has_patterns(effect, &facts.asker.session) {
        return false;
    }
    let (tool, own) = (ToolId::builtin(native), native.replace('.', "_"));
    let hits = |alias: &str| {
        let action = Action { target: Some(serde_json::json!({"path": path})), ..Action::of_tool(alias) };
        let facts = Situation { tool: &tool, alias, action: &action, ..*facts };
        facts.rules.say_of_content(effect, &Case::new(&facts))
    };
    hits(&own) || names.of(native).is_some_and(|alias| alias != own && hits(alias))
}
