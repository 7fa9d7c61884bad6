//! The words of `bc`.

use super::number::Result;
use std::iter::Peekable;
use std::str::Chars;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Number(String),
    Name(String),
    Text(String),
    Mark(String),
    Line,
}

fn run(first: char, chars: &mut Peekable<Chars<'_>>, keep: fn(&char) -> bool) -> String {
    let mut run = String::from(first);
    while let Some(char) = chars.next_if(keep) {
        run.push(char);
    }
    run
}

/// The words of a program, or what is no word.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '\n' => tokens.push(Token::Line),
            ' ' | '\t' | '\r' => {}
            '\\' => {
                chars.next_if_eq(&'\n');
            }
            '#' => while chars.next_if(|char| *char != '\n').is_some() {},
            '/' if chars.peek() == Some(&'*') => {
                let mut last = ' ';
                chars.next();
                for char in chars.by_ref() {
                    if last == '*' && char == '/' {
                        break;
                    }
                    last = char;
                }
            }
            '"' => {
                let text: String = chars.by_ref().take_while(|char| *char != '"').collect();
                tokens.push(Token::Text(text));
            }
            '0'..='9' | 'A'..='F' | '.' => {
                let number = run(char, &mut chars, |char| {
                    char.is_ascii_digit() || ('A'..='F').contains(char) || *char == '.'
                });
                if number.matches('.').count() > 1 {
                    return Err(format!("syntax error near '{number}'"));
                }
                tokens.push(if number == "." { Token::Name("last".into()) } else { Token::Number(number) });
            }
            'a'..='z' => {
                let name = run(char, &mut chars, |char| {
                    char.is_ascii_lowercase() || char.is_ascii_digit() || *char == '_'
                });
                tokens.push(Token::Name(name));
            }
            _ => {
                let mut mark = String::from(char);
                let doubled = chars.peek().is_some_and(|next| {
                    matches!(
                        (char, next),
                        ('+' | '-' | '*' | '/' | '%' | '^' | '<' | '>' | '=' | '!', '=')
                            | ('+', '+')
                            | ('-', '-')
                            | ('&', '&')
                            | ('|', '|')
                    )
                });
                if doubled {
                    mark.extend(chars.next());
                }
                if mark.len() == 1 && !"+-*/%^()<>=!;,{}[]".contains(char) {
                    return Err(format!("illegal character: {char}"));
                }
                tokens.push(Token::Mark(mark));
            }
        }
    }
    Ok(tokens)
}
