use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;

use super::Port;
use crate::protocol::{FileOperation, PortError, PortKind, PortOp, PortReply, limits};
use crate::workspace::{Author, Change, Entry, File, Limits, Roots, Touches, Tree, Walk, WorkspacePath};

/// A program on a workspace.
struct Desk {
    tree: Tree,
    roots: Roots,
    port: Port,
}

impl Desk {
    fn new(files: &[(&str, &str)]) -> Self {
        Self::with(Limits::default(), Roots::default(), files)
    }

    fn with(limits: Limits, roots: Roots, files: &[(&str, &str)]) -> Self {
        let mut tree = Tree::new(limits);
        for (path, text) in files {
            let (path, file) = (WorkspacePath::parse(path).unwrap(), Arc::new(File::of_text(*text)));
            match path.root() {
                "tool-results" | "input" => tree.record(&path, file).unwrap(),
                _ => tree.write(&path, file).unwrap(),
            }
        }
        Self { tree, roots, port: Port::new(1, Touches::default()) }
    }

    fn perform(&mut self, op: PortOp<'_>) -> Result<PortReply, PortError> {
        let (tree, changes) = (self.tree.digest(), self.port.touches.clone());
        let reply = self.port.perform(&mut self.tree, &self.roots, op);
        if reply.is_err() {
            assert_eq!((self.tree.digest(), &self.port.touches), (tree, &changes), "{op:?} was refused");
        }
        reply
    }

    /// `ok`, or the code of the refusal.
    fn code(&mut self, op: PortOp<'_>) -> &'static str {
        self.perform(op).map_or_else(PortError::as_str, |_| "ok")
    }

    fn names(&mut self, path: &str) -> String {
        let PortReply::List(entries) = self.perform(PortOp::List { path }).unwrap() else { panic!() };
        entries.iter().map(|entry| entry.name.as_str()).collect::<Vec<_>>().join(" ")
    }

    fn text(&mut self, path: &str) -> String {
        let PortReply::Bytes(bytes) = self.perform(PortOp::Read { path }).unwrap() else { panic!() };
        String::from_utf8(bytes.to_vec()).unwrap()
    }

    /// Kind, size and time, separated by spaces; `-` for nothing.
    fn stat(&mut self, path: &str) -> String {
        let PortReply::Stat(stat) = self.perform(PortOp::Stat { path }).unwrap() else { panic!() };
        stat.map_or("-".into(), |stat| format!("{} {} {}", stat.kind as u8, stat.size, stat.modified))
    }

    fn changes(self) -> Vec<(String, FileOperation)> {
        let change = |change: Change| (change.path.to_string(), change.operation);
        self.port.touches.into_changes().map(change).collect()
    }
}

fn write(path: &str) -> PortOp<'_> {
    PortOp::Write { path, bytes: b"new", now: 7 }
}

fn append(path: &str) -> PortOp<'_> {
    PortOp::Append { path, bytes: b"+", now: 8 }
}

fn mkdir(path: &str, recursive: bool) -> PortOp<'_> {
    PortOp::Mkdir { path, recursive, now: 9 }
}

fn remove(path: &str, recursive: bool) -> PortOp<'_> {
    PortOp::Remove { path, recursive, now: 10 }
}

fn rename<'a>(from: &'a str, to: &'a str) -> PortOp<'a> {
    PortOp::Rename { from, to, now: 11 }
}

fn copy<'a>(from: &'a str, to: &'a str) -> PortOp<'a> {
    PortOp::Copy { from, to, now: 12 }
}

const FILES: [(&str, &str); 6] = [
    ("output/a", "one"),
    ("output/d/b", "two"),
    ("output/d/e/c", "three"),
    ("scratch/x", "four"),
    ("tool-results/run/r.txt", "result"),
    ("input/secret", "hidden"),
];

#[test]
fn paths() {
    let mut desk = Desk::new(&FILES);
    for same in ["/output/a", "//output//./a", "/./output/a/"] {
        assert_eq!(desk.text(same), "one");
    }
    for bad in ["", "output/a", "./output", "/output/../output/a", "/output/a\0", "/output\\a", "/../etc"] {
        assert_eq!(desk.code(PortOp::Stat { path: bad }), "EINVAL", "{bad:?}");
        assert_eq!(desk.code(write(bad)), "EINVAL", "{bad:?}");
    }
    let long = format!("/output/{}", "x".repeat(256));
    let deep = format!("/output{}", "/d".repeat(64));
    assert_eq!((desk.code(write(&long)), desk.code(mkdir(&deep, true))), ("EINVAL", "EINVAL"));
}

#[test]
fn what_is_seen() {
    let mut desk = Desk::new(&FILES);
    assert_eq!(desk.names("/"), "output persist plan scratch skills summaries tool-results");
    assert_eq!(
        (desk.names("/output"), desk.names("/output/d/"), desk.names("/tmp")),
        ("a d".into(), "b e".into(), "".into())
    );
    let stats =
        ["/", "/output", "/output/a", "/output/none", "/output/a/x", "/tmp", "/tool-results/run/r.txt"];
    let seen = ["2 0 1", "2 0 1", "1 3 1", "-", "-", "2 0 1", "1 6 1"];
    assert_eq!(stats.map(|path| desk.stat(path)), seen);
    assert_eq!(desk.code(PortOp::Read { path: "/" }), "EISDIR");
    assert_eq!(desk.code(PortOp::Read { path: "/output" }), "EISDIR");
    assert_eq!(desk.code(PortOp::Read { path: "/output/none" }), "ENOENT");
    assert_eq!(desk.code(PortOp::Read { path: "/output/a/x" }), "ENOTDIR");
    assert_eq!(desk.code(PortOp::List { path: "/output/a" }), "ENOTDIR");
    assert_eq!(desk.code(PortOp::List { path: "/output/none" }), "ENOENT");
    assert!(desk.changes().is_empty());
}

/// What is internal or not visible answers exactly as what is not there (IV-62).
#[test]
fn what_is_not_visible_is_not_there() {
    let narrow = Roots::narrowed(Some(&["output".into(), "skills".into()]), None);
    for (roots, hidden, missing) in [
        (Roots::default(), "/input", "/nowhere"),
        (Roots::default(), "/input/secret", "/nowhere/secret"),
        (narrow, "/scratch/x", "/nowhere/x"),
    ] {
        let mut desk = Desk::with(Limits::default(), roots, &FILES);
        let below = format!("{hidden}/y");
        let none = format!("{missing}/y");
        for (hidden, missing) in [(hidden, missing), (&below, &none)] {
            let ops = |path| {
                [
                    PortOp::Stat { path },
                    PortOp::List { path },
                    PortOp::Read { path },
                    write(path),
                    append(path),
                    mkdir(path, true),
                    mkdir(path, false),
                    remove(path, true),
                    remove(path, false),
                    rename(path, "/output/n"),
                    rename("/output/a", path),
                    copy(path, "/output/n"),
                    copy("/output/a", path),
                ]
            };
            for (hidden, missing) in ops(hidden).into_iter().zip(ops(missing)) {
                assert_eq!(desk.perform(hidden), desk.perform(missing), "{hidden:?}");
            }
        }
        assert!(desk.changes().is_empty());
    }
}

#[test]
fn what_is_not_writable_is_denied() {
    let roots = Roots::narrowed(None, Some(&["output".into()]));
    let mut desk = Desk::with(Limits::default(), roots, &FILES);
    for path in
        ["/tool-results/run/r.txt", "/tool-results/new", "/skills/new", "/scratch/x", "/scratch/new", "/new"]
    {
        for op in [write(path), append(path), rename("/output/a", path), copy("/output/a", path)] {
            assert_eq!(desk.code(op), "EACCES", "{op:?}");
        }
    }
    for path in
        ["/", "/output", "/tmp", "/skills", "/tool-results/run", "/tool-results/run/r.txt", "/scratch/x"]
    {
        assert_eq!(desk.code(remove(path, true)), "EACCES", "{path}");
        assert_eq!(desk.code(rename(path, "/output/n")), "EACCES", "{path}");
    }
    assert_eq!((desk.code(mkdir("/", true)), desk.code(mkdir("/", false))), ("ok", "EEXIST"));
    assert_eq!((desk.code(mkdir("/skills", true)), desk.code(mkdir("/skills/n", true))), ("ok", "EACCES"));
    // Reading, and copying out, is another thing.
    assert_eq!(desk.code(copy("/tool-results/run", "/output/results")), "ok");
    assert_eq!(desk.text("/output/results/r.txt"), "result");
}

#[test]
fn files_are_made_grown_and_taken_out() {
    let mut desk = Desk::new(&FILES);
    assert_eq!(
        (desk.code(write("/output/a")), desk.text("/output/a"), desk.stat("/output/a")),
        ("ok", "new".into(), "1 3 7".into())
    );
    assert_eq!(
        (desk.code(append("/output/a")), desk.text("/output/a"), desk.stat("/output/a")),
        ("ok", "new+".into(), "1 4 8".into())
    );
    assert_eq!((desk.code(append("/output/n")), desk.text("/output/n")), ("ok", "+".into()));
    assert_eq!(desk.code(write("/output/d")), "EISDIR");
    assert_eq!(desk.code(append("/output/d")), "EISDIR");
    assert_eq!(desk.code(write("/output/none/x")), "ENOENT");
    assert_eq!(desk.code(write("/output/a/x")), "ENOTDIR");
    assert_eq!(desk.code(write("/output/a/x/y")), "ENOTDIR");
    assert_eq!(desk.code(remove("/output/none", true)), "ENOENT");
    assert_eq!(desk.code(remove("/output/a/x", true)), "ENOTDIR");
    assert_eq!(desk.code(remove("/output/d", false)), "ENOTEMPTY");
    assert_eq!((desk.code(remove("/output/d", true)), desk.names("/output")), ("ok", "a n".into()));
    // Time and content are gone with the file.
    assert_eq!((desk.code(remove("/output/a", false)), desk.code(remove("/output/n", false))), ("ok", "ok"));
    let expected = [
        ("output/a", FileOperation::Delete),
        ("output/d/b", FileOperation::Delete),
        ("output/d/e/c", FileOperation::Delete),
    ];
    assert_eq!(desk.changes(), expected.map(|(path, operation)| (path.to_owned(), operation)));
}

#[test]
fn directories_are_made() {
    let mut desk = Desk::new(&FILES);
    assert_eq!((desk.code(mkdir("/output/n", false)), desk.stat("/output/n")), ("ok", "2 0 9".into()));
    assert_eq!((desk.code(mkdir("/output/n", false)), desk.code(mkdir("/output/n", true))), ("EEXIST", "ok"));
    assert_eq!(
        (desk.code(mkdir("/output/p/q", false)), desk.code(mkdir("/output/p/q", true))),
        ("ENOENT", "ok")
    );
    assert_eq!(
        (desk.code(mkdir("/output/a", false)), desk.code(mkdir("/output/a", true))),
        ("EEXIST", "EEXIST")
    );
    assert_eq!(
        (desk.code(mkdir("/output/a/x", false)), desk.code(mkdir("/output/a/x", true))),
        ("ENOTDIR", "ENOTDIR")
    );
    assert_eq!((desk.code(remove("/output/n", false)), desk.stat("/output/n")), ("ok", "-".into()));
    assert!(desk.changes().is_empty());
}

#[test]
fn things_move() {
    let mut desk = Desk::new(&FILES);
    let refused = [
        ("/output/none", "/output/n", "ENOENT"),
        ("/output/a", "/output/none/n", "ENOENT"),
        ("/output/a", "/output/a/n", "ENOTDIR"),
        ("/output/a", "/output/d", "EISDIR"),
        ("/output/d", "/output/a", "ENOTDIR"),
        ("/output/d/e", "/output/d", "ENOTEMPTY"),
        ("/output/d", "/output/d/e/n", "EINVAL"),
        ("/output/d", "/output/d/n", "EINVAL"),
    ];
    for (from, to, code) in refused {
        assert_eq!(desk.code(rename(from, to)), code, "{from} {to}");
    }
    for same in ["/output/a", "/output/d"] {
        assert_eq!(desk.code(rename(same, same)), "ok");
    }
    assert_eq!(
        (desk.code(rename("/output/d", "/scratch/d")), desk.names("/scratch/d")),
        ("ok", "b e".into())
    );
    assert_eq!(
        (desk.code(mkdir("/output/n", false)), desk.code(rename("/scratch/d/e", "/output/n"))),
        ("ok", "ok")
    );
    assert_eq!(
        (desk.text("/output/n/c"), desk.code(rename("/output/a", "/scratch/x"))),
        ("three".into(), "ok")
    );
    assert_eq!((desk.text("/scratch/x"), desk.names("/output")), ("one".into(), "n".into()));
    let expected = [
        ("output/a", FileOperation::Delete),
        ("output/d/b", FileOperation::Delete),
        ("output/d/e/c", FileOperation::Delete),
        ("output/n/c", FileOperation::Create),
        ("scratch/d/b", FileOperation::Create),
        ("scratch/x", FileOperation::Modify),
    ];
    assert_eq!(desk.changes(), expected.map(|(path, operation)| (path.to_owned(), operation)));
}

#[test]
fn things_are_copied() {
    let mut desk = Desk::new(&FILES);
    let refused = [
        ("/output/none", "/output/n", "ENOENT"),
        ("/output/a", "/output/none/n", "ENOENT"),
        ("/output/a", "/output/d", "EISDIR"),
        ("/output/d", "/output/a", "EEXIST"),
        ("/output/d", "/scratch", "EACCES"),
        ("/output/d/e", "/output/d", "EEXIST"),
        ("/output/d", "/output/d/n", "EINVAL"),
        ("/", "/output/n", "EISDIR"),
    ];
    for (from, to, code) in refused {
        assert_eq!(desk.code(copy(from, to)), code, "{from} {to}");
    }
    assert_eq!(
        (desk.code(copy("/output/a", "/output/a")), desk.code(copy("/output/a", "/scratch/x"))),
        ("ok", "ok")
    );
    assert_eq!(
        (desk.code(copy("/output/d", "/output/n")), desk.text("/output/n/e/c")),
        ("ok", "three".into())
    );
    assert_eq!(
        (desk.text("/output/d/e/c"), desk.text("/scratch/x"), desk.stat("/scratch/x")),
        ("three".into(), "one".into(), "1 3 12".into())
    );
}

#[test]
fn the_private_directory_is_private() {
    let mut desk = Desk::new(&FILES);
    assert_eq!(
        (desk.code(write("/tmp/t")), desk.code(mkdir("/tmp/d/e", true)), desk.names("/tmp")),
        ("ok", "ok", "d t".into())
    );
    assert_eq!(
        (desk.code(copy("/output/d", "/tmp/copy")), desk.text("/tmp/copy/e/c")),
        ("ok", "three".into())
    );
    assert_eq!(
        (desk.code(rename("/tmp/t", "/output/t")), desk.names("/tmp"), desk.text("/output/t")),
        ("ok", "copy d".into(), "new".into())
    );
    assert_eq!((desk.code(rename("/scratch/x", "/tmp/d/x")), desk.text("/tmp/d/x")), ("ok", "four".into()));
    // 16 MiB in all, 8 MiB a file; what does not fit leaves everything where it was.
    let large = vec![0; limits::FILE_BYTES];
    let put = |path| PortOp::Write { path, bytes: &large, now: 1 };
    assert_eq!(
        (desk.code(put("/tmp/1")), desk.code(put("/tmp/2")), desk.code(put("/output/3"))),
        ("ok", "ENOSPC", "ok")
    );
    assert_eq!(
        (desk.code(rename("/output/3", "/tmp/2")), desk.code(copy("/output/3", "/tmp/2"))),
        ("ENOSPC", "ENOSPC")
    );
    let expected = [
        ("output/3", FileOperation::Create),
        ("output/t", FileOperation::Create),
        ("scratch/x", FileOperation::Delete),
    ];
    assert_eq!(desk.changes(), expected.map(|(path, operation)| (path.to_owned(), operation)));
}

#[test]
fn limits_hold() {
    let few = Limits { file_bytes: 4, directory_entries: 3, entries: 6, bytes: 12 };
    let mut desk = Desk::with(few, Roots::default(), &[("output/a", "aaaa"), ("output/d/b", "bb")]);
    let large = PortOp::Write { path: "/output/n", bytes: b"12345", now: 1 };
    assert_eq!((desk.code(large), desk.code(append("/output/a"))), ("EFBIG", "EFBIG"));
    assert_eq!((desk.code(write("/output/n")), desk.code(write("/output/o"))), ("ok", "ENOSPC"));
    // A move needs no room, a copy does.
    assert_eq!(
        (desk.code(copy("/output/d", "/scratch/d")), desk.code(copy("/output/d", "/scratch/e"))),
        ("ok", "ENOSPC")
    );
    assert_eq!(
        (desk.code(rename("/output/d", "/plan/d")), desk.code(mkdir("/plan/x", false))),
        ("ok", "ENOSPC")
    );
    // A result may be larger than a file may be: it can be neither read nor copied.
    let mut desk = Desk::with(few, Roots::default(), &[("tool-results/r", "12345")]);
    assert_eq!(desk.code(copy("/tool-results/r", "/output/r")), "EFBIG");
    // What would lie too deep does not move.
    let mut desk = Desk::new(&[("output/d/e/f", "x")]);
    let deep = format!("/scratch{}", "/d".repeat(61));
    assert_eq!(
        (desk.code(mkdir(&deep, true)), desk.code(rename("/output/d", &format!("{deep}/d")))),
        ("ok", "EINVAL")
    );
    assert_eq!(desk.code(rename("/output/d/e", &format!("{deep}/e"))), "ok");
}

/// Files and directories by their paths; a directory has no content.
type Nodes = BTreeMap<String, Option<Vec<u8>>>;

/// The port once more, as simple as can be.
struct Model(Nodes);

impl Model {
    fn get(&self, path: &str) -> Option<&Option<Vec<u8>>> {
        self.0.get(path).filter(|_| !path.starts_with("input"))
    }

    fn missing(&self, path: &str) -> PortError {
        let above = path.match_indices('/').filter_map(|(at, _)| self.get(path.get(..at).unwrap()));
        if above.into_iter().any(Option::is_some) { PortError::NotDirectory } else { PortError::NotFound }
    }

    fn there(&self, path: &str) -> Result<Option<Vec<u8>>, PortError> {
        self.get(path).cloned().ok_or_else(|| self.missing(path))
    }

    fn writable(&self, path: &str) -> Result<(), PortError> {
        let root = path.split('/').next().unwrap();
        let ok = path.contains('/') && ["output", "scratch", "tmp"].contains(&root);
        if ok { Ok(()) } else { Err(PortError::Denied) }
    }

    fn target(&self, path: &str) -> Result<(), PortError> {
        self.writable(path)?;
        let (parent, _) = path.rsplit_once('/').unwrap();
        if self.there(parent)?.is_some() { Err(PortError::NotDirectory) } else { Ok(()) }
    }

    fn below(&self, path: &str) -> Vec<(String, Option<Vec<u8>>)> {
        let inside = format!("{path}/");
        let found = self.0.iter().filter(|(other, _)| *other == path || other.starts_with(&inside));
        found.map(|(path, content)| (path.clone(), content.clone())).collect()
    }

    fn write(&mut self, path: &str, bytes: &[u8], keep: bool) -> Result<(), PortError> {
        self.target(path)?;
        let before = match self.get(path) {
            Some(None) => return Err(PortError::IsDirectory),
            Some(Some(before)) if keep => before.clone(),
            _ => Vec::new(),
        };
        self.0.insert(path.into(), Some([&before, bytes].concat()));
        Ok(())
    }

    fn mkdir(&mut self, path: &str, recursive: bool) -> Result<(), PortError> {
        match self.get(path) {
            Some(None) if recursive => return Ok(()),
            Some(_) => return Err(PortError::Exists),
            None if recursive => self.writable(path)?,
            None => self.target(path)?,
        }
        if self.missing(path) == PortError::NotDirectory {
            return Err(PortError::NotDirectory);
        }
        let above = path
            .match_indices('/')
            .map(|(at, _)| path.get(..at).unwrap().to_owned())
            .chain([path.to_owned()]);
        above.for_each(|path| drop(self.0.insert(path, None)));
        Ok(())
    }

    fn remove(&mut self, path: &str, recursive: bool) -> Result<(), PortError> {
        self.there(path)?;
        self.writable(path)?;
        let below = self.below(path);
        if below.len() > 1 && !recursive {
            return Err(PortError::NotEmpty);
        }
        below.iter().for_each(|(path, _)| drop(self.0.remove(path)));
        Ok(())
    }

    fn transfer(&mut self, from: &str, to: &str, moves: bool) -> Result<(), PortError> {
        let is_file = self.there(from)?.is_some();
        if moves {
            self.writable(from)?;
        }
        self.target(to)?;
        if from == to {
            return Ok(());
        }
        let is_inside = to.starts_with(&format!("{from}/"));
        if moves && is_inside {
            return Err(PortError::Invalid);
        }
        match (self.get(to), is_file) {
            (None, _) | (Some(Some(_)), true) => {}
            (Some(None), true) => return Err(PortError::IsDirectory),
            (Some(_), false) if !moves => return Err(PortError::Exists),
            (Some(Some(_)), false) => return Err(PortError::NotDirectory),
            (Some(None), false) if self.below(to).len() > 1 => return Err(PortError::NotEmpty),
            (Some(None), false) => {}
        }
        if is_inside {
            return Err(PortError::Invalid);
        }
        for (path, content) in self.below(from) {
            if moves {
                self.0.remove(&path);
            }
            self.0.insert(format!("{to}{}", path.get(from.len()..).unwrap()), content);
        }
        Ok(())
    }
}

/// Everything a desk holds, as the model has it.
fn nodes(desk: &Desk) -> Nodes {
    let mut nodes = Nodes::new();
    for tree in [&desk.tree, &desk.port.private] {
        let mut tops: Vec<&str> =
            Roots::default().visible().filter(|root| tree.root(root).is_some()).collect();
        tops.extend(["input", "tmp"].iter().filter(|root| tree.root(root).is_some()));
        for top in tops {
            nodes.insert(top.into(), None);
            for found in Walk::below(tree, &WorkspacePath::parse(top).unwrap(), usize::MAX) {
                let content = match found.entry {
                    Entry::File(file) => Some(file.bytes().to_vec()),
                    Entry::Directory(_) => None,
                };
                nodes.insert(found.path, content);
            }
        }
    }
    nodes
}

#[derive(Clone, Debug)]
enum Act {
    Write(String, u8),
    Append(String, u8),
    Mkdir(String, bool),
    Remove(String, bool),
    Rename(String, String),
    Copy(String, String),
    Look(String),
}

fn place() -> impl Strategy<Value = String> {
    let root = prop_oneof![8 => Just("output"), 3 => Just("scratch"), 3 => Just("tmp"), 1 => Just("skills"), 1 => Just("input"),
        1 => Just("nowhere")];
    (root, prop::collection::vec(prop_oneof!["a", "b", "a-"], 0..4))
        .prop_map(|(root, names)| names.iter().fold(root.to_owned(), |path, name| format!("{path}/{name}")))
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        4 => (place(), any::<u8>()).prop_map(|(path, byte)| Act::Write(path, byte)),
        2 => (place(), any::<u8>()).prop_map(|(path, byte)| Act::Append(path, byte)),
        4 => (place(), any::<bool>()).prop_map(|(path, recursive)| Act::Mkdir(path, recursive)),
        2 => (place(), any::<bool>()).prop_map(|(path, recursive)| Act::Remove(path, recursive)),
        3 => (place(), place()).prop_map(|(from, to)| Act::Rename(from, to)),
        3 => (place(), place()).prop_map(|(from, to)| Act::Copy(from, to)),
        2 => place().prop_map(Act::Look),
    ]
}

proptest! {
    #[test]
    fn the_port_is_a_plain_file_system(acts in prop::collection::vec(act(), 1..60)) {
        let mut desk = Desk::with(Limits::default(), Roots::narrowed(None, Some(&["output".into(), "scratch".into()])), &[
            ("output/a/b", "1"), ("output/b", "2"), ("scratch/a/a/a", "3"), ("skills/a", "4"), ("input/a", "5"),
        ]);
        let before = nodes(&desk);
        let mut model = Model(before.clone());
        for act in acts {
            let at = |path: &str| format!("/{path}");
            let (reply, expected) = match &act {
                Act::Write(path, byte) => (
                    desk.perform(PortOp::Write { path: &at(path), bytes: &[*byte], now: 2 }), model.write(path, &[*byte], false)),
                Act::Append(path, byte) => (
                    desk.perform(PortOp::Append { path: &at(path), bytes: &[*byte], now: 2 }), model.write(path, &[*byte], true)),
                Act::Mkdir(path, recursive) => (desk.perform(mkdir(&at(path), *recursive)), model.mkdir(path, *recursive)),
                Act::Remove(path, recursive) => (desk.perform(remove(&at(path), *recursive)), model.remove(path, *recursive)),
                Act::Rename(from, to) => (desk.perform(rename(&at(from), &at(to))), model.transfer(from, to, true)),
                Act::Copy(from, to) => (desk.perform(copy(&at(from), &at(to))), model.transfer(from, to, false)),
                Act::Look(path) => {
                    let stat = desk.perform(PortOp::Stat { path: &at(path) }).unwrap();
                    let PortReply::Stat(stat) = stat else { panic!() };
                    let kind = model.get(path).map(|content| if content.is_some() { PortKind::File } else { PortKind::Directory });
                    prop_assert_eq!(stat.map(|stat| stat.kind), kind);
                    continue;
                }
            };
            prop_assert_eq!(reply.map(drop), expected, "{:?}", act);
            prop_assert_eq!(nodes(&desk), model.0.clone(), "{:?}", act);
        }
        // The changes are what is different, file by file.
        let after = nodes(&desk);
        let content = |nodes: &Nodes, path: &str| nodes.get(path).cloned().flatten();
        let differs = |path: &&String| content(&before, path) != content(&after, path) && !path.starts_with("tmp");
        let mut expected: Vec<&String> = before.keys().chain(after.keys()).filter(differs).collect();
        expected.sort();
        expected.dedup();
        let touches = desk.port.touches.clone();
        let author = Author { call_id: "c", invocation_id: "i" };
        let mut read_back = Touches::default();
        for change in touches.unfinished(author) {
            let fetch = |digest: &crate::workspace::Digest| {
                touches.contents().find(|file| file.sha256() == *digest).map(|file| file.shared())
            };
            read_back.resume(&change, fetch).unwrap();
        }
        prop_assert_eq!(
            read_back.into_changes().collect::<Vec<_>>(), touches.clone().into_changes().collect::<Vec<_>>()
        );
        for (change, path) in touches.into_changes().zip(&expected) {
            prop_assert_eq!(&change.path.to_string(), *path);
            prop_assert_eq!(change.before.map(|file| file.bytes().to_vec()), content(&before, path));
            prop_assert_eq!(change.after.map(|file| file.bytes().to_vec()), content(&after, path));
        }
        prop_assert_eq!(desk.changes().len(), expected.len());
    }
}
