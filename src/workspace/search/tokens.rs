//! The words of a query and what they weigh (BT-03, without its bigrams; BT-03b).

use crate::protocol::limits::SEARCH_TOKENS;

/// The words that a search looks for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Query {
    tokens: Vec<Token>,
    folds: bool,
}

/// One word, in lower case.
#[derive(Clone, Debug, PartialEq)]
pub struct Token {
    /// The word.
    pub text: String,
    /// Its length in characters, 8 at most: what it adds to a score.
    pub weight: u32,
}

impl Query {
    /// Reads a query: lower-cased, split at everything that is neither a letter or digit nor `_`, each word once, the
    /// first 64.
    pub fn new(query: &str) -> Self {
        let lower = folded(query);
        let mut tokens: Vec<Token> = Vec::new();
        for word in lower.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()) {
            if tokens.len() == SEARCH_TOKENS {
                break;
            }
            if tokens.iter().all(|token| token.text != word) {
                let weight = (1..=8).zip(word.chars()).map(|(count, _)| count).last().unwrap_or(1);
                tokens.push(Token { text: word.to_owned(), weight });
            }
        }
        let folds = tokens.iter().any(|token| token.text.chars().any(char::is_lowercase));
        Self { tokens, folds }
    }

    /// The words in the order of the query.
    pub fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    /// Whether a text is lower-cased before it is searched: only if a word has a letter that knows case. Otherwise
    /// `Привет` would not even find itself.
    pub fn folds(&self) -> bool {
        self.folds
    }

    /// What a place weighs in which all words occur.
    pub fn weight(&self) -> u32 {
        self.tokens.iter().map(|token| token.weight).sum()
    }
}

/// A text in lower case, character by character, as queries and searched texts are compared.
pub fn folded(text: &str) -> String {
    let mut lower = String::new();
    fold_into(text, &mut lower);
    lower
}

/// Puts a text in lower case into a buffer, in place of what it holds. Line feeds stay where they are counted.
pub(super) fn fold_into(text: &str, lower: &mut String) {
    lower.clear();
    if text.is_ascii() {
        lower.push_str(text);
        lower.make_ascii_lowercase();
        return;
    }
    lower.reserve(text.len());
    for c in text.chars() {
        match c {
            '\0'..='\x7f' => lower.push(c.to_ascii_lowercase()),
            // Han and kana have no case; most texts that are not Latin are made of them.
            '\u{3000}'..='\u{9FFF}' => lower.push(c),
            _ => lower.extend(c.to_lowercase()),
        }
    }
}
