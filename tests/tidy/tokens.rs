//! The words of a Rust file without its comments, strings and unit tests, and the paths they spell.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// A token, as much of it as the rules need.
#[derive(Debug, PartialEq)]
pub enum Token {
    Word(String),
    Mark(char),
    Open,
    Close,
}

/// The tokens of a file in order; `#[cfg(test)]` items are left out.
pub fn tokens(text: &str) -> Vec<Token> {
    let stream: TokenStream = text.parse().expect("the file is Rust");
    let mut found = Vec::new();
    collect(stream, &mut found);
    found
}

fn collect(stream: TokenStream, found: &mut Vec<Token>) {
    let mut trees = stream.into_iter().peekable();
    while let Some(tree) = trees.next() {
        match tree {
            TokenTree::Ident(word) => found.push(Token::Word(word.to_string())),
            TokenTree::Punct(mark) => {
                if mark.as_char() == '#'
                    && matches!(trees.peek(), Some(TokenTree::Group(group)) if is_test(group))
                {
                    // The item ends with its block or its semicolon.
                    trees.find(ends_item);
                } else {
                    found.push(Token::Mark(mark.as_char()));
                }
            }
            TokenTree::Group(group) => {
                found.push(Token::Open);
                collect(group.stream(), found);
                found.push(Token::Close);
            }
            TokenTree::Literal(_) => {}
        }
    }
}

fn is_test(attribute: &Group) -> bool {
    let text: String = attribute.stream().to_string().split_whitespace().collect();
    text.starts_with("cfg(test") || text.starts_with("cfg(all(test")
}

fn ends_item(tree: &TokenTree) -> bool {
    match tree {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Punct(mark) => mark.as_char() == ';',
        _ => false,
    }
}

/// The second words of all paths that start with `root`: of `crate::gate::judge` and `crate::{wire, gate::judge}`
/// with the root `crate` these are `gate`, `wire` and `gate`.
pub fn paths_from(root: &str, tokens: &[Token]) -> Vec<String> {
    let starts = tokens.iter().enumerate().filter(|(_, token)| is_word(token, root));
    starts.flat_map(|(index, _)| heads(&tokens[index + 1..])).collect()
}

/// The rooms that paths of `super::` reach: from `src/gate/choice.rs` those after `super::super::`.
pub fn paths_above(module: &[&str], tokens: &[Token]) -> Vec<String> {
    let mut found = Vec::new();
    let mut index = 0;
    while index < tokens.len() {
        let mut levels = 0;
        while tokens.get(index).is_some_and(|token| is_word(token, "super")) {
            levels += 1;
            index += 1;
            if levels == module.len() {
                found.extend(heads(&tokens[index..]));
            }
            index += 2;
        }
        index += 1;
    }
    found
}

/// The words after `::`: one, or the first of each path in braces.
fn heads(rest: &[Token]) -> Vec<String> {
    match rest {
        [Token::Mark(':'), Token::Mark(':'), Token::Word(word), ..] => vec![word.clone()],
        [Token::Mark(':'), Token::Mark(':'), Token::Open, group @ ..] => {
            let mut found = Vec::new();
            let mut depth = 0;
            let mut first = true;
            for token in group {
                match token {
                    Token::Open => depth += 1,
                    Token::Close if depth == 0 => break,
                    Token::Close => depth -= 1,
                    Token::Mark(',') if depth == 0 => first = true,
                    Token::Word(word) if depth == 0 && first => {
                        found.push(word.clone());
                        first = false;
                    }
                    _ => {}
                }
            }
            found
        }
        _ => Vec::new(),
    }
}

fn is_word(token: &Token, word: &str) -> bool {
    matches!(token, Token::Word(found) if found == word)
}

#[test]
fn paths_are_found_in_every_spelling() {
    let text = r#"
        //! crate::face is only a comment.
        use crate::{wire::Call, gate::{self, judge}, project};
        fn f() { crate::tool::run(super::super::session::x(), "crate::run") }
        #[cfg(test)] #[path = "x.rs"] mod tests;
        #[cfg(test)] mod more { use crate::schedule; }
        use super::{sibling, other};
    "#;
    let tokens = tokens(text);
    assert_eq!(paths_from("crate", &tokens), ["wire", "gate", "project", "tool"]);
    assert_eq!(paths_above(&["gate", "choice"], &tokens), ["session"]);
}
