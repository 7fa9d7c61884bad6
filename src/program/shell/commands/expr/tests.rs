use super::Reading;
use proptest::prelude::*;

fn value(words: &str) -> Result<String, String> {
    let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
    let mut reading = Reading { words: &words, next: 0, depth: 0 };
    let value = reading.any_of(0)?;
    if reading.next == words.len() { Ok(value) } else { Err("rest".into()) }
}

#[test]
fn expressions() {
    let cases = [
        ("1 + 2 * 3", "7"),
        ("2 * 3 + 1", "7"),
        ("( 1 + 2 ) * 3", "9"),
        ("10 - 3 - 2", "5"),
        ("7 / 2", "3"),
        ("-7 % 3", "-1"),
        ("1 < 2", "1"),
        ("10 < 9", "0"),
        ("b > a", "1"),
        ("1 = 01", "1"),
        ("a != b & 3", "1"),
        ("0 | 5", "5"),
        ("0 & 5", "0"),
        ("length hello", "5"),
        ("length", "length"),
        ("substr hello 2 3", "ell"),
        ("substr hello 0 3", ""),
        ("index hello lo", "3"),
        ("match hello h.*l", "4"),
        ("hello : he", "2"),
        ("hello : x", "0"),
        ("a-12.txt : .*-\\([0-9]*\\)", "12"),
        ("abc : a\\(x\\)", ""),
        ("a+b : a+b", "3"),
        ("aab : a\\+b", "3"),
        ("*a : *a", "2"),
        ("+ length", "length"),
    ];
    for (words, expected) in cases {
        assert_eq!(value(words).as_deref(), Ok(expected), "{words}");
    }
}

#[test]
fn what_is_no_expression() {
    for words in ["", "1 +", "( 1", ")", "1 2", "a + 1", "1 / 0", "9223372036854775807 + 1", "a : \\("] {
        assert!(value(words).is_err(), "{words}");
    }
    assert!(value(&"( ".repeat(100_000)).is_err());
}

proptest! {
    #[test]
    fn any_words_end(words in prop::collection::vec("[a-c()*+:|&<=]|[0-9]{1,3}|length|substr|match", 0..20)) {
        let _ = value(&words.join(" "));
    }
}
