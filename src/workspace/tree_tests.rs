use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;
use crate::protocol::Code;
use crate::workspace::{Digest, Roots};

fn path(text: &str) -> WorkspacePath {
    WorkspacePath::parse(text).unwrap()
}

fn file(text: &str) -> Arc<File> {
    Arc::new(File::of_text(text))
}

/// A tree of these files.
fn tree(files: &[(&str, &str)]) -> Tree {
    let mut tree = Tree::default();
    for (place, text) in files {
        tree.write(&path(place), file(text)).unwrap();
    }
    tree
}

fn small(limits: impl FnOnce(&mut Limits)) -> Tree {
    let mut few = Limits::default();
    limits(&mut few);
    Tree::new(few)
}

/// Blobs by their digests, as a host keeps them.
type Store = BTreeMap<Digest, Arc<[u8]>>;

fn keep(store: &mut Store, blobs: Vec<Blob>) {
    for blob in blobs {
        assert_eq!(Digest::of(&blob.bytes), blob.digest);
        store.insert(blob.digest, blob.bytes);
    }
}

fn restored(tree: &Tree, store: &Store) -> Result<Tree, crate::protocol::Fault> {
    Tree::from_blobs(&tree.digest(), tree.limits(), |digest| store.get(digest).cloned())
}

#[test]
fn a_clone_is_a_snapshot() {
    let before = tree(&[("output/a.md", "one"), ("output/d/b.md", "two")]);
    let mut after = before.clone();
    after.append(&path("output/a.md"), b" more").unwrap();
    after.remove(&path("output/d"));
    assert_eq!(before.file(&path("output/a.md")).unwrap().text(), Some("one"));
    assert_eq!(before.usage(), Usage { entries: 3, bytes: 6 });
    assert_eq!(after.file(&path("output/a.md")).unwrap().text(), Some("one more"));
    assert_eq!(after.usage(), Usage { entries: 1, bytes: 8 });
}

#[test]
fn what_is_in_the_way_is_said() {
    let mut tree = tree(&[("output/a", "x"), ("output/d/b", "x")]);
    let cases = [
        ("output/a/b", Code::WorkspacePathNotDirectory),
        ("output/a/b/c", Code::WorkspacePathNotDirectory),
        ("output/d", Code::WorkspacePathIsDirectory),
        ("output", Code::WorkspacePathIsDirectory),
        ("elsewhere", Code::WorkspacePathNotWritable),
        ("tool-results/x", Code::WorkspacePathNotWritable),
        ("trash/x", Code::WorkspacePathNotWritable),
    ];
    let digest = tree.digest();
    for (place, code) in cases {
        assert_eq!(tree.write(&path(place), file("y")).unwrap_err().code, code, "{place}");
        assert!(tree.append(&path(place), b"y").is_err(), "{place}");
    }
    assert_eq!(tree.create_directory(&path("output/a")).unwrap_err().code, Code::WorkspacePathNotDirectory);
    assert_eq!(tree.create_directory(&path("output/a/b")).unwrap_err().code, Code::WorkspacePathNotDirectory);
    assert!(
        !tree.remove(&path("output"))
            && !tree.remove(&path("output/none"))
            && !tree.remove(&path("output/a/b"))
    );
    assert!(tree.record(&path("output/x"), file("y")).is_err());
    assert!(tree.record(&path("tool-results"), file("y")).is_err());
    assert_eq!(tree.digest(), digest);

    tree.record(&path("tool-results/run_1/a.json"), file("{}")).unwrap();
    let before = (tree.digest(), tree.usages());
    for place in ["tool-results/run_1/a.json/b", "tool-results/run_1/a.json/b/c"] {
        let refusal = tree.record(&path(place), file("y")).unwrap_err();
        assert_eq!(refusal.code, Code::WorkspacePathNotDirectory, "{place}");
    }
    assert_eq!((tree.digest(), tree.usages()), before);
}

#[test]
fn there_is_a_ceiling_for_what_the_runtime_keeps() {
    let refused = |tree: &mut Tree, place: &str| {
        let digest = tree.digest();
        let refusal = tree.record(&path(place), file("y")).unwrap_err();
        assert_eq!(tree.digest(), digest, "{place}");
        refusal.code
    };
    let large = Arc::new(File::new(&vec![b'x'; limits::FILE_BYTES]));
    let mut tree = Tree::default();
    let mut fill = |root: &str, bytes: u64| {
        for number in 0..bytes / limits::FILE_BYTES as u64 {
            let place = path(&format!("{root}/run_1/{number}"));
            let filled = match root {
                "output" => tree.write(&place, Arc::clone(&large)),
                _ => tree.record(&place, Arc::clone(&large)),
            };
            filled.unwrap();
        }
    };
    // Files of others take nothing away.
    fill("output", limits::WORKSPACE_BYTES);
    fill("tool-args", limits::RECORD_BYTES / 2);
    fill("tool-results", limits::RECORD_BYTES / 2);
    assert_eq!(refused(&mut tree, "tool-args/run_1/new"), Code::WorkspaceStorageFull);
    assert_eq!(refused(&mut tree, "tool-args/run_1/0/new"), Code::WorkspacePathNotDirectory, "said first");
    tree.record(&path("tool-args/run_1/new"), file("")).unwrap();

    let mut many = Directory::default();
    for number in 0..1023 {
        many.put(&number.to_string(), Node::File(file("")));
    }
    let many = Node::Directory(Arc::new(many));
    let mut tree = Tree::default();
    tree.write(&path("output/a"), file("")).unwrap();
    // The roots of what the runtime keeps count.
    for number in 0..limits::RECORD_ENTRIES / many.entries() - 1 {
        tree.put(&path(&format!("tool-args/{number}")), many.clone()).unwrap();
    }
    for number in 0..1022 {
        tree.record(&path(&format!("tool-results/{number}")), file("")).unwrap();
    }
    assert_eq!(refused(&mut tree, "tool-results/new"), Code::WorkspaceStorageFull);
}

#[test]
fn limits_are_checked_before_anything_changes() {
    let refused = |tree: &mut Tree, place: &str, text: &str, code: Code| {
        let digest = tree.digest();
        let refusal = tree.write(&path(place), file(text)).unwrap_err();
        assert_eq!((refusal.code, tree.digest()), (code, digest), "{}", refusal.message);
    };
    let mut tree = small(|limits| limits.file_bytes = 3);
    tree.write(&path("output/a"), file("abc")).unwrap();
    refused(&mut tree, "output/b", "abcd", Code::WorkspaceFileTooLarge);
    assert_eq!(tree.append(&path("output/a"), b"d").unwrap_err().code, Code::WorkspaceFileTooLarge);

    let mut tree = small(|limits| limits.directory_entries = 2);
    tree.write(&path("output/a"), file("")).unwrap();
    tree.write(&path("output/b/1"), file("")).unwrap();
    tree.write(&path("output/b/2"), file("")).unwrap();
    refused(&mut tree, "output/c", "", Code::WorkspaceStorageFull);
    refused(&mut tree, "output/c/d", "", Code::WorkspaceStorageFull);
    refused(&mut tree, "output/b/3", "", Code::WorkspaceStorageFull);
    assert_eq!(tree.create_directory(&path("output/c")).unwrap_err().code, Code::WorkspaceStorageFull);
    tree.write(&path("output/a"), file("again")).unwrap();

    let mut tree = small(|limits| limits.entries = 3);
    tree.write(&path("output/a"), file("")).unwrap();
    refused(&mut tree, "output/b/c/d", "", Code::WorkspaceStorageFull);
    tree.write(&path("output/b/c"), file("")).unwrap();
    refused(&mut tree, "plan/d", "", Code::WorkspaceStorageFull);

    let mut tree = small(|limits| limits.bytes = 5);
    tree.write(&path("output/a"), file("abc")).unwrap();
    refused(&mut tree, "output/b", "abc", Code::WorkspaceStorageFull);
    tree.write(&path("output/a"), file("abcde")).unwrap();
    assert_eq!(tree.append(&path("output/a"), b"f").unwrap_err().code, Code::WorkspaceStorageFull);
}

#[test]
fn what_the_runtime_keeps_does_not_fill_the_workspace() {
    let mut tree = small(|limits| (limits.entries, limits.bytes, limits.directory_entries) = (1, 1, 1));
    for call in 0..300 {
        tree.record(&path(&format!("tool-results/inv_1/{call}.json")), file("{}")).unwrap();
        tree.record(&path(&format!("tool-args/inv_1/{call}.json")), file("{}")).unwrap();
    }
    tree.record(&path("events.jsonl"), file("{}")).unwrap();
    assert_eq!(tree.usage(), Usage::default());
    tree.write(&path("output/a"), file("x")).unwrap();
    let mut store = Store::new();
    keep(&mut store, tree.blobs_since(None));
    assert_eq!(restored(&tree, &store).unwrap().digest(), tree.digest());
}

#[test]
fn walks_go_by_path() {
    let tree =
        tree(&[("output/a/z.md", ""), ("output/a-b.md", ""), ("output/a.md", ""), ("plan/x/y/z.md", "")]);
    let below = |place: &str, depth| {
        let mut walk = Walk::below(&tree, &path(place), depth);
        let shown: Vec<String> = walk.by_ref().map(|found| found.shown()).collect();
        assert!(shown.is_sorted(), "{shown:?}");
        (shown, walk.cut())
    };
    let all = ["output/a-b.md", "output/a.md", "output/a/", "output/a/z.md"].map(str::to_owned).to_vec();
    assert_eq!(below("output", 2), (all.clone(), false));
    assert_eq!(below("output", 1), (all[..3].to_vec(), true));
    assert_eq!(below("output", 0), (vec![], true));
    assert_eq!(below("output/a.md", 2), (vec![], false));
    assert_eq!(below("output/none", 2), (vec![], false));
    let roots = Roots::narrowed(Some(&["plan".into(), "output".into()]), None);
    let levels: Vec<(String, usize)> =
        Walk::roots(&tree, &roots, 3).map(|found| (found.shown(), found.level)).collect();
    assert_eq!(levels.first().unwrap(), &("output/".to_owned(), 1));
    assert_eq!(levels.last().unwrap(), &("plan/x/y/".to_owned(), 3));
    assert_eq!(Walk::roots(&tree, &roots, 0).count(), 0);
}

#[test]
fn a_change_costs_what_it_changes() {
    let mut tree = Tree::default();
    for call in 0..20_000 {
        tree.record(&path(&format!("tool-results/inv_1/round-{call:05}.json")), file(&call.to_string()))
            .unwrap();
    }
    let before = tree.clone();
    assert!(tree.blobs_since(None).len() > 20_000);
    tree.record(&path("tool-results/inv_1/round-20000.json"), file("new")).unwrap();
    let blobs = tree.blobs_since(Some(&before));
    // The file, its page, and the listings of the three directories above.
    assert_eq!(blobs.len(), 5);
    let bytes: usize = blobs.iter().map(|blob| blob.bytes.len()).sum();
    assert!(bytes < 200_000, "{bytes}");
    assert!(tree.blobs_since(Some(&tree)).is_empty());
}

#[test]
fn damaged_snapshots_are_refused() {
    let tree = tree(&[("output/a", "one"), ("output/d/b", "two")]);
    let mut whole = Store::new();
    keep(&mut whole, tree.blobs_since(None));
    assert!(restored(&tree, &whole).is_ok());
    let refused = |store: &Store, root: &Digest, limits: Limits| {
        let fault = Tree::from_blobs(root, limits, |digest| store.get(digest).cloned()).err().unwrap();
        assert_eq!(fault.code, Code::StateSnapshotCorrupt);
        fault.message
    };
    for digest in whole.keys() {
        let mut store = whole.clone();
        store.remove(digest);
        assert!(refused(&store, &tree.digest(), Limits::default()).contains("missing"));
        store.insert(*digest, Arc::from(&b"f something else"[..]));
        assert!(refused(&store, &tree.digest(), Limits::default()).contains("something else"));
    }
    let limits: [fn(&mut Limits); 4] = [
        |limits| limits.file_bytes = 2,
        |limits| limits.directory_entries = 1,
        |limits| limits.entries = 2,
        |limits| limits.bytes = 5,
    ];
    for lower in limits {
        let mut few = Limits::default();
        lower(&mut few);
        assert!(refused(&whole, &tree.digest(), few).contains("limits"));
    }
}

#[test]
fn listings_that_no_tree_makes_are_refused() {
    let mut store = Store::new();
    let mut put = |bytes: &[u8]| {
        let digest = Digest::of(bytes);
        store.insert(digest, bytes.into());
        digest
    };
    let empty = put(b"");
    let one = put(b"x");
    let page = put(format!("f {one} 1 a\0").as_bytes());
    let roots = |output: &str| {
        let mut names: Vec<&str> = WRITABLE_ROOTS.iter().chain(&READ_ONLY_ROOTS).copied().collect();
        names.sort_unstable();
        let listed = |name| match name {
            "output" => output.to_owned(),
            name => format!("d {empty} 0 0 {name}\0"),
        };
        names.into_iter().map(listed).collect::<String>()
    };
    let outputs = [
        "no listing",
        "f abc 1 a\0",
        &format!("f {one} 1 ..\0"),
        &format!("f {one} 1 a/b\0"),
        &format!("f {one} 1\0"),
        &format!("f {one} 2 a\0"),
        &format!("f {one} 1 b\0f {one} 1 a\0"),
        &format!("f {one} 1 a\0f {one} 1 a\0"),
        &format!("f {one} 1 a"),
        &format!("p {page}\0"),
        &format!("p {page}\0p {page}\0"),
        &format!("x {one} 1 a\0"),
    ];
    let mut trees: Vec<Digest> = Vec::new();
    for output in outputs {
        let output = put(output.as_bytes());
        trees.push(put(roots(&format!("d {output} 1 1 output\0")).as_bytes()));
    }
    trees.push(put(roots("").as_bytes()));
    trees.push(put(roots(&format!("f {one} 1 output\0")).as_bytes()));
    trees.push(put((roots(&format!("d {empty} 0 0 output\0")) + &format!("f {one} 1 x\0")).as_bytes()));
    // Nested without end, in few blobs: too deep, and not unfolded.
    let mut nested = put(b"");
    for level in 0..70_u32 {
        let entries = 2_u64.saturating_pow(level + 1) - 2;
        nested = put(format!("d {nested} {entries} 0 a\0d {nested} {entries} 0 b\0").as_bytes());
    }
    trees.push(put(roots(&format!("d {nested} 1 0 output\0")).as_bytes()));
    let mut broad = put(b"");
    let mut entries = 0_u64;
    for _ in 0..40 {
        broad = put(format!("d {broad} {entries} 0 a\0d {broad} {entries} 0 b\0").as_bytes());
        entries = entries * 2 + 2;
    }
    trees.push(put(roots(&format!("d {broad} {entries} 0 output\0")).as_bytes()));
    let good = put(roots(&format!("d {page} 1 1 output\0")).as_bytes());
    let build =
        |root: &Digest| Tree::from_blobs(root, Limits::default(), |digest| store.get(digest).cloned());
    assert!(build(&good).is_ok());
    for (number, tree) in trees.iter().enumerate() {
        let fault = build(tree).err().unwrap_or_else(|| panic!("tree {number} was taken"));
        assert_eq!(fault.code, Code::StateSnapshotCorrupt);
    }
}

/// What may happen to a tree.
#[derive(Clone, Debug)]
enum Op {
    Write(String, String),
    Append(String, String),
    Directory(String),
    Remove(String),
    Snapshot,
}

fn ops() -> impl Strategy<Value = Vec<Op>> {
    // Few names on two levels, so that they meet; many on one, so that pages split and join.
    let place = prop_oneof![
        prop::collection::vec(prop::sample::select(vec!["a", "b", "a.b", "a-b"]), 1..4)
            .prop_map(|names| format!("output/{}", names.join("/"))),
        (0..600_u32).prop_map(|number| format!("plan/many/{number}")),
    ];
    let op = prop_oneof![
        8 => (place.clone(), "[a-c]{0,4}").prop_map(|(place, text)| Op::Write(place, text)),
        2 => (place.clone(), "[a-c]{0,4}").prop_map(|(place, text)| Op::Append(place, text)),
        1 => place.clone().prop_map(Op::Directory),
        4 => place.prop_map(Op::Remove),
        1 => Just(Op::Snapshot),
    ];
    prop::collection::vec(op, 0..400)
}

/// The simplest tree there is: a directory has no content.
#[derive(Clone, Default)]
struct Model(BTreeMap<String, Option<String>>);

impl Model {
    fn parents(place: &str) -> impl Iterator<Item = &str> {
        place.match_indices('/').filter_map(|(at, _)| place.get(..at)).skip(1)
    }

    fn write(&mut self, place: &str, text: Option<String>) -> bool {
        let through_file = Self::parents(place).any(|parent| matches!(self.0.get(parent), Some(Some(_))));
        let other_kind = self.0.get(place).is_some_and(|there| there.is_none() != text.is_none());
        if through_file || other_kind {
            return false;
        }
        for parent in Self::parents(place) {
            self.0.entry(parent.to_owned()).or_insert(None);
        }
        self.0.insert(place.to_owned(), text);
        true
    }

    fn remove(&mut self, place: &str) -> bool {
        let there = self.0.contains_key(place);
        self.0.retain(|other, _| other != place && !other.starts_with(&format!("{place}/")));
        there
    }
}

fn contents(tree: &Tree) -> BTreeMap<String, Option<String>> {
    let text = |entry: Entry<'_>| match entry {
        Entry::File(file) => file.text().map(str::to_owned),
        Entry::Directory(_) => None,
    };
    Walk::roots(tree, &Roots::default(), 64)
        .filter(|found| found.level > 1)
        .map(|found| (found.path.clone(), text(found.entry)))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn the_tree_is_that_of_the_model(ops in ops()) {
        let (mut tree, mut model) = (Tree::default(), Model::default());
        let mut snapshot = tree.clone();
        let mut store = Store::new();
        keep(&mut store, tree.blobs_since(None));
        for op in ops {
            match op {
                Op::Write(place, text) => {
                    let written = tree.write(&path(&place), file(&text)).is_ok();
                    prop_assert_eq!(written, model.write(&place, Some(text)));
                }
                Op::Append(place, text) => {
                    let whole = model.0.get(&place).cloned().flatten().unwrap_or_default() + &text;
                    let written = tree.append(&path(&place), text.as_bytes()).is_ok();
                    prop_assert_eq!(written, model.write(&place, Some(whole)));
                }
                Op::Directory(place) => {
                    let made = tree.create_directory(&path(&place)).is_ok();
                    prop_assert_eq!(made, model.write(&place, None));
                }
                Op::Remove(place) => prop_assert_eq!(tree.remove(&path(&place)), model.remove(&place)),
                Op::Snapshot => {
                    // Only what is new goes to the store, and the store is enough to come back.
                    keep(&mut store, tree.blobs_since(Some(&snapshot)));
                    snapshot = tree.clone();
                    tree = restored(&snapshot, &store).unwrap();
                    prop_assert_eq!(tree.digest(), snapshot.digest());
                    prop_assert!(tree.blobs_since(Some(&snapshot)).is_empty());
                }
            }
        }
        prop_assert_eq!(&contents(&tree), &model.0);
        let bytes = model.0.values().flatten().map(|text| text.len() as u64).sum();
        prop_assert_eq!(tree.usage(), Usage { entries: model.0.len() as u64, bytes });
        // The same content has the same digest, whatever led to it.
        let mut again = Tree::default();
        for (place, text) in &model.0 {
            match text {
                Some(text) => again.write(&path(place), file(text)).unwrap(),
                None => again.create_directory(&path(place)).unwrap(),
            }
        }
        prop_assert_eq!(again.digest(), tree.digest());
        let pages: BTreeSet<Digest> = again.blobs_since(None).into_iter().map(|blob| blob.digest).collect();
        prop_assert!(tree.blobs_since(None).iter().all(|blob| pages.contains(&blob.digest)));
    }
}
