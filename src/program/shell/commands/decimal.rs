//! Decimal numbers with a fixed number of digits behind the point, and the one directive of `seq -f`.

/// `value / 10^scale`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Decimal {
    pub value: i128,
    pub scale: u32,
}

/// Digits that a number may have; more do not fit.
const DIGITS: u32 = 30;

impl Decimal {
    /// `-1`, `.5`, `1e3`; `None` for what is no decimal number or has too many digits.
    pub(super) fn read(text: &str) -> Option<Decimal> {
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
            None => (text, 0),
        };
        let (whole, behind) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = whole.strip_prefix(['-', '+']).unwrap_or(whole);
        let written = digits.len() + behind.len();
        if written == 0
            || written > DIGITS as usize
            || !(digits.chars().chain(behind.chars())).all(|c| c.is_ascii_digit())
        {
            return None;
        }
        let value: i128 = format!("{digits}{behind}").parse().ok()?;
        let value = if whole.starts_with('-') { -value } else { value };
        let scale = i32::try_from(behind.len()).ok()? - exponent;
        if scale >= 0 {
            return (scale.unsigned_abs() <= DIGITS)
                .then_some(Decimal { value, scale: scale.unsigned_abs() });
        }
        let value = value.checked_mul(10i128.checked_pow(scale.unsigned_abs())?)?;
        Some(Decimal { value, scale: 0 })
    }

    /// The value with another scale, which must not be smaller.
    pub(super) fn scaled(self, scale: u32) -> i128 {
        self.value.saturating_mul(10i128.saturating_pow(scale.saturating_sub(self.scale)))
    }

    /// The number with so many digits behind the point, the rest cut off.
    pub(super) fn show(self, digits: u32) -> String {
        let value = self.value / 10i128.saturating_pow(self.scale.saturating_sub(digits));
        let sign = if value < 0 { "-" } else { "" };
        let text = format!("{:0width$}", value.unsigned_abs(), width = digits as usize + 1);
        let (whole, behind) = text.split_at(text.len() - digits as usize);
        if digits == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{behind}") }
    }
}

/// Zeros between the sign and the digits.
pub(super) fn zero_padded(text: &str, width: usize) -> String {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text),
    };
    format!("{sign}{digits:0>width$}", width = width.saturating_sub(sign.len()))
}

/// A text with one directive for a number: `%03g`, `file-%.2f.txt`.
#[derive(Debug)]
pub(super) struct Directive {
    before: String,
    after: String,
    flags: String,
    width: usize,
    precision: Option<usize>,
    kind: char,
}

/// Wider fields are no use to anybody.
const WIDTH: usize = 1_000;

impl Directive {
    pub(super) fn read(format: &str) -> Result<Directive, String> {
        let marked = format.replace("%%", "\0");
        let (before, rest) =
            marked.split_once('%').ok_or_else(|| format!("format '{format}' has no % directive"))?;
        let end = rest
            .find(|c: char| c.is_ascii_alphabetic())
            .ok_or_else(|| format!("format '{format}' ends in %"))?;
        let (numbers, after) = rest.split_at(end);
        let kind = after.chars().next().unwrap_or_default();
        let after = after.get(1..).unwrap_or_default();
        if !"aefgAEFG".contains(kind) {
            return Err(format!("format '{format}' has unknown %{kind} directive"));
        }
        if after.contains('%') {
            return Err(format!("format '{format}' has too many % directives"));
        }
        let flags: String = numbers.chars().take_while(|c| "-+ 0#'".contains(*c)).collect();
        let sizes = numbers.get(flags.len()..).unwrap_or_default();
        let (width, precision) =
            sizes.split_once('.').map_or((sizes, None), |(width, precision)| (width, Some(precision)));
        let size = |text: &str| {
            if text.is_empty() {
                Ok(0)
            } else {
                text.parse().map_err(|_| format!("format '{format}' is invalid"))
            }
        };
        let (width, precision) =
            (size(width)?.min(WIDTH), precision.map(size).transpose()?.map(|size| size.min(100)));
        let plain = |text: &str| text.replace('\0', "%");
        Ok(Directive {
            before: plain(before),
            after: plain(after),
            flags,
            width,
            precision,
            kind: kind.to_ascii_lowercase(),
        })
    }

    pub(super) fn show(&self, number: Decimal) -> String {
        let float = number.value as f64 / 10f64.powi(number.scale as i32);
        let digits = match self.kind {
            'f' => format!("{float:.*}", self.precision.unwrap_or(6)),
            'g' => general(float, self.precision.unwrap_or(6).max(1)),
            _ => scientific(float, self.precision.unwrap_or(6)),
        };
        let sign = if self.flags.contains('+') && float >= 0.0 { "+" } else { "" };
        let text = format!("{sign}{digits}");
        let padded = if self.flags.contains('-') {
            format!("{text:<width$}", width = self.width)
        } else if self.flags.contains('0') {
            zero_padded(&text, self.width)
        } else {
            format!("{text:>width$}", width = self.width)
        };
        format!("{}{padded}{}", self.before, self.after)
    }
}

/// `%e`: one digit, the point, and an exponent of at least two digits.
fn scientific(float: f64, precision: usize) -> String {
    let text = format!("{float:.precision$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, digits) = exponent.strip_prefix('-').map_or(('+', exponent), |digits| ('-', digits));
    format!("{mantissa}e{sign}{digits:0>2}")
}

/// `%g`: the shorter of both forms, without zeros at the end.
fn general(float: f64, digits: usize) -> String {
    let exponent =
        format!("{float:.*e}", digits - 1).split_once('e').and_then(|(_, text)| text.parse::<i32>().ok());
    let exponent = exponent.unwrap_or_default();
    let trimmed = |text: &str| {
        if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        } else {
            text.to_owned()
        }
    };
    if (-4..digits as i32).contains(&exponent) {
        return trimmed(&format!("{float:.*}", (digits as i32 - 1 - exponent).max(0) as usize));
    }
    let text = scientific(float, digits - 1);
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "+00"));
    format!("{}e{exponent}", trimmed(mantissa))
}

#[cfg(test)]
mod tests;
