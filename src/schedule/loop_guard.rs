//! The loop guard: a breaker for repeated failure, not a quota (LG-01).

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hasher as _};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::arguments::canonical_object;
use crate::identity::ToolId;
use crate::protocol::{Mutant, SortedMap, Status};

/// Failures in a row after which the same call is not run again (LG-02).
const FAILURES: u8 = 2;
/// How many steps back the guard looks, and how many of them may be the same (LG-03).
const STEPS: usize = 20;
const SAME_STEPS: usize = 8;

/// What an invocation remembers so that it does not go round in circles. Plain facts: it is part of a snapshot.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct LoopGuard {
    /// Failures in a row, by call.
    failed: SortedMap<String, u8>,
    /// The signatures of the last steps.
    steps: VecDeque<String>,
}

impl LoopGuard {
    /// Whether nothing has failed so far: then no call is held up and no signature needs to be made.
    pub fn is_calm(&self) -> bool {
        self.failed.is_empty()
    }

    /// Whether this call is not to be run once more.
    pub fn blocks(&self, call: &str) -> bool {
        let most = FAILURES + u8::from(Mutant::ThirdTry.is_on());
        self.failed.get(call).is_some_and(|failures| *failures >= most)
    }

    /// A call that had started has its result. Denied, cancelled and skipped ones say nothing about the next try.
    pub fn settled(&mut self, call: String, status: Status) {
        match status {
            Status::Ok | Status::Backgrounded => {
                self.failed.remove(&call);
            }
            Status::Error | Status::TimedOut | Status::Unknown => {
                let failures = self.failed.get(&call).copied().unwrap_or_default();
                self.failed.insert(call, failures.saturating_add(1));
            }
            Status::Denied | Status::Cancelled | Status::Skipped => {}
        }
    }

    /// A step is over. `true`: it was the same too often, and the run has to end.
    pub fn turned(&mut self, step: String) -> bool {
        let same = self.steps.iter().rev().take(STEPS - 1).filter(|earlier| **earlier == step).count();
        self.steps.push_back(step);
        if self.steps.len() > STEPS {
            self.steps.pop_front();
        }
        same >= if Mutant::CirclesEverywhere.is_on() { 3 } else { SAME_STEPS }
    }
}

/// Whether this tool is asked again and again by its nature (LG-04).
pub fn is_poll(tool: &ToolId) -> bool {
    matches!(tool.builtin_name(), Some("workspace.shell_status" | "agent.await"))
}

/// What makes two calls the same: the tool and its canonical arguments (LG-04).
pub fn call_signature(tool: &ToolId, args: &Map<String, Value>) -> String {
    let mut signature = Signature::default();
    signature.text(tool.as_str());
    signature.text(&canonical_object(args));
    signature.end()
}

/// One fingerprint of several texts; where one ends matters. It tells calls of one run apart and nothing rests on it but
/// this guard, so the hasher of the standard library does: what its next release makes of a text may be another
/// fingerprint, and a guard that is restored there begins anew.
#[derive(Default)]
pub struct Signature(DefaultHasher);

impl Signature {
    /// Adds a text.
    pub fn text(&mut self, text: &str) {
        self.0.write_u64(text.len() as u64);
        self.0.write(text.as_bytes());
    }

    /// The fingerprint; it stands in every snapshot.
    pub fn end(self) -> String {
        format!("{:016x}", self.0.finish())
    }
}

#[cfg(test)]
#[path = "loop_guard_tests.rs"]
mod tests;
