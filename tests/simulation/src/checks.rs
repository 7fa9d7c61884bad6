//! The invariants of chapter 17 of the specification, each with a checker of its own, and those that have none with the
//! reason. The directed cases of the same chapter are in `tests/scenarios.json`.

mod arguments;
mod background;
mod circles;
mod effects;
mod names;
mod order;
mod permission;
mod results;
mod run;
mod workspace;

use crate::stage::Transcript;
use crate::story::{Story, runs};

/// What is wrong, if anything is.
pub type Check = Result<(), String>;

/// Ends a checker with what is wrong unless something holds.
macro_rules! ensure {
    ($holds:expr, $($about:tt)*) => {
        if !$holds {
            return Err(format!($($about)*));
        }
    };
}
pub(crate) use ensure;

/// An invariant and its checker.
pub const CHECKS: &[(&str, fn(&Story) -> Check)] = &[
    ("IV-01", order::one_result),
    ("IV-02", order::model_order),
    ("IV-03", order::paired),
    ("IV-04", order::never_changed),
    ("IV-05", order::events_of_a_call),
    ("IV-06", order::screen_and_model_agree),
    ("IV-07", order::journal_numbers),
    ("IV-10", effects::sent_once),
    ("IV-11", effects::ids_and_stray_receipts),
    ("IV-12", effects::restored),
    ("IV-13", effects::deterministic),
    ("IV-14", effects::store_first),
    ("IV-15", effects::nothing_after_the_end),
    ("IV-17", effects::unknown_says_check),
    ("IV-18", effects::timers_end),
    ("IV-19", run::progresses),
    ("IV-20", names::no_tool_id),
    ("IV-21", names::only_bound_names),
    ("IV-22", names::aliases),
    ("IV-23", names::frozen),
    ("IV-24", names::prefix),
    ("IV-25", names::no_inner_ids),
    ("IV-26", names::never_empty),
    ("IV-30", arguments::objects),
    ("IV-31", arguments::invalid_has_no_effect),
    ("IV-32", arguments::replayed_objects),
    ("IV-34", arguments::unfinished_never_starts),
    ("IV-35", arguments::passed_on_unchanged),
    ("IV-40", permission::deny_rules),
    ("IV-41", permission::critical),
    ("IV-42", permission::nobody_to_ask),
    ("IV-44", permission::cancelled_while_asked),
    ("IV-45", permission::approved_arguments),
    ("IV-46", permission::off),
    ("IV-48", permission::failed_hooks),
    ("IV-50", run::limit),
    ("IV-51", run::barrier),
    ("IV-52", run::lane_order),
    ("IV-53", run::skipped_has_no_effect),
    ("IV-54", run::cascade_causes),
    ("SC-08", run::cascade_follows),
    ("IV-55", circles::off_says_nothing),
    ("LG-02", circles::third_try),
    ("LG-03", circles::same_steps),
    ("IV-56", run::no_counter),
    ("IV-60", workspace::read_only_roots),
    ("IV-62", workspace::hidden_paths),
    ("IV-63", workspace::recoverable),
    ("IV-64", workspace::known_digest),
    ("IV-66", workspace::closed_port),
    ("IV-67", workspace::after_a_trap),
    ("IV-68", workspace::backwards),
    ("IV-69", workspace::reads_change_nothing),
    ("IV-70", results::length),
    ("IV-71", results::says_it_is_partial),
    ("IV-74", results::readable),
    ("IV-75", results::unshown),
    ("IV-76", results::ok_means_ok),
    ("IV-80", run::one_end),
    ("IV-82", run::nudges),
    ("IV-88", background::delivered_once),
    ("RN-14", background::deleted_is_gone),
];

/// Invariants without a checker here, and why.
pub const ELSEWHERE: &[(&str, &str)] = &[
    ("IV-16", "not applicable: chat.commit is not built"),
    ("IV-33", "proved beside: the form of arguments on the wire, src/session/tests/properties.rs"),
    ("IV-43", "proved beside: verdicts with more rules, src/permission/tests/properties.rs"),
    ("IV-47", "proved beside: src/permission/tests; of the sources MCP is not built"),
    ("IV-61", "proved beside: roots, src/workspace/tree_tests.rs and port_tests.rs"),
    ("IV-65", "not applicable: an invocation writes one file at a time, and there is one; see IV-64"),
    ("IV-72", "proved beside: tests/vectors, truncation and long_results"),
    ("IV-73", "not applicable: images are not normalised yet"),
    ("IV-81", "not applicable: chat.commit is not built"),
    ("IV-83", "not applicable: no completion tool is built"),
    ("IV-84", "not applicable: agents are not built"),
    ("IV-85", "not applicable: agents are not built"),
    ("IV-86", "proved beside: retired fields, src/catalog/tests and tests/vectors, profile"),
    ("IV-87", "proved beside: src/catalog/tests/profile.rs"),
    ("IV-89", "proved beside: src/wire/*/tests/properties.rs"),
];

/// Whether a run breaks this invariant.
pub fn breaks(transcript: &Transcript, id: &str) -> bool {
    let check = CHECKS.iter().find(|(other, _)| *other == id);
    check.is_some_and(|(_, check)| runs(transcript).any(|run| check(&Story::of(transcript, run)).is_err()))
}

/// The first invariant that a run breaks, and how.
pub fn broken(transcript: &Transcript) -> Option<(&'static str, String)> {
    runs(transcript).find_map(|run| {
        let story = Story::of(transcript, run);
        CHECKS.iter().find_map(|(id, check)| Some((*id, check(&story).err()?)))
    })
}
