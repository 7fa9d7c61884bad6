//! Dice formulas, whoever throws the dice (BT-30 to BT-32).

use crate::protocol::limits::{DICE, DICE_MODIFIER, DICE_SIDES};

/// Some equal dice and a number to add.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Formula {
    count: u32,
    sides: u32,
    modifier: i64,
}

impl Formula {
    /// Reads `[N]dS[+M|-M]` or plain digits `S`, without spaces. `None`: it is none.
    pub fn parse(text: &str) -> Option<Self> {
        if let Some(sides) = positive(text, DICE_SIDES) {
            return Some(Self { count: 1, sides, modifier: 0 });
        }
        let (count, rest) = text.split_once(['d', 'D'])?;
        let count = if count.is_empty() { 1 } else { positive(count, DICE)? };
        let (sides, modifier) = match rest.split_once(['+', '-']) {
            None => (rest, 0),
            Some((sides, number)) => {
                let number = i64::from(whole(number, DICE_MODIFIER)?);
                let negative = rest.get(sides.len()..).is_some_and(|sign| sign.starts_with('-'));
                (sides, if negative { -number } else { number })
            }
        };
        Some(Self { count, sides: positive(sides, DICE_SIDES)?, modifier })
    }

    /// Throws the dice: `face` gives a face of a die with so many sides.
    pub fn roll(self, mut face: impl FnMut(u32) -> u32) -> Roll {
        Roll { formula: self, rolls: (0..self.count).map(|_| face(self.sides)).collect() }
    }

    /// The least total.
    pub fn min(self) -> i64 {
        i64::from(self.count) + self.modifier
    }

    /// The greatest total.
    pub fn max(self) -> i64 {
        i64::from(self.count) * i64::from(self.sides) + self.modifier
    }

    /// The number that is added.
    pub fn modifier(self) -> i64 {
        self.modifier
    }
}

impl std::fmt::Display for Formula {
    /// The normal form: `2d6+1`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}d{}", self.count, self.sides)?;
        if self.modifier == 0 { Ok(()) } else { write!(f, "{:+}", self.modifier) }
    }
}

/// Digits without a leading zero, from 1 to `most`.
fn positive(digits: &str, most: u32) -> Option<u32> {
    if digits.starts_with('0') { None } else { whole(digits, most) }
}

/// Digits, from 0 to `most`.
fn whole(digits: &str, most: u32) -> Option<u32> {
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    match digits.trim_start_matches('0') {
        "" => Some(0),
        significant => significant.parse().ok().filter(|number| *number <= most),
    }
}

/// Dice on the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Roll {
    formula: Formula,
    rolls: Vec<u32>,
}

impl Roll {
    /// The faces in the order they fell.
    pub fn rolls(&self) -> &[u32] {
        &self.rolls
    }

    /// Their sum and the modifier.
    pub fn total(&self) -> i64 {
        self.rolls.iter().map(|face| i64::from(*face)).sum::<i64>() + self.formula.modifier
    }

    /// `Rolled 2d6+1: 3 + 5 + 1 = 9.`, or only the total where there is nothing to add (BT-31).
    pub fn text(&self) -> String {
        let (formula, total) = (self.formula, self.total());
        if self.rolls.len() == 1 && formula.modifier == 0 {
            return format!("Rolled {formula}: {total}.");
        }
        let faces: Vec<String> = self.rolls.iter().map(u32::to_string).collect();
        let modifier = match formula.modifier {
            0 => String::new(),
            less @ ..0 => format!(" - {}", less.unsigned_abs()),
            more => format!(" + {more}"),
        };
        format!("Rolled {formula}: {}{modifier} = {total}.", faces.join(" + "))
    }
}
