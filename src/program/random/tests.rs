use super::{fill, number, seed};

fn stream(text: &str) -> [u8; 100] {
    let mut bytes = [0; 100];
    seed(text);
    fill(&mut bytes);
    bytes
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    assert_eq!(stream("a"), stream("a"));
    assert_ne!(stream("a"), stream("b"));
    assert_ne!(stream("a")[..32], stream("a")[32..64]);
}

#[test]
fn how_the_bytes_are_asked_for_does_not_matter() {
    let whole = stream("a");
    seed("a");
    let mut parts = [0; 100];
    let (head, tail) = parts.split_at_mut(33);
    fill(head);
    fill(tail);
    assert_eq!(whole, parts);
    seed("a");
    assert_eq!(number().to_le_bytes(), whole[..4]);
}
