use proptest::prelude::*;

use super::edit_distance;

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

proptest! {
    #[test]
    fn the_distance_is_the_textbook_one(a in "[abé]{0,9}", b in "[abé]{0,9}", limit in 0usize..6) {
        let wanted = plain_distance(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>());
        prop_assert_eq!(edit_distance(&a, &b, limit), (wanted <= limit).then_some(wanted));
    }
}
