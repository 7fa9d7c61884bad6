use std::collections::BTreeMap;

use proptest::prelude::*;

use super::{gather, sort};

proptest! {
    #[test]
    fn sorts_as_the_standard_library_does(items in prop::collection::vec((0u8..9, 0u8..9), 0..60)) {
        let (mut sorted, mut expected) = (items.clone(), items);
        sort(&mut sorted, |a, b| a.0.cmp(&b.0));
        expected.sort_by_key(|item| item.0);
        prop_assert_eq!(sorted, expected);
    }
}

#[test]
fn the_last_of_equal_keys_counts() {
    let map: BTreeMap<u8, char> = gather([(2, 'a'), (1, 'b'), (2, 'c')]);
    assert_eq!(map, BTreeMap::from([(1, 'b'), (2, 'c')]));
}
