use super::{Decimal, Directive};
use proptest::prelude::*;

#[test]
fn numbers_are_read() {
    let cases = [
        ("1", Some((1, 0))),
        ("-1.50", Some((-150, 2))),
        (".5", Some((5, 1))),
        ("1e3", Some((1_000, 0))),
        ("1.25e1", Some((125, 1))),
        ("1e-2", Some((1, 2))),
        ("", None),
        ("-", None),
        (".", None),
        ("1x", None),
        ("1e99", None),
        ("9999999999999999999999999999999", None),
    ];
    for (text, expected) in cases {
        assert_eq!(Decimal::read(text), expected.map(|(value, scale)| Decimal { value, scale }), "{text}");
    }
}

#[test]
fn numbers_are_shown() {
    for (value, scale, digits, expected) in
        [(125, 2, 2, "1.25"), (-5, 1, 1, "-0.5"), (100, 2, 0, "1"), (7, 0, 0, "7")]
    {
        assert_eq!(Decimal { value, scale }.show(digits), expected);
    }
}

#[test]
fn directives() {
    let cases = [
        ("%g", "2", "2"),
        ("%03g", "2", "002"),
        ("%03g", "-2", "-02"),
        ("f%05.1f.txt", "2.25", "f002.2.txt"),
        ("%-5g|", "2", "2    |"),
        ("%5g", "2", "    2"),
        ("%+g", "2", "+2"),
        ("%e", "12345", "1.234500e+04"),
        ("%g", "1000000", "1e+06"),
        ("%g", "0.0001", "0.0001"),
        ("%g%%", "1.50", "1.5%"),
    ];
    for (format, number, expected) in cases {
        let directive = Directive::read(format).unwrap();
        assert_eq!(directive.show(Decimal::read(number).unwrap()), expected, "{format} {number}");
    }
    for format in ["x", "%d", "%", "%g%g", "%s"] {
        assert!(Directive::read(format).is_err(), "{format}");
    }
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "[-+0-9.eE]{0,40}", format in "[%0-9.a-g#+-]{0,12}") {
        if let (Some(number), Ok(directive)) = (Decimal::read(&text), Directive::read(&format)) {
            directive.show(number);
        }
    }

    #[test]
    fn whole_numbers_come_back(value in any::<i64>()) {
        let number = Decimal::read(&value.to_string()).unwrap();
        prop_assert_eq!(number.show(0), value.to_string());
    }
}
