//! Small maps and sets in the order of their keys: sorted lists.
//!
//! The map of the standard library is a tree whose code is compiled anew for every type, 3 KB of a module each time.
//! Here one insertion moves what stands behind it. That is cheap where there are few entries, where they come in
//! order, and where all come at once; what grows with a run or with its files stays in a tree.

use std::borrow::Borrow;
use std::fmt;
use std::marker::PhantomData;
use std::mem::{replace, swap, take};

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::order::sort;

/// A map in the order of its keys. As JSON an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortedMap<K, V>(Vec<(K, V)>);

/// A set in order. As JSON a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortedSet<T>(SortedMap<T, ()>);

impl<K, V> Default for SortedMap<K, V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<K: Ord, V> SortedMap<K, V> {
    /// An empty map.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// A map of entries in any order; of equal keys the last counts.
    fn of(mut entries: Vec<(K, V)>) -> Self {
        if !entries.is_sorted_by(|a, b| a.0 < b.0) {
            sort(&mut entries, |a, b| a.0.cmp(&b.0));
            entries.dedup_by(|later, earlier| {
                let is_same = later.0 == earlier.0;
                if is_same {
                    swap(later, earlier);
                }
                is_same
            });
        }
        Self(entries)
    }

    /// Where a key stands, or would stand.
    fn place<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        self.0.binary_search_by(|(known, _)| known.borrow().cmp(key))
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value of a key.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.0.get(self.place(key).ok()?).map(|(_, value)| value)
    }

    /// The same, to be changed.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let place = self.place(key).ok()?;
        self.0.get_mut(place).map(|(_, value)| value)
    }

    /// Whether there is a value for a key.
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.place(key).is_ok()
    }

    /// Gives a key its value. Returns the one it had.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.place(&key) {
            Ok(place) => self.0.get_mut(place).map(|(_, old)| replace(old, value)),
            Err(place) => {
                self.0.insert(place, (key, value));
                None
            }
        }
    }

    /// Gives a key this value unless it has one.
    pub fn insert_new(&mut self, key: K, value: V) {
        if let Err(place) = self.place(&key) {
            self.0.insert(place, (key, value));
        }
    }

    /// Takes a key and its value away.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.place(key).ok().map(|place| self.0.remove(place).1)
    }

    /// Takes out the entries that are meant.
    pub fn take_out(&mut self, mut is_meant: impl FnMut(&K, &mut V) -> bool) -> Vec<(K, V)> {
        self.0.extract_if(.., |(key, value)| is_meant(key, value)).collect()
    }

    /// Keeps the entries that are to be kept.
    pub fn retain(&mut self, mut keep: impl FnMut(&K, &mut V) -> bool) {
        self.0.retain_mut(|(key, value)| keep(key, value));
    }

    /// Takes all away.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The entries in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&K, &V)> {
        self.0.iter().map(|(key, value)| (key, value))
    }

    /// The entries whose keys are not before this one.
    pub fn from<'a, Q: Ord + ?Sized>(
        &'a self,
        key: &Q,
    ) -> impl Iterator<Item = (&'a K, &'a V)> + use<'a, K, V, Q>
    where
        K: Borrow<Q>,
    {
        let (Ok(start) | Err(start)) = self.place(key);
        self.0.iter().skip(start).map(|(key, value)| (key, value))
    }

    /// The keys in order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> {
        self.0.iter().map(|(key, _)| key)
    }

    /// The same, taken out.
    pub fn into_keys(self) -> impl Iterator<Item = K> {
        self.0.into_iter().map(|(key, _)| key)
    }

    /// The values in the order of their keys.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> {
        self.0.iter().map(|(_, value)| value)
    }

    /// The same, to be changed.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.0.iter_mut().map(|(_, value)| value)
    }

    /// The same, taken out.
    pub fn into_values(self) -> impl Iterator<Item = V> {
        self.0.into_iter().map(|(_, value)| value)
    }
}

impl<T> Default for SortedSet<T> {
    fn default() -> Self {
        Self(SortedMap(Vec::new()))
    }
}

impl<T: Ord> SortedSet<T> {
    /// An empty set.
    pub const fn new() -> Self {
        Self(SortedMap(Vec::new()))
    }

    /// How many items there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether an item is in it.
    pub fn contains<Q: Ord + ?Sized>(&self, item: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.0.contains_key(item)
    }

    /// Takes an item in. `false`: it was there.
    pub fn insert(&mut self, item: T) -> bool {
        self.0.insert(item, ()).is_none()
    }

    /// Takes an item out. `false`: there was none.
    pub fn remove<Q: Ord + ?Sized>(&mut self, item: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.0.remove(item).is_some()
    }

    /// Takes all away.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The first item.
    pub fn first(&self) -> Option<&T> {
        self.0.0.first().map(|(item, ())| item)
    }

    /// The last item.
    pub fn last(&self) -> Option<&T> {
        self.0.0.last().map(|(item, ())| item)
    }

    /// The items in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.0.keys()
    }
}

type Pair<'a, K, V> = fn(&'a (K, V)) -> (&'a K, &'a V);

impl<'a, K, V> IntoIterator for &'a SortedMap<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = std::iter::Map<std::slice::Iter<'a, (K, V)>, Pair<'a, K, V>>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter().map(|(key, value)| (key, value))
    }
}

impl<K, V> IntoIterator for SortedMap<K, V> {
    type Item = (K, V);
    type IntoIter = std::vec::IntoIter<(K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<T> IntoIterator for SortedSet<T> {
    type Item = T;
    type IntoIter = std::iter::Map<std::vec::IntoIter<(T, ())>, fn((T, ())) -> T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.0.into_iter().map(|(item, ())| item)
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for SortedMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        Self::of(entries.into_iter().collect())
    }
}

impl<T: Ord> FromIterator<T> for SortedSet<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Self(items.into_iter().map(|item| (item, ())).collect())
    }
}

/// All at once: of equal keys the last counts.
impl<K: Ord, V> Extend<(K, V)> for SortedMap<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        self.0.extend(entries);
        *self = Self::of(take(&mut self.0));
    }
}

impl<T: Ord> Extend<T> for SortedSet<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        self.0.extend(items.into_iter().map(|item| (item, ())));
    }
}

impl<K: Serialize, V: Serialize> Serialize for SortedMap<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self)
    }
}

impl<T: Serialize> Serialize for SortedSet<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.0.iter().map(|(item, ())| item))
    }
}

impl<'de, K: Deserialize<'de> + Ord, V: Deserialize<'de>> Deserialize<'de> for SortedMap<K, V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Entries(PhantomData))
    }
}

impl<'de, T: Deserialize<'de> + Ord> Deserialize<'de> for SortedSet<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(Self::from_iter)
    }
}

struct Entries<K, V>(PhantomData<(K, V)>);

impl<'de, K: Deserialize<'de> + Ord, V: Deserialize<'de>> Visitor<'de> for Entries<K, V> {
    type Value = SortedMap<K, V>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = members.next_entry()? {
            entries.push(entry);
        }
        Ok(SortedMap::of(entries))
    }
}

/// As every map.
#[cfg(feature = "testing")]
impl<K, V> schemars::JsonSchema for SortedMap<K, V>
where
    std::collections::BTreeMap<K, V>: schemars::JsonSchema,
{
    fn inline_schema() -> bool {
        <std::collections::BTreeMap<K, V>>::inline_schema()
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        <std::collections::BTreeMap<K, V>>::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        <std::collections::BTreeMap<K, V>>::json_schema(generator)
    }
}

#[cfg(test)]
#[path = "sorted_tests.rs"]
mod tests;
