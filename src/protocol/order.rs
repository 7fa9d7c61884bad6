//! Sorting, once for all. The sort of the standard library is compiled anew for every type and every comparison, 4 KB
//! of a module each time, and collecting into a map or a set sorts too.

use std::cmp::Ordering;
use std::mem::replace;

/// Sorts a list; what compares as equal keeps its order.
pub(crate) fn sort<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let swaps = swaps(items.len(), &|a, b| match (items.get(a), items.get(b)) {
        (Some(a), Some(b)) => compare(a, b),
        _ => Ordering::Equal,
    });
    for (a, b) in swaps {
        items.swap(a, b);
    }
}

/// The swaps that sort so many items, in their order.
fn swaps(len: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<(usize, usize)> {
    let mut sources: Vec<usize> = (0..len).collect();
    sources.sort_by(|a, b| compare(*a, *b));
    let mut swaps = Vec::new();
    for start in 0..len {
        // Along the circle of places that give their items to each other; a place that is done is its own source.
        let mut place = start;
        while let Some(source) = sources.get_mut(place).map(|source| replace(source, place))
            && source != place
            && source != start
        {
            swaps.push((place, source));
            place = source;
        }
    }
    swaps
}

/// A map or a set of these items.
pub(crate) fn gather<T, C: Default + Extend<T>>(items: impl IntoIterator<Item = T>) -> C {
    let mut gathered = C::default();
    gathered.extend(items);
    gathered
}

#[cfg(test)]
#[path = "order_tests.rs"]
mod tests;
