//! The faults that are kept: the first few in document order, and how many there are in all.

use crate::arguments::place::Place;
use crate::arguments::problem::{Problem, Report};
use crate::arguments::wording::Words;
use crate::protocol::limits;

/// A fault and where it stands.
struct Finding {
    order: Vec<usize>,
    problem: Problem,
}

#[derive(Default)]
pub(super) struct Findings {
    kept: Vec<Finding>,
    more: usize,
}

impl Findings {
    /// Adds a fault; `order` says where it stands among the others, of equals the first comes first.
    pub(super) fn add(
        &mut self,
        place: &Place,
        order: Vec<usize>,
        keyword: &'static str,
        words: impl FnOnce(&str) -> Words,
    ) {
        let rank = self.kept.partition_point(|finding| finding.order <= order);
        if rank >= limits::ARGUMENT_PROBLEMS {
            self.more += 1;
            return;
        }
        let path = place.path();
        let Words { text, brief } = words(&path);
        self.insert(rank, Finding { order, problem: Problem { path, keyword, text, brief } });
    }

    fn insert(&mut self, rank: usize, finding: Finding) {
        // Two parts of a schema may ask for the same.
        if self.kept.iter().any(|kept| kept.problem == finding.problem) {
            return;
        }
        self.kept.insert(rank, finding);
        if self.kept.len() > limits::ARGUMENT_PROBLEMS {
            self.kept.pop();
            self.more += 1;
        }
    }

    /// Takes the faults of a part of the walk.
    pub(super) fn merge(&mut self, other: Findings) {
        self.more += other.more;
        for finding in other.kept {
            let rank = self.kept.partition_point(|kept| kept.order <= finding.order);
            self.insert(rank, finding);
        }
    }

    /// How far from valid this is: wrong constants of members first, then the number of faults.
    pub(super) fn distance(&self) -> (usize, usize) {
        let is_constant = |finding: &&Finding| matches!(finding.problem.keyword, "const" | "enum");
        (self.kept.iter().filter(is_constant).count(), self.kept.len() + self.more)
    }

    pub(super) fn into_report(self) -> Report {
        Report { problems: self.kept.into_iter().map(|finding| finding.problem).collect(), more: self.more }
    }
}
