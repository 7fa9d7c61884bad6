//! Ids of calls: the one the runtime knows a call by, and the one that stands on the wire; and names there.

use std::borrow::Cow;

use crate::identity::{extension_call_name, is_call_name};
use crate::protocol::digest::short_hash;

/// The id of a call in its invocation (ID-21): the provider's if it is new there, otherwise the provider's with the
/// first free of `~2`, `~3`, …; `c<round>-<index>` for a call without one. `taken` says whether a call of the
/// invocation has this id; the ids given out for earlier calls of the same reply belong to them.
pub fn call_id(provider_id: Option<&str>, round: u32, index: usize, taken: impl Fn(&str) -> bool) -> String {
    let own = own_id(provider_id, round, index);
    if taken(&own) { repeated_id(&own, taken) } else { own.into_owned() }
}

/// The id of a call that is new in its invocation.
pub fn own_id(provider_id: Option<&str>, round: u32, index: usize) -> Cow<'_, str> {
    match provider_id {
        Some(id) if !id.is_empty() => Cow::Borrowed(id),
        _ => Cow::Owned(format!("c{round}-{index}")),
    }
}

/// The id of a call whose own one is taken.
pub fn repeated_id(own: &str, taken: impl Fn(&str) -> bool) -> String {
    // Suffixes are given out without gaps, so the first free one is found by doubling and halving: a model that
    // repeats one id for ever costs a logarithm, not a walk over all its calls.
    let id = |suffix: u64| format!("{own}~{suffix}");
    let (mut last_taken, mut free) = (1, 2);
    while taken(&id(free)) {
        (last_taken, free) = (free, free * 2);
    }
    while free - last_taken > 1 {
        let middle = last_taken + (free - last_taken) / 2;
        if taken(&id(middle)) {
            last_taken = middle;
        } else {
            free = middle;
        }
    }
    id(free)
}

/// The id of a call on the wire (WR-09): the provider's own where the codec can carry it and no other call of the
/// history has it, otherwise `call_` and 16 hex digits of the call id's hash. A call and its result get the same, and
/// no other entry is looked at: [`call_id`] marks a repeated provider id with a suffix.
pub(super) fn wire_id<'a>(
    call_id: &'a str,
    provider_id: Option<&'a str>,
    fits: impl Fn(&str) -> bool,
) -> Cow<'a, str> {
    let own = provider_id.unwrap_or(call_id);
    if fits(own) && !is_repeat(call_id, own) {
        return Cow::Borrowed(own);
    }
    Cow::Owned(format!("call_{}", short_hash(call_id)))
}

/// Whether `call_id` is `own` with a suffix that [`call_id()`] gives.
fn is_repeat(call_id: &str, own: &str) -> bool {
    let suffix = call_id.strip_prefix(own).and_then(|rest| rest.strip_prefix('~'));
    suffix.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The name of a call of history: as recorded (WR-03). A name that no tool can have came from the model and resolved
/// to nothing; the provider would refuse the whole request for it.
pub(super) fn wire_name(name: &str) -> Cow<'_, str> {
    if is_call_name(name) {
        return Cow::Borrowed(name);
    }
    if name.is_empty() { Cow::Borrowed("unnamed") } else { Cow::Owned(extension_call_name(name)) }
}
