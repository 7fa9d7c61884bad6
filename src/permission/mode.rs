//! The modes: how much a run may do without asking (PM-08, PM-53), and the table of what each says (PM-61).

use super::subject::OWNER_LEVEL;
use super::verdict::Word;
use crate::catalog::EffectTrait;
use crate::catalog::reading::words;

words! {
    /// A mode, from strict to lax.
    #[derive(PartialOrd, Ord)]
    pub enum Mode {
        /// Nothing is changed.
        ReadOnly = "read-only",
        /// Files may be changed, nothing run.
        Files = "files",
        /// Each change is asked about.
        Manual = "manual",
        /// Changes in bounds pass, others are asked about.
        AcceptEdits = "accept-edits",
        /// A reviewer passes what is safe.
        Auto = "auto",
        /// Everything but what always asks.
        Allow = "allow",
        /// Everything but deny rules, critical actions and questions to the user (PM-56).
        FullAccess = "full_access",
    }
}

impl Mode {
    /// All, from strict to lax.
    pub const ALL: [Mode; 7] = [
        Mode::ReadOnly,
        Mode::Files,
        Mode::Manual,
        Mode::AcceptEdits,
        Mode::Auto,
        Mode::Allow,
        Mode::FullAccess,
    ];

    /// The mode that goes with a level where none is configured.
    pub fn of_level(level: u8) -> Self {
        match level {
            0..=2 => Mode::ReadOnly,
            3 | 4 => Mode::Auto,
            _ => Mode::Allow,
        }
    }

    /// The mode as it acts at a level: the two lax ones act as `auto` below level 5.
    pub fn at_level(self, level: u8) -> Self {
        if self >= Mode::Allow && level < OWNER_LEVEL { Mode::Auto } else { self }
    }

    /// What the table says about a column.
    pub(super) fn say(self, column: Column, level: u8) -> Word {
        cell(self, column).word(level)
    }

    fn bit(self) -> u8 {
        1 << (self as u8)
    }
}

/// The modes that several sources give; the strictest verdict among them counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Modes(u8);

impl Modes {
    /// The modes of these sources as they act at a level; without any, the one that goes with the level.
    pub fn new(sources: impl IntoIterator<Item = Mode>, level: u8) -> Self {
        let bits = sources.into_iter().fold(0, |bits, mode| bits | mode.at_level(level).bit());
        Self(if bits == 0 { Mode::of_level(level).bit() } else { bits })
    }

    /// Each of them once, from strict to lax.
    pub fn iter(self) -> impl Iterator<Item = Mode> {
        Mode::ALL.into_iter().filter(move |mode| self.0 & mode.bit() != 0)
    }

    /// The strictest of them, the one to name.
    pub fn strictest(self) -> Mode {
        self.iter().next().unwrap_or(Mode::ReadOnly)
    }

    /// What the table says.
    pub(super) fn say(self, column: Column, level: u8) -> Word {
        self.iter().map(|mode| mode.say(column, level)).max().unwrap_or(Word::Deny)
    }
}

/// How a run's mode was set: the words of all sources, read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The modes.
    pub modes: Modes,
    /// One of the sources said `plan`.
    pub planning: bool,
    /// Somebody may be asked.
    pub can_prompt: bool,
    /// Nobody watches; shown with each question, so that a host may answer at once.
    pub unattended: bool,
}

impl Setting {
    /// Reads the words of all sources. A word that is no mode stands for the strictest: the places where modes come
    /// in refuse it before.
    pub fn new<'a>(words: impl IntoIterator<Item = &'a str>, level: u8) -> Self {
        let (mut planning, mut can_prompt, mut unattended) = (false, true, false);
        let mut modes = Vec::new();
        for word in words {
            planning |= word == "plan";
            can_prompt &= word != "dontAsk";
            unattended |= word == "unattended";
            if word != "dontAsk" {
                modes.push(mode_of(word).unwrap_or(Mode::ReadOnly));
            }
        }
        Self { modes: Modes::new(modes, level), planning, can_prompt, unattended }
    }
}

/// The mode that a word means, synonyms included. `dontAsk` means none.
pub fn mode_of(word: &str) -> Option<Mode> {
    match word {
        "plan" => Some(Mode::ReadOnly),
        "default" => Some(Mode::Manual),
        "bypass" => Some(Mode::Allow),
        "full-access" | "unattended" => Some(Mode::FullAccess),
        _ => Mode::ALL.into_iter().find(|mode| mode.as_str() == word),
    }
}

/// A column of the table. `Marked`: the risk `review` is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Column {
    Control,
    Read,
    ReadMarked,
    Bounded,
    BoundedMarked,
    WriteInBounds,
    WriteElsewhere,
    Exec,
}

impl Column {
    /// The column of an action.
    pub fn of(
        control: bool,
        effect: EffectTrait,
        bounded: bool,
        marked: bool,
        in_bounds: impl Fn() -> bool,
    ) -> Self {
        match effect {
            _ if control => Column::Control,
            EffectTrait::Read if marked => Column::ReadMarked,
            EffectTrait::Read => Column::Read,
            _ if bounded && marked => Column::BoundedMarked,
            _ if bounded => Column::Bounded,
            EffectTrait::Write if !marked && in_bounds() => Column::WriteInBounds,
            EffectTrait::Write => Column::WriteElsewhere,
            EffectTrait::Exec => Column::Exec,
        }
    }
}

/// A cell of the table.
#[derive(Clone, Copy)]
enum Cell {
    Allow,
    Review,
    Ask,
    /// A question from level 1 on, a denial below.
    AskFromOne,
    Deny,
}

impl Cell {
    fn word(self, level: u8) -> Word {
        match self {
            Cell::Allow => Word::Allow,
            Cell::Review => Word::Review,
            Cell::AskFromOne if level == 0 => Word::Deny,
            Cell::Ask | Cell::AskFromOne => Word::Ask,
            Cell::Deny => Word::Deny,
        }
    }
}

/// What a mode says about a column (PM-61). The columns stand as in [`Column`].
fn cell(mode: Mode, column: Column) -> Cell {
    use Cell::{Allow, Ask, AskFromOne, Deny, Review};
    let row = match mode {
        Mode::ReadOnly => [Allow, Allow, Ask, Deny, Deny, Deny, Deny, AskFromOne],
        Mode::Files => [Allow, Allow, Ask, Allow, Ask, Allow, Ask, Deny],
        Mode::Manual => [Allow, Allow, Ask, Allow, Ask, Ask, Ask, Ask],
        Mode::AcceptEdits => [Allow, Allow, Ask, Allow, Ask, Allow, Ask, Ask],
        Mode::Auto => [Allow, Allow, Review, Allow, Review, Review, Review, Review],
        Mode::Allow | Mode::FullAccess => [Allow; 8],
    };
    row.get(column as usize).copied().unwrap_or(Deny)
}
