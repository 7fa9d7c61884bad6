//! What people write for a date, as `date -d` and `touch -d` of GNU read it: an absolute part (`2024-02-28`,
//! `1 Jan 2024 10:00 UTC`, `@86400`), relative parts (`+2 days`, `3 weeks ago`, `next month`), or both.

mod words;

use super::calendar::{MONTHS, Moment, day_number, weekday};
use words::{Word, words};

const WEEKDAYS: [&str; 7] = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
/// Longer texts are no dates; their sums would overflow.
const WORDS: usize = 64;

/// The seconds since the epoch, and the nanoseconds, that a text means at `now`; `None` when it is not understood.
pub(super) fn read(text: &str, now: f64) -> Option<(i64, u32)> {
    let now_seconds = (now / 1000.0).floor();
    let base = Moment::at(now_seconds as i64, ((now - now_seconds * 1000.0) * 1e6) as u32);
    let words = words(text).filter(|words| words.len() <= WORDS)?;
    let mut reading = Reading { words, next: 0, date: Date::new(base) };
    while reading.next < reading.words.len() {
        reading.part()?;
    }
    reading.date.moment()
}

/// What was read so far: the base, and what is added to it in the end.
struct Date {
    base: Moment,
    months: i64,
    days: i64,
    seconds: i64,
    weekday: Option<(i64, i64)>,
    offset: i64,
    day_set: bool,
    clock_set: bool,
}

impl Date {
    fn new(base: Moment) -> Date {
        Date {
            base,
            months: 0,
            days: 0,
            seconds: 0,
            weekday: None,
            offset: 0,
            day_set: false,
            clock_set: false,
        }
    }

    /// A date without a clock means midnight.
    fn day(&mut self, year: i64, month: i64, day: i64) -> Option<()> {
        if !(1..=12).contains(&month) || !(1..=super::calendar::month_days(year, month)).contains(&day) {
            return None;
        }
        self.base = Moment { year, month, day, ..self.base };
        self.day_set = true;
        self.midnight();
        Some(())
    }

    fn midnight(&mut self) {
        if !self.clock_set {
            self.base = Moment { hour: 0, minute: 0, second: 0, nanosecond: 0, ..self.base };
        }
    }

    fn clock(&mut self, hour: i64, minute: i64, second: i64, nanosecond: u32) -> Option<()> {
        if hour > 24 || minute > 59 || second > 60 {
            return None;
        }
        self.base = Moment { hour, minute, second, nanosecond, ..self.base };
        self.clock_set = true;
        Some(())
    }

    fn add(&mut self, amount: i64, unit: &str) -> Option<()> {
        let unit = unit.strip_suffix('s').filter(|unit| unit.len() > 1).unwrap_or(unit);
        match unit {
            "year" => self.months += amount * 12,
            "month" => self.months += amount,
            "fortnight" => self.days += amount * 14,
            "week" => self.days += amount * 7,
            "day" => self.days += amount,
            "hour" => self.seconds += amount * 3_600,
            "minute" | "min" => self.seconds += amount * 60,
            "second" | "sec" => self.seconds += amount,
            _ => return None,
        }
        Some(())
    }

    fn moment(self) -> Option<(i64, u32)> {
        let months = self.base.year * 12 + self.base.month - 1 + self.months;
        let first =
            Moment { year: months.div_euclid(12), month: months.rem_euclid(12) + 1, day: 1, ..self.base };
        let mut days = self.base.day - 1 + self.days;
        if let Some((wanted, week)) = self.weekday.filter(|_| !self.day_set) {
            let ahead = (wanted - weekday(day_number(first.year, first.month, 1) + days)).rem_euclid(7);
            // `next friday` on a Friday is a week away, as `friday` is today.
            days += if week > 0 && ahead > 0 { ahead + 7 * (week - 1) } else { ahead + 7 * week };
        }
        let seconds = first.seconds() + days * 86_400 + self.seconds - self.offset;
        Some((seconds, self.base.nanosecond))
    }
}

struct Reading {
    words: Vec<Word>,
    next: usize,
    date: Date,
}

impl Reading {
    fn peek(&self, ahead: usize) -> Option<&Word> {
        self.words.get(self.next + ahead)
    }

    fn name(&self, ahead: usize) -> Option<&str> {
        match self.peek(ahead) {
            Some(Word::Name(name)) => Some(name),
            _ => None,
        }
    }

    fn mark(&self, ahead: usize, mark: char) -> bool {
        self.peek(ahead) == Some(&Word::Mark(mark))
    }

    fn value(&self, ahead: usize) -> Option<i64> {
        match self.peek(ahead) {
            Some(Word::Number { value, .. }) => Some(*value),
            _ => None,
        }
    }

    fn part(&mut self) -> Option<()> {
        match self.peek(0)?.clone() {
            Word::Number { value, digits, sign: None, fraction } => self.plain(value, digits, fraction),
            Word::Number { value, sign: Some(sign), .. } => {
                self.signed(if sign == '-' { -value } else { value })
            }
            Word::Name(name) => self.word(&name),
            Word::Mark('@') => self.epoch(),
            Word::Mark(_) => None,
        }
    }

    fn take(&mut self, words: usize) {
        self.next += words;
    }

    /// `@86400`, `@-1.5`
    fn epoch(&mut self) -> Option<()> {
        let Some(Word::Number { value, sign, fraction, .. }) = self.peek(1).cloned() else { return None };
        // A sign right behind the mark stands alone.
        let moment = Moment::at(if sign == Some('-') { -value } else { value }, fraction.unwrap_or_default());
        self.date.base = moment;
        self.date.clock_set = true;
        self.take(2);
        Some(())
    }

    fn plain(&mut self, value: i64, digits: usize, fraction: Option<u32>) -> Option<()> {
        if self.mark(1, ':') {
            return self.clock(value);
        }
        if (self.mark(1, '-') && self.mark(3, '-')) || (self.mark(1, '/') && self.mark(3, '/')) {
            let (second, third) = (self.value(2)?, self.value(4)?);
            let slashed = self.mark(1, '/') && digits < 4;
            self.take(5);
            // The month comes first where slashes stand behind a short number.
            return if slashed {
                self.date.day(third, value, second)
            } else {
                self.date.day(value, second, third)
            };
        }
        if let Some(month) = self.name(1).and_then(month) {
            let year = self.value(2).filter(|_| self.is_year(2));
            self.take(if year.is_some() { 3 } else { 2 });
            return self.date.day(year.unwrap_or(self.date.base.year), month, value);
        }
        if matches!(self.name(1), Some("am" | "pm")) {
            return self.clock(value);
        }
        if self.name(1).is_some_and(|name| name != "t") && fraction.is_none() {
            return self.signed(value);
        }
        if digits == 8 {
            self.take(1);
            return self.date.day(value / 10_000, value / 100 % 100, value % 100);
        }
        None
    }

    fn is_year(&self, ahead: usize) -> bool {
        let clock = self.mark(ahead + 1, ':');
        matches!(self.peek(ahead), Some(Word::Number { digits: 4, sign: None, .. })) && !clock
    }

    /// `10:30`, `10:30:05.5`, `3 pm`, and the zone right behind.
    fn clock(&mut self, hour: i64) -> Option<()> {
        let (mut minute, mut second, mut nanosecond) = (0, 0, 0);
        self.take(1);
        if self.mark(0, ':') {
            minute = self.value(1)?;
            self.take(2);
        }
        if self.mark(0, ':') {
            let Some(Word::Number { value, fraction, .. }) = self.peek(1).cloned() else { return None };
            (second, nanosecond) = (value, fraction.unwrap_or_default());
            self.take(2);
        }
        let hour = match self.name(0) {
            Some("am") => hour % 12,
            Some("pm") => hour % 12 + 12,
            _ => hour,
        };
        if matches!(self.name(0), Some("am" | "pm")) {
            self.take(1);
        }
        self.date.clock(hour, minute, second, nanosecond)?;
        self.zone()
    }

    /// `+02:00`, `-0530`, `+2`; a zone needs a clock in front, so that it is no relative part.
    fn zone(&mut self) -> Option<()> {
        let (sign, at) = match (self.peek(0), self.peek(1)) {
            (Some(Word::Mark(sign @ ('+' | '-'))), Some(Word::Number { .. })) => (*sign, 1),
            (Some(Word::Number { sign: Some(sign), digits, .. }), _)
                if *digits != 3 && self.name(1).is_none() =>
            {
                (*sign, 0)
            }
            _ => return Some(()),
        };
        let Some(Word::Number { value, digits, .. }) = self.peek(at).cloned() else { return None };
        let mut minutes = if digits > 2 { value / 100 * 60 + value % 100 } else { value * 60 };
        self.take(at + 1);
        if self.mark(0, ':') {
            minutes += self.value(1)?;
            self.take(2);
        }
        self.date.offset = if sign == '-' { -minutes * 60 } else { minutes * 60 };
        Some(())
    }

    /// `+2 days`, `3 weeks ago`, `-1 month`
    fn signed(&mut self, value: i64) -> Option<()> {
        let unit = self.name(1)?.to_owned();
        let ago = self.name(2) == Some("ago");
        self.take(if ago { 3 } else { 2 });
        self.date.add(if ago { -value } else { value }, &unit)
    }

    fn word(&mut self, name: &str) -> Option<()> {
        if let Some(month) = month(name) {
            let day = self.value(1)?;
            let year = self.value(2).filter(|_| self.is_year(2));
            self.take(if year.is_some() { 3 } else { 2 });
            return self.date.day(year.unwrap_or(self.date.base.year), month, day);
        }
        if let Some(day) = week_day(name) {
            self.take(1);
            self.date.weekday = Some((day, 0));
            self.date.midnight();
            return Some(());
        }
        match name {
            "now" | "utc" | "gmt" | "z" | "t" | "and" => {}
            "today" => {}
            "yesterday" => self.date.days -= 1,
            "tomorrow" => self.date.days += 1,
            "midnight" => self.date.clock(0, 0, 0, 0)?,
            "noon" => self.date.clock(12, 0, 0, 0)?,
            "next" | "last" | "this" => return self.named_step(name),
            _ => {
                // `day`, `week ago`: one of the unit.
                let ago = self.name(1) == Some("ago");
                self.take(if ago { 2 } else { 1 });
                return self.date.add(if ago { -1 } else { 1 }, name);
            }
        }
        self.take(1);
        Some(())
    }

    /// `next month`, `last friday`
    fn named_step(&mut self, name: &str) -> Option<()> {
        let step = match name {
            "next" => 1,
            "last" => -1,
            _ => 0,
        };
        let unit = self.name(1)?.to_owned();
        self.take(2);
        if let Some(day) = week_day(&unit) {
            self.date.weekday = Some((day, step));
            self.date.midnight();
            return Some(());
        }
        self.date.add(step, &unit)
    }
}

fn month(name: &str) -> Option<i64> {
    let short = name.get(..3)?;
    let full = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    let known = full.iter().any(|full| full.starts_with(name)) || name == "sept";
    let index = MONTHS.iter().position(|month| month.eq_ignore_ascii_case(short))?;
    known.then_some(index as i64 + 1)
}

fn week_day(name: &str) -> Option<i64> {
    let full = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
    let known = name.len() >= 3
        && (full.iter().any(|full| full.starts_with(name)) || name == "tues" || name == "thur");
    let index = WEEKDAYS.iter().position(|day| name.starts_with(day))?;
    known.then_some(index as i64)
}

#[cfg(test)]
mod tests;
