use std::cmp::Ordering;

use proptest::prelude::*;

use super::*;

#[test]
fn values_compare_exactly() {
    for (a, b) in [("1", "1.0"), ("10e-1", "1"), ("-0", "0"), ("0e99", "0"), ("1E2", "100"), ("0.10", "0.1")]
    {
        assert!(same_value(a, b), "{a} {b}");
        assert_eq!(canonical(a), canonical(b));
    }
    let ascending = [
        "-1e400",
        "-1e399",
        "-9007199254740993",
        "-9007199254740992",
        "-1",
        "-0.1",
        "-1e-400",
        "0",
        "1e-400",
        "0.1",
        "0.2",
        "1",
        "9007199254740992",
        "9007199254740993",
        "1e399",
        "1e400",
        "1e99999999999999999999999",
    ];
    for (i, a) in ascending.iter().enumerate() {
        for (j, b) in ascending.iter().enumerate() {
            assert_eq!(compare(a, b), i.cmp(&j), "{a} {b}");
        }
    }
}

#[test]
fn integers_have_no_fraction() {
    for (text, wanted) in [
        ("1", true),
        ("1.0", true),
        ("1.5", false),
        ("1e3", true),
        ("15e-1", false),
        ("10e-1", true),
        ("0.0", true),
    ] {
        assert_eq!(is_integer(text), wanted, "{text}");
    }
}

#[test]
fn multiples_are_exact_and_bounded() {
    let cases = [
        ("10", "2", true),
        ("7", "2", false),
        ("0", "2", true),
        ("4.5", "1.5", true),
        ("35", "1.5", false),
        ("0.0075", "0.0001", true),
        ("0.00751", "0.0001", false),
        ("0.3", "0.1", true),
        ("1e308", "0.123456789", false),
        ("12391239123", "1e-8", true),
        ("1e400", "3", false),
        ("3e999999999999999999999", "3", true),
        ("1e-400", "3", false),
        ("-9007199254740993", "3", true),
        ("9007199254740992", "3", false),
        ("100", "1e2", true),
        ("10", "1e2", false),
    ];
    for (value, divisor, wanted) in cases {
        assert_eq!(Divisor::new(divisor).unwrap().divides(value), wanted, "{value} / {divisor}");
    }
    for none in ["0", "-1", "1234567890123456789"] {
        assert!(Divisor::new(none).is_none(), "{none}");
    }
    assert!(Divisor::new("7").unwrap().divides(&"7".repeat(1_000_000)));
}

proptest! {
    #[test]
    fn integers_agree_with_machine_integers(a in any::<i64>(), b in any::<i64>(), small in -99i64..99) {
        let text = |n: i64| n.to_string();
        prop_assert_eq!(compare(&text(a), &text(b)), a.cmp(&b));
        prop_assert_eq!(compare(&text(small), &text(a)), small.cmp(&a));
        if small > 0 {
            prop_assert_eq!(Divisor::new(&text(small)).unwrap().divides(&text(a)), a % small == 0);
        }
    }

    #[test]
    fn every_spelling_is_the_same(digits in 1u64..1_000_000, shift in 0usize..8) {
        let point = format!("{digits}.{}", "0".repeat(shift + 1));
        let exponent = format!("{digits}{}e-{shift}", "0".repeat(shift));
        prop_assert_eq!(compare(&point, &exponent), Ordering::Equal);
        prop_assert_eq!(canonical(&point), canonical(&exponent));
        prop_assert!(is_integer(&point) && is_integer(&exponent));
    }
}
