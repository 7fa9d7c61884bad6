//! The tree of a pattern. The engine has accepted the pattern before, so nothing is checked here again; what this
//! reader does not know (`\p{…}`, the sets of the flag `v`, flags inside groups) is left to the engine.

use super::Flags;

/// A pattern, or a part of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Node {
    Empty,
    Char(u32),
    Any,
    Class(Class),
    Start,
    End,
    Word { negated: bool },
    Group { index: Option<usize>, node: Box<Node> },
    Back(Reference),
    Look { behind: bool, negated: bool, node: Box<Node> },
    Seq(Vec<Node>),
    Alt(Vec<Node>),
    Repeat { node: Box<Node>, min: u32, max: Option<u32>, greedy: bool, groups: (usize, usize) },
}

/// What a back reference names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reference {
    Number(usize),
    Name(String),
}

/// A set of characters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Class {
    pub ranges: Vec<(u32, u32)>,
    pub negated: bool,
}

/// A pattern with its groups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    pub node: Node,
    /// Capturing groups, not counting the whole match.
    pub groups: usize,
    /// Names of groups, in their order.
    pub names: Vec<(String, usize)>,
}

const DIGITS: [(u32, u32); 1] = [(0x30, 0x39)];
const WORDS: [(u32, u32); 4] = [(0x30, 0x39), (0x41, 0x5a), (0x5f, 0x5f), (0x61, 0x7a)];
const SPACES: [(u32, u32); 10] = [
    (0x09, 0x0d),
    (0x20, 0x20),
    (0xa0, 0xa0),
    (0x1680, 0x1680),
    (0x2000, 0x200a),
    (0x2028, 0x2029),
    (0x202f, 0x202f),
    (0x205f, 0x205f),
    (0x3000, 0x3000),
    (0xfeff, 0xfeff),
];
/// What ends a line.
pub(super) const LINE_ENDS: [u32; 4] = [0x0a, 0x0d, 0x2028, 0x2029];
const LAST: u32 = 0x10_ffff;
/// Groups inside groups that are followed.
const DEEPEST: usize = 60;

/// Reads a pattern; `None` when it holds something that is left to the engine.
pub(super) fn read(source: &[u16], flags: Flags) -> Option<Pattern> {
    if flags.sets {
        return None;
    }
    let chars: Vec<u32> = if flags.unicode {
        char::decode_utf16(source.iter().copied())
            .map(|c| c.map_or_else(|lone| u32::from(lone.unpaired_surrogate()), u32::from))
            .collect()
    } else {
        source.iter().map(|unit| u32::from(*unit)).collect()
    };
    let named = source.windows(3).any(|three| {
        let is = |at: usize, c: u8| three.get(at) == Some(&u16::from(c));
        is(0, b'(') && is(1, b'?') && is(2, b'<')
    });
    let mut reader =
        Reader { chars, at: 0, groups: 0, names: Vec::new(), unicode: flags.unicode, named, depth: 0 };
    let node = reader.alternatives()?;
    (reader.at == reader.chars.len()).then_some(Pattern { node, groups: reader.groups, names: reader.names })
}

struct Reader {
    chars: Vec<u32>,
    at: usize,
    groups: usize,
    names: Vec<(String, usize)>,
    unicode: bool,
    named: bool,
    depth: usize,
}

impl Reader {
    fn peek(&self) -> Option<char> {
        self.ahead(0)
    }

    fn ahead(&self, by: usize) -> Option<char> {
        self.chars.get(self.at + by).map(|c| char::from_u32(*c).unwrap_or('\u{fffd}'))
    }

    fn take(&mut self) -> Option<u32> {
        let c = self.chars.get(self.at).copied()?;
        self.at += 1;
        Some(c)
    }

    fn eat(&mut self, text: &str) -> bool {
        let here = text.chars().enumerate().all(|(by, c)| self.ahead(by) == Some(c));
        if here {
            self.at += text.chars().count();
        }
        here
    }

    fn alternatives(&mut self) -> Option<Node> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let mut all = vec![self.sequence()?];
        while self.eat("|") {
            all.push(self.sequence()?);
        }
        self.depth -= 1;
        if all.len() == 1 { all.pop() } else { Some(Node::Alt(all)) }
    }

    fn sequence(&mut self) -> Option<Node> {
        let mut parts = Vec::new();
        while self.peek().is_some_and(|c| c != '|' && c != ')') {
            let before = self.groups;
            let atom = self.atom()?;
            parts.push(self.quantified(atom, before)?);
        }
        match parts.len() {
            0 => Some(Node::Empty),
            1 => parts.pop(),
            _ => Some(Node::Seq(parts)),
        }
    }

    fn atom(&mut self) -> Option<Node> {
        match self.peek()? {
            '^' => self.node(Node::Start),
            '$' => self.node(Node::End),
            '.' => self.node(Node::Any),
            '(' => self.group(),
            '[' => self.class().map(Node::Class),
            '\\' => self.escape(),
            _ => self.take().map(Node::Char),
        }
    }

    fn node(&mut self, node: Node) -> Option<Node> {
        self.at += 1;
        Some(node)
    }

    fn group(&mut self) -> Option<Node> {
        let looks =
            [("(?=", false, false), ("(?!", false, true), ("(?<=", true, false), ("(?<!", true, true)];
        let look = looks.iter().find(|(text, ..)| self.eat(text));
        let mut index = None;
        if look.is_none() && !self.eat("(?:") {
            if self.eat("(?<") {
                self.groups += 1;
                let name = self.name()?;
                self.names.push((name, self.groups));
            } else if self.eat("(?") {
                return None;
            } else {
                self.at += 1;
                self.groups += 1;
            }
            index = Some(self.groups);
        }
        let node = Box::new(self.alternatives()?);
        if !self.eat(")") {
            return None;
        }
        Some(match look {
            Some((_, behind, negated)) => Node::Look { behind: *behind, negated: *negated, node },
            None => Node::Group { index, node },
        })
    }

    fn name(&mut self) -> Option<String> {
        let mut name = String::new();
        loop {
            match char::from_u32(self.take()?)? {
                '>' => return Some(name),
                '\\' => return None,
                c => name.push(c),
            }
        }
    }

    fn quantified(&mut self, node: Node, before: usize) -> Option<Node> {
        let bounds = if self.eat("*") {
            Some((0, None))
        } else if self.eat("+") {
            Some((1, None))
        } else if self.eat("?") {
            Some((0, Some(1)))
        } else if self.peek() == Some('{') {
            self.braces()
        } else {
            None
        };
        let Some((min, max)) = bounds else {
            // A brace that is no quantifier stands for itself.
            return Some(node);
        };
        let greedy = !self.eat("?");
        Some(Node::Repeat { node: Box::new(node), min, max, greedy, groups: (before + 1, self.groups) })
    }

    /// `{2}`, `{2,}`, `{2,3}`; anything else is a brace as it stands.
    fn braces(&mut self) -> Option<(u32, Option<u32>)> {
        let start = self.at;
        self.at += 1;
        let bounds = self.bounds();
        if bounds.is_none() {
            self.at = start;
        }
        bounds
    }

    fn bounds(&mut self) -> Option<(u32, Option<u32>)> {
        let min = self.decimal()?;
        let max = match self.eat(",") {
            true if self.peek() == Some('}') => None,
            true => Some(self.decimal()?),
            false => Some(min),
        };
        self.eat("}").then_some((min, max))
    }

    fn decimal(&mut self) -> Option<u32> {
        let mut value: Option<u32> = None;
        while let Some(digit) = self.peek().and_then(|c| c.to_digit(10)) {
            self.at += 1;
            value = Some(value.unwrap_or(0).saturating_mul(10).saturating_add(digit));
        }
        value
    }

    fn escape(&mut self) -> Option<Node> {
        self.at += 1;
        let c = self.peek()?;
        match c {
            'b' | 'B' => return self.node(Node::Word { negated: c == 'B' }),
            'k' if self.named || self.unicode => {
                self.at += 1;
                return if self.eat("<") {
                    self.name().map(|name| Node::Back(Reference::Name(name)))
                } else {
                    None
                };
            }
            '1'..='9' => {
                let start = self.at;
                let number = self.decimal()? as usize;
                if number <= self.count() {
                    return Some(Node::Back(Reference::Number(number)));
                }
                self.at = start;
            }
            _ => {}
        }
        match self.shorthand() {
            Some(class) => Some(Node::Class(class)),
            None => self.character().map(Node::Char),
        }
    }

    /// All groups of the pattern, those that follow as well.
    fn count(&self) -> usize {
        let mut class = false;
        let mut count = 0;
        let mut chars = self.chars.iter().map(|c| char::from_u32(*c).unwrap_or(' ')).enumerate().peekable();
        while let Some((at, c)) = chars.next() {
            let next = |by: usize| self.chars.get(at + by).and_then(|c| char::from_u32(*c));
            match c {
                '\\' => {
                    chars.next();
                }
                '[' => class = true,
                ']' => class = false,
                '(' if !class => {
                    let named =
                        next(1) == Some('?') && next(2) == Some('<') && !matches!(next(3), Some('=' | '!'));
                    count += usize::from(next(1) != Some('?') || named);
                }
                _ => {}
            }
        }
        count
    }

    /// `\d`, `\w`, `\s` and their opposites.
    fn shorthand(&mut self) -> Option<Class> {
        let c = self.peek()?;
        let ranges: &[(u32, u32)] = match c.to_ascii_lowercase() {
            'd' => &DIGITS,
            'w' => &WORDS,
            's' => &SPACES,
            _ => return None,
        };
        self.at += 1;
        Some(Class { ranges: ranges.to_vec(), negated: c.is_ascii_uppercase() })
    }

    /// One escaped character.
    fn character(&mut self) -> Option<u32> {
        let c = self.take()?;
        Some(match char::from_u32(c)? {
            't' => 0x09,
            'n' => 0x0a,
            'v' => 0x0b,
            'f' => 0x0c,
            'r' => 0x0d,
            '0' if !self.peek().is_some_and(|c| c.is_ascii_digit()) => 0,
            'c' if self.peek().is_some_and(|c| c.is_ascii_alphabetic()) => self.take()? % 32,
            'x' => self.hex(2)?,
            'u' if self.unicode && self.eat("{") => {
                let mut value = 0u32;
                while !self.eat("}") {
                    value = value.checked_mul(16)?.checked_add(self.peek()?.to_digit(16)?)?;
                    self.at += 1;
                }
                value
            }
            'u' => {
                let high = self.hex(4)?;
                let pair = self.unicode && (0xd800..0xdc00).contains(&high) && self.eat("\\u");
                if !pair {
                    return Some(high);
                }
                let low = self.hex(4)?;
                if !(0xdc00..0xe000).contains(&low) {
                    return None;
                }
                0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00)
            }
            // Octal escapes, `\p` and what only old patterns write are left to the engine.
            '0'..='9' | 'c' | 'p' | 'P' | 'k' => return None,
            _ => c,
        })
    }

    fn hex(&mut self, count: usize) -> Option<u32> {
        let mut value = 0;
        for _ in 0..count {
            value = value * 16 + self.peek()?.to_digit(16)?;
            self.at += 1;
        }
        Some(value)
    }

    fn class(&mut self) -> Option<Class> {
        self.at += 1;
        let mut class = Class { negated: self.eat("^"), ..Class::default() };
        while !self.eat("]") {
            let Some(low) = self.member(&mut class.ranges)? else { continue };
            let range = self.peek() == Some('-') && self.ahead(1) != Some(']');
            if !range {
                class.ranges.push((low, low));
                continue;
            }
            self.at += 1;
            match self.member(&mut class.ranges)? {
                Some(high) => class.ranges.push((low, high)),
                None => class.ranges.extend([(low, low), (0x2d, 0x2d)]),
            }
        }
        Some(class)
    }

    /// One member of a class: a character, or a shorthand, whose characters are added at once.
    #[expect(clippy::option_option, reason = "nothing to read, a shorthand, a character")]
    fn member(&mut self, ranges: &mut Vec<(u32, u32)>) -> Option<Option<u32>> {
        if self.peek()? != '\\' {
            return self.take().map(Some);
        }
        self.at += 1;
        if let Some(class) = self.shorthand() {
            ranges.extend(if class.negated { opposite(&class.ranges) } else { class.ranges });
            return Some(None);
        }
        if self.eat("b") {
            return Some(Some(0x08));
        }
        if self.unicode && self.eat("-") {
            return Some(Some(0x2d));
        }
        self.character().map(Some)
    }
}

/// The characters outside of ordered ranges.
fn opposite(ranges: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let mut from = 0;
    let mut rest = Vec::new();
    for (low, high) in ranges {
        if *low > from {
            rest.push((from, low - 1));
        }
        from = high + 1;
    }
    rest.push((from, LAST));
    rest
}
