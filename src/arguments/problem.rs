//! What is wrong with arguments (AR-20 to AR-26).

use crate::protocol::{Code, Refusal};

/// One thing that is wrong. `Display` is a sentence that lets a model mend it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The member, written like `messages[2].start_line`; empty for the arguments as a whole.
    pub path: String,
    /// The schema keyword that is violated, for example `required`.
    pub keyword: &'static str,
    /// The sentence.
    pub text: String,
    /// The sentence without the list of what is accepted, for a list that was just given.
    pub(super) brief: Option<Brief>,
}

/// A shorter form of a problem's sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Brief {
    /// What the longer form lists.
    pub(super) list: String,
    pub(super) text: String,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

/// All that is wrong with the arguments of one call. `Display` is one text: a sentence for each problem.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The first problems in document order, at most [`crate::protocol::limits::ARGUMENT_PROBLEMS`].
    pub problems: Vec<Problem>,
    /// How many more there are.
    pub more: usize,
    /// The check was given up.
    pub(super) unfinished: bool,
}

impl Report {
    /// The report of a check that would take too long.
    pub(super) fn unfinished() -> Report {
        let text =
            "The arguments are too large or too deeply nested to be checked: send less at once.".to_owned();
        let problem = Problem { path: String::new(), keyword: "", text, brief: None };
        Report { problems: vec![problem], more: 0, unfinished: true }
    }

    /// The refusal that the model is answered with.
    pub fn refusal(&self) -> Refusal {
        Refusal::new(
            Code::ToolInvalidArguments,
            format!("{self} Correct the arguments and send the call again."),
        )
    }
}

impl std::fmt::Display for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut listed = None;
        for (index, problem) in self.problems.iter().enumerate() {
            let text = match &problem.brief {
                Some(brief) if listed == Some(&brief.list) => &brief.text,
                _ => &problem.text,
            };
            listed = problem.brief.as_ref().map(|brief| &brief.list).or(listed);
            write!(f, "{}{text}", if index > 0 { " " } else { "" })?;
        }
        match self.more {
            0 => Ok(()),
            1 => f.write_str(" There is 1 more problem."),
            more => write!(f, " There are {more} more problems."),
        }
    }
}
