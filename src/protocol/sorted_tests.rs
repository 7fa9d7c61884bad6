use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use serde_json::{json, to_value};

use super::super::from_tree;
use super::{SortedMap, SortedSet};

#[derive(Clone, Debug)]
enum Deed {
    Insert(u8, char),
    InsertNew(u8, char),
    Change(u8, char),
    Remove(u8),
    Keep(u8),
}

fn deeds() -> impl Strategy<Value = Vec<Deed>> {
    let deed = prop_oneof![
        (0u8..9, any::<char>()).prop_map(|(key, value)| Deed::Insert(key, value)),
        (0u8..9, any::<char>()).prop_map(|(key, value)| Deed::InsertNew(key, value)),
        (0u8..9, any::<char>()).prop_map(|(key, value)| Deed::Change(key, value)),
        (0u8..9).prop_map(Deed::Remove),
        (2u8..4).prop_map(Deed::Keep),
    ];
    prop::collection::vec(deed, 0..40)
}

proptest! {
    #[test]
    fn it_does_what_a_tree_does(deeds in deeds(), from in 0u8..9) {
        let (mut sorted, mut tree) = (SortedMap::new(), BTreeMap::new());
        for deed in deeds {
            match deed {
                Deed::Insert(key, value) => prop_assert_eq!(sorted.insert(key, value), tree.insert(key, value)),
                Deed::InsertNew(key, value) => {
                    sorted.insert_new(key, value);
                    tree.entry(key).or_insert(value);
                }
                Deed::Change(key, value) => {
                    prop_assert_eq!(
                        sorted.get_mut(&key).map(|old| *old = value),
                        tree.get_mut(&key).map(|old| *old = value)
                    );
                }
                Deed::Remove(key) => prop_assert_eq!(sorted.remove(&key), tree.remove(&key)),
                Deed::Keep(part) => {
                    sorted.retain(|key, _| key % part == 0);
                    tree.retain(|key, _| key % part == 0);
                }
            }
            prop_assert_eq!(sorted.get(&from), tree.get(&from));
            prop_assert!(sorted.iter().eq(tree.iter()));
        }
        prop_assert!(sorted.from(&from).eq(tree.range(from..)));
        prop_assert_eq!(to_value(&sorted).unwrap(), to_value(&tree).unwrap());
        prop_assert!(sorted.into_iter().eq(tree));
    }

    #[test]
    fn all_at_once_is_one_by_one(items in prop::collection::vec((0u8..20, any::<char>()), 0..40)) {
        let (early, late) = items.split_at(items.len() / 2);
        let mut sorted: SortedMap<u8, char> = early.iter().copied().collect();
        sorted.extend(late.iter().copied());
        prop_assert!(sorted.iter().eq(&items.iter().copied().collect::<BTreeMap<_, _>>()));
        let keys: Vec<u8> = items.iter().map(|(key, _)| *key).collect();
        let set: SortedSet<u8> = keys.iter().copied().collect();
        let tree: BTreeSet<u8> = keys.iter().copied().collect();
        prop_assert_eq!((set.first(), set.last()), (tree.first(), tree.last()));
        prop_assert_eq!(to_value(&set).unwrap(), to_value(&tree).unwrap());
        prop_assert!(set.into_iter().eq(tree));
    }
}

#[test]
fn it_is_read_in_any_order() {
    let map: SortedMap<String, u8> = from_tree(json!({"b": 1, "a": 2})).unwrap();
    assert_eq!(map.into_iter().collect::<Vec<_>>(), [("a".to_owned(), 2), ("b".to_owned(), 1)]);
    let set: SortedSet<String> = from_tree(json!(["b", "a", "b"])).unwrap();
    assert_eq!(to_value(set).unwrap(), json!(["a", "b"]));
    assert!(from_tree::<SortedMap<String, u8>>(json!([])).is_err());
}
