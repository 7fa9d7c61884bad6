//! `expr`: whole numbers, comparisons and string matches with the precedence of GNU.

use bashkit::{Builtin, BuiltinContext, ExecResult, async_trait};
use regex::Regex;

/// How deep parentheses may stand in each other.
const DEPTH: usize = 100;

/// The command.
pub(super) struct Expr;

#[async_trait]
impl Builtin for Expr {
    async fn execute(&self, ctx: BuiltinContext<'_>) -> bashkit::Result<ExecResult> {
        let mut reading = Reading { words: ctx.args, next: 0, depth: 0 };
        let value = reading.any_of(0).and_then(|value| match reading.peek() {
            None => Ok(value),
            Some(word) => Err(format!("syntax error: unexpected argument '{word}'")),
        });
        Ok(match value {
            Ok(value) => ExecResult::with_code(format!("{value}\n"), i32::from(is_null(&value))),
            Err(problem) => ExecResult::err(format!("expr: {problem}\n"), 2),
        })
    }
}

/// The operators, the loosest first.
const LEVELS: [&[&str]; 6] =
    [&["|"], &["&"], &["<", "<=", "=", "==", "!=", ">=", ">"], &["+", "-"], &["*", "/", "%"], &[":"]];

struct Reading<'a> {
    words: &'a [String],
    next: usize,
    depth: usize,
}

type Value = Result<String, String>;

impl Reading<'_> {
    fn peek(&self) -> Option<&str> {
        self.words.get(self.next).map(String::as_str)
    }

    fn word(&mut self) -> Value {
        let word = self.words.get(self.next).cloned().ok_or_else(|| match self.words.last() {
            None => "missing operand".into(),
            Some(last) => format!("syntax error: missing argument after '{last}'"),
        })?;
        self.next += 1;
        Ok(word)
    }

    /// An expression of operators of this level and tighter ones, from the left.
    fn any_of(&mut self, level: usize) -> Value {
        let Some(operators) = LEVELS.get(level) else { return self.operand() };
        let mut left = self.any_of(level + 1)?;
        while let Some(operator) = self.peek().filter(|word| operators.contains(word)).map(str::to_owned) {
            self.next += 1;
            let right = self.any_of(level + 1)?;
            left = apply(&left, &operator, &right)?;
        }
        Ok(left)
    }

    fn operand(&mut self) -> Value {
        let word = self.word()?;
        // A keyword without its arguments is a plain string.
        let left = self.words.len() - self.next;
        match word.as_str() {
            "(" => self.group(),
            ")" => Err("syntax error: unexpected ')'".into()),
            "+" if left > 0 => self.word(),
            "length" if left >= 1 => Ok(self.operand_text()?.chars().count().to_string()),
            "index" if left >= 2 => {
                let (text, wanted) = (self.operand_text()?, self.operand_text()?);
                Ok(text.chars().position(|char| wanted.contains(char)).map_or(0, |at| at + 1).to_string())
            }
            "match" if left >= 2 => {
                let (text, pattern) = (self.operand_text()?, self.operand_text()?);
                matched(&text, &pattern)
            }
            "substr" if left >= 3 => {
                let (text, from, length) = (self.operand_text()?, self.operand_text()?, self.operand_text()?);
                Ok(substring(&text, &from, &length))
            }
            _ => Ok(word),
        }
    }

    fn operand_text(&mut self) -> Value {
        self.nested(Reading::operand)
    }

    fn group(&mut self) -> Value {
        let value = self.nested(|reading| reading.any_of(0))?;
        match self.word() {
            Ok(word) if word == ")" => Ok(value),
            Ok(word) => Err(format!("syntax error: expecting ')' instead of '{word}'")),
            Err(_) => Err("syntax error: expecting ')'".into()),
        }
    }

    fn nested(&mut self, read: impl FnOnce(&mut Self) -> Value) -> Value {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(format!("more than {DEPTH} expressions inside each other"));
        }
        let value = read(self);
        self.depth -= 1;
        value
    }
}

fn is_null(value: &str) -> bool {
    value.is_empty() || value.parse() == Ok(0i64)
}

fn apply(left: &str, operator: &str, right: &str) -> Value {
    let (a, b) = (left.parse::<i64>(), right.parse::<i64>());
    match operator {
        "|" if !is_null(left) => Ok(left.into()),
        "|" if !is_null(right) => Ok(right.into()),
        "&" if !is_null(left) && !is_null(right) => Ok(left.into()),
        "|" | "&" => Ok("0".into()),
        ":" => matched(left, right),
        "+" | "-" | "*" | "/" | "%" => {
            let (Ok(a), Ok(b)) = (a, b) else { return Err("non-integer argument".into()) };
            if b == 0 && matches!(operator, "/" | "%") {
                return Err("division by zero".into());
            }
            let result = match operator {
                "+" => a.checked_add(b),
                "-" => a.checked_sub(b),
                "*" => a.checked_mul(b),
                "/" => a.checked_div(b),
                _ => a.checked_rem(b),
            };
            result.map(|result| result.to_string()).ok_or_else(|| "number out of range".into())
        }
        _ => {
            let order = match (a, b) {
                (Ok(a), Ok(b)) => a.cmp(&b),
                _ => left.cmp(right),
            };
            let holds = match operator {
                "<" => order.is_lt(),
                "<=" => order.is_le(),
                ">" => order.is_gt(),
                ">=" => order.is_ge(),
                "!=" => order.is_ne(),
                _ => order.is_eq(),
            };
            Ok(u8::from(holds).to_string())
        }
    }
}

fn substring(text: &str, from: &str, length: &str) -> String {
    let (Ok(from), Ok(length)) = (from.parse::<usize>(), length.parse::<usize>()) else {
        return String::new();
    };
    if from == 0 { String::new() } else { text.chars().skip(from - 1).take(length).collect() }
}

/// The first group of a basic regular expression that matches from the start, or the length of the match.
fn matched(text: &str, pattern: &str) -> Value {
    let (pattern, groups) = extended(pattern);
    let regex =
        Regex::new(&format!("^(?s:{pattern})")).map_err(|_| "Invalid regular expression".to_owned())?;
    let found = regex.captures(text);
    if groups {
        return Ok(found
            .and_then(|found| found.get(1))
            .map(|group| group.as_str().to_owned())
            .unwrap_or_default());
    }
    Ok(found.and_then(|found| found.get(0)).map_or(0, |whole| whole.as_str().chars().count()).to_string())
}

/// A basic regular expression in the words of an extended one, and whether it has groups.
fn extended(pattern: &str) -> (String, bool) {
    let mut out = String::new();
    let mut groups = false;
    let mut chars = pattern.strip_prefix('^').unwrap_or(pattern).chars().peekable();
    let mut in_class = false;
    while let Some(char) = chars.next() {
        match char {
            ']' if in_class => {
                in_class = false;
                out.push(char);
            }
            '\\' if in_class => out.push_str("\\\\"),
            '[' if in_class && chars.peek() != Some(&':') => out.push_str("\\["),
            _ if in_class => out.push(char),
            '[' => {
                in_class = true;
                out.push(char);
                if let Some(negation) = chars.next_if_eq(&'^') {
                    out.push(negation);
                }
                if chars.next_if_eq(&']').is_some() {
                    out.push_str("\\]");
                }
            }
            '\\' => match chars.next() {
                Some(operator @ ('(' | ')' | '{' | '}' | '|' | '+' | '?')) => {
                    groups |= operator == '(';
                    out.push(operator);
                }
                Some(other) => {
                    out.push('\\');
                    out.push(other);
                }
                None => out.push_str("\\\\"),
            },
            '*' if out.is_empty() || out.ends_with('(') => out.push_str("\\*"),
            '(' | ')' | '{' | '}' | '|' | '+' | '?' => {
                out.push('\\');
                out.push(char);
            }
            _ => out.push(char),
        }
    }
    (out, groups)
}

#[cfg(test)]
mod tests;
