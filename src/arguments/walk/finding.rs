//! The faults that are kept: the first few in document order, and how many there are in all.

use crate::arguments::problem::{Problem, Report};
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
    /// Whether a fault that stands here would only be counted.
    pub(super) fn is_past(&self, order: &[usize]) -> bool {
        self.kept.len() >= limits::ARGUMENT_PROBLEMS
            && self.kept.last().is_some_and(|last| last.order.as_slice() <= order)
    }

    /// Counts a fault that is not kept.
    pub(super) fn count(&mut self) {
        self.more += 1;
    }

    /// Adds a fault; `order` says where it stands among the others, of equals the first comes first.
    pub(super) fn add(&mut self, order: Vec<usize>, problem: Problem) {
        // Two parts of a schema may ask for the same.
        if self.kept.iter().any(|kept| kept.problem == problem) {
            return;
        }
        let rank = self.kept.partition_point(|kept| kept.order <= order);
        self.kept.insert(rank, Finding { order, problem });
        if self.kept.len() > limits::ARGUMENT_PROBLEMS {
            self.kept.pop();
            self.more += 1;
        }
    }

    /// Takes the faults of a part of the walk.
    pub(super) fn merge(&mut self, other: Findings) {
        self.more += other.more;
        for finding in other.kept {
            self.add(finding.order, finding.problem);
        }
    }

    /// How far from valid this is: wrong constants of members first, then the number of faults.
    pub(super) fn distance(&self) -> (usize, usize) {
        let is_constant = |finding: &&Finding| matches!(finding.problem.keyword, "const" | "enum");
        (self.kept.iter().filter(is_constant).count(), self.kept.len() + self.more)
    }

    pub(super) fn into_report(self) -> Report {
        let mut problems: Vec<Problem> = self.kept.into_iter().map(|finding| finding.problem).collect();
        if problems.is_empty() {
            // Refused, yet nothing to tell: only a claim inside a union comes to that.
            let text = "The arguments do not have the form that this tool declares.".to_owned();
            problems.push(Problem { path: String::new(), keyword: "", text, brief: None });
        }
        Report { problems, more: self.more, unfinished: false }
    }
}
