//! A regular expression of ECMA-262, written in the syntax of the engine.

use std::fmt::Write as _;
use std::iter::Peekable;
use std::str::Chars;

/// A pattern that the engine understands.
pub(super) struct Rewritten {
    pub(super) text: String,
    /// About how many states it has: repetitions are written out.
    pub(super) states: u64,
}

/// White space as `\s` means it, and the rest.
const SPACE: &str = r"\t-\r \u{a0}\u{1680}\u{2000}-\u{200a}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}\u{feff}";
const NOT_SPACE: &str = r"\u{0}-\u{8}\u{e}-\u{1f}!-\u{9f}\u{a1}-\u{167f}\u{1681}-\u{1fff}\u{200b}-\u{2027}\u{202a}-\u{202e}\u{2030}-\u{205e}\u{2060}-\u{2fff}\u{3001}-\u{fefe}\u{ff00}-\u{10ffff}";

const END: &str = "the pattern ends in the middle of something";
const LOOK: &str = "the pattern looks around or sets flags, which is not supported";
const BACK: &str = "the pattern refers back to a group, which is not supported";
const PROPERTY: &str = "the pattern uses Unicode properties, which are not supported";
const ESCAPE: &str = "the pattern has an escape that is none in ECMA-262";
const REPEAT: &str = "the pattern repeats nothing";
const GROUP: &str = "the pattern closes a group that is not open, or the other way round";

/// Rewrites a pattern; `Err` says what in it cannot be enforced.
pub(super) fn rewrite(pattern: &str) -> Result<Rewritten, &'static str> {
    let mut rewriter = Rewriter {
        rest: pattern.chars().peekable(),
        text: String::with_capacity(pattern.len() + 8),
        outer: Vec::new(),
        states: 1,
        last: None,
    };
    rewriter.run()?;
    Ok(Rewritten { text: rewriter.text, states: rewriter.states })
}

struct Rewriter<'a> {
    rest: Peekable<Chars<'a>>,
    text: String,
    /// States before each group that is open.
    outer: Vec<u64>,
    states: u64,
    /// States of what a quantifier would repeat, if one may stand here.
    last: Option<u64>,
}

/// One item of a class.
enum Item {
    One(char),
    Set(&'static str),
}

impl Rewriter<'_> {
    fn run(&mut self) -> Result<(), &'static str> {
        while let Some(c) = self.rest.next() {
            match c {
                '\\' => self.escape()?,
                '[' => self.class()?,
                '(' => self.open()?,
                ')' => self.close()?,
                '.' => self.atom(r"[^\n\r\u{2028}\u{2029}]"),
                '^' | '$' | '|' => {
                    self.text.push(c);
                    self.last = None;
                }
                '*' | '+' | '?' => self.repeat(&c.to_string(), 1)?,
                '{' => self.braces()?,
                other => self.literal(other),
            }
        }
        if self.outer.is_empty() { Ok(()) } else { Err(GROUP) }
    }

    fn atom(&mut self, text: &str) {
        self.text.push_str(text);
        self.states = self.states.saturating_add(1);
        self.last = Some(1);
    }

    fn literal(&mut self, c: char) {
        push(&mut self.text, c);
        self.states = self.states.saturating_add(1);
        self.last = Some(1);
    }

    fn open(&mut self) -> Result<(), &'static str> {
        if self.rest.next_if_eq(&'?').is_some() {
            match self.rest.next() {
                Some(':') => {}
                Some('<') => {
                    if matches!(self.rest.peek(), Some('=' | '!')) {
                        return Err(LOOK);
                    }
                    while self.rest.next_if(|c| *c != '>').is_some() {}
                    self.rest.next().ok_or(END)?;
                }
                _ => return Err(LOOK),
            }
        }
        // What a group matched is never asked for.
        self.text.push_str("(?:");
        self.outer.push(self.states);
        self.last = None;
        Ok(())
    }

    fn close(&mut self) -> Result<(), &'static str> {
        let before = self.outer.pop().ok_or(GROUP)?;
        self.text.push(')');
        self.last = Some(self.states.saturating_sub(before).max(1));
        Ok(())
    }

    fn repeat(&mut self, quantifier: &str, times: u64) -> Result<(), &'static str> {
        let last = self.last.take().ok_or(REPEAT)?;
        self.states = self.states.saturating_add(last.saturating_mul(times.saturating_sub(1)));
        self.text.push_str(quantifier);
        if self.rest.next_if_eq(&'?').is_some() {
            self.text.push('?');
        }
        Ok(())
    }

    /// A counted repetition; braces that are none stand for themselves.
    fn braces(&mut self) -> Result<(), &'static str> {
        let mut ahead = self.rest.clone();
        let mut inside = String::new();
        while let Some(c) = ahead.next_if(|c| c.is_ascii_digit() || *c == ',') {
            inside.push(c);
        }
        let is_closed = ahead.next() == Some('}');
        let (least, most) = inside.split_once(',').unwrap_or((&inside, &inside));
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        if !is_closed || !is_number(least) || !(most.is_empty() || is_number(most)) {
            self.literal('{');
            return Ok(());
        }
        self.rest = ahead;
        let times = [least, most].iter().filter_map(|n| n.parse().ok()).max().unwrap_or(u64::MAX);
        self.repeat(&format!("{{{inside}}}"), times)
    }

    fn escape(&mut self) -> Result<(), &'static str> {
        match self.rest.peek() {
            Some('b') => self.boundary(r"\b"),
            Some('B') => self.boundary(r"\B"),
            _ => match self.escaped()? {
                Item::One(c) => self.literal(c),
                Item::Set(set) => self.atom(&format!("[{set}]")),
            },
        }
        Ok(())
    }

    fn boundary(&mut self, text: &str) {
        self.rest.next();
        // A group keeps the engine from reading braces that follow as a part of the boundary.
        let _ = write!(self.text, "(?:{text})");
        self.last = None;
    }

    /// What stands behind a backslash, in a class or out of it.
    fn escaped(&mut self) -> Result<Item, &'static str> {
        let c = self.rest.next().ok_or(END)?;
        Ok(match c {
            'd' => Item::Set(r"\d"),
            'D' => Item::Set(r"\D"),
            'w' => Item::Set(r"\w"),
            'W' => Item::Set(r"\W"),
            's' => Item::Set(SPACE),
            'S' => Item::Set(NOT_SPACE),
            'n' => Item::One('\n'),
            'r' => Item::One('\r'),
            't' => Item::One('\t'),
            'v' => Item::One('\u{b}'),
            'f' => Item::One('\u{c}'),
            '0' if !self.rest.peek().is_some_and(char::is_ascii_digit) => Item::One('\0'),
            '0'..='9' | 'k' => return Err(BACK),
            'p' | 'P' => return Err(PROPERTY),
            'c' => {
                let letter = self.rest.next_if(char::is_ascii_alphabetic).ok_or(ESCAPE)?;
                Item::One(char::from_u32(u32::from(letter) % 32).ok_or(ESCAPE)?)
            }
            'x' => Item::One(char::from_u32(self.digits(2)?).ok_or(ESCAPE)?),
            'u' => Item::One(self.unicode()?),
            letter if letter.is_ascii_alphanumeric() => return Err(ESCAPE),
            other => Item::One(other),
        })
    }

    fn unicode(&mut self) -> Result<char, &'static str> {
        if self.rest.next_if_eq(&'{').is_some() {
            let mut code = 0u32;
            while let Some(c) = self.rest.next_if(|c| *c != '}') {
                code = code.saturating_mul(16).saturating_add(c.to_digit(16).ok_or(ESCAPE)?);
            }
            self.rest.next().ok_or(END)?;
            return char::from_u32(code).ok_or(ESCAPE);
        }
        let first = self.digits(4)?;
        if !(0xD800..0xDC00).contains(&first) {
            return char::from_u32(first).ok_or(ESCAPE);
        }
        if self.rest.next() != Some('\\') || self.rest.next() != Some('u') {
            return Err(ESCAPE);
        }
        let second = self.digits(4)?.checked_sub(0xDC00).filter(|low| *low < 0x400).ok_or(ESCAPE)?;
        char::from_u32(0x10000 + ((first - 0xD800) << 10) + second).ok_or(ESCAPE)
    }

    fn digits(&mut self, count: u32) -> Result<u32, &'static str> {
        let mut code = 0;
        for _ in 0..count {
            code = code * 16 + self.rest.next().and_then(|c| c.to_digit(16)).ok_or(ESCAPE)?;
        }
        Ok(code)
    }

    fn class(&mut self) -> Result<(), &'static str> {
        let negated = self.rest.next_if_eq(&'^').is_some();
        let mut items = String::new();
        loop {
            let item = match self.rest.next().ok_or(END)? {
                ']' => break,
                c => self.item(c)?,
            };
            let Item::One(from) = item else {
                push_item(&mut items, &item);
                continue;
            };
            push(&mut items, from);
            let mut ahead = self.rest.clone();
            if ahead.next() != Some('-') || matches!(ahead.peek(), Some(']') | None) {
                continue;
            }
            self.rest = ahead;
            let c = self.rest.next().ok_or(END)?;
            let to = self.item(c)?;
            items.push_str(if matches!(to, Item::One(_)) { "-" } else { r"\-" });
            push_item(&mut items, &to);
        }
        match (items.is_empty(), negated) {
            (false, false) => self.atom(&format!("[{items}]")),
            (false, true) => self.atom(&format!("[^{items}]")),
            (true, true) => self.atom(r"[\u{0}-\u{10ffff}]"),
            (true, false) => return Err("the pattern has a class that matches nothing"),
        }
        Ok(())
    }

    fn item(&mut self, c: char) -> Result<Item, &'static str> {
        match c {
            '\\' if self.rest.next_if_eq(&'b').is_some() => Ok(Item::One('\u{8}')),
            '\\' if self.rest.next_if_eq(&'-').is_some() => Ok(Item::One('-')),
            '\\' => self.escaped(),
            other => Ok(Item::One(other)),
        }
    }
}

fn push_item(text: &mut String, item: &Item) {
    match item {
        Item::One(c) => push(text, *c),
        Item::Set(set) => text.push_str(set),
    }
}

/// A character that stands for itself; whatever could mean something is written as its number.
fn push(text: &mut String, c: char) {
    if c.is_ascii_alphanumeric() || !c.is_ascii() {
        text.push(c);
    } else {
        let _ = write!(text, "\\u{{{:x}}}", u32::from(c));
    }
}
