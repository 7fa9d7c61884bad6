//! The numbers of `bc`: decimals of any length, with the scale rules of POSIX.

use num_bigint::{BigInt, Sign};
use std::cmp::Ordering;

/// Digits that a number may have.
const DIGITS: u64 = 20_000;
/// Characters of a line of output.
const LINE: usize = 69;

pub(super) type Result<T> = std::result::Result<T, String>;

/// `value / 10^scale`
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Number {
    value: BigInt,
    pub scale: u32,
}

fn ten_to(power: u32) -> BigInt {
    BigInt::from(10).pow(power)
}

impl From<i64> for Number {
    fn from(value: i64) -> Number {
        Number { value: value.into(), scale: 0 }
    }
}

impl Number {
    /// Digits, a point and digits in a base of 2 to 16. A digit that the base does not have counts as its value.
    pub(super) fn read(text: &str, base: u32) -> Result<Number> {
        if text.len() as u64 > DIGITS {
            return Err(too_long());
        }
        let (whole, behind) = text.split_once('.').unwrap_or((text, ""));
        let digits = |text: &str| {
            text.chars()
                .fold(BigInt::default(), |sum, digit| sum * base + digit.to_digit(16).unwrap_or_default())
        };
        let scale = u32::try_from(behind.len()).map_err(|_| too_long())?;
        if base == 10 {
            return Ok(Number { value: digits(&format!("{whole}{behind}")), scale });
        }
        let fraction = digits(behind) * ten_to(scale) / BigInt::from(base).pow(scale);
        Ok(Number { value: digits(whole) * ten_to(scale) + fraction, scale })
    }

    pub(super) fn is_zero(&self) -> bool {
        self.value.sign() == Sign::NoSign
    }

    pub(super) fn is_negative(&self) -> bool {
        self.value.sign() == Sign::Minus
    }

    /// The whole part, where it is of a usual size.
    pub(super) fn whole(&self) -> Option<i64> {
        i64::try_from(&self.value / ten_to(self.scale)).ok()
    }

    /// Digits of the number, as `length` counts them.
    pub(super) fn length(&self) -> usize {
        let digits = self.value.magnitude().to_string();
        if self.is_zero() { (self.scale as usize).max(1) } else { digits.len().max(self.scale as usize) }
    }

    /// The same number with another scale; what does not fit is cut off.
    pub(super) fn with_scale(&self, scale: u32) -> Number {
        let value = if scale >= self.scale {
            &self.value * ten_to(scale - self.scale)
        } else {
            &self.value / ten_to(self.scale - scale)
        };
        Number { value, scale }
    }

    pub(super) fn negated(&self) -> Number {
        Number { value: -&self.value, scale: self.scale }
    }

    pub(super) fn compare(&self, other: &Number) -> Ordering {
        let scale = self.scale.max(other.scale);
        self.with_scale(scale).value.cmp(&other.with_scale(scale).value)
    }

    pub(super) fn plus(&self, other: &Number) -> Number {
        let scale = self.scale.max(other.scale);
        Number { value: self.with_scale(scale).value + other.with_scale(scale).value, scale }
    }

    pub(super) fn minus(&self, other: &Number) -> Number {
        self.plus(&other.negated())
    }

    pub(super) fn times(&self, other: &Number, scale: u32) -> Result<Number> {
        let product = Number { value: &self.value * &other.value, scale: self.scale + other.scale };
        product.bounded()?;
        Ok(product.with_scale(product.scale.min(scale.max(self.scale).max(other.scale))))
    }

    pub(super) fn divided_by(&self, other: &Number, scale: u32) -> Result<Number> {
        if other.is_zero() {
            return Err("Divide by zero".into());
        }
        let value = &self.value * ten_to(scale + other.scale) / (&other.value * ten_to(self.scale));
        Ok(Number { value, scale })
    }

    pub(super) fn remainder(&self, other: &Number, scale: u32) -> Result<Number> {
        let quotient = self.divided_by(other, scale)?;
        let kept = (scale + other.scale).max(self.scale);
        let product = Number { value: &quotient.value * &other.value, scale: quotient.scale + other.scale };
        Ok(self.minus(&product).with_scale(kept))
    }

    pub(super) fn power(&self, exponent: &Number, scale: u32) -> Result<Number> {
        let exponent = exponent.whole().ok_or_else(too_long)?;
        let steps = u32::try_from(exponent.unsigned_abs()).map_err(|_| too_long())?;
        if self.value.bits().max(1).saturating_mul(u64::from(steps)) > DIGITS * 4 && self.value.bits() > 1 {
            return Err(too_long());
        }
        let power = Number { value: self.value.pow(steps), scale: self.scale.saturating_mul(steps) };
        if exponent < 0 {
            return Number::from(1).divided_by(&power, scale);
        }
        Ok(power.with_scale(power.scale.min(scale.max(self.scale))))
    }

    pub(super) fn root(&self, scale: u32) -> Result<Number> {
        if self.is_negative() {
            return Err("Square root of a negative number".into());
        }
        let scale = scale.max(self.scale);
        Ok(Number { value: (&self.value * ten_to(2 * scale - self.scale)).sqrt(), scale })
    }

    fn bounded(&self) -> Result<()> {
        if self.value.bits() > DIGITS * 4 { Err(too_long()) } else { Ok(()) }
    }

    /// The number in a base of 2 to 16, in lines as `bc` breaks them.
    pub(super) fn show(&self, base: u32) -> String {
        let magnitude = BigInt::from(self.value.magnitude().clone());
        let unit = ten_to(self.scale);
        let whole = &magnitude / &unit;
        let mut text = if self.is_negative() { "-".to_owned() } else { String::new() };
        if self.is_zero() || whole.sign() != Sign::NoSign {
            text.push_str(&whole.to_str_radix(base).to_uppercase());
        }
        let mut rest = magnitude % &unit;
        if self.scale > 0 && !self.is_zero() {
            text.push('.');
            if base == 10 {
                text.push_str(&format!("{:0>width$}", rest.to_string(), width = self.scale as usize));
            }
            let mut reached = BigInt::from(1);
            while base != 10 && reached < unit {
                rest *= base;
                reached *= base;
                text.push_str(&(&rest / &unit).to_str_radix(base).to_uppercase());
                rest %= &unit;
            }
        }
        let chars: Vec<char> = text.chars().collect();
        if chars.len() < LINE {
            return text;
        }
        let lines: Vec<String> = chars.chunks(LINE - 1).map(|line| line.iter().collect()).collect();
        lines.join("\\\n")
    }
}

fn too_long() -> String {
    format!("a number has more than {DIGITS} digits")
}
