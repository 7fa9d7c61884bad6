use super::{Moment, day_number, month_days, weekday};
use proptest::prelude::*;

#[test]
fn known_days() {
    let cases = [
        (1970, 1, 1, 0, 4),
        (1969, 12, 31, -1, 3),
        (2000, 2, 29, 11_016, 2),
        (2024, 2, 29, 19_782, 4),
        (2026, 11, 30, 20_787, 1),
        (1600, 3, 1, -135_080, 3),
    ];
    for (year, month, day, number, of_week) in cases {
        assert_eq!(day_number(year, month, day), number, "{year}-{month}-{day}");
        assert_eq!(weekday(number), of_week, "{year}-{month}-{day}");
    }
}

#[test]
fn lengths_of_months() {
    let lengths = |year| (1..=12).map(|month| month_days(year, month)).collect::<Vec<_>>();
    assert_eq!(lengths(2023), [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]);
    assert_eq!(month_days(2024, 2), 29);
    assert_eq!(month_days(1900, 2), 28);
    assert_eq!(month_days(2000, 2), 29);
}

proptest! {
    #[test]
    fn a_moment_gives_its_seconds_back(seconds in -100_000_000_000i64..100_000_000_000) {
        let moment = Moment::at(seconds, 0);
        prop_assert_eq!(moment.seconds(), seconds);
        prop_assert!((1..=12).contains(&moment.month));
        prop_assert!((1..=month_days(moment.year, moment.month)).contains(&moment.day));
    }
}
