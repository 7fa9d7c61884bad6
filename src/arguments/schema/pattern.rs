//! `pattern`: the regular expressions of ECMA-262, run by an engine whose time is linear in the text.
//!
//! The engine's own syntax differs in details (`.`, `\s`, `\u` escapes, lone brackets), so that a pattern is
//! rewritten first. What it cannot do at all (look-around, back references, Unicode properties) is not enforced.

use regex_lite::{Regex, RegexBuilder};

use super::ecma::rewrite;
use crate::protocol::limits;

/// Bytes that a compiled pattern may take.
const COMPILED_BYTES: usize = 1 << 21;

/// A compiled pattern and how it was written.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    written: Box<str>,
    regex: Regex,
    states: u64,
}

impl Pattern {
    /// `Err` says why it cannot be enforced.
    pub(crate) fn new(written: &str) -> Result<Pattern, &'static str> {
        let rewritten = rewrite(written)?;
        if rewritten.states > limits::PATTERN_STATES {
            return Err("the pattern is too large");
        }
        let regex = RegexBuilder::new(&rewritten.text)
            .size_limit(COMPILED_BYTES)
            .build()
            .map_err(|_| "the pattern is no regular expression, or is nested too deeply")?;
        Ok(Pattern { written: written.into(), regex, states: rewritten.states })
    }

    pub(crate) fn written(&self) -> &str {
        &self.written
    }

    /// Whether it matches anywhere in the text.
    pub(crate) fn matches(&self, text: &str) -> bool {
        self.regex.is_match(text)
    }

    /// About how much work a match is at worst, in steps of a check.
    pub(crate) fn cost(&self, text: &str) -> u64 {
        let length = u64::try_from(text.len()).unwrap_or(u64::MAX);
        (length.saturating_mul(self.states) / 32).saturating_add(1)
    }
}

#[cfg(test)]
#[path = "pattern_tests.rs"]
mod tests;
