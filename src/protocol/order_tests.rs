use std::collections::BTreeSet;

use proptest::prelude::*;

use super::{repeats, sort};

proptest! {
    #[test]
    fn sorts_as_the_standard_library_does(items in prop::collection::vec((0u8..9, 0u8..9), 0..60)) {
        let (mut sorted, mut expected) = (items.clone(), items);
        sort(&mut sorted, |a, b| a.0.cmp(&b.0));
        expected.sort_by_key(|item| item.0);
        prop_assert_eq!(sorted, expected);
    }

    #[test]
    fn repeats_are_what_a_set_has_seen(items in prop::collection::vec(0u8..20, 0..40)) {
        let mut seen = BTreeSet::new();
        let expected: Vec<bool> = items.iter().map(|item| !seen.insert(item)).collect();
        prop_assert_eq!(repeats(&items), expected);
    }
}
