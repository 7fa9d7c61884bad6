//! Why a text is no JSON, in sentences.

use crate::protocol::limits;

/// Why a text is no JSON. `Display` is a sentence for whoever wrote the text; it names no position and no parser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadFault {
    /// Nothing but white space.
    Empty,
    /// The text ends inside a string, an array or an object.
    CutOff,
    /// A second value stands behind the first.
    TwoValues,
    /// Something that is no value stands behind the value.
    TextBehind,
    /// Text in single quotes.
    SingleQuotes,
    /// A member name without quotes.
    BareName,
    /// A word that other languages know and JSON does not, for example `NaN`.
    Word(&'static str),
    /// A comma before a closing bracket.
    TrailingComma,
    /// A comment.
    Comment,
    /// A number with a form that JSON does not have: a leading zero, a plus sign, a bare point.
    NumberForm,
    /// A raw control character inside a string.
    ControlCharacter,
    /// An escape that JSON does not have, with the character behind the backslash.
    Escape(char),
    /// A surrogate escape without its other half.
    LoneSurrogate,
    /// A byte order mark.
    ByteOrderMark,
    /// More than [`limits::JSON_DEPTH`] containers inside one another.
    TooDeep,
    /// A member whose name the JSON library uses for itself; it could not be kept as it is.
    ReservedName,
    /// A character that cannot stand where it stands.
    Unexpected(char),
}

impl std::fmt::Display for ReadFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Empty => f.write_str("The text is empty."),
            Self::CutOff => f.write_str("The text is cut off before its end: send all of it again."),
            Self::TwoValues => f.write_str("There are two JSON values in a row: send exactly one."),
            Self::TextBehind => f.write_str("There is text behind the JSON value: send the value alone."),
            Self::SingleQuotes => {
                f.write_str("It has single quotes: put names and strings in double quotes.")
            }
            Self::BareName => f.write_str("It has a name without quotes: put every name in double quotes."),
            Self::Word(word) => write!(f, "`{word}` is not JSON: use null, true, false, a number or a string."),
            Self::TrailingComma => f.write_str("A comma stands before a closing bracket: leave it out."),
            Self::Comment => f.write_str("It has a comment: JSON has none, leave it out."),
            Self::NumberForm => {
                f.write_str("A number is not written as JSON: no leading zero or plus sign, digits around the point.")
            }
            Self::ControlCharacter => {
                f.write_str("A string has a raw line break, tab or other control character: write it as \\n, \\t or \\u00XX.")
            }
            Self::Escape(c) if c.is_control() => {
                f.write_str("A backslash stands before a control character: write a backslash as \\\\.")
            }
            Self::Escape(c) => write!(f, "`\\{c}` is no JSON escape: write a backslash as \\\\."),
            Self::LoneSurrogate => {
                f.write_str("A \\u escape is half of a surrogate pair: write the character itself.")
            }
            Self::ByteOrderMark => f.write_str("It has a byte order mark: leave it out."),
            Self::TooDeep => {
                write!(f, "It is nested deeper than {} levels: make it flatter.", limits::JSON_DEPTH)
            }
            Self::ReservedName => f.write_str("A member name begins with `$serde_json::private::`, which is reserved: rename it."),
            Self::Unexpected(c) if c.is_control() || c.is_whitespace() => {
                f.write_str("It is not JSON: a blank or control character stands where JSON has none.")
            }
            Self::Unexpected(c) => write!(f, "It is not JSON: `{c}` stands where JSON has something else."),
        }
    }
}

impl std::error::Error for ReadFault {}
