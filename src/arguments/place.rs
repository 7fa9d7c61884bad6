//! Where in the arguments a check stands.

use serde_json::Value;

/// A place: the chain of steps that lead to it, kept on the stack while the check descends.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    parent: Option<&'a Place<'a>>,
    step: Step<'a>,
    /// The how-manieth child of its parent this is.
    index: usize,
}

#[derive(Clone, Copy)]
enum Step<'a> {
    Root,
    Member(&'a str),
    Item,
}

impl<'a> Place<'a> {
    pub(super) const ROOT: Place<'static> = Place { parent: None, step: Step::Root, index: 0 };

    pub(super) fn member(&'a self, name: &'a str, index: usize) -> Place<'a> {
        Place { parent: Some(self), step: Step::Member(name), index }
    }

    pub(super) fn item(&'a self, index: usize) -> Place<'a> {
        Place { parent: Some(self), step: Step::Item, index }
    }

    /// The place as the model reads it: `messages[2].start_line`; empty for the root.
    pub(super) fn path(&self) -> String {
        self.written(|index| format!("[{index}]"))
    }

    /// The place as a builtin's claims name it: `messages[].start_line`.
    pub(super) fn claim(&self) -> String {
        self.written(|_| "[]".to_owned())
    }

    fn written(&self, item: impl Fn(usize) -> String) -> String {
        let mut path = String::new();
        for place in self.chain() {
            match place.step {
                Step::Root => {}
                Step::Item => path.push_str(&item(place.index)),
                Step::Member(name) if is_plain(name) => {
                    if !path.is_empty() {
                        path.push('.');
                    }
                    path.push_str(name);
                }
                Step::Member(name) => {
                    path.push('[');
                    path.push_str(&Value::from(clipped(name, 80)).to_string());
                    path.push(']');
                }
            }
        }
        path
    }

    /// What orders places as they stand in the document.
    pub(super) fn order(&self) -> Vec<usize> {
        self.chain().iter().skip(1).map(|place| place.index).collect()
    }

    fn chain(&self) -> Vec<&Place<'a>> {
        let mut chain: Vec<&Place> = std::iter::successors(Some(self), |place| place.parent).collect();
        chain.reverse();
        chain
    }
}

/// Whether a name can stand in a path as it is.
fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= 80
        && !name.contains(|c: char| c.is_control() || matches!(c, '.' | '[' | ']' | '`' | '"'))
}

/// A text of at most so many characters, with an ellipsis if there was more.
pub(super) fn clipped(text: &str, chars: usize) -> String {
    match text.char_indices().nth(chars) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
