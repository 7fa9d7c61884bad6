//! `/tmp` of one program: in memory, bounded, gone at its end, never part of the workspace (FP-05).

use crate::program::port::{Answer, Entry, Kind, Port, PortError, Stat};
use crate::protocol::limits::PRIVATE_BYTES;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

const ROOT: &str = "/tmp";

/// The port of a program, with a `/tmp` of its own in front of it.
pub(crate) struct Private {
    outside: &'static dyn Port,
    nodes: Mutex<BTreeMap<String, Node>>,
}

#[derive(Clone, Debug)]
struct Node {
    /// `None` for a directory.
    content: Option<Vec<u8>>,
    modified_ms: f64,
}

impl Private {
    /// An empty `/tmp` in front of a port.
    pub(crate) fn new(outside: &'static dyn Port) -> Private {
        let root = Node { content: None, modified_ms: outside.now() };
        Private { outside, nodes: Mutex::new(BTreeMap::from([(ROOT.to_owned(), root)])) }
    }

    fn nodes(&self) -> MutexGuard<'_, BTreeMap<String, Node>> {
        self.nodes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put(&self, path: &str, bytes: &[u8], keep: bool) -> Answer<()> {
        let modified_ms = self.outside.now();
        let mut nodes = self.nodes();
        directory_of(&nodes, path)?;
        let old = match nodes.get(path) {
            Some(Node { content: None, .. }) => return Err(PortError::IsDirectory),
            Some(Node { content: Some(old), .. }) => old.as_slice(),
            None => &[],
        };
        let used: usize = nodes.values().filter_map(|node| node.content.as_ref()).map(Vec::len).sum();
        let gone = if keep { 0 } else { old.len() };
        if (used - gone + bytes.len()) as u64 > PRIVATE_BYTES {
            return Err(PortError::Full);
        }
        let mut content = if keep { old.to_vec() } else { Vec::new() };
        content.extend_from_slice(bytes);
        nodes.insert(path.to_owned(), Node { content: Some(content), modified_ms });
        Ok(())
    }
}

fn is_private(path: &str) -> bool {
    path == ROOT || path.starts_with("/tmp/")
}

/// The directory that a path is to be made in must be there.
fn directory_of(nodes: &BTreeMap<String, Node>, path: &str) -> Answer<()> {
    let (parent, _) = path.rsplit_once('/').ok_or(PortError::Invalid)?;
    match nodes.get(parent) {
        Some(Node { content: None, .. }) => Ok(()),
        Some(_) => Err(PortError::NotDirectory),
        None => Err(PortError::NotFound),
    }
}

fn below<'a>(nodes: &'a BTreeMap<String, Node>, path: &str) -> impl Iterator<Item = (&'a String, &'a Node)> {
    let prefix = format!("{path}/");
    nodes.range(prefix.clone()..).take_while(move |(other, _)| other.starts_with(&prefix))
}

impl Port for Private {
    fn stat(&self, path: &str) -> Answer<Option<Stat>> {
        if !is_private(path) {
            return self.outside.stat(path);
        }
        Ok(self.nodes().get(path).map(|node| Stat {
            kind: if node.content.is_some() { Kind::File } else { Kind::Directory },
            size: node.content.as_ref().map_or(0, Vec::len) as u64,
            modified_ms: node.modified_ms,
        }))
    }

    fn list(&self, path: &str) -> Answer<Vec<Entry>> {
        if !is_private(path) {
            return self.outside.list(path);
        }
        match self.stat(path)? {
            None => return Err(PortError::NotFound),
            Some(Stat { kind: Kind::File, .. }) => return Err(PortError::NotDirectory),
            Some(_) => {}
        }
        let nodes = self.nodes();
        let names: BTreeSet<String> = below(&nodes, path)
            .filter_map(|(other, _)| other.strip_prefix(path)?.strip_prefix('/'))
            .filter(|rest| !rest.contains('/'))
            .map(str::to_owned)
            .collect();
        drop(nodes);
        let entry = |name: String| {
            let stat = self.stat(&format!("{path}/{name}"))?.ok_or(PortError::NotFound)?;
            Ok(Entry { name, stat })
        };
        names.into_iter().map(entry).collect()
    }

    fn read(&self, path: &str) -> Answer<Vec<u8>> {
        if !is_private(path) {
            return self.outside.read(path);
        }
        match self.nodes().get(path) {
            Some(Node { content: Some(content), .. }) => Ok(content.clone()),
            Some(_) => Err(PortError::IsDirectory),
            None => Err(PortError::NotFound),
        }
    }

    fn write(&self, path: &str, bytes: &[u8]) -> Answer<()> {
        if is_private(path) { self.put(path, bytes, false) } else { self.outside.write(path, bytes) }
    }

    fn append(&self, path: &str, bytes: &[u8]) -> Answer<()> {
        if is_private(path) { self.put(path, bytes, true) } else { self.outside.append(path, bytes) }
    }

    fn mkdir(&self, path: &str, recursive: bool) -> Answer<()> {
        if !is_private(path) {
            return self.outside.mkdir(path, recursive);
        }
        let node = Node { content: None, modified_ms: self.outside.now() };
        let mut nodes = self.nodes();
        match nodes.get(path) {
            Some(Node { content: None, .. }) if recursive => return Ok(()),
            Some(_) => return Err(PortError::Exists),
            None => {}
        }
        if !recursive {
            directory_of(&nodes, path)?;
        }
        let parents = path.match_indices('/').filter_map(|(end, _)| path.get(..end)).filter(|parent| is_private(parent));
        for parent in parents.map(str::to_owned).collect::<Vec<_>>() {
            if nodes.get(&parent).is_some_and(|node| node.content.is_some()) {
                return Err(PortError::NotDirectory);
            }
            nodes.entry(parent).or_insert_with(|| node.clone());
        }
        nodes.insert(path.to_owned(), node);
        Ok(())
    }

    fn remove(&self, path: &str, recursive: bool) -> Answer<()> {
        if !is_private(path) {
            return self.outside.remove(path, recursive);
        }
        let mut nodes = self.nodes();
        if !nodes.contains_key(path) {
            return Err(PortError::NotFound);
        }
        let inside: Vec<String> = below(&nodes, path).map(|(other, _)| other.clone()).collect();
        if path == ROOT {
            return Err(PortError::Denied);
        }
        if !inside.is_empty() && !recursive {
            return Err(PortError::NotEmpty);
        }
        for gone in inside.iter().map(String::as_str).chain([path]) {
            nodes.remove(gone);
        }
        Ok(())
    }

    fn rename(&self, from: &str, to: &str) -> Answer<()> {
        match (is_private(from), is_private(to)) {
            (false, false) => self.outside.rename(from, to),
            // What is copied from one side to the other is copied as a file.
            (true, false) | (false, true) => {
                self.copy(from, to)?;
                self.remove(from, false)
            }
            (true, true) => {
                let mut nodes = self.nodes();
                directory_of(&nodes, to)?;
                if from == ROOT || format!("{to}/").starts_with(&format!("{from}/")) && from != to {
                    return Err(PortError::Invalid);
                }
                let node = nodes.get(from).cloned().ok_or(PortError::NotFound)?;
                if nodes.get(to).is_some_and(|node| node.content.is_none()) && from != to {
                    return Err(PortError::Exists);
                }
                let moved: Vec<(String, Node)> = below(&nodes, from).map(|(path, node)| (path.clone(), node.clone())).collect();
                nodes.remove(from);
                for (path, node) in moved {
                    nodes.remove(&path);
                    let rest = path.strip_prefix(from).unwrap_or_default();
                    nodes.insert(format!("{to}{rest}"), node);
                }
                nodes.insert(to.to_owned(), node);
                Ok(())
            }
        }
    }

    fn copy(&self, from: &str, to: &str) -> Answer<()> {
        if !is_private(from) && !is_private(to) {
            return self.outside.copy(from, to);
        }
        let content = self.read(from)?;
        self.write(to, &content)
    }

    fn stdout(&self, bytes: &[u8]) {
        self.outside.stdout(bytes);
    }

    fn stderr(&self, bytes: &[u8]) {
        self.outside.stderr(bytes);
    }

    fn wake(&self) {
        self.outside.wake();
    }

    fn now(&self) -> f64 {
        self.outside.now()
    }

    fn spawn(&self, _: u32, _: &str, _: &[u8]) -> Answer<()> {
        Err(PortError::Unsupported)
    }
}
