use super::*;

#[test]
fn words_of_other_scripts() {
    let words = [
        ("カタカナとひらがな", 1),
        ("한국어 단어", 2),
        ("x²½", 1),
        ("\u{20000}\u{3134F}", 2),
        ("漢カナ字", 3),
    ];
    for (text, count) in words {
        assert_eq!(Metrics::of(text).words, count, "{text}");
    }
}

#[test]
fn megabytes_are_counted_at_once() {
    let text = "word \u{6F22}\n".repeat(300_000);
    assert_eq!(Metrics::of(&text), Metrics { chars: 2_100_000, words: 600_000 });
}

#[test]
fn lines() {
    for (text, count) in [("", 0), ("a", 1), ("a\n", 2), ("\n", 2), ("a\r\nb", 2)] {
        assert_eq!(line_count(text), count, "{text:?}");
    }
    let rests = [(1, "a\nb\n"), (2, "b\n"), (3, ""), (4, ""), (usize::MAX, "")];
    for (line, rest) in rests {
        assert_eq!(from_line("a\nb\n", line), rest, "{line}");
    }
    assert_eq!(numbered(9, ["x", "", "z"]), " 9 | x\n10 | \n11 | z");
    assert_eq!(numbered(1, []), "");
}

#[test]
fn beginnings_end_between_characters() {
    assert_eq!(first_chars("äöü", 2), "äö");
    assert_eq!(first_chars("äöü", 9), "äöü");
    assert_eq!(first_chars("äöü", 0), "");
}
