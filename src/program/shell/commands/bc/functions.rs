//! The functions of `bc -l`: sine, cosine, arctangent, logarithm and exponential, by their series.

use super::number::{Number, Result};

/// Arguments of `e` that give numbers of a usable length.
const LARGEST: i64 = 10_000;

/// The value of a function at the scale of the program.
pub(super) fn call(name: &str, x: &Number, scale: u32) -> Result<Number> {
    // Digits that the rounding of the steps may take.
    let inner = Scale(scale + 12 + x.scale.min(20));
    let value = match name {
        "e" => inner.exponential(x),
        "l" => inner.logarithm(x),
        "s" => inner.sine(x),
        "c" => inner.sine(&x.plus(&inner.half_circle()?.divided_by(&2.into(), inner.0)?)),
        "a" => inner.arctangent(x),
        _ => Err(format!("Function {name} not defined.")),
    }?;
    Ok(value.with_scale(scale))
}

/// The digits that are kept behind the point.
struct Scale(u32);

impl Scale {
    fn times(&self, a: &Number, b: &Number) -> Result<Number> {
        Ok(a.times(b, self.0)?.with_scale(self.0))
    }

    fn divided(&self, a: &Number, b: &Number) -> Result<Number> {
        a.divided_by(b, self.0)
    }

    /// Adds up terms until they vanish.
    fn sum(
        &self,
        first: Number,
        mut next: impl FnMut(&Number, i64) -> Result<(Number, Number)>,
    ) -> Result<Number> {
        let mut sum = Number::default();
        let mut state = first;
        for step in 0i64.. {
            let (term, following) = next(&state, step)?;
            if term.with_scale(self.0).is_zero() && step > 0 {
                break;
            }
            sum = sum.plus(&term);
            state = following;
        }
        Ok(sum)
    }

    fn exponential(&self, x: &Number) -> Result<Number> {
        if x.whole().is_none_or(|whole| whole.abs() > LARGEST) {
            return Err(format!("e of a number beyond {LARGEST}"));
        }
        let mut small = x.with_scale(self.0 + 10);
        let mut halved = 0;
        while small.whole() != Some(0) {
            small = small.divided_by(&2.into(), self.0 + 10)?;
            halved += 1;
        }
        let inner = Scale(self.0 + 10 + halved);
        let mut power = inner.sum(1.into(), |term, step| {
            let next = inner.divided(&inner.times(term, &small)?, &(step + 1).into())?;
            Ok((term.clone(), next))
        })?;
        for _ in 0..halved {
            power = inner.times(&power, &power)?;
        }
        Ok(power)
    }

    fn logarithm(&self, x: &Number) -> Result<Number> {
        if x.is_zero() || x.is_negative() {
            return Err("l of a number that is not positive".into());
        }
        let inner = Scale(self.0 + 10);
        let mut near = x.with_scale(inner.0);
        let mut roots = 0i64;
        let (low, high) = (Number::read("0.9", 10)?, Number::read("1.1", 10)?);
        while near.compare(&low).is_lt() || near.compare(&high).is_gt() {
            near = near.root(inner.0)?;
            roots += 1;
        }
        let ratio = inner.divided(&near.minus(&1.into()), &near.plus(&1.into()))?;
        let square = inner.times(&ratio, &ratio)?;
        let half = inner.odd_series(ratio, &square, false)?;
        let factor = Number::from(2).power(&(roots + 1).into(), 0)?;
        half.times(&factor, inner.0)
    }

    /// `x + x^3/3 + x^5/5 …`, with changing signs for the arctangent.
    fn odd_series(&self, x: Number, square: &Number, changing: bool) -> Result<Number> {
        self.sum(x, |power, step| {
            let term = self.divided(power, &(2 * step + 1).into())?;
            let next = self.times(power, square)?;
            Ok((if changing && step % 2 == 1 { term.negated() } else { term }, next))
        })
    }

    fn arctangent(&self, x: &Number) -> Result<Number> {
        let inner = Scale(self.0 + 10);
        let mut small = x.with_scale(inner.0);
        let limit = Number::read("0.2", 10)?;
        let mut halved = 0i64;
        while small.compare(&limit).is_gt() || small.compare(&limit.negated()).is_lt() {
            let root = inner.times(&small, &small)?.plus(&1.into()).root(inner.0)?;
            small = inner.divided(&small, &root.plus(&1.into()))?;
            halved += 1;
        }
        let square = inner.times(&small, &small)?;
        let angle = inner.odd_series(small, &square, true)?;
        angle.times(&Number::from(2).power(&halved.into(), 0)?, inner.0)
    }

    /// Pi, by the arctangent of one.
    fn half_circle(&self) -> Result<Number> {
        self.arctangent(&1.into())?.times(&4.into(), self.0)
    }

    fn sine(&self, x: &Number) -> Result<Number> {
        let circle = Scale(self.0 + 20).half_circle()?.times(&2.into(), self.0 + 20)?;
        let turns = x.divided_by(&circle, 0)?;
        let small = x.minus(&turns.times(&circle, self.0 + 20)?).with_scale(self.0 + 10);
        let inner = Scale(self.0 + 10);
        let square = inner.times(&small, &small)?;
        inner.sum(small, |term, step| {
            let divisor = (2 * step + 2) * (2 * step + 3);
            let next = inner.divided(&inner.times(term, &square)?.negated(), &divisor.into())?;
            Ok((term.clone(), next))
        })
    }
}
