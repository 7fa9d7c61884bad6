use super::Files;
use crate::program::port::{Answer, Entry, Kind, Port, PortError, Stat};
use bashkit::FileSystem;
use std::collections::BTreeMap;
use std::future::Future;
use std::path::Path;
use std::pin::pin;
use std::sync::Mutex;
use std::task::{Context, Poll, Waker};

/// One directory, `/output`, and its files.
#[derive(Default)]
struct Folder(Mutex<BTreeMap<String, Vec<u8>>>);

impl Port for Folder {
    fn stat(&self, path: &str) -> Answer<Option<Stat>> {
        let stat = |kind, size| Some(Stat { kind, size, modified_ms: 1_000.0 });
        if path == "/" || path == "/output" {
            return Ok(stat(Kind::Directory, 0));
        }
        Ok(self.0.lock().unwrap().get(path).and_then(|bytes| stat(Kind::File, bytes.len() as u64)))
    }
    fn list(&self, path: &str) -> Answer<Vec<Entry>> {
        if path == "/" {
            return Ok(vec![Entry { name: "output".into(), stat: self.stat("/output")?.unwrap() }]);
        }
        let names: Vec<String> = self.0.lock().unwrap().keys().cloned().collect();
        let entry = |name: String| Entry {
            stat: self.stat(&name).unwrap().unwrap(),
            name: name.replace("/output/", ""),
        };
        Ok(names.into_iter().map(entry).collect())
    }
    fn read(&self, path: &str) -> Answer<Vec<u8>> {
        self.0.lock().unwrap().get(path).cloned().ok_or(PortError::NotFound)
    }
    fn write(&self, path: &str, bytes: &[u8]) -> Answer<()> {
        let name = path.strip_prefix("/output/").ok_or(PortError::Denied)?;
        if name.contains('/') {
            return Err(PortError::NotFound);
        }
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
fn private_places_are_there_but_not_listed() {
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
fn private_files_have_a_limit() {
    let files = files();
    let half = vec![0; 9 * 1024 * 1024];
    at_once(files.write_file(Path::new("/tmp/a"), &half)).unwrap();
    assert!(at_once(files.write_file(Path::new("/tmp/b"), &half)).is_err());
}

#[test]
fn files_move_between_both_places() {
    let files = files();
    let path = Path::new;
    at_once(files.write_file(path("/tmp/a"), b"x")).unwrap();
    at_once(files.rename(path("/tmp/a"), path("/output/a"))).unwrap();
    assert_eq!(text(&files, "/output/a").as_deref(), Ok("x"));
    assert!(text(&files, "/tmp/a").is_err());
    at_once(files.mkdir(path("/tmp/deep/er"), true)).unwrap();
    at_once(files.copy(path("/output/a"), path("/tmp/deep/er/b"))).unwrap();
    at_once(files.rename(path("/tmp/deep"), path("/tmp/other"))).unwrap();
    assert_eq!(text(&files, "/tmp/other/er/b").as_deref(), Ok("x"));
    // The folder behind this port takes no directories.
    let error = at_once(files.rename(path("/tmp/other"), path("/output/other"))).unwrap_err();
    assert!(error.contains("Permission denied"), "{error}");
    assert_eq!(text(&files, "/tmp/other/er/b").as_deref(), Ok("x"));
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
