//! Sorting, once for all. The sort of the standard library is compiled anew for every type and every comparison, 4 KB
//! of a module each time.

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
    let mut sources = in_order(len, compare);
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

/// Which items of a list equal an earlier one.
pub(crate) fn repeats<T: Ord>(items: &[T]) -> Vec<bool> {
    marked(items.len(), &|a, b| items.get(a).cmp(&items.get(b)))
}

fn marked(len: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<bool> {
    let mut repeats = vec![false; len];
    for pair in in_order(len, compare).windows(2) {
        if let [earlier, later] = *pair
            && compare(earlier, later).is_eq()
            && let Some(repeat) = repeats.get_mut(later)
        {
            *repeat = true;
        }
    }
    repeats
}

/// The places of so many items in the order of the items.
fn in_order(len: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..len).collect();
    places.sort_by(|a, b| compare(*a, *b));
    places
}

#[cfg(test)]
#[path = "order_tests.rs"]
mod tests;
