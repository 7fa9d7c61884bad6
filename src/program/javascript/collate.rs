//! Comparing texts as people sort them: `localeCompare` and `Intl.Collator`. Letters come before accents, accents
//! before case, and signs and digits before letters, which is the common part of all Latin alphabets; tailorings of
//! single languages are not known here.

use super::native::{self, argument, property};
use boa_engine::{Context, JsObject, JsResult, JsString, JsValue, js_string};
use icu_normalizer::DecomposingNormalizerBorrowed;
use std::cmp::Ordering;

/// What is looked at.
#[derive(Clone, Copy, Debug, Default)]
struct Rules {
    /// Digits are compared as numbers.
    numeric: bool,
    /// Capitals come first.
    upper_first: bool,
    /// Accents and case make no difference.
    base: bool,
    /// Case makes no difference.
    accent: bool,
    /// Accents make no difference.
    case: bool,
    /// Spaces and signs make no difference.
    skip_signs: bool,
}

/// Puts `localeCompare` in its place.
///
/// # Errors
/// The prototype refuses it.
pub(crate) fn install(context: &mut Context) -> JsResult<()> {
    let prototype: JsObject = context.intrinsics().constructors().string().prototype();
    let function = native::function(
        context,
        "localeCompare",
        1,
        boa_engine::NativeFunction::from_fn_ptr(locale_compare),
    );
    property(&prototype, js_string!("localeCompare"), function, false, context)
}

fn locale_compare(this: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    if this.is_null_or_undefined() {
        return Err(native::type_error("String.prototype.localeCompare called on null or undefined"));
    }
    let options = argument(arguments, 2);
    compare(&JsValue::undefined(), &[this.clone(), argument(arguments, 0), options], context)
}

/// `compare(left, right, options)`, with the options of `Intl.Collator`: -1, 0 or 1.
///
/// # Errors
/// An argument cannot be made a string, or a getter of the options throws.
pub(crate) fn compare(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let left = argument(arguments, 0).to_string(context)?;
    let right = argument(arguments, 1).to_string(context)?;
    let rules = rules(&argument(arguments, 2), context)?;
    Ok(JsValue::from(match order(&left, &right, rules) {
        Ordering::Less => -1,
        Ordering::Equal => 0,
        Ordering::Greater => 1,
    }))
}

fn rules(options: &JsValue, context: &mut Context) -> JsResult<Rules> {
    let Some(options) = options.as_object() else { return Ok(Rules::default()) };
    let mut text = |name: &str| -> JsResult<String> {
        let value = options.get(JsString::from(name), context)?;
        Ok(if value.is_undefined() { String::new() } else { value.to_string(context)?.to_std_string_lossy() })
    };
    let sensitivity = text("sensitivity")?;
    Ok(Rules {
        upper_first: text("caseFirst")? == "upper",
        base: sensitivity == "base",
        accent: sensitivity == "accent",
        case: sensitivity == "case",
        skip_signs: text("ignorePunctuation")? == "true",
        numeric: text("numeric")? == "true",
    })
}

/// One letter with what is around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Letter {
    /// Signs, digits, letters.
    class: u8,
    /// The letter without accents and case.
    base: char,
    /// Its accents, as a number.
    accents: u32,
    /// It is a capital.
    upper: bool,
}

fn order(left: &JsString, right: &JsString, rules: Rules) -> Ordering {
    if left == right {
        return Ordering::Equal;
    }
    let (left, right) = (letters(left, rules), letters(right, rules));
    let primary = primary(&left, &right, rules.numeric);
    if primary != Ordering::Equal || rules.base {
        return primary;
    }
    let accents = |letters: &[Letter]| letters.iter().map(|letter| letter.accents).collect::<Vec<_>>();
    let secondary = accents(&left).cmp(&accents(&right));
    if !rules.case && (secondary != Ordering::Equal || rules.accent) {
        return secondary;
    }
    let cases = |letters: &[Letter]| {
        letters.iter().map(|letter| letter.upper != rules.upper_first).collect::<Vec<_>>()
    };
    cases(&left).cmp(&cases(&right))
}

fn letters(text: &JsString, rules: Rules) -> Vec<Letter> {
    let text = text.to_std_string_lossy();
    let text = if text.is_ascii() {
        text
    } else {
        DecomposingNormalizerBorrowed::new_nfd().normalize(&text).into_owned()
    };
    let mut letters: Vec<Letter> = Vec::with_capacity(text.len());
    for c in text.chars() {
        if matches!(u32::from(c), 0x300..=0x36f) {
            if let Some(last) = letters.last_mut() {
                last.accents = last.accents.wrapping_mul(128).wrapping_add(u32::from(c) - 0x2ff);
            }
            continue;
        }
        for (base, accents) in expansion(c) {
            let lower = base.to_lowercase().next().unwrap_or(base);
            let class = class(lower);
            if !(rules.skip_signs && class < 3) && class > 0 {
                letters.push(Letter { class, base: lower, accents, upper: lower != base });
            }
        }
    }
    letters
}

/// Letters that are sorted as others, with a difference after them.
fn expansion(c: char) -> Vec<(char, u32)> {
    match c {
        'ß' => vec![('s', 0), ('s', 1)],
        'æ' => vec![('a', 0), ('e', 1)],
        'Æ' => vec![('A', 0), ('E', 1)],
        'œ' => vec![('o', 0), ('e', 1)],
        'Œ' => vec![('O', 0), ('E', 1)],
        'ø' => vec![('o', 60)],
        'Ø' => vec![('O', 60)],
        'ł' => vec![('l', 60)],
        'Ł' => vec![('L', 60)],
        'đ' => vec![('d', 60)],
        'Đ' => vec![('D', 60)],
        'ı' => vec![('i', 60)],
        _ => vec![(c, 0)],
    }
}

/// The order of the signs, as the root collation has it.
const SIGNS: &str = "_-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$";

fn class(c: char) -> u8 {
    match c {
        '\0'..='\u{8}' | '\u{e}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{200b}'..='\u{200f}' => 0,
        _ if c.is_whitespace() => 1,
        _ if c.is_ascii_digit() || c.is_numeric() => 3,
        _ if c.is_alphabetic() => 4,
        _ => 2,
    }
}

fn primary(left: &[Letter], right: &[Letter], numeric: bool) -> Ordering {
    let (mut a, mut b) = (0, 0);
    loop {
        let (Some(one), Some(other)) = (left.get(a), right.get(b)) else {
            return (left.len() - a.min(left.len())).cmp(&(right.len() - b.min(right.len())));
        };
        if numeric && one.base.is_ascii_digit() && other.base.is_ascii_digit() {
            let (one, other) = (number(left, &mut a), number(right, &mut b));
            let by_length = one.len().cmp(&other.len());
            match by_length.then_with(|| one.cmp(&other)) {
                Ordering::Equal => continue,
                unequal => return unequal,
            }
        }
        match weight(one).cmp(&weight(other)) {
            Ordering::Equal => {}
            unequal => return unequal,
        }
        a += 1;
        b += 1;
    }
}

/// The digits from a place on, without leading zeros.
fn number(letters: &[Letter], at: &mut usize) -> String {
    let digits: String =
        letters.iter().skip(*at).map(|letter| letter.base).take_while(char::is_ascii_digit).collect();
    *at += digits.len();
    digits.trim_start_matches('0').to_owned()
}

fn weight(letter: &Letter) -> (u8, usize, char) {
    let sign = SIGNS.chars().position(|sign| sign == letter.base).unwrap_or(SIGNS.len());
    (letter.class, if letter.class == 2 { sign } else { 0 }, letter.base)
}
