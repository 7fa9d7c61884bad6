//! The answer to a name that no tool has (NM-14).

use crate::catalog::{BUILTINS, BindingExposure, Snapshot, Turn};
use crate::identity::{Source, ToolId, edit_distance};
use crate::protocol::limits::{CALL_NAME_BYTES, NAME_CANDIDATES};
use crate::protocol::order::sort;

/// How far a name may be from the called one to be meant by it, and how many such names are offered.
const NEAR: usize = 3;

/// Says that the name does not exist and which names do: the nearest first, then the others in their order.
pub(super) fn message(called: &str, turn: &Turn, snapshot: &Snapshot) -> String {
    let visible = visible(turn, snapshot);
    let head = match quotable(called) {
        Some(name) => format!("There is no tool named `{name}`."),
        None => "There is no tool of that name.".into(),
    };
    if visible.is_empty() {
        return format!("{head} No tool is available now; answer with text.");
    }
    let near = nearest(called, &visible);
    let shown = NAME_CANDIDATES.saturating_sub(near.len());
    let others: Vec<&str> = visible.iter().copied().filter(|alias| !near.contains(alias)).collect();
    let mut text = head;
    if !near.is_empty() {
        text += &format!(" Did you mean {}?", list(&near));
    }
    if !others.is_empty() {
        text += &format!(" Available: {}", list(others.get(..shown).unwrap_or(&others)));
        if let Some(more) = others.len().checked_sub(shown).filter(|more| *more > 0) {
            text += &format!(" and {more} more");
        }
        text.push('.');
    }
    text
}

/// What the model may know of: the tools that are sent in this step, and the deferred ones.
fn visible<'a>(turn: &Turn, snapshot: &'a Snapshot) -> Vec<&'a str> {
    let tools = snapshot.bindings().iter().chain(snapshot.dynamic()).filter(|binding| {
        let offered = turn.offers(binding.id()) || binding.exposure() == BindingExposure::Deferred;
        offered && binding.exposure() != BindingExposure::Hidden && !turn.is_off(binding.id())
    });
    tools.map(|binding| binding.alias()).collect()
}

/// The nearest names; of equally near ones the first by alias.
fn nearest<'a>(called: &str, visible: &[&'a str]) -> Vec<&'a str> {
    let mut near: Vec<(usize, &str)> = visible
        .iter()
        .filter_map(|alias| edit_distance(called, alias, NEAR).map(|distance| (distance, *alias)))
        .collect();
    sort(&mut near, Ord::cmp);
    near.into_iter().take(NEAR).map(|(_, alias)| alias).collect()
}

/// The called name as the text repeats it: its beginning, on one line. An id or a dotted builtin name, which the model
/// must have from somewhere else, is not repeated (NM-09).
fn quotable(called: &str) -> Option<String> {
    let is_id = ToolId::parse(called).is_ok_and(|id| id.source() != Source::Other);
    if called.trim().is_empty() || is_id || BUILTINS.iter().any(|builtin| called.contains(builtin.native)) {
        return None;
    }
    let mut chars = called.chars();
    let mut name: String = chars
        .by_ref()
        .take(CALL_NAME_BYTES)
        .map(|c| if c.is_control() || c == '`' { ' ' } else { c })
        .collect();
    if chars.next().is_some() {
        name.push('…');
    }
    Some(name)
}

fn list(aliases: &[&str]) -> String {
    let quoted: Vec<String> = aliases.iter().map(|alias| format!("`{alias}`")).collect();
    quoted.join(", ")
}
