use proptest::prelude::*;

use super::*;
use crate::protocol::Code;

/// A text of any characters, often of those that matter in names.
fn name() -> impl Strategy<Value = String> {
    prop_oneof!["[ab_.]{1,2}", "k{58,66}(__[0-9]{1,2})?", "[a-c_. -]{1,6}", "\\PC{1,80}", "(?s).{1,20}"]
}

#[test]
fn an_id_that_cannot_be_read_says_which_part_is_wrong() {
    let cases = [
        ("", Code::ToolIdInvalid),
        ("builtin", Code::ToolIdInvalid),
        (":", Code::ToolProviderIdEmpty),
        (":x", Code::ToolProviderIdEmpty),
        ("builtin:", Code::ToolNativeNameEmpty),
    ];
    for (text, code) in cases {
        assert_eq!(ToolId::parse(text).unwrap_err().code, code, "{text:?}");
    }
    assert_eq!(ToolId::make("a:b", "c").unwrap_err().code, Code::ToolProviderIdInvalid);
}

#[test]
fn a_provider_without_its_second_half_is_no_known_source() {
    for text in ["mcp:x", "mcp/:x", "extension/:x", "Builtin:x", "builtin/y:x"] {
        assert_eq!(ToolId::parse(text).unwrap().source(), Source::Other, "{text}");
    }
}

#[test]
fn an_id_travels_as_a_plain_string() {
    let id = ToolId::parse("extension/x:a \"b\":c").unwrap();
    let json = serde_json::to_string(&id).unwrap();
    assert_eq!(json, "\"extension/x:a \\\"b\\\":c\"");
    assert_eq!(serde_json::from_str::<ToolId>(&json).unwrap(), id);
    assert!(serde_json::from_str::<ToolId>("\"builtin\"").is_err());
    assert!(serde_json::from_str::<ToolId>("7").is_err());
}

#[test]
fn a_prefix_is_taken_off_once() {
    let cases = [
        ("functions.read", Some("read")),
        ("functions:read", Some("read")),
        ("default_api.read", Some("read")),
        ("default_api:functions.read", Some("functions.read")),
        ("Functions.read", None),
        ("functions_read", None),
        ("read", None),
    ];
    for (called, rest) in cases {
        assert_eq!(without_call_prefix(called), rest, "{called}");
    }
}

#[test]
fn suffixes_go_on_past_nine_and_cut_one_byte_more() {
    let wish = "k".repeat(64);
    let mut names = CallNames::new();
    let given: Vec<String> =
        (0..12).map(|n| names.claim(&wish, &ToolId::make("extension/e", &n.to_string()).unwrap())).collect();
    assert_eq!(given[8], format!("{}__9", "k".repeat(61)));
    assert_eq!(given[9], format!("{}__10", "k".repeat(60)));
    assert_eq!(given[11], format!("{}__12", "k".repeat(60)));
    assert_eq!(names.holder(&wish).map(ToolId::native), Some("0"));
}

#[test]
fn a_reserved_name_has_no_holder() {
    let id = ToolId::parse("extension/e:task_return").unwrap();
    let mut names = CallNames::new();
    names.reserve("task_return", None);
    assert_eq!(names.claim("task_return", &id), "task_return__2");
    assert_eq!(names.holder("task_return"), None);
    assert_eq!(names.holder("task_return__2"), Some(&id));
}

#[test]
fn distances() {
    let cases = [
        ("", "", 0, Some(0)),
        ("get_dat", "get_data", 3, Some(1)),
        ("kitten", "sitting", 3, Some(3)),
        ("kitten", "sitting", 2, None),
        ("abc", "", 3, Some(3)),
        ("abcd", "", 3, None),
        ("äöü", "aou", 3, Some(3)),
    ];
    for (a, b, limit, distance) in cases {
        assert_eq!(edit_distance(a, b, limit), distance, "{a:?} {b:?}");
        assert_eq!(edit_distance(b, a, limit), distance, "{b:?} {a:?}");
    }
    assert_eq!(edit_distance("read", &"x".repeat(1_000_000), 3), None);
}

/// The textbook recursion, without limit and without cleverness.
fn plain_distance(a: &[char], b: &[char]) -> usize {
    let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            table[i][j] = match (i, j) {
                (0, n) | (n, 0) => n,
                _ => (table[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]))
                    .min(table[i - 1][j] + 1)
                    .min(table[i][j - 1] + 1),
            };
        }
    }
    table[a.len()][b.len()]
}

/// The rule of collisions, word by word.
fn first_free(wish: &str, taken: &[String]) -> String {
    let cut = |bytes: usize| wish.chars().take(bytes).collect::<String>();
    let suffixed = (2..).map(|n| format!("__{n}")).map(|suffix| cut(64 - suffix.len()) + &suffix);
    std::iter::once(wish.to_owned()).chain(suffixed).find(|name| !taken.contains(name)).unwrap()
}

proptest! {
    #[test]
    fn reading_and_writing_an_id_gives_it_back(text in "(?s).{0,40}") {
        if let Ok(id) = ToolId::parse(&text) {
            prop_assert_eq!(id.as_str(), &text);
            prop_assert!(!id.provider().is_empty() && !id.provider().contains(':'));
            prop_assert!(!id.native().is_empty());
            prop_assert_eq!(ToolId::make(id.provider(), id.native()).unwrap(), id);
        }
    }

    #[test]
    fn ids_are_ordered_by_their_bytes(a in "[a-zA-Z:/é-]{1,6}:x", b in "[a-zA-Z:/é-]{1,6}:x") {
        if let (Ok(x), Ok(y)) = (ToolId::parse(&a), ToolId::parse(&b)) {
            prop_assert_eq!(x.cmp(&y), a.as_bytes().cmp(b.as_bytes()));
        }
    }

    #[test]
    fn wished_names_are_legal(server in name(), tool in name()) {
        prop_assert!(is_call_name(&extension_call_name(&tool)));
        prop_assert!(is_call_name(&mcp_call_name(&server, &tool)));
    }

    #[test]
    fn names_never_collide(wishes in prop::collection::vec(name(), 0..60), reserved in name()) {
        let mut names = CallNames::new();
        let reserved = extension_call_name(&reserved);
        names.reserve(&reserved, None);
        let mut given = vec![reserved];
        for (n, wish) in wishes.iter().enumerate() {
            let id = ToolId::make("extension/e", &n.to_string()).unwrap();
            let wish = extension_call_name(wish);
            let alias = names.claim(&wish, &id);
            prop_assert!(is_call_name(&alias), "{alias}");
            prop_assert_eq!(&alias, &first_free(&wish, &given));
            prop_assert_eq!(names.holder(&alias), Some(&id));
            given.push(alias);
        }
        let mut distinct = given.clone();
        distinct.sort();
        distinct.dedup();
        prop_assert_eq!(distinct.len(), given.len());
    }

    #[test]
    fn the_distance_is_the_textbook_one(a in "[abé]{0,9}", b in "[abé]{0,9}", limit in 0usize..6) {
        let wanted = plain_distance(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>());
        prop_assert_eq!(edit_distance(&a, &b, limit), (wanted <= limit).then_some(wanted));
    }
}
