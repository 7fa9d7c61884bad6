use super::suggest;

#[test]
fn the_nearest_name_is_suggested() {
    let names = ["path", "start_line", "line_count", "API-Key"];
    let cases = [
        ("path", Some("path")),
        ("paht", Some("path")),
        ("pat", Some("path")),
        ("Path", Some("path")),
        ("startLine", Some("start_line")),
        ("START LINE", Some("start_line")),
        ("start_lines", Some("start_line")),
        ("apikey", Some("API-Key")),
        ("line_cuont", Some("line_count")),
        ("file", None),
        ("pxxxh", None),
        ("", None),
        ("--", None),
    ];
    for (name, wanted) in cases {
        assert_eq!(suggest(name, names), wanted, "{name}");
    }
}

#[test]
fn the_fewest_edits_win_and_then_the_first() {
    assert_eq!(suggest("abcd", ["abxy", "abcx", "abcy"]), Some("abcx"));
    assert_eq!(suggest("ab_c", ["abxc", "abc"]), Some("abc"));
    assert_eq!(suggest("a", []), None);
}

#[test]
fn long_names_end_quickly() {
    let long = "x".repeat(1_000_000);
    let other = format!("{}yz", "x".repeat(999_998));
    assert_eq!(suggest(&long, [other.as_str()]), Some(other.as_str()));
    assert_eq!(suggest(&long, ["y".repeat(1_000_000).as_str()]), None);
}
