//! How deep a source text is nested, looked at before it is parsed: the parser is recursive and the stack of a module
//! is small, so a text of a few thousand brackets would end the instance instead of the program.
//!
//! The scan knows strings, templates, comments and regular expressions well enough to skip what is inside them. It
//! counts brackets, and, inside one bracket, the tokens that make the parser descend without one: prefix operators,
//! arrows, assignments, conditions, `else`. It is linear and holds one number per open bracket.

use std::ops::Range;

/// Open brackets that the parser is trusted with.
const BRACKETS: u32 = 160;
/// Descents without a bracket, in one statement.
const DESCENTS: u32 = 400;
/// Operators of one expression, which the parser takes in a loop and the compiler in a recursion.
const OPERATORS: u32 = 5_000;

/// What a scan learns about a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Some statement is nested deeper than the parser is trusted with.
    pub too_deep: bool,
    /// `import` or `export` begins a statement, or `import.meta` or a top-level `await` stands outside all brackets.
    pub module: bool,
    /// `export` begins a statement.
    pub exports: bool,
    /// Where the statements that begin with `import` are.
    pub imports: Vec<Range<usize>>,
    /// Where `async` stands after `export default` and no function follows: the parser trips over that arrow.
    pub async_defaults: Vec<usize>,
}

/// One open bracket, or the text itself.
#[derive(Clone, Copy, Default)]
struct Level {
    closer: u8,
    descents: u32,
    operators: u32,
    commas: u32,
    /// An arrow stands in this statement: an `await` after it belongs to a function.
    arrow: bool,
}

/// Scans a source text.
pub(crate) fn scan(source: &str) -> Shape {
    let mut scan = Scan {
        bytes: source.as_bytes(),
        at: 0,
        levels: vec![Level::default()],
        shape: Shape::default(),
        before: Before::Start,
        importing: None,
        exporting: false,
    };
    scan.run();
    scan.shape
}

/// What stands before a `/` decides whether it divides or begins a regular expression.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// The beginning of a statement.
    Start,
    /// The end of an expression.
    Value,
    /// An operator, or a word that an expression follows.
    Operator,
    /// A dot: the next word is a member.
    Dot,
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'\\' | b'@' | b'#') || byte >= 0x80
}

struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
    levels: Vec<Level>,
    shape: Shape,
    before: Before,
    /// Where the `import` statement began that is being read.
    importing: Option<usize>,
    /// The word before was `export`, or `default` after it.
    exporting: bool,
}

impl Scan<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn run(&mut self) {
        if self.bytes.starts_with(b"#!") {
            self.skip_line();
        }
        while self.at < self.bytes.len() && !self.shape.too_deep {
            self.token();
        }
    }

    fn token(&mut self) {
        let byte = self.peek(0);
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' => self.space(),
            b'/' => self.slash(),
            b'"' | b'\'' => self.string(byte),
            b'`' => {
                self.at += 1;
                self.template();
            }
            b'(' | b'[' | b'{' => {
                self.at += 1;
                self.open(match byte {
                    b'(' => b')',
                    b'[' => b']',
                    _ => b'}',
                });
            }
            b')' | b']' | b'}' => {
                self.at += 1;
                self.close(byte);
            }
            b';' => {
                self.at += 1;
                self.separate(true);
            }
            b',' => {
                self.at += 1;
                self.separate(false);
            }
            b'.' => {
                self.at += 1;
                self.before = Before::Dot;
                self.count(0, 1);
            }
            _ if is_word(byte) => self.word(),
            _ => self.operator(byte),
        }
    }

    /// White space; a line break ends a statement where the next line cannot go on with it.
    fn space(&mut self) {
        let mut lines = false;
        while self.peek(0).is_ascii_whitespace() {
            lines |= self.peek(0) == b'\n';
            self.at += 1;
        }
        let next = self.peek(0);
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let goes_on = rest.starts_with(b"else") || rest.starts_with(b"in") || rest.starts_with(b"!=");
        let begins = is_word(next) || matches!(next, b'\'' | b'"' | b'{' | b'!' | b'~');
        if lines && matches!(self.before, Before::Value | Before::Start) && begins && !goes_on {
            self.separate(true);
        }
    }

    fn slash(&mut self) {
        match self.peek(1) {
            b'/' => self.skip_line(),
            b'*' => {
                self.at += 2;
                while self.at < self.bytes.len() && !(self.peek(0) == b'*' && self.peek(1) == b'/') {
                    self.at += 1;
                }
                self.at += 2;
            }
            _ if self.before == Before::Value => self.operator(b'/'),
            _ => self.regex(),
        }
    }

    fn skip_line(&mut self) {
        while self.at < self.bytes.len() && self.peek(0) != b'\n' {
            self.at += 1;
        }
    }

    fn string(&mut self, quote: u8) {
        self.at += 1;
        while self.at < self.bytes.len() && self.peek(0) != quote && self.peek(0) != b'\n' {
            self.at += if self.peek(0) == b'\\' { 2 } else { 1 };
        }
        self.at += 1;
        self.before = Before::Value;
        self.end_import();
    }

    /// An `import` statement ends with the name of its module, its attributes, and a semicolon.
    fn end_import(&mut self) {
        if self.levels.len() > 1 {
            return;
        }
        let Some(start) = self.importing.take() else { return };
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let space = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let tail = rest.get(space..).unwrap_or_default();
        if tail.starts_with(b"with") || tail.starts_with(b"assert") {
            let attributes = tail.iter().position(|byte| *byte == b'}').map_or(0, |end| space + end + 1);
            self.at += attributes;
        }
        let end = self.at.min(self.bytes.len());
        self.shape.imports.push(start..end);
    }

    fn regex(&mut self) {
        let mut class = false;
        self.at += 1;
        loop {
            match self.peek(0) {
                b'\\' => self.at += 1,
                b'[' => class = true,
                b']' => class = false,
                b'/' if !class => break,
                b'\n' | 0 => break,
                _ => {}
            }
            self.at += 1;
        }
        self.at += 1;
        self.before = Before::Value;
    }

    /// The text of a template up to its end or its next `${`, which opens a bracket of its own.
    fn template(&mut self) {
        while self.at < self.bytes.len() {
            match self.peek(0) {
                b'\\' => self.at += 2,
                b'`' => {
                    self.at += 1;
                    self.before = Before::Value;
                    return;
                }
                b'$' if self.peek(1) == b'{' => {
                    self.at += 2;
                    return self.open(b'`');
                }
                _ => self.at += 1,
            }
        }
    }

    fn open(&mut self, closer: u8) {
        self.levels.push(Level { closer, ..Level::default() });
        if self.levels.len() > BRACKETS as usize {
            self.shape.too_deep = true;
        }
        self.before = if closer == b'}' { Before::Start } else { Before::Operator };
    }

    fn close(&mut self, byte: u8) {
        let closed = if self.levels.len() > 1 { self.levels.pop() } else { None };
        if byte == b'}' && closed.is_some_and(|level| level.closer == b'`') {
            return self.template();
        }
        // After a block a statement begins, after an object an operator follows; a `/` is rare after both.
        self.before = if byte == b'}' { Before::Start } else { Before::Value };
    }

    fn separate(&mut self, statement: bool) {
        if let Some(level) = self.levels.last_mut() {
            // A sequence `a, b, c` is nested as well; the elements of a list are not.
            let listed = matches!(level.closer, b']' | b'}');
            level.commas = if statement || listed { 0 } else { level.commas + 1 };
            level.descents = 0;
            level.operators = 0;
            level.arrow &= !statement;
            self.shape.too_deep |= level.commas > OPERATORS;
        }
        self.before = if statement { Before::Start } else { Before::Operator };
    }

    fn count(&mut self, descents: u32, operators: u32) {
        let Some(level) = self.levels.last_mut() else { return };
        level.descents += descents;
        level.operators += operators;
        if level.descents > DESCENTS || level.operators > OPERATORS {
            self.shape.too_deep = true;
        }
    }

    fn operator(&mut self, byte: u8) {
        let prefix = self.before != Before::Value;
        let descents =
            matches!(byte, b'=' | b'?' | b':') || (prefix && matches!(byte, b'!' | b'~' | b'+' | b'-'));
        // `x++` and `x--` leave a value behind; the difference matters for a `/` only.
        let post = matches!(byte, b'+' | b'-') && self.peek(1) == byte && !prefix;
        let arrow = byte == b'=' && self.peek(1) == b'>';
        if let Some(level) = self.levels.last_mut() {
            level.arrow |= arrow;
        }
        self.at += if post || arrow { 2 } else { 1 };
        self.count(u32::from(descents), 1);
        self.before = if post { Before::Value } else { Before::Operator };
    }

    fn word(&mut self) {
        let start = self.at;
        let number = self.peek(0).is_ascii_digit();
        while is_word(self.peek(0)) || (number && self.peek(0) == b'.') {
            self.at += 1;
        }
        let member = self.before == Before::Dot;
        let word = self.bytes.get(start..self.at).unwrap_or_default();
        let begins = self.before == Before::Start || self.line_begins(start);
        self.before = Before::Value;
        if member {
            return;
        }
        let top = self.levels.len() == 1;
        self.match_word(word, start, top, begins);
        if !matches!(word, b"export" | b"default") {
            self.exporting = false;
        }
    }

    fn match_word(&mut self, word: &[u8], start: usize, top: bool, begins: bool) {
        match word {
            b"import" if self.next_byte() == b'.' => self.shape.module = true,
            b"import" if top && begins && self.next_byte() != b'(' => {
                self.shape.module = true;
                self.importing = Some(start);
            }
            b"export" if top && begins => {
                self.shape.module = true;
                self.shape.exports = true;
                self.exporting = true;
            }
            b"default" if self.exporting => {}
            b"async" if self.exporting && !self.next_is(b"function") => self.shape.async_defaults.push(start),
            b"await" => {
                self.count(1, 0);
                self.before = Before::Operator;
                let key = self.next_byte() == b':';
                self.shape.module |= top && !key && !self.levels.last().is_some_and(|level| level.arrow);
            }
            b"typeof" | b"void" | b"delete" | b"new" | b"yield" | b"else" | b"async" => {
                self.count(1, 0);
                self.before = Before::Operator;
            }
            b"return" | b"throw" | b"case" | b"in" | b"of" | b"instanceof" | b"do" | b"if" | b"while"
            | b"for" | b"with" => {
                self.before = Before::Operator;
            }
            _ => {}
        }
    }

    /// Whether a word is the next after white space.
    fn next_is(&self, word: &[u8]) -> bool {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let space = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        rest.get(space..).unwrap_or_default().starts_with(word)
    }

    /// The byte after the white space that follows.
    fn next_byte(&self) -> u8 {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        rest.iter().copied().find(|byte| !byte.is_ascii_whitespace()).unwrap_or(0)
    }

    /// Whether only white space stands before this place on its line.
    fn line_begins(&self, at: usize) -> bool {
        let head = self.bytes.get(..at).unwrap_or_default();
        head.iter().rev().take_while(|byte| **byte != b'\n').all(u8::is_ascii_whitespace)
    }
}

#[cfg(test)]
mod tests;
