//! Days and clocks in UTC, the only time zone of a shell (SH-42).

use bashkit::time::{SystemTime, UNIX_EPOCH};

const DAY: i64 = 86_400;
/// The names of the months, as dates print them.
pub(super) const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// A moment by the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moment {
    pub year: i64,
    /// 1 to 12.
    pub month: i64,
    /// 1 to 31.
    pub day: i64,
    pub hour: i64,
    pub minute: i64,
    pub second: i64,
    pub nanosecond: u32,
}

/// The number of the day since 1970-01-01, by Howard Hinnant's rule of 400-year eras.
pub(super) fn day_number(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

/// The day of the week of a day number, 0 for Sunday.
pub(super) fn weekday(day_number: i64) -> i64 {
    (day_number + 4).rem_euclid(7)
}

/// The number of days of a month.
pub(super) fn month_days(year: i64, month: i64) -> i64 {
    let (next_year, next_month) = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
    day_number(next_year, next_month, 1) - day_number(year, month, 1)
}

impl Moment {
    /// The moment so many seconds after the epoch.
    pub(super) fn at(seconds: i64, nanosecond: u32) -> Moment {
        let clock = seconds.rem_euclid(DAY);
        let shifted = seconds.div_euclid(DAY) + 719_468;
        let era = shifted.div_euclid(146_097);
        let day_of_era = shifted.rem_euclid(146_097);
        let year_of_era =
            (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted_month = (5 * day_of_year + 2) / 153;
        let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
        Moment {
            year: era * 400 + year_of_era + i64::from(month <= 2),
            month,
            day: day_of_year - (153 * shifted_month + 2) / 5 + 1,
            hour: clock / 3_600,
            minute: clock / 60 % 60,
            second: clock % 60,
            nanosecond,
        }
    }

    /// The moment of a time stamp of a file.
    pub(super) fn of(time: SystemTime) -> Moment {
        let passed = time.duration_since(UNIX_EPOCH).unwrap_or_default();
        Moment::at(i64::try_from(passed.as_secs()).unwrap_or(i64::MAX), passed.subsec_nanos())
    }

    /// Seconds since the epoch. Hours, minutes and seconds may be out of their range.
    pub(super) fn seconds(&self) -> i64 {
        let days = day_number(self.year, self.month, self.day);
        days * DAY + self.hour * 3_600 + self.minute * 60 + self.second
    }

    /// The name of the month.
    pub(super) fn month_name(&self) -> &'static str {
        let index = usize::try_from(self.month - 1).unwrap_or_default();
        MONTHS.get(index).copied().unwrap_or_default()
    }

    /// `2026-11-30 05:37:02.000000000 +0000`
    pub(super) fn full(&self) -> String {
        let Moment { year, month, day, hour, minute, second, nanosecond } = self;
        format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}.{nanosecond:09} +0000")
    }
}

#[cfg(test)]
mod tests;
