//! The language of `bc`, read into a tree.

use super::number::Result;
use super::tokens::{Token, tokens};

/// How deep expressions and blocks may stand in each other.
const DEPTH: usize = 100;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Expression {
    Number(String),
    Get(Place),
    Set {
        place: Place,
        operator: Option<char>,
        value: Box<Expression>,
    },
    /// `++` and `--`; the value is that before the step or that after it.
    Step {
        place: Place,
        up: bool,
        before: bool,
    },
    Negate(Box<Expression>),
    Not(Box<Expression>),
    Binary {
        operator: String,
        left: Box<Expression>,
        right: Box<Expression>,
    },
    Call {
        name: String,
        arguments: Vec<Expression>,
    },
}

/// What can be assigned to: a variable, or an element of an array.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Place {
    pub name: String,
    pub index: Option<Box<Expression>>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Statement {
    Value(Expression),
    Text(String),
    Print(Vec<Statement>),
    If { condition: Expression, then: Box<Statement>, otherwise: Option<Box<Statement>> },
    While { condition: Expression, body: Box<Statement>, step: Option<Expression> },
    Block(Vec<Statement>),
    Break,
    Continue,
    Return(Option<Expression>),
    Quit,
    Define { name: String, parameters: Vec<String>, locals: Vec<String>, body: Vec<Statement> },
}

/// Statements one after the other; the first that cannot be read ends it.
pub(super) struct Parser {
    tokens: Vec<Token>,
    next: usize,
    depth: usize,
}

impl Parser {
    pub(super) fn new(text: &str) -> Result<Parser> {
        Ok(Parser { tokens: tokens(text)?, next: 0, depth: 0 })
    }

    /// The next statement; `None` at the end.
    pub(super) fn next_statement(&mut self) -> Option<Result<Statement>> {
        while matches!(self.peek(), Some(Token::Line)) || self.is(";") {
            self.next += 1;
        }
        self.peek()?;
        Some(self.statement())
    }

    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.next)
    }

    fn is(&self, mark: &str) -> bool {
        matches!(self.peek(), Some(Token::Mark(found)) if found == mark)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Some(Token::Name(found)) if found == word)
    }

    fn take(&mut self, mark: &str) -> bool {
        let found = self.is(mark);
        self.next += usize::from(found);
        found
    }

    fn expect(&mut self, mark: &str) -> Result<()> {
        if self.take(mark) { Ok(()) } else { Err(self.unexpected()) }
    }

    fn unexpected(&self) -> String {
        match self.peek() {
            None | Some(Token::Line) => "syntax error at the end of a line".into(),
            Some(Token::Number(text) | Token::Name(text) | Token::Mark(text)) => {
                format!("syntax error near '{text}'")
            }
            Some(Token::Text(_)) => "syntax error near a text".into(),
        }
    }

    fn name(&mut self) -> Result<String> {
        match self.peek() {
            Some(Token::Name(name)) => {
                let name = name.clone();
                self.next += 1;
                Ok(name)
            }
            _ => Err(self.unexpected()),
        }
    }

    fn skip_lines(&mut self) {
        while matches!(self.peek(), Some(Token::Line)) {
            self.next += 1;
        }
    }

    fn nested<T>(&mut self, read: impl FnOnce(&mut Parser) -> Result<T>) -> Result<T> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(format!("more than {DEPTH} expressions inside each other"));
        }
        let read = read(self);
        self.depth -= 1;
        read
    }

    fn statement(&mut self) -> Result<Statement> {
        self.nested(Parser::plain_statement)
    }

    fn plain_statement(&mut self) -> Result<Statement> {
        if let Some(Token::Text(text)) = self.peek() {
            let text = text.clone();
            self.next += 1;
            return Ok(Statement::Text(text));
        }
        if self.is("{") {
            return Ok(Statement::Block(self.block()?));
        }
        let keyword = match self.peek() {
            Some(Token::Name(name)) => name.clone(),
            _ => return Ok(Statement::Value(self.expression()?)),
        };
        match keyword.as_str() {
            "if" => self.conditional(),
            "while" => {
                self.next += 1;
                self.expect("(")?;
                let condition = self.expression()?;
                self.expect(")")?;
                Ok(Statement::While { condition, body: Box::new(self.body()?), step: None })
            }
            "for" => self.counted(),
            "break" | "continue" | "quit" | "halt" => {
                self.next += 1;
                Ok(match keyword.as_str() {
                    "break" => Statement::Break,
                    "continue" => Statement::Continue,
                    _ => Statement::Quit,
                })
            }
            "return" => {
                self.next += 1;
                let ends = matches!(self.peek(), None | Some(Token::Line)) || self.is(";") || self.is("}");
                let value = if ends { None } else { Some(self.expression()?) };
                Ok(Statement::Return(value))
            }
            "print" => {
                self.next += 1;
                let mut parts = vec![self.statement()?];
                while self.take(",") {
                    parts.push(self.statement()?);
                }
                Ok(Statement::Print(parts))
            }
            "define" => self.definition(),
            _ => Ok(Statement::Value(self.expression()?)),
        }
    }

    fn body(&mut self) -> Result<Statement> {
        self.skip_lines();
        self.statement()
    }

    fn block(&mut self) -> Result<Vec<Statement>> {
        self.expect("{")?;
        let mut statements = Vec::new();
        loop {
            while matches!(self.peek(), Some(Token::Line)) || self.is(";") {
                self.next += 1;
            }
            if self.take("}") {
                return Ok(statements);
            }
            statements.push(self.statement()?);
        }
    }

    fn conditional(&mut self) -> Result<Statement> {
        self.next += 1;
        self.expect("(")?;
        let condition = self.expression()?;
        self.expect(")")?;
        let then = Box::new(self.body()?);
        let before = self.next;
        while matches!(self.peek(), Some(Token::Line)) || self.is(";") {
            self.next += 1;
        }
        let mut otherwise = None;
        if self.is_word("else") {
            self.next += 1;
            otherwise = Some(Box::new(self.body()?));
        } else {
            self.next = before;
        }
        Ok(Statement::If { condition, then, otherwise })
    }

    fn counted(&mut self) -> Result<Statement> {
        self.next += 1;
        self.expect("(")?;
        let first = if self.is(";") { None } else { Some(self.expression()?) };
        self.expect(";")?;
        let condition = if self.is(";") { Expression::Number("1".into()) } else { self.expression()? };
        self.expect(";")?;
        let step = if self.is(")") { None } else { Some(self.expression()?) };
        self.expect(")")?;
        let body = Box::new(self.body()?);
        let begin = first.map(|first| Statement::Value(silent(first)));
        let statements = begin.into_iter().chain([Statement::While { condition, body, step }]);
        Ok(Statement::Block(statements.collect()))
    }

    fn definition(&mut self) -> Result<Statement> {
        self.next += 1;
        if self.is_word("void") {
            self.next += 1;
        }
        let name = self.name()?;
        self.expect("(")?;
        let parameters = self.names(")")?;
        self.skip_lines();
        let mut body = self.block_with_locals()?;
        let locals = std::mem::take(&mut body.0);
        Ok(Statement::Define { name, parameters, locals, body: body.1 })
    }

    fn block_with_locals(&mut self) -> Result<(Vec<String>, Vec<Statement>)> {
        // `auto` stands first in the body of a function.
        let open = self.next;
        self.expect("{")?;
        self.skip_lines();
        if !self.is_word("auto") {
            self.next = open;
            return Ok((Vec::new(), self.block()?));
        }
        self.next += 1;
        let mut locals = vec![self.local()?];
        while self.take(",") {
            locals.push(self.local()?);
        }
        // What follows is read as a block of its own.
        self.next -= 1;
        if let Some(token) = self.tokens.get_mut(self.next) {
            *token = Token::Mark("{".into());
        }
        Ok((locals, self.block()?))
    }

    fn local(&mut self) -> Result<String> {
        let name = self.name()?;
        if self.take("[") {
            self.expect("]")?;
        }
        Ok(name)
    }

    fn names(&mut self, end: &str) -> Result<Vec<String>> {
        let mut names = Vec::new();
        while !self.take(end) {
            names.push(self.local()?);
            if !self.is(end) {
                self.expect(",")?;
            }
        }
        Ok(names)
    }

    fn expression(&mut self) -> Result<Expression> {
        self.nested(|parser| parser.binary(0))
    }

    fn binary(&mut self, level: usize) -> Result<Expression> {
        const LEVELS: [&[&str]; 5] =
            [&["||"], &["&&"], &["<", "<=", ">", ">=", "==", "!="], &["+", "-"], &["*", "/", "%"]];
        if level == 2 && self.take("!") {
            return Ok(Expression::Not(Box::new(self.nested(|parser| parser.binary(2))?)));
        }
        let Some(operators) = LEVELS.get(level) else { return self.power() };
        let mut left = self.binary(level + 1)?;
        while let Some(Token::Mark(mark)) = self.peek()
            && operators.contains(&mark.as_str())
        {
            let operator = mark.clone();
            self.next += 1;
            let right = Box::new(self.binary(level + 1)?);
            left = Expression::Binary { operator, left: Box::new(left), right };
        }
        Ok(left)
    }

    fn power(&mut self) -> Result<Expression> {
        let base = self.unary()?;
        if !self.take("^") {
            return Ok(base);
        }
        let right = Box::new(self.nested(Parser::power)?);
        Ok(Expression::Binary { operator: "^".into(), left: Box::new(base), right })
    }

    fn unary(&mut self) -> Result<Expression> {
        if self.take("-") {
            return Ok(Expression::Negate(Box::new(self.nested(Parser::unary)?)));
        }
        for mark in ["++", "--"] {
            if self.take(mark) {
                let place = self.place()?;
                return Ok(Expression::Step { place, up: mark == "++", before: false });
            }
        }
        self.operand()
    }

    fn operand(&mut self) -> Result<Expression> {
        match self.peek().cloned() {
            Some(Token::Number(text)) => {
                self.next += 1;
                Ok(Expression::Number(text))
            }
            Some(Token::Mark(mark)) if mark == "(" => {
                self.next += 1;
                let inner = self.expression()?;
                self.expect(")")?;
                // An assignment in parentheses is a value that is shown.
                Ok(Expression::Binary {
                    operator: "+".into(),
                    left: Box::new(inner),
                    right: Box::new(Expression::Number("0".into())),
                })
            }
            Some(Token::Name(name)) => {
                if matches!(self.tokens.get(self.next + 1), Some(Token::Mark(mark)) if mark == "(") {
                    self.next += 2;
                    return self.call(name);
                }
                self.variable()
            }
            _ => Err(self.unexpected()),
        }
    }

    fn call(&mut self, name: String) -> Result<Expression> {
        let mut arguments = Vec::new();
        while !self.take(")") {
            arguments.push(self.expression()?);
            if !self.is(")") {
                self.expect(",")?;
            }
        }
        Ok(Expression::Call { name, arguments })
    }

    fn place(&mut self) -> Result<Place> {
        let name = self.name()?;
        let mut index = None;
        if self.take("[") {
            index = Some(Box::new(self.expression()?));
            self.expect("]")?;
        }
        Ok(Place { name, index })
    }

    fn variable(&mut self) -> Result<Expression> {
        let place = self.place()?;
        let mark = match self.peek() {
            Some(Token::Mark(mark)) => mark.clone(),
            _ => return Ok(Expression::Get(place)),
        };
        match mark.as_str() {
            "++" | "--" => {
                self.next += 1;
                Ok(Expression::Step { place, up: mark == "++", before: true })
            }
            "=" | "+=" | "-=" | "*=" | "/=" | "%=" | "^=" => {
                self.next += 1;
                let operator = mark.chars().next().filter(|_| mark.len() == 2);
                Ok(Expression::Set { place, operator, value: Box::new(self.expression()?) })
            }
            _ => Ok(Expression::Get(place)),
        }
    }
}

/// An expression whose value is not shown.
fn silent(expression: Expression) -> Expression {
    match expression {
        set @ Expression::Set { .. } => set,
        other => Expression::Set {
            place: Place { name: " ".into(), index: None },
            operator: None,
            value: Box::new(other),
        },
    }
}
