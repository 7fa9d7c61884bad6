//! Exact comparison of JSON numbers by their text: no float ever stands between.

use std::cmp::Ordering;

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

/// Whether two JSON numbers have the same mathematical value: `1.0` and `10e-1` do.
pub fn same_value(a: &str, b: &str) -> bool {
    compare(a, b) == Ordering::Equal
}

/// Compares two JSON numbers by their mathematical value.
pub fn compare(a: &str, b: &str) -> Ordering {
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
