//! Exact comparison of JSON numbers by their text: no float ever stands between.

use std::cmp::Ordering;

/// Most significant digits of a divisor, so that a remainder fits into 128 bits.
const DIVISOR_DIGITS: usize = 18;

/// Sign, digits without leading or trailing zeros, and the exponent of the last digit. Zero has no digits.
struct Decimal {
    negative: bool,
    digits: String,
    exponent: i64,
}

fn decimal(text: &str) -> Decimal {
    let (negative, unsigned) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, saturating(exponent)),
        None => (unsigned, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = format!("{whole}{fraction}");
    let kept = all.trim_end_matches('0');
    let dropped = i64::try_from(all.len() - kept.len()).unwrap_or(i64::MAX);
    let shift = i64::try_from(fraction.len()).unwrap_or(i64::MAX);
    let digits = kept.trim_start_matches('0').to_owned();
    let exponent = exponent.saturating_sub(shift).saturating_add(dropped);
    let zero = digits.is_empty();
    Decimal { negative: negative && !zero, digits, exponent: if zero { 0 } else { exponent } }
}

/// An exponent as a number; one too long for that is at the end of the range, which still orders right.
fn saturating(text: &str) -> i64 {
    let end = if text.starts_with('-') { i64::MIN / 4 } else { i64::MAX / 4 };
    text.trim_start_matches('+').parse().unwrap_or(end).clamp(i64::MIN / 4, i64::MAX / 4)
}

/// A short number without point and exponent, which needs no digits taken apart.
fn small(text: &str) -> Option<i64> {
    if text.len() <= DIVISOR_DIGITS { text.parse().ok() } else { None }
}

/// Whether two JSON numbers have the same mathematical value: `1.0` and `10e-1` do.
pub fn same_value(a: &str, b: &str) -> bool {
    a == b || compare(a, b) == Ordering::Equal
}

/// Compares two JSON numbers by their mathematical value.
pub fn compare(a: &str, b: &str) -> Ordering {
    if let (Some(a), Some(b)) = (small(a), small(b)) {
        return a.cmp(&b);
    }
    let (a, b) = (decimal(a), decimal(b));
    match (a.negative, b.negative) {
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
        (false, false) => magnitude(&a, &b),
        (true, true) => magnitude(&b, &a),
    }
}

fn magnitude(a: &Decimal, b: &Decimal) -> Ordering {
    match (a.digits.is_empty(), b.digits.is_empty()) {
        (true, true) => return Ordering::Equal,
        (true, false) => return Ordering::Less,
        (false, true) => return Ordering::Greater,
        (false, false) => {}
    }
    let order = |d: &Decimal| d.exponent.saturating_add(i64::try_from(d.digits.len()).unwrap_or(i64::MAX));
    // The digits have no zeros at either end, so equal heights compare like text.
    order(a).cmp(&order(b)).then_with(|| a.digits.cmp(&b.digits))
}

/// Whether a JSON number is written without point and exponent.
pub(crate) fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
}

/// Whether a JSON number has no fractional part: `1.0` and `1e3` have none.
pub fn is_integer(text: &str) -> bool {
    is_plain(text) || decimal(text).exponent >= 0
}

/// One spelling for all texts of the same value.
pub(crate) fn canonical(text: &str) -> String {
    let mut spelling = String::new();
    spell(text, &mut spelling);
    spelling
}

/// Puts that spelling behind another text.
pub(super) fn spell(text: &str, spelling: &mut String) {
    if !text.ends_with('0') && is_plain(text) {
        // The same spelling, without taking it apart.
        spelling.push_str(text);
        return spelling.push_str("e0");
    }
    let Decimal { negative, digits, exponent } = decimal(text);
    if negative {
        spelling.push('-');
    }
    spelling.push_str(&digits);
    spelling.push('e');
    spelling.push_str(&exponent.to_string());
}

/// A divisor taken apart once, for `multipleOf`.
#[derive(Clone, Debug)]
pub(crate) struct Divisor {
    digits: u64,
    exponent: i64,
}

impl Divisor {
    /// `None` if the number is not greater than zero, or has more significant digits than can be divided by.
    pub(crate) fn new(text: &str) -> Option<Divisor> {
        let Decimal { negative, digits, exponent } = decimal(text);
        if negative || digits.is_empty() || digits.len() > DIVISOR_DIGITS {
            return None;
        }
        Some(Divisor { digits: digits.parse().ok()?, exponent })
    }

    /// Whether a JSON number is an integer multiple of the divisor, exactly and in time linear in its text.
    pub(crate) fn divides(&self, text: &str) -> bool {
        let value = decimal(text);
        if value.digits.is_empty() {
            return true;
        }
        let Ok(shift) = u64::try_from(value.exponent.saturating_sub(self.exponent)) else {
            // The quotient would need a factor of ten in digits that have none at their end.
            return false;
        };
        let modulus = u128::from(self.digits);
        let digits = value.digits.bytes().map(|b| u128::from(b.saturating_sub(b'0')));
        let remainder = digits.fold(0, |remainder, digit| (remainder * 10 + digit) % modulus);
        (remainder * power_of_ten(shift, modulus)).is_multiple_of(modulus)
    }
}

/// 10^exponent modulo a number below 10^18.
fn power_of_ten(mut exponent: u64, modulus: u128) -> u128 {
    let (mut power, mut base) = (1 % modulus, 10 % modulus);
    while exponent > 0 {
        if exponent & 1 == 1 {
            power = power * base % modulus;
        }
        base = base * base % modulus;
        exponent >>= 1;
    }
    power
}

#[cfg(test)]
#[path = "number_tests.rs"]
mod tests;
