//! Backtracking that never tries the same step at the same place twice: what failed there once fails there again, so
//! a search takes at most as many steps as the pattern is long times the text. Back references and looks break that
//! rule; patterns with them are searched without memory, up to a bound.

use super::pattern::{Class, LINE_ENDS};
use super::program::{Program, Step};

/// Steps of one search before it is given up.
const STEPS: u64 = 60_000_000;
/// Bits that remember failed steps.
const MEMORY_BITS: usize = 256 * 1024 * 1024;

/// Where the groups of a match begin and end, the whole match first.
pub(super) type Slots = Vec<Option<usize>>;

/// How a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Found {
    Match(Slots),
    Nothing,
    /// The bound was reached.
    GaveUp,
}

enum Back {
    Try(usize, usize),
    Restore(usize, Option<usize>),
}

struct Search<'a> {
    program: &'a Program,
    text: &'a [u16],
    slots: Slots,
    seen: Vec<u64>,
    left: u64,
}

/// Searches from a place on, or only there.
pub(super) fn search(program: &Program, text: &[u16], from: usize, only_here: bool) -> Found {
    let bits = program.steps.len().saturating_mul(text.len() + 1);
    let remembers = !program.forgetful && bits <= MEMORY_BITS;
    let mut search = Search {
        program,
        text,
        slots: vec![None; program.slots],
        seen: if remembers { vec![0; bits / 64 + 1] } else { Vec::new() },
        left: STEPS,
    };
    let mut at = from;
    while at <= text.len() {
        match search.run(0, at) {
            Some(Some(_)) => return Found::Match(search.slots),
            Some(None) => {}
            None => return Found::GaveUp,
        }
        if only_here {
            break;
        }
        search.slots.fill(None);
        at = if at < text.len() { search.forward(at).map_or(at + 1, |(_, next)| next) } else { at + 1 };
    }
    Found::Nothing
}

impl Search<'_> {
    /// Runs from a step up to `Match`; gives the place where that is. The outer `None`: given up.
    #[expect(clippy::option_option, reason = "given up, failed, the end of the match")]
    fn run(&mut self, step: usize, at: usize) -> Option<Option<usize>> {
        let mut stack = vec![Back::Try(step, at)];
        while let Some(back) = stack.pop() {
            let (step, at) = match back {
                Back::Try(step, at) => (step, at),
                Back::Restore(slot, old) => {
                    self.put(slot, old);
                    continue;
                }
            };
            if let Some(end) = self.path(step, at, &mut stack)? {
                return Some(Some(end));
            }
        }
        Some(None)
    }

    fn put(&mut self, slot: usize, value: Option<usize>) -> Option<usize> {
        let place = self.slots.get_mut(slot)?;
        std::mem::replace(place, value)
    }

    /// Whether a step is tried at a place for the first time.
    fn is_new(&mut self, step: usize, at: usize) -> bool {
        if self.seen.is_empty() {
            return true;
        }
        let bit = step * (self.text.len() + 1) + at;
        let Some(word) = self.seen.get_mut(bit / 64) else { return true };
        let mask = 1 << (bit % 64);
        let new = *word & mask == 0;
        *word |= mask;
        new
    }

    /// Follows the steps until one fails, leaving the other ways on the stack.
    #[expect(clippy::option_option, reason = "given up, failed, the end of the match")]
    fn path(&mut self, mut step: usize, mut at: usize, stack: &mut Vec<Back>) -> Option<Option<usize>> {
        let program = self.program;
        loop {
            self.left = self.left.checked_sub(1)?;
            let Some(present) = program.steps.get(step) else { return Some(None) };
            let next = match present {
                Step::Match => return Some(Some(at)),
                Step::Jump(to) => {
                    step = *to;
                    continue;
                }
                Step::Split(first, second) => {
                    if !self.is_new(step, at) {
                        return Some(None);
                    }
                    stack.push(Back::Try(*second, at));
                    step = *first;
                    continue;
                }
                Step::Save(slot) => {
                    let old = self.put(*slot, Some(at));
                    stack.push(Back::Restore(*slot, old));
                    Some(at)
                }
                Step::Clear(first, last) => {
                    for slot in first * 2..last * 2 + 2 {
                        let old = self.put(slot, None);
                        stack.push(Back::Restore(slot, old));
                    }
                    Some(at)
                }
                Step::Look { negated, after } => {
                    let kept = self.slots.clone();
                    let found = self.run(step + 1, at)?.is_some();
                    if *negated || !found {
                        self.slots = kept;
                    } else {
                        for (slot, old) in kept.into_iter().enumerate() {
                            if self.slots.get(slot).is_some_and(|new| *new != old) {
                                stack.push(Back::Restore(slot, old));
                            }
                        }
                    }
                    if found == *negated {
                        return Some(None);
                    }
                    step = *after;
                    continue;
                }
                Step::Progress(slot) => (self.slots.get(*slot) != Some(&Some(at))).then_some(at),
                Step::Back { groups, back } => self.repeated(groups, at, *back),
                reads => self.reads(reads, at),
            };
            let Some(next) = next else { return Some(None) };
            at = next;
            step += 1;
        }
    }

    /// The place after a step that reads at most one character.
    fn reads(&self, step: &Step, at: usize) -> Option<usize> {
        let flags = self.program.flags;
        let ends_line =
            |c: Option<(u32, usize)>| flags.multiline && c.is_some_and(|(c, _)| LINE_ENDS.contains(&c));
        match step {
            Step::Start => (at == 0 || ends_line(self.backward(at))).then_some(at),
            Step::End => (at == self.text.len() || ends_line(self.forward(at))).then_some(at),
            Step::Word { negated } => {
                let is_word = |c: Option<(u32, usize)>| {
                    c.and_then(|(c, _)| char::from_u32(c))
                        .is_some_and(|c| c.is_ascii_alphanumeric() || c == '_')
                };
                ((is_word(self.backward(at)) == is_word(self.forward(at))) == *negated).then_some(at)
            }
            Step::Char { c, back } => {
                let (read, next) = self.read(at, *back)?;
                (read == *c || flags.ignore_case && super::folded(read, flags.unicode) == *c).then_some(next)
            }
            Step::Any { back } => {
                let (read, next) = self.read(at, *back)?;
                (flags.dot_all || !LINE_ENDS.contains(&read)).then_some(next)
            }
            Step::Class { class, back } => {
                let (read, next) = self.read(at, *back)?;
                self.is_in(class, read).then_some(next)
            }
            _ => None,
        }
    }

    fn is_in(&self, class: &Class, c: u32) -> bool {
        let has = |c: u32| class.ranges.iter().any(|(low, high)| (*low..=*high).contains(&c));
        let flags = self.program.flags;
        let found = has(c) || flags.ignore_case && super::cases(c, flags.unicode).any(has);
        found != class.negated
    }

    /// The text of a group once more.
    fn repeated(&self, groups: &[usize], at: usize, back: bool) -> Option<usize> {
        let slot = |index: usize| self.slots.get(index).copied().flatten();
        let group = groups.iter().find_map(|group| slot(group * 2).zip(slot(group * 2 + 1)));
        let Some((start, end)) = group else { return Some(at) };
        let length = end - start;
        let (from, next) = if back { (at.checked_sub(length)?, at - length) } else { (at, at + length) };
        let (wanted, found) = (self.text.get(start..end)?, self.text.get(from..from + length)?);
        let flags = self.program.flags;
        let same = |one: &u16, other: &u16| {
            let (one, other) = (u32::from(*one), u32::from(*other));
            one == other
                || flags.ignore_case
                    && super::folded(one, flags.unicode) == super::folded(other, flags.unicode)
        };
        wanted.iter().zip(found).all(|(one, other)| same(one, other)).then_some(next)
    }

    fn read(&self, at: usize, back: bool) -> Option<(u32, usize)> {
        if back { self.backward(at) } else { self.forward(at) }
    }

    /// The character at a place, and the place after it.
    fn forward(&self, at: usize) -> Option<(u32, usize)> {
        let unit = u32::from(*self.text.get(at)?);
        if self.program.flags.unicode && (0xd800..0xdc00).contains(&unit) {
            let low = self
                .text
                .get(at + 1)
                .map(|unit| u32::from(*unit))
                .filter(|unit| (0xdc00..0xe000).contains(unit));
            if let Some(low) = low {
                return Some((0x1_0000 + ((unit - 0xd800) << 10) + (low - 0xdc00), at + 2));
            }
        }
        Some((unit, at + 1))
    }

    /// The character before a place, and its place.
    fn backward(&self, at: usize) -> Option<(u32, usize)> {
        let before = at.checked_sub(1)?;
        let unit = u32::from(*self.text.get(before)?);
        if self.program.flags.unicode && (0xdc00..0xe000).contains(&unit) {
            let high = before.checked_sub(1).and_then(|at| self.text.get(at)).map(|unit| u32::from(*unit));
            if let Some(high) = high.filter(|unit| (0xd800..0xdc00).contains(unit)) {
                return Some((0x1_0000 + ((high - 0xd800) << 10) + (unit - 0xdc00), before - 1));
            }
        }
        Some((unit, before))
    }
}
