use super::*;

#[test]
fn references_resolve() {
    let base = "http://a/b/c/d?q";
    let cases = [
        ("g:h", "g:h"),
        ("g", "http://a/b/c/g"),
        ("./g", "http://a/b/c/g"),
        ("g/", "http://a/b/c/g/"),
        ("/g", "http://a/g"),
        ("//g", "http://g"),
        ("?y", "http://a/b/c/d?y"),
        ("g?y", "http://a/b/c/g?y"),
        ("", "http://a/b/c/d?q"),
        (".", "http://a/b/c/"),
        ("..", "http://a/b/"),
        ("../g", "http://a/b/g"),
        ("../../g", "http://a/g"),
        ("../../../g", "http://a/g"),
        ("g/./h", "http://a/b/c/g/h"),
    ];
    for (reference, wanted) in cases {
        assert_eq!(resolve(base, reference), wanted, "{reference}");
    }
    assert_eq!(resolve("", "item.json"), "item.json");
    assert_eq!(resolve("http://a", "g"), "http://a/g");
    assert_eq!(resolve("urn:x:y", "urn:z"), "urn:z");
    assert_eq!(resolve("urn:x:y", ""), "urn:x:y");
}

#[test]
fn fragments_are_decoded() {
    assert_eq!(decoded("/a%25b%22").as_deref(), Some("/a%b\""));
    assert_eq!(decoded("%zz"), None);
    assert_eq!(decoded("%ff"), None);
    assert_eq!(decoded("%"), None);
}
