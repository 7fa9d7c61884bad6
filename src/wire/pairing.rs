//! Calls and results of a stored history belong together (FN-20 to FN-22, WR-06).

use super::{Entry, ResultPart, ResultView};
use crate::protocol::order::repeats;
use crate::protocol::{Call, Code, SortedMap};

/// What stands for the result of a call that has none (FN-21).
const INTERRUPTED: &str = "This call was interrupted and its outcome is not known: it may have taken effect. Check the \
    current state before you repeat it.";

/// A history in which every call has exactly one result, directly after its reply.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Paired<'a> {
    /// The entries.
    pub entries: Vec<Entry<'a>>,
    /// Ids of calls that had no result and got the sentence of FN-21.
    pub interrupted: Vec<String>,
    /// Ids of results that were left out because no call before them asks for them, or one already answered it.
    pub dropped: Vec<String>,
}

/// Completes a stored history for a request; the stored one is not changed and nothing is run again (FN-20, FN-21).
pub fn paired<'a>(entries: &[Entry<'a>]) -> Paired<'a> {
    let mut paired = Paired::default();
    let mut rest = entries.iter().peekable();
    while let Some(entry) = rest.next() {
        match entry {
            Entry::Results(results) => {
                paired.dropped.extend(results.iter().map(|result| result.call_id.clone().into_owned()))
            }
            Entry::Assistant(said) if !said.calls.is_empty() => {
                let mut stored = Vec::new();
                while let Some(Entry::Results(results)) =
                    rest.next_if(|next| matches!(next, Entry::Results(_)))
                {
                    stored.extend(results);
                }
                paired.entries.push(entry.clone());
                paired.answer(&said.calls, stored);
            }
            other => paired.entries.push(other.clone()),
        }
    }
    paired
}

impl<'a> Paired<'a> {
    fn answer(&mut self, calls: &[Call], stored: Vec<&ResultView<'a>>) {
        let ids: Vec<&str> = stored.iter().map(|result| &*result.call_id).collect();
        let again = ids.iter().zip(repeats(&ids)).filter(|(_, again)| *again);
        self.dropped.extend(again.map(|(id, _)| (*id).to_owned()));
        // Of two results of one call the first counts.
        let mut by_call: SortedMap<&str, Option<&ResultView>> =
            stored.iter().rev().map(|result| (&*result.call_id, Some(*result))).collect();
        let mut results = Vec::with_capacity(calls.len());
        for call in calls {
            results.push(by_call.get_mut(&*call.call_id).and_then(Option::take).cloned().unwrap_or_else(
                || {
                    self.interrupted.push(call.call_id.to_string());
                    interrupted(call)
                },
            ));
        }
        let unasked = by_call.into_iter().filter(|(_, left)| left.is_some());
        self.dropped.extend(unasked.map(|(id, _)| id.to_owned()));
        self.entries.push(Entry::Results(results));
    }
}

fn interrupted(call: &Call) -> ResultView<'static> {
    ResultView {
        call_id: call.call_id.to_string().into(),
        provider_id: call.provider_id.clone().map(Into::into),
        name: call.name.to_string().into(),
        is_error: true,
        code: None,
        parts: Vec::new(),
    }
    .interrupted()
}

impl ResultView<'_> {
    /// The same call as one that was interrupted: whatever is stored of it, nobody knows what it did (FN-21).
    pub fn interrupted(self) -> Self {
        let parts = vec![ResultPart::Text(INTERRUPTED.into())];
        Self { is_error: true, code: Some(Code::ToolOutcomeUnknown), parts, ..self }
    }
}

/// The first entry that stays when at least `drop_at_least` entries have to go: a reply with calls and its results
/// stay or go together, and as little as possible goes (FN-22).
pub fn first_kept(entries: &[Entry], drop_at_least: usize) -> usize {
    let at = drop_at_least.min(entries.len());
    let orphans = |entry: &&Entry| matches!(entry, Entry::Results(_));
    let after = entries.get(at..).unwrap_or_default();
    if at == 0 { 0 } else { at + after.iter().take_while(orphans).count() }
}
