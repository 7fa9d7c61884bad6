use super::Pattern;

#[test]
fn patterns_match_as_in_ecma() {
    // pattern, texts that match, texts that do not
    let cases: &[(&str, &[&str], &[&str])] = &[
        ("a+", &["xxaax"], &["b"]),
        ("^a*$", &["", "aaa"], &["aab", "a\n"]),
        ("^.$", &["x", "灯", "😀"], &["\n", "\r", "\u{2028}", "", "xy"]),
        (r"^\d{3}-\d{4}$", &["555-1234"], &["555-12345", "٣٣٣-1234"]),
        (r"^\s$", &[" ", "\u{a0}", "\u{feff}", "\u{3000}", "\n", "\u{b}"], &["\u{200b}", "x"]),
        (r"^\S$", &["\u{200b}", "x", "灯"], &["\u{a0}", "\u{feff}", "\t"]),
        (r"^[\s\S]$", &["\n", "x"], &[""]),
        (r"^[^\s]$", &["x"], &["\u{3000}"]),
        (r"^\w+$", &["aZ_9"], &["é", "a-b"]),
        (r"^\u0041\x42\u{43}$", &["ABC"], &["ABc"]),
        (r"^\ud83d\ude00$", &["😀"], &["x"]),
        (r"^\cJ\0\v\f$", &["\n\0\u{b}\u{c}"], &["J"]),
        (r"^[\b]$", &["\u{8}"], &["b"]),
        (r"\bfoo\b", &["a foo b"], &["afoo"]),
        (r"^(?<year>\d{4})$", &["2026"], &["26"]),
        (r"^(?:ab|cd)+?$", &["abcd"], &["abc"]),
        (r"^\/a\.b\-c$", &["/a.b-c"], &["/axb-c"]),
        ("^a{,2}$", &["a{,2}"], &["aa"]),
        ("^x{y}]$", &["x{y}]"], &["xy"]),
        ("^[a-z-]+$", &["a-z"], &["A"]),
        (r"^[\w-.]+$", &["a-b.c"], &["a b"]),
        (r"^[&&[~~-]+$", &["&[~-"], &["x"]),
        ("^[^]$", &["\n", "x"], &[""]),
        ("^[^abc]$", &["d", "灯"], &["a"]),
        ("^[à-ü]$", &["é"], &["e"]),
        (r"^[.*+?^${}()|[\]\\]$", &["]", "\\", "$"], &["a"]),
        ("a|", &["", "b"], &[]),
        (r"^\$\^\|$", &["$^|"], &[]),
        (r"^[\d-x]$", &["5", "-", "x"], &["y"]),
    ];
    for (written, yes, no) in cases {
        let pattern = Pattern::new(written).unwrap_or_else(|e| panic!("{written}: {e}"));
        for text in *yes {
            assert!(pattern.matches(text), "{written} should match {text:?}");
        }
        for text in *no {
            assert!(!pattern.matches(text), "{written} should not match {text:?}");
        }
    }
}

#[test]
fn what_cannot_be_enforced_is_said() {
    for written in [
        "(?=a)",
        "(?!a)",
        "(?<=a)",
        "(?<!a)",
        "(?i)a",
        r"(a)\1",
        r"\k<a>",
        r"\p{L}",
        r"\Aabc\Z",
        "(",
        ")",
        "a**",
        "*a",
        "[",
        "[]",
        "[b-a]",
        "\\",
        "a{9999999}",
        "((a{100}){100}){100}",
        r"\ud83d",
        "a{2,1}",
        "(?<n",
        r"\u{110000}",
        &"(".repeat(500),
    ] {
        let reason = Pattern::new(written).expect_err(written);
        assert!(reason.starts_with("the pattern "), "{reason}");
    }
}

#[test]
fn long_patterns_are_rewritten_quickly() {
    for piece in ["{", "[a", "\\u{", "(?<", "a{1,", "a{1"] {
        let _ = Pattern::new(&piece.repeat(50_000));
    }
}

#[test]
fn time_is_linear() {
    let text = format!("{}!", "a".repeat(100_000));
    for written in ["^(a+)+$", "^(a|aa)+$", "^(a|a?)+$", "^(.*)(.*)(.*)(.*)x$"] {
        assert!(!Pattern::new(written).unwrap().matches(&text), "{written}");
    }
}
