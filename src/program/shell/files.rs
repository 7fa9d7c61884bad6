//! The files of a shell call, as bashkit sees them: the workspace and `/tmp` behind the port, and `/dev`, which lives in
//! the memory of the call (FP-05).

mod marks;
mod places;

use crate::program::port::{Kind, Port, PortError, Stat};
use crate::program::random;
use crate::protocol::limits::{DEVICE_BYTES, RANDOM_BYTES, WORKSPACE_BYTES, WORKSPACE_ENTRIES, ZERO_BYTES};
use bashkit::time::{SystemTime, UNIX_EPOCH};
use bashkit::{DirEntry, FileSystem, FileSystemExt, FileType, FsLimits, InMemoryFs, Metadata, async_trait};
use marks::Marks;
use places::{Commands, Place};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

type Done<T> = bashkit::Result<T>;

/// The files of one call.
pub(super) struct Files {
    port: &'static dyn Port,
    /// `/dev`.
    devices: InMemoryFs,
    marks: Marks,
    commands: Arc<Commands>,
}

impl Files {
    pub(super) fn new(port: &'static dyn Port) -> Files {
        let bounds = FsLimits::new().max_total_bytes(DEVICE_BYTES).max_file_size(DEVICE_BYTES);
        Files {
            port,
            devices: InMemoryFs::with_limits(bounds),
            marks: Marks::default(),
            commands: Arc::default(),
        }
    }

    /// The names that stand in `/bin`; they are known when the interpreter is built.
    pub(super) fn commands(&self) -> Arc<Commands> {
        self.commands.clone()
    }

    fn place<'a>(&self, path: &'a Path) -> Done<Place<'a>> {
        let path = path.to_str().ok_or_else(|| error(PortError::Invalid))?;
        Ok(self.commands.place(path))
    }

    fn seen(&self, path: &str, stat: Stat) -> Metadata {
        let modified =
            UNIX_EPOCH + Duration::try_from_secs_f64(stat.modified_ms / 1000.0).unwrap_or_default();
        let mut metadata = match stat.kind {
            Kind::Directory => {
                Metadata { file_type: FileType::Directory, size: 0, mode: 0o755, modified, created: modified }
            }
            Kind::File => Metadata {
                file_type: FileType::File,
                size: stat.size,
                mode: 0o644,
                modified,
                created: modified,
            },
        };
        self.marks.apply(path, &mut metadata);
        metadata
    }

    fn port_stat(&self, path: &str) -> Done<Metadata> {
        let stat = self.port.stat(path).map_err(error)?.ok_or_else(|| error(PortError::NotFound))?;
        Ok(self.seen(path, stat))
    }

    /// Copies a file or a whole directory between the workspace, `/tmp` and `/dev`.
    async fn carry(&self, from: &Path, to: &Path) -> Done<()> {
        let mut open = vec![(from.to_path_buf(), to.to_path_buf())];
        while let Some((from, to)) = open.pop() {
            if !self.stat(&from).await?.file_type.is_dir() {
                let content = self.read_file(&from).await?;
                self.write_file(&to, &content).await?;
                continue;
            }
            self.mkdir(&to, true).await?;
            for entry in self.read_dir(&from).await? {
                open.push((from.join(&entry.name), to.join(&entry.name)));
            }
        }
        Ok(())
    }
}

#[async_trait]
impl FileSystemExt for Files {
    fn limits(&self) -> FsLimits {
        FsLimits::new().max_total_bytes(WORKSPACE_BYTES).max_file_count(WORKSPACE_ENTRIES as u64)
    }

    async fn mkfifo(&self, path: &Path, mode: u32) -> Done<()> {
        match self.place(path)? {
            Place::Port(path) if places::is_scratch(path) => {
                if self.port.stat(path).map_err(error)?.is_some() {
                    return Err(error(PortError::Exists));
                }
                self.port.write(path, &[]).map_err(error)?;
                self.marks.pipe(path, mode);
                Ok(())
            }
            _ => Err(refused("the workspace holds no pipes; make them in /tmp")),
        }
    }
}

#[async_trait]
impl FileSystem for Files {
    async fn read_file(&self, path: &Path) -> Done<Vec<u8>> {
        match self.place(path)? {
            Place::Port(path) => self.port.read(path).map_err(error),
            Place::Device(path) => match path.to_str() {
                Some("/dev/zero") => Ok(vec![0; ZERO_BYTES]),
                Some("/dev/urandom" | "/dev/random") => {
                    let mut bytes = vec![0; RANDOM_BYTES];
                    random::fill(&mut bytes);
                    Ok(bytes)
                }
                _ => self.devices.read_file(path).await,
            },
            Place::Command(name) => Ok(places::stub(name).into_bytes()),
            Place::BinDirectory => Err(error(PortError::IsDirectory)),
        }
    }

    async fn write_file(&self, path: &Path, content: &[u8]) -> Done<()> {
        match self.place(path)? {
            Place::Port(path) => {
                self.marks.touched(path);
                self.port.write(path, content).map_err(error)
            }
            Place::Device(path) => self.devices.write_file(path, content).await,
            Place::Command(_) | Place::BinDirectory => Err(error(PortError::Denied)),
        }
    }

    async fn append_file(&self, path: &Path, content: &[u8]) -> Done<()> {
        match self.place(path)? {
            Place::Port(path) => {
                self.marks.touched(path);
                self.port.append(path, content).map_err(error)
            }
            Place::Device(path) => self.devices.append_file(path, content).await,
            Place::Command(_) | Place::BinDirectory => Err(error(PortError::Denied)),
        }
    }

    async fn mkdir(&self, path: &Path, recursive: bool) -> Done<()> {
        match self.place(path)? {
            Place::Port(path) => self.port.mkdir(path, recursive).map_err(error),
            Place::Device(path) => self.devices.mkdir(path, recursive).await,
            Place::Command(_) => Err(error(PortError::Exists)),
            Place::BinDirectory if recursive => Ok(()),
            Place::BinDirectory => Err(error(PortError::Exists)),
        }
    }

    async fn remove(&self, path: &Path, recursive: bool) -> Done<()> {
        match self.place(path)? {
            Place::Port(path) => {
                self.port.remove(path, recursive).map_err(error)?;
                self.marks.removed(path);
                Ok(())
            }
            Place::Device(path) => self.devices.remove(path, recursive).await,
            Place::Command(_) | Place::BinDirectory => Err(error(PortError::Denied)),
        }
    }

    async fn stat(&self, path: &Path) -> Done<Metadata> {
        match self.place(path)? {
            Place::Port("/") => Ok(fixed(FileType::Directory, 0)),
            Place::Port(path) => self.port_stat(path),
            Place::Device(path) if path == Path::new("/dev/zero") => {
                self.devices.stat(Path::new("/dev/null")).await
            }
            Place::Device(path) => self.devices.stat(path).await,
            Place::Command(name) => Ok(fixed(FileType::File, places::stub(name).len() as u64)),
            Place::BinDirectory => Ok(fixed(FileType::Directory, 0)),
        }
    }

    async fn read_dir(&self, path: &Path) -> Done<Vec<DirEntry>> {
        match self.place(path)? {
            Place::Port(path) => {
                let inside = if path == "/" { "" } else { path };
                let entries = self.port.list(path).map_err(error)?.into_iter();
                let seen = entries.map(|entry| {
                    let metadata = self.seen(&format!("{inside}/{}", entry.name), entry.stat);
                    DirEntry { name: entry.name, metadata }
                });
                Ok(seen.collect())
            }
            Place::Device(path) => self.devices.read_dir(path).await,
            Place::Command(_) => Err(error(PortError::NotDirectory)),
            Place::BinDirectory => {
                let names = self.commands.inside(path);
                Ok(names
                    .map(|name| DirEntry { name: name.into(), metadata: fixed(FileType::File, 0) })
                    .collect())
            }
        }
    }

    async fn exists(&self, path: &Path) -> Done<bool> {
        match self.place(path)? {
            Place::Port("/") => Ok(true),
            Place::Port(path) => Ok(self.port.stat(path).map_err(error)?.is_some()),
            Place::Device(path) if path == Path::new("/dev/zero") => Ok(true),
            Place::Device(path) => self.devices.exists(path).await,
            Place::Command(_) | Place::BinDirectory => Ok(true),
        }
    }

    async fn rename(&self, from: &Path, to: &Path) -> Done<()> {
        match (self.place(from)?, self.place(to)?) {
            (Place::Port(old), Place::Port(new)) => {
                if places::is_scratch(old) == places::is_scratch(new) {
                    self.port.rename(old, new).map_err(error)?;
                } else {
                    self.carry(from, to).await?;
                    self.port.remove(old, true).map_err(error)?;
                }
                self.marks.moved(old, new);
                Ok(())
            }
            (Place::Device(from), Place::Device(to)) => self.devices.rename(from, to).await,
            (Place::Command(_) | Place::BinDirectory, _) | (_, Place::Command(_) | Place::BinDirectory) => {
                Err(error(PortError::Denied))
            }
            _ => {
                self.carry(from, to).await?;
                self.remove(from, true).await
            }
        }
    }

    async fn copy(&self, from: &Path, to: &Path) -> Done<()> {
        match (self.place(from)?, self.place(to)?) {
            (Place::Port(from), Place::Port(to)) if places::is_scratch(from) == places::is_scratch(to) => {
                self.marks.touched(to);
                self.port.copy(from, to).map_err(error)
            }
            (Place::Device(from), Place::Device(to)) => self.devices.copy(from, to).await,
            _ => {
                let content = self.read_file(from).await?;
                self.write_file(to, &content).await
            }
        }
    }

    async fn symlink(&self, _: &Path, _: &Path) -> Done<()> {
        Err(refused("the workspace holds no links; copy the file instead"))
    }

    async fn read_link(&self, path: &Path) -> Done<PathBuf> {
        self.stat(path).await?;
        Err(error(PortError::Invalid))
    }

    async fn chmod(&self, path: &Path, mode: u32) -> Done<()> {
        match self.place(path)? {
            Place::Port(path) => {
                self.port_stat(path)?;
                self.marks.chmod(path, mode);
                Ok(())
            }
            Place::Device(path) => self.devices.chmod(path, mode).await,
            Place::Command(_) | Place::BinDirectory => Err(error(PortError::Denied)),
        }
    }

    async fn set_modified_time(&self, path: &Path, time: SystemTime) -> Done<()> {
        match self.place(path)? {
            Place::Port(path) => {
                self.port_stat(path)?;
                self.marks.set_modified(path, time);
                Ok(())
            }
            Place::Device(path) => self.devices.set_modified_time(path, time).await,
            Place::Command(_) | Place::BinDirectory => Err(error(PortError::Denied)),
        }
    }
}

fn fixed(file_type: FileType, size: u64) -> Metadata {
    Metadata { file_type, size, mode: 0o755, modified: UNIX_EPOCH, created: UNIX_EPOCH }
}

fn refused(why: &str) -> bashkit::Error {
    io::Error::new(io::ErrorKind::Unsupported, format!("{}: {why}", PortError::Unsupported)).into()
}

fn error(error: PortError) -> bashkit::Error {
    let kind = match error {
        PortError::NotFound => io::ErrorKind::NotFound,
        PortError::IsDirectory => io::ErrorKind::IsADirectory,
        PortError::NotDirectory => io::ErrorKind::NotADirectory,
        PortError::Exists => io::ErrorKind::AlreadyExists,
        PortError::NotEmpty => io::ErrorKind::DirectoryNotEmpty,
        PortError::Denied => io::ErrorKind::PermissionDenied,
        PortError::Invalid => io::ErrorKind::InvalidInput,
        PortError::TooLarge => io::ErrorKind::FileTooLarge,
        PortError::Full => io::ErrorKind::StorageFull,
        PortError::Unsupported => io::ErrorKind::Unsupported,
        PortError::Cancelled | PortError::Io => io::ErrorKind::Other,
    };
    io::Error::new(kind, error.sentence()).into()
}

#[cfg(test)]
mod tests;
