//! The words of a date.

/// Larger numbers are no dates, and would overflow.
const LARGEST: i64 = 10_000_000_000;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Word {
    Number { value: i64, digits: usize, sign: Option<char>, fraction: Option<u32> },
    Name(String),
    Mark(char),
}

/// Numbers, names and single marks. A sign belongs to the number behind it unless a number or a mark is right in front.
pub(super) fn words(text: &str) -> Option<Vec<Word>> {
    let chars: Vec<char> = text.trim().to_lowercase().chars().collect();
    let mut words = Vec::new();
    let mut at = 0;
    let mut joined = false;
    while let Some(&char) = chars.get(at) {
        let run = |from: usize, keep: fn(&char) -> bool| {
            chars.iter().skip(from).take_while(|&char| keep(char)).count()
        };
        match char {
            ' ' | '\t' | ',' => {
                at += 1;
                joined = false;
                continue;
            }
            '0'..='9' => {
                let digits = run(at, char::is_ascii_digit);
                let value = number(&chars, at, digits)?;
                at += digits;
                words.push(Word::Number { value, digits, sign: None, fraction: fraction(&chars, &mut at) });
            }
            '+' | '-' if !joined => {
                let space = run(at + 1, |char| *char == ' ');
                let digits = run(at + 1 + space, char::is_ascii_digit);
                let value = number(&chars, at + 1 + space, digits)?;
                at += 1 + space + digits;
                words.push(Word::Number { value, digits, sign: Some(char), fraction: None });
            }
            'a'..='z' => {
                let length = run(at, char::is_ascii_lowercase);
                words.push(Word::Name(chars.iter().skip(at).take(length).collect()));
                at += length;
            }
            '+' | '-' | ':' | '/' | '@' | '.' => {
                words.push(Word::Mark(char));
                at += 1;
            }
            _ => return None,
        }
        joined = true;
    }
    Some(words)
}

fn number(chars: &[char], from: usize, digits: usize) -> Option<i64> {
    let text: String = chars.iter().skip(from).take(digits).collect();
    text.parse().ok().filter(|value| *value <= LARGEST)
}

/// `.25` behind a number, in nanoseconds.
fn fraction(chars: &[char], at: &mut usize) -> Option<u32> {
    let digits: String = chars.iter().skip(*at + 1).take_while(|char| char.is_ascii_digit()).collect();
    if chars.get(*at) != Some(&'.') || digits.is_empty() {
        return None;
    }
    *at += 1 + digits.len();
    let nine: String = digits.chars().chain("000000000".chars()).take(9).collect();
    nine.parse().ok()
}
