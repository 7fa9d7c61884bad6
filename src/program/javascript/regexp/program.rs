//! A pattern as instructions for [`super::search`].

use super::Flags;
use super::pattern::{Class, Node, Pattern, Reference};

/// Most instructions of a pattern: repetitions with a bound are written out.
const MOST: usize = 4_000;

/// One step. A step that reads a character goes back when it stands in a look behind.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Char {
        c: u32,
        back: bool,
    },
    Any {
        back: bool,
    },
    Class {
        class: Class,
        back: bool,
    },
    /// Tries the first place, then the second.
    Split(usize, usize),
    Jump(usize),
    /// Remembers the position.
    Save(usize),
    /// Forgets groups at the beginning of a repetition.
    Clear(usize, usize),
    /// Fails when nothing was read since `Save` of this slot: a repetition that reads nothing is none.
    Progress(usize),
    Start,
    End,
    Word {
        negated: bool,
    },
    Back {
        groups: Vec<usize>,
        back: bool,
    },
    /// Runs the steps that follow up to `Match`, then goes on at `after`.
    Look {
        negated: bool,
        after: usize,
    },
    Match,
}

/// A compiled pattern.
#[derive(Debug)]
pub(super) struct Program {
    pub steps: Vec<Step>,
    pub flags: Flags,
    /// Capturing groups, not counting the whole match.
    pub groups: usize,
    /// Positions that are remembered: two for each group, and one for each repetition.
    pub slots: usize,
    pub names: Vec<(String, usize)>,
    /// Whether a step can fail in one place and succeed there later: then nothing is remembered.
    pub forgetful: bool,
}

/// Compiles a pattern; `None` when it is too large.
pub(super) fn compile(pattern: Pattern, flags: Flags) -> Option<Program> {
    let slots = (pattern.groups + 1) * 2;
    let mut compiler = Compiler { steps: Vec::new(), slots, names: &pattern.names, flags, forgetful: false };
    compiler.push(Step::Save(0))?;
    compiler.node(&pattern.node, false)?;
    compiler.push(Step::Save(1))?;
    compiler.push(Step::Match)?;
    let Compiler { steps, slots, forgetful, .. } = compiler;
    Some(Program { steps, slots, flags, groups: pattern.groups, names: pattern.names, forgetful })
}

struct Compiler<'a> {
    steps: Vec<Step>,
    slots: usize,
    names: &'a [(String, usize)],
    flags: Flags,
    forgetful: bool,
}

impl Compiler<'_> {
    fn push(&mut self, step: Step) -> Option<usize> {
        self.steps.push(step);
        (self.steps.len() <= MOST).then_some(self.steps.len() - 1)
    }

    fn set(&mut self, at: usize, step: Step) {
        if let Some(place) = self.steps.get_mut(at) {
            *place = step;
        }
    }

    fn node(&mut self, node: &Node, back: bool) -> Option<()> {
        match node {
            Node::Empty => {}
            Node::Char(c) => {
                self.push(Step::Char {
                    c: if self.flags.ignore_case { super::folded(*c, self.flags.unicode) } else { *c },
                    back,
                })?;
            }
            Node::Any => {
                self.push(Step::Any { back })?;
            }
            Node::Class(class) => {
                self.push(Step::Class { class: class.clone(), back })?;
            }
            Node::Start => {
                self.push(Step::Start)?;
            }
            Node::End => {
                self.push(Step::End)?;
            }
            Node::Word { negated } => {
                self.push(Step::Word { negated: *negated })?;
            }
            Node::Back(reference) => {
                self.forgetful = true;
                let groups = match reference {
                    Reference::Number(number) => vec![*number],
                    Reference::Name(name) => self
                        .names
                        .iter()
                        .filter(|(other, _)| other == name)
                        .map(|(_, index)| *index)
                        .collect(),
                };
                self.push(Step::Back { groups, back })?;
            }
            Node::Group { index: None, node } => self.node(node, back)?,
            Node::Group { index: Some(index), node } => {
                self.push(Step::Save(index * 2 + usize::from(back)))?;
                self.node(node, back)?;
                self.push(Step::Save(index * 2 + usize::from(!back)))?;
            }
            Node::Look { behind, negated, node } => {
                self.forgetful = true;
                let look = self.push(Step::Match)?;
                self.node(node, *behind)?;
                self.push(Step::Match)?;
                let after = self.steps.len();
                self.set(look, Step::Look { negated: *negated, after });
            }
            Node::Seq(parts) => {
                if back {
                    for part in parts.iter().rev() {
                        self.node(part, back)?;
                    }
                } else {
                    for part in parts {
                        self.node(part, back)?;
                    }
                }
            }
            Node::Alt(parts) => self.alternatives(parts, back)?,
            Node::Repeat { node, min, max, greedy, groups } => {
                for _ in 0..*min {
                    self.body(node, *groups, back)?;
                }
                match max {
                    None => self.endless(node, *greedy, *groups, back)?,
                    Some(max) => self.optional(node, max.saturating_sub(*min), *greedy, *groups, back)?,
                }
            }
        }
        Some(())
    }

    fn body(&mut self, node: &Node, groups: (usize, usize), back: bool) -> Option<()> {
        if groups.0 <= groups.1 {
            self.push(Step::Clear(groups.0, groups.1))?;
        }
        self.node(node, back)
    }

    /// One repetition that need not be.
    fn turn(&mut self, node: &Node, groups: (usize, usize), back: bool) -> Option<()> {
        let slot = self.slots;
        self.slots += 1;
        self.push(Step::Save(slot))?;
        self.body(node, groups, back)?;
        self.push(Step::Progress(slot))?;
        Some(())
    }

    fn alternatives(&mut self, parts: &[Node], back: bool) -> Option<()> {
        let mut ends = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            if at + 1 == parts.len() {
                self.node(part, back)?;
                break;
            }
            let split = self.push(Step::Match)?;
            self.node(part, back)?;
            ends.push(self.push(Step::Match)?);
            self.set(split, Step::Split(split + 1, self.steps.len()));
        }
        let end = self.steps.len();
        for at in ends {
            self.set(at, Step::Jump(end));
        }
        Some(())
    }

    fn endless(&mut self, node: &Node, greedy: bool, groups: (usize, usize), back: bool) -> Option<()> {
        let split = self.push(Step::Match)?;
        self.turn(node, groups, back)?;
        self.push(Step::Jump(split))?;
        let end = self.steps.len();
        self.set(split, if greedy { Step::Split(split + 1, end) } else { Step::Split(end, split + 1) });
        Some(())
    }

    fn optional(
        &mut self,
        node: &Node,
        count: u32,
        greedy: bool,
        groups: (usize, usize),
        back: bool,
    ) -> Option<()> {
        let mut splits = Vec::new();
        for _ in 0..count {
            splits.push(self.push(Step::Match)?);
            self.turn(node, groups, back)?;
        }
        let end = self.steps.len();
        for split in splits {
            self.set(split, if greedy { Step::Split(split + 1, end) } else { Step::Split(end, split + 1) });
        }
        Some(())
    }
}
