use super::search::{Found, search};
use super::{Flags, pattern, program, risk};
use boa_engine::JsString;

fn compiled(source: &str, flags: &str) -> Option<program::Program> {
    let flags = Flags::read(flags);
    let units: Vec<u16> = source.encode_utf16().collect();
    program::compile(pattern::read(&units, flags)?, flags)
}

/// What `exec` gives: the index, then the groups.
fn exec(source: &str, flags: &str, text: &str) -> Option<(usize, Vec<Option<String>>)> {
    let units: Vec<u16> = text.encode_utf16().collect();
    let program = compiled(source, flags).unwrap();
    let Found::Match(slots) = search(&program, &units, 0, false) else { return None };
    let part = |group: usize| {
        let (start, end) = slots[group * 2].zip(slots[group * 2 + 1])?;
        Some(String::from_utf16_lossy(&units[start..end]))
    };
    Some((slots[0].unwrap(), (0..=program.groups).map(part).collect()))
}

#[test]
fn what_other_engines_hang_on_is_answered() {
    let long = "a".repeat(50_000);
    for (source, text, matches) in [
        ("(a+)+$", format!("{long}b"), false),
        ("(a+)+$", long.clone(), true),
        ("^(a|a)*$", format!("{long}b"), false),
        ("^(a|ab|b)*c$", "ab".repeat(20_000), false),
        ("(x+x+)+y", "x".repeat(20_000), false),
        ("^(([a-z])+.)+[A-Z]([a-z])+$", long.clone(), false),
        ("(.*)*=", long.clone(), false),
    ] {
        assert_eq!(exec(source, "", &text).is_some(), matches, "{source}");
    }
}

#[test]
fn without_memory_the_search_is_given_up() {
    let text: Vec<u16> = format!("{}b", "a".repeat(60)).encode_utf16().collect();
    let program = compiled(r"^(?=(a+)+$)\1x", "").unwrap();
    assert_eq!(search(&program, &text, 0, false), Found::GaveUp);
}

#[test]
fn groups() {
    let some = |text: &str| Some(text.to_owned());
    for (source, flags, text, index, groups) in [
        (
            "(z)((a+)?(b+)?(c))*",
            "",
            "zaacbbbcac",
            0,
            vec![some("zaacbbbcac"), some("z"), some("ac"), some("a"), None, some("c")],
        ),
        ("(a*)*", "", "b", 0, vec![some(""), None]),
        ("(?=(a+))a*b\\1", "", "baaabac", 3, vec![some("aba"), some("a")]),
        (
            "(.*?)a(?!(a+)b\\2c)\\2(.*)",
            "",
            "baaabaac",
            0,
            vec![some("baaabaac"), some("ba"), None, some("abaac")],
        ),
        ("(?<=([ab]+)([bc]+))$", "", "abc", 3, vec![some(""), some("a"), some("bc")]),
        (
            "(?<year>\\d{4})-(?<month>\\d\\d)",
            "",
            "on 2024-05",
            3,
            vec![some("2024-05"), some("2024"), some("05")],
        ),
        ("[A-C]+É", "i", "xabcé", 1, vec![some("abcé")]),
        ("^b", "m", "a\nb", 2, vec![some("b")]),
        ("a.b", "s", "a\nb", 0, vec![some("a\nb")]),
        ("^.$", "u", "😀", 0, vec![some("😀")]),
        ("a{2}{", "", "aa{", 0, vec![some("aa{")]),
    ] {
        assert_eq!(exec(source, flags, text), Some((index, groups)), "{source} on {text}");
    }
}

#[test]
fn what_is_left_to_the_engine() {
    for (source, flags) in
        [("\\p{L}+", "u"), ("[\\p{L}--[a]]", "v"), ("(?i:a)b", ""), ("\\07", ""), ("a{5000}", "")]
    {
        assert!(compiled(source, flags).is_none(), "{source}");
    }
}

#[test]
fn risk() {
    for (source, risky) in [
        ("(a+)+", true),
        ("(a|ab)*", true),
        ("(\\w+\\s?)+", true),
        ("(?:.*,)*", true),
        ("(a|b)+", false),
        ("(?:[^\"\\\\]|\\\\.)*", false),
        ("(ab)+", false),
        ("\\s*(\\w+)\\s*=\\s*(.*)", false),
        ("(?:\\d{3})+", false),
    ] {
        let units: Vec<u16> = source.encode_utf16().collect();
        let node = pattern::read(&units, Flags::default()).unwrap().node;
        let quick = risk::repeats_groups(&JsString::from(source));
        assert_eq!(quick && risk::is_risky(&node), risky, "{source}");
    }
}
