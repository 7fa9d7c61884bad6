//! What is wrong with arguments, and the sentence that lets a model mend it (AR-20 to AR-26).

/// One thing that is wrong. `Display` is the sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The member, written like `messages[2].start_line`; empty for the arguments as a whole.
    pub path: String,
    /// The schema keyword that is violated, for example `required`.
    pub keyword: &'static str,
    /// The sentence.
    pub text: String,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

/// All that is wrong with the arguments of one call: the first few problems in document order, and how many more.
/// `Display` is the text for the model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// At most [`crate::protocol::limits::ARGUMENT_PROBLEMS`].
    pub problems: Vec<Problem>,
    /// Those that are not listed.
    pub more: usize,
}
