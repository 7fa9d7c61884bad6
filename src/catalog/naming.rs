//! Call names and order of the tools of one invocation.

use super::profile::Order;
use super::registry::{BUILTINS, Feature, builtin};
use crate::identity::{CallNames, Source, ToolId, builtin_call_name};
use crate::protocol::order::{repeats, sort};
use crate::protocol::{Code, Diagnostic, Fault};

/// A tool that wants a call name.
#[derive(Clone, Debug)]
pub(crate) struct Wish {
    /// Which.
    pub id: ToolId,
    /// The name it wishes for; a builtin always gets its own.
    pub name: String,
}

/// The tools in the order of the snapshot, with their names.
#[derive(Debug, Default)]
pub(crate) struct Named {
    /// Place in the list of wishes, and the name.
    pub tools: Vec<(usize, String)>,
    /// One for each tool that lost its plain name (NM-23).
    pub notices: Vec<Diagnostic>,
}

/// Gives every tool a name. The names of the selected builtins and `task_return` are reserved before any other is
/// given out (NM-07); `also` holds builtins that are selected although they cannot be bound now.
///
/// # Errors
/// `tool.catalog_duplicate_id` (NM-21).
pub(crate) fn name(wishes: &[Wish], also: &[&'static str], order: Order) -> Result<Named, Fault> {
    check_distinct(wishes.iter().map(|wish| &wish.id))?;
    let mut names = CallNames::new();
    for native in also.iter().chain(&["task.return"]) {
        names.reserve(&builtin_call_name(native), None);
    }
    let builtins = wishes.iter().filter(|wish| wish.id.source() == Source::Builtin);
    for wish in builtins {
        names.reserve(&wish.name, Some(wish.id.clone()));
    }
    let mut in_order: Vec<(usize, &Wish)> = wishes.iter().enumerate().collect();
    if order == Order::Registry {
        let place = |wish: &Wish| rank(&wish.id);
        sort(&mut in_order, |(_, a), (_, b)| (place(a), &a.name, &a.id).cmp(&(place(b), &b.name, &b.id)));
    }
    let mut named = Named::default();
    for (index, wish) in in_order {
        if wish.id.source() == Source::Builtin {
            named.tools.push((index, wish.name.clone()));
            continue;
        }
        let alias = names.claim(&wish.name, &wish.id);
        if alias != wish.name {
            named.notices.push(suffixed(wish, &alias, names.holder(&wish.name)));
        }
        named.tools.push((index, alias));
    }
    if order == Order::Registry {
        let id = |index: usize| wishes.get(index).map(|wish| &wish.id);
        sort(&mut named.tools, |(a, x), (b, y)| (id(*a).map(rank), x).cmp(&(id(*b).map(rank), y)));
    }
    Ok(named)
}

/// Builtins by their place in the registry, then the others, then what a child returns with (CT-31, CT-35).
fn rank(id: &ToolId) -> usize {
    if id.source() != Source::Builtin {
        return BUILTINS.len();
    }
    if builtin(id.native()).is_some_and(|builtin| builtin.feature == Some(Feature::ReturningChild)) {
        return BUILTINS.len() + 1;
    }
    BUILTINS.iter().position(|builtin| builtin.native == id.native()).unwrap_or(BUILTINS.len())
}

fn suffixed(wish: &Wish, alias: &str, holder: Option<&ToolId>) -> Diagnostic {
    let holder = holder.map_or("a builtin tool".to_owned(), |id| format!("`{id}`"));
    let message = format!("`{}` is called `{alias}`: `{}` is the name of {holder}.", wish.id, wish.name);
    Diagnostic { tool_id: Some(wish.id.to_string()), code: Code::ToolAliasSuffixed, message }
}

/// Checks that no id stands twice in one selection (NM-21).
pub(crate) fn check_distinct<'a>(ids: impl IntoIterator<Item = &'a ToolId>) -> Result<(), Fault> {
    let ids: Vec<&ToolId> = ids.into_iter().collect();
    match ids.iter().zip(repeats(&ids)).find(|(_, again)| *again) {
        Some((id, _)) => Err(Fault::new(Code::ToolCatalogDuplicateId, format!("`{id}` is selected twice."))),
        None => Ok(()),
    }
}
