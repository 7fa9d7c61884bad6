//! The file port: the workspace as a running program sees and changes it (chapter 08, section 4).
//!
//! Every operation is atomic: it is done, or refused and nothing has changed. What is not visible does not exist, what
//! is not writable is denied (FP-04). `/tmp` belongs to the program alone and goes with it (FP-05).

use std::sync::Arc;

use super::{Branch, Entry, File, Limits, Roots, Touches, Tree, Walk, WorkspacePath};
use crate::protocol::{Code, PortEntry, PortError, PortKind, PortOp, PortReply, PortStat, Refusal, limits};

/// The private directory.
const PRIVATE: &str = "tmp";

/// What belongs to one program that runs.
#[derive(Clone)]
pub struct Port {
    /// What it did to files of the workspace.
    pub touches: Touches,
    /// `/tmp`.
    private: Tree,
    /// When it began.
    began: u64,
}

impl Port {
    /// The port of a program that begins now, or of which this is known.
    pub fn new(began: u64, touches: Touches) -> Self {
        let bounds = Limits { bytes: limits::PRIVATE_BYTES, ..Limits::default() };
        Self { touches, private: Tree::with_roots(&[PRIVATE], bounds), began }
    }

    /// The paths of all files and directories below a place, in this workspace or in what is private.
    pub fn below(&self, tree: &Tree, path: &WorkspacePath) -> Vec<String> {
        let side = if is_private(path) { &self.private } else { tree };
        Walk::below(side, path, usize::MAX).map(|found| found.path).collect()
    }

    /// Performs an operation on a workspace of which the program sees these roots.
    pub fn perform(
        &mut self,
        tree: &mut Tree,
        roots: &Roots,
        op: PortOp<'_>,
    ) -> Result<PortReply, PortError> {
        let mut room = Room { port: self, tree, roots };
        match op {
            PortOp::Stat { path } => return room.stat(&Place::of(path)?).map(PortReply::Stat),
            PortOp::List { path } => return room.list(&Place::of(path)?).map(PortReply::List),
            PortOp::Read { path } => return room.read(&Place::of(path)?).map(PortReply::Bytes),
            PortOp::Write { path, bytes, now } => {
                let path = room.target(path)?;
                room.write(path, File::new(bytes), now)?;
            }
            PortOp::Append { path, bytes, now } => {
                let path = room.target(path)?;
                let before = room.side(&path).file(&path).map_or(&[][..], |file| file.bytes());
                room.side(&path)
                    .check_size(&path, before.len().saturating_add(bytes.len()))
                    .map_err(refused)?;
                let file = File::new(&[before, bytes].concat());
                room.write(path, file, now)?;
            }
            PortOp::Mkdir { path, recursive, now } => room.mkdir(path, recursive, now)?,
            PortOp::Remove { path, recursive, now } => room.remove(path, recursive, now)?,
            PortOp::Rename { from, to, now } => room.rename(from, to, now)?,
            PortOp::Copy { from, to, now } => room.copy(from, to, now)?,
        }
        Ok(PortReply::Done)
    }
}

/// What a path of a program names.
enum Place {
    /// `/`, which holds the roots.
    Top,
    At(WorkspacePath),
}

impl Place {
    fn of(text: &str) -> Result<Self, PortError> {
        // A backslash is part of a name for a program and a slash for the tools: no file has one in its name.
        if !text.starts_with('/') || text.contains('\\') {
            return Err(PortError::Invalid);
        }
        let relative = text.trim_start_matches('/');
        if relative.split('/').all(|segment| matches!(segment, "" | ".")) {
            return Ok(Self::Top);
        }
        WorkspacePath::parse(relative).map(Self::At).map_err(refused)
    }
}

fn is_private(path: &WorkspacePath) -> bool {
    path.root() == PRIVATE
}

/// A refusal of the tree in the words of a port.
fn refused(refusal: Refusal) -> PortError {
    match refusal.code {
        Code::WorkspacePathIsDirectory => PortError::IsDirectory,
        Code::WorkspacePathNotDirectory => PortError::NotDirectory,
        Code::WorkspaceFileTooLarge => PortError::TooLarge,
        Code::WorkspaceStorageFull => PortError::Full,
        Code::WorkspaceInvalidPath => PortError::Invalid,
        _ => PortError::Denied,
    }
}

/// One operation at work.
struct Room<'a> {
    port: &'a mut Port,
    tree: &'a mut Tree,
    roots: &'a Roots,
}

impl Room<'_> {
    /// The tree that a path belongs to.
    fn side(&self, path: &WorkspacePath) -> &Tree {
        if is_private(path) { &self.port.private } else { self.tree }
    }

    fn side_mut(&mut self, path: &WorkspacePath) -> &mut Tree {
        if is_private(path) { &mut self.port.private } else { self.tree }
    }

    /// What stands at a path, as far as the program sees.
    fn get(&self, path: &WorkspacePath) -> Option<Entry<'_>> {
        let is_visible = is_private(path) || self.roots.shows(path);
        self.side(path).get(path).filter(|_| is_visible)
    }

    /// What stands at a path that must exist.
    fn there(&self, path: &WorkspacePath) -> Result<Entry<'_>, PortError> {
        self.get(path).ok_or_else(|| self.missing(path))
    }

    /// Why nothing stands at a path: it is not there, or it leads through a file.
    fn missing(&self, path: &WorkspacePath) -> PortError {
        let mut above = path.parent();
        while let Some(place) = above {
            match self.get(&place) {
                Some(Entry::File(_)) => return PortError::NotDirectory,
                Some(Entry::Directory(_)) => break,
                None => above = place.parent(),
            }
        }
        PortError::NotFound
    }

    /// Whether a path may be changed: strictly below a writable root.
    fn check_writable(&self, path: &WorkspacePath) -> Result<(), PortError> {
        let is_writable = if is_private(path) { !path.is_top() } else { self.roots.takes(path) };
        if is_writable { Ok(()) } else { Err(PortError::Denied) }
    }

    /// A path that may be changed, in a directory that exists.
    fn target(&self, text: &str) -> Result<WorkspacePath, PortError> {
        let Place::At(path) = Place::of(text)? else { return Err(PortError::Denied) };
        self.check_writable(&path)?;
        if let Some(parent) = path.parent()
            && let Entry::File(_) = self.there(&parent)?
        {
            return Err(PortError::NotDirectory);
        }
        Ok(path)
    }

    fn modified(&self, path: &WorkspacePath) -> u64 {
        self.port.touches.time(path).unwrap_or(self.port.began)
    }

    fn stat_of(&self, entry: Entry<'_>, path: &WorkspacePath) -> PortStat {
        let (kind, size) = match entry {
            Entry::File(file) => (PortKind::File, file.len()),
            Entry::Directory(_) => (PortKind::Directory, 0),
        };
        PortStat { kind, size, modified: self.modified(path) }
    }

    fn stat(&self, place: &Place) -> Result<Option<PortStat>, PortError> {
        Ok(match place {
            Place::Top => Some(PortStat { kind: PortKind::Directory, size: 0, modified: self.port.began }),
            Place::At(path) => self.get(path).map(|entry| self.stat_of(entry, path)),
        })
    }

    fn list(&self, place: &Place) -> Result<Vec<PortEntry>, PortError> {
        let entry = |inside: &str, name: &str, entry: Entry<'_>| {
            let path = WorkspacePath::parse(&format!("{inside}{name}"));
            let stat = path.map_err(refused).map(|path| self.stat_of(entry, &path))?;
            Ok(PortEntry { name: name.to_owned(), stat })
        };
        let path = match place {
            Place::Top => {
                let roots = self.roots.visible().filter_map(|name| Some((name, self.tree.root(name)?)));
                return roots.map(|(name, root)| entry("", name, root)).collect();
            }
            Place::At(path) => path,
        };
        let Entry::Directory(directory) = self.there(path)? else { return Err(PortError::NotDirectory) };
        if directory.len() > limits::DIRECTORY_ENTRIES {
            return Err(PortError::TooLarge);
        }
        let inside = format!("{path}/");
        directory.iter().map(|(name, below)| entry(&inside, name, below)).collect()
    }

    fn read(&self, place: &Place) -> Result<Arc<[u8]>, PortError> {
        let Place::At(path) = place else { return Err(PortError::IsDirectory) };
        match self.there(path)? {
            Entry::Directory(_) => Err(PortError::IsDirectory),
            Entry::File(file) if file.len() > limits::FILE_BYTES => Err(PortError::TooLarge),
            Entry::File(file) => Ok(file.shared()),
        }
    }

    /// Notes that something else stands at a path now. Of what is private, and of a directory, only the time counts.
    fn touch(&mut self, path: WorkspacePath, before: Option<Arc<File>>, after: Option<Arc<File>>, now: u64) {
        let (before, after) = if is_private(&path) { (None, None) } else { (before, after) };
        self.port.touches.touch(path, before, after, now);
    }

    fn write(&mut self, path: WorkspacePath, file: File, now: u64) -> Result<(), PortError> {
        let (before, file) = (self.side(&path).file(&path).cloned(), Arc::new(file));
        self.side_mut(&path).write(&path, Arc::clone(&file)).map_err(refused)?;
        self.touch(path, before, Some(file), now);
        Ok(())
    }

    fn mkdir(&mut self, text: &str, recursive: bool, now: u64) -> Result<(), PortError> {
        let path = match Place::of(text)? {
            Place::Top if recursive => return Ok(()),
            Place::Top => return Err(PortError::Exists),
            Place::At(path) => path,
        };
        match self.get(&path) {
            Some(Entry::Directory(_)) if recursive => return Ok(()),
            Some(_) => return Err(PortError::Exists),
            None => {}
        }
        if recursive {
            self.check_writable(&path)?;
        } else {
            self.target(text)?;
        }
        self.side_mut(&path).create_directory(&path).map_err(refused)?;
        self.touch(path, None, None, now);
        Ok(())
    }

    fn remove(&mut self, text: &str, recursive: bool, now: u64) -> Result<(), PortError> {
        let Place::At(path) = Place::of(text)? else { return Err(PortError::Denied) };
        let is_full = matches!(self.there(&path)?, Entry::Directory(directory) if !directory.is_empty());
        self.check_writable(&path)?;
        if is_full && !recursive {
            return Err(PortError::NotEmpty);
        }
        let gone = self.side(&path).files(&path);
        self.side_mut(&path).remove(&path);
        self.gone(gone, now);
        Ok(())
    }

    /// Notes that these files are gone.
    fn gone(&mut self, files: Vec<(WorkspacePath, Arc<File>)>, now: u64) {
        for (gone, file) in files {
            self.touch(gone, Some(file), None, now);
        }
    }

    /// Puts a branch where nothing stands, or a file or an empty directory; `without` is taken out for it.
    fn put(
        &mut self,
        path: &WorkspacePath,
        branch: Branch,
        without: Option<&WorkspacePath>,
        now: u64,
    ) -> Result<(), PortError> {
        let mut side = self.side(path).clone();
        if let Some(without) = without {
            side.remove(without);
        }
        let before = side.file(path).cloned();
        side.graft(path, branch).map_err(refused)?;
        *self.side_mut(path) = side;
        self.touch(path.clone(), before, None, now);
        for (put, file) in self.side(path).files(path) {
            self.touch(put, None, Some(file), now);
        }
        Ok(())
    }

    fn rename(&mut self, from: &str, to: &str, now: u64) -> Result<(), PortError> {
        let Place::At(source) = Place::of(from)? else { return Err(PortError::Denied) };
        let is_file = matches!(self.there(&source)?, Entry::File(_));
        self.check_writable(&source)?;
        let target = self.target(to)?;
        if target == source {
            return Ok(());
        }
        if target.is_within(&source) {
            return Err(PortError::Invalid);
        }
        match self.get(&target) {
            None => {}
            Some(Entry::File(_)) if is_file => {}
            Some(Entry::File(_)) => return Err(PortError::NotDirectory),
            Some(Entry::Directory(_)) if is_file => return Err(PortError::IsDirectory),
            Some(Entry::Directory(there)) if there.is_empty() => {}
            Some(Entry::Directory(_)) => return Err(PortError::NotEmpty),
        }
        let Some(branch) = self.side(&source).branch(&source) else { return Err(PortError::NotFound) };
        let moved = self.side(&source).files(&source);
        // Inside one tree the room is needed once, not twice.
        let is_inside = is_private(&source) == is_private(&target);
        self.put(&target, branch, is_inside.then_some(&source), now)?;
        self.side_mut(&source).remove(&source);
        self.gone(moved, now);
        Ok(())
    }

    fn copy(&mut self, from: &str, to: &str, now: u64) -> Result<(), PortError> {
        let Place::At(source) = Place::of(from)? else { return Err(PortError::IsDirectory) };
        let is_file = matches!(self.there(&source)?, Entry::File(_));
        let target = self.target(to)?;
        if target == source {
            return Ok(());
        }
        match self.get(&target) {
            Some(Entry::Directory(_)) if is_file => return Err(PortError::IsDirectory),
            Some(_) if !is_file => return Err(PortError::Exists),
            _ => {}
        }
        if target.is_within(&source) {
            return Err(PortError::Invalid);
        }
        let Some(branch) = self.side(&source).branch(&source) else { return Err(PortError::NotFound) };
        self.put(&target, branch, None, now)
    }
}

#[cfg(test)]
#[path = "port_tests.rs"]
mod tests;
