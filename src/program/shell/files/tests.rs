use super::Files;
use crate::program::port::{Answer, Entry, Kind, Port, PortError, Stat};
use bashkit::{FileSystem, FileSystemExt};
use std::collections::BTreeMap;
use std::future::Future;
use std::path::Path;
use std::pin::pin;
use std::sync::Mutex;
use std::task::{Context, Poll, Waker};

/// Two directories, `/output` and `/tmp`, and their files; nothing is moved or copied from one to the other.
#[derive(Default)]
struct Folder(Mutex<BTreeMap<String, Vec<u8>>>);

fn folder(path: &str) -> Answer<&str> {
    let (folder, name) = path.rsplit_once('/').ok_or(PortError::Invalid)?;
    match folder {
        "/output" | "/tmp" if !name.is_empty() => Ok(folder),
        "" => Err(PortError::Denied),
        _ => Err(PortError::NotFound),
    }
}

impl Port for Folder {
    fn stat(&self, path: &str) -> Answer<Option<Stat>> {
        let stat = |kind, size| Some(Stat { kind, size, modified_ms: 1_000.0 });
        if matches!(path, "/" | "/output" | "/tmp") {
            return Ok(stat(Kind::Directory, 0));
        }
        Ok(self.0.lock().unwrap().get(path).and_then(|bytes| stat(Kind::File, bytes.len() as u64)))
    }
    fn list(&self, path: &str) -> Answer<Vec<Entry>> {
        if path == "/" {
            return Ok(vec![Entry { name: "output".into(), stat: self.stat("/output")?.unwrap() }]);
        }
        let names: Vec<String> = self.0.lock().unwrap().keys().cloned().collect();
        let entry = |name: String| {
            let stat = self.stat(&name).unwrap().unwrap();
            Some(Entry { stat, name: name.strip_prefix(path)?.strip_prefix('/')?.into() })
        };
        Ok(names.into_iter().filter_map(entry).collect())
    }
    fn read(&self, path: &str) -> Answer<Vec<u8>> {
        self.0.lock().unwrap().get(path).cloned().ok_or(PortError::NotFound)
    }
    fn write(&self, path: &str, bytes: &[u8]) -> Answer<()> {
        folder(path)?;
        self.0.lock().unwrap().insert(path.into(), bytes.into());
        Ok(())
    }
    fn append(&self, path: &str, bytes: &[u8]) -> Answer<()> {
        let old = self.read(path).unwrap_or_default();
        self.write(path, &[&old, bytes].concat())
    }
    fn mkdir(&self, _: &str, _: bool) -> Answer<()> {
        Err(PortError::Denied)
    }
    fn remove(&self, path: &str, _: bool) -> Answer<()> {
        self.0.lock().unwrap().remove(path).map(|_| ()).ok_or(PortError::NotFound)
    }
    fn rename(&self, from: &str, to: &str) -> Answer<()> {
        self.copy(from, to)?;
        self.remove(from, false)
    }
    fn copy(&self, from: &str, to: &str) -> Answer<()> {
        if folder(from)? != folder(to)? {
            return Err(PortError::Invalid);
        }
        self.write(to, &self.read(from)?)
    }
    fn stdout(&self, _: &[u8]) {}
    fn stderr(&self, _: &[u8]) {}
    fn wake(&self) {}
    fn now(&self) -> f64 {
        0.0
    }
    fn spawn(&self, _: u32, _: &str, _: &[u8]) -> Answer<()> {
        Err(PortError::Unsupported)
    }
}

/// Nothing here waits.
fn at_once<T>(future: impl Future<Output = bashkit::Result<T>>) -> Result<T, String> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(result) => result.map_err(|error| error.to_string()),
        Poll::Pending => panic!("the files of a shell never wait"),
    }
}

fn files() -> Files {
    let files = Files::new(Box::leak(Box::<Folder>::default()));
    files.commands().set(vec!["ls".into()]);
    files
}

fn text(files: &Files, path: &str) -> Result<String, String> {
    at_once(files.read_file(Path::new(path))).map(|bytes| String::from_utf8(bytes).unwrap())
}

fn mode(files: &Files, path: &str) -> u32 {
    at_once(files.stat(Path::new(path))).unwrap().mode
}

fn names(files: &Files, path: &str) -> Vec<String> {
    at_once(files.read_dir(Path::new(path))).unwrap().into_iter().map(|entry| entry.name).collect()
}

#[test]
fn places_beside_the_workspace_are_there_but_not_listed() {
    let files = files();
    at_once(files.write_file(Path::new("/tmp/a"), b"x")).unwrap();
    assert_eq!(text(&files, "/tmp/a").as_deref(), Ok("x"));
    assert_eq!(names(&files, "/"), ["output"]);
    assert_eq!(names(&files, "/tmp"), ["a"]);
    assert_eq!(names(&files, "/bin"), ["bash", "ls", "sh"]);
    assert_eq!(mode(&files, "/bin/ls"), 0o755);
    assert!(at_once(files.stat(Path::new("/bin/nosuch"))).is_err());
    assert!(at_once(files.remove(Path::new("/bin/ls"), false)).is_err());
    assert_eq!(at_once(files.read_file(Path::new("/dev/zero"))).unwrap().len(), 8 * 1024 * 1024);
    assert_eq!(text(&files, "/dev/null").as_deref(), Ok(""));
}

#[test]
fn what_is_written_below_dev_has_a_limit() {
    let files = files();
    at_once(files.write_file(Path::new("/dev/a"), b"x")).unwrap();
    assert_eq!(text(&files, "/dev/a").as_deref(), Ok("x"));
    assert!(at_once(files.write_file(Path::new("/dev/b"), &vec![0; 2 * 1024 * 1024])).is_err());
}

#[test]
fn files_move_between_all_places() {
    let files = files();
    let path = Path::new;
    at_once(files.write_file(path("/tmp/a"), b"x")).unwrap();
    at_once(files.chmod(path("/tmp/a"), 0o700)).unwrap();
    at_once(files.rename(path("/tmp/a"), path("/output/a"))).unwrap();
    assert_eq!(text(&files, "/output/a").as_deref(), Ok("x"));
    assert_eq!(mode(&files, "/output/a"), 0o700);
    assert!(text(&files, "/tmp/a").is_err());
    at_once(files.mkdir(path("/dev/deep/er"), true)).unwrap();
    at_once(files.copy(path("/output/a"), path("/dev/deep/er/b"))).unwrap();
    at_once(files.rename(path("/dev/deep/er/b"), path("/tmp/b"))).unwrap();
    assert_eq!(text(&files, "/tmp/b").as_deref(), Ok("x"));
    at_once(files.write_file(path("/dev/deep/er/c"), b"y")).unwrap();
    // The folder behind this port takes no directories.
    let error = at_once(files.rename(path("/dev/deep"), path("/output/deep"))).unwrap_err();
    assert!(error.contains("Permission denied"), "{error}");
    assert_eq!(text(&files, "/dev/deep/er/c").as_deref(), Ok("y"));
}

#[test]
fn a_pipe_is_one_as_long_as_it_has_its_name() {
    let files = files();
    let path = Path::new;
    let is_pipe = |name| at_once(files.stat(path(name))).unwrap().file_type.is_fifo();
    at_once(files.mkfifo(path("/tmp/p"), 0o600)).unwrap();
    at_once(files.append_file(path("/tmp/p"), b"x")).unwrap();
    assert!(is_pipe("/tmp/p"));
    assert_eq!(text(&files, "/tmp/p").as_deref(), Ok("x"));
    assert!(at_once(files.mkfifo(path("/tmp/p"), 0o600)).is_err());
    at_once(files.rename(path("/tmp/p"), path("/tmp/q"))).unwrap();
    assert!(is_pipe("/tmp/q"));
    at_once(files.remove(path("/tmp/q"), false)).unwrap();
    at_once(files.write_file(path("/tmp/q"), b"x")).unwrap();
    assert!(!is_pipe("/tmp/q"));
    assert!(at_once(files.mkfifo(path("/output/p"), 0o600)).unwrap_err().contains("/tmp"));
}

#[test]
fn modes_and_times_last_as_long_as_the_call() {
    let files = files();
    let path = Path::new;
    for name in ["/output/a", "/output/b.sh"] {
        at_once(files.write_file(path(name), b"x")).unwrap();
    }
    assert_eq!(mode(&files, "/output/a"), 0o644);
    assert_eq!(mode(&files, "/output/b.sh"), 0o755);
    at_once(files.chmod(path("/output/a"), 0o700)).unwrap();
    assert!(at_once(files.chmod(path("/output/c"), 0o700)).is_err());
    at_once(files.rename(path("/output/a"), path("/output/c"))).unwrap();
    assert_eq!(mode(&files, "/output/c"), 0o700);
    at_once(files.remove(path("/output/c"), false)).unwrap();
    at_once(files.write_file(path("/output/c"), b"y")).unwrap();
    assert_eq!(mode(&files, "/output/c"), 0o644);
}

#[test]
fn links_are_refused() {
    let error = at_once(files().symlink(Path::new("/output/a"), Path::new("/output/b"))).unwrap_err();
    assert!(error.contains("no links"), "{error}");
}
