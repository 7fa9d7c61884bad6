//! A workspace in memory, and programs that run over it to their end.

#[path = "run_tests.rs"]
mod run_tests;

use super::process::{Alarm, Outside};
use super::run::{End, Handle, Run};
use crate::program::port::{Answer, Entry, Kind, Port, PortError, Stat};
use std::collections::BTreeMap;
use std::sync::Mutex;

/// Files by their path; directories are the paths that end in a slash.
#[derive(Default)]
struct Memory {
    files: Mutex<BTreeMap<String, Vec<u8>>>,
    stdout: Mutex<Vec<u8>>,
    stderr: Mutex<Vec<u8>>,
    now: Mutex<f64>,
    alarm: Mutex<Option<f64>>,
}

impl Memory {
    fn kind(&self, path: &str) -> Option<Kind> {
        let files = self.files.lock().unwrap();
        if files.contains_key(path) {
            return Some(Kind::File);
        }
        let below = if path == "/" { "/".into() } else { format!("{path}/") };
        (path == "/" || files.keys().any(|other| other.starts_with(&below))).then_some(Kind::Directory)
    }

    fn parent(&self, path: &str) -> Answer<()> {
        match self.kind(super::process::directory(path)) {
            Some(Kind::Directory) => Ok(()),
            Some(Kind::File) => Err(PortError::NotDirectory),
            None => Err(PortError::NotFound),
        }
    }
}

impl Port for Memory {
    fn stat(&self, path: &str) -> Answer<Option<Stat>> {
        let size = self.files.lock().unwrap().get(path).map_or(0, Vec::len) as u64;
        Ok(self.kind(path).map(|kind| Stat { kind, size, modified_ms: 0.0 }))
    }

    fn list(&self, path: &str) -> Answer<Vec<Entry>> {
        match self.kind(path) {
            None => return Err(PortError::NotFound),
            Some(Kind::File) => return Err(PortError::NotDirectory),
            Some(Kind::Directory) => {}
        }
        let below = if path == "/" { "/".into() } else { format!("{path}/") };
        let names: BTreeMap<String, Kind> = self
            .files
            .lock()
            .unwrap()
            .keys()
            .filter_map(|other| other.strip_prefix(&below))
            .filter(|rest| !rest.is_empty())
            .map(|rest| match rest.split_once('/') {
                Some((name, _)) => (name.to_owned(), Kind::Directory),
                None => (rest.to_owned(), Kind::File),
            })
            .collect();
        Ok(names
            .into_iter()
            .map(|(name, kind)| Entry { name, stat: Stat { kind, size: 0, modified_ms: 0.0 } })
            .collect())
    }

    fn read(&self, path: &str) -> Answer<Vec<u8>> {
        match self.kind(path) {
            Some(Kind::Directory) => Err(PortError::IsDirectory),
            Some(Kind::File) => Ok(self.files.lock().unwrap().get(path).unwrap().clone()),
            None => Err(PortError::NotFound),
        }
    }

    fn write(&self, path: &str, bytes: &[u8]) -> Answer<()> {
        if self.kind(path) == Some(Kind::Directory) {
            return Err(PortError::IsDirectory);
        }
        self.parent(path)?;
        self.files.lock().unwrap().insert(path.into(), bytes.into());
        Ok(())
    }

    fn append(&self, path: &str, bytes: &[u8]) -> Answer<()> {
        self.parent(path)?;
        self.files.lock().unwrap().entry(path.into()).or_default().extend_from_slice(bytes);
        Ok(())
    }

    fn mkdir(&self, path: &str, recursive: bool) -> Answer<()> {
        match self.kind(path) {
            Some(Kind::Directory) if recursive => return Ok(()),
            Some(_) => return Err(PortError::Exists),
            None => {}
        }
        if !recursive {
            self.parent(path)?;
        }
        self.files.lock().unwrap().insert(format!("{path}/"), Vec::new());
        Ok(())
    }

    fn remove(&self, path: &str, recursive: bool) -> Answer<()> {
        let below = format!("{path}/");
        match self.kind(path) {
            None => return Err(PortError::NotFound),
            Some(Kind::Directory) if !recursive && !self.list(path)?.is_empty() => {
                return Err(PortError::NotEmpty);
            }
            Some(_) => {}
        }
        self.files.lock().unwrap().retain(|other, _| other != path && !other.starts_with(&below));
        Ok(())
    }

    fn rename(&self, from: &str, to: &str) -> Answer<()> {
        let content = self.read(from)?;
        self.write(to, &content)?;
        self.remove(from, false)
    }

    fn copy(&self, from: &str, to: &str) -> Answer<()> {
        let content = self.read(from)?;
        self.write(to, &content)
    }

    fn stdout(&self, bytes: &[u8]) {
        self.stdout.lock().unwrap().extend_from_slice(bytes);
    }

    fn stderr(&self, bytes: &[u8]) {
        self.stderr.lock().unwrap().extend_from_slice(bytes);
    }

    fn wake(&self) {}

    fn now(&self) -> f64 {
        let mut now = self.now.lock().unwrap();
        *now += 0.001;
        *now
    }

    fn spawn(&self, _: u32, _: &str, _: &[u8]) -> Answer<()> {
        Err(PortError::Unsupported)
    }
}

impl Alarm for Memory {
    fn ring_after(&self, ms: f64) {
        *self.alarm.lock().unwrap() = Some(ms);
    }

    fn silence(&self) {
        *self.alarm.lock().unwrap() = None;
    }
}

/// What a program did.
struct Ran {
    pub end: End,
    pub stdout: String,
    pub stderr: String,
    pub polls: usize,
    memory: &'static Memory,
}

impl Ran {
    /// A file of the workspace afterwards.
    fn file(&self, path: &str) -> Option<String> {
        self.memory.read(path).ok().map(|bytes| String::from_utf8(bytes).unwrap())
    }
}

/// Runs a command line over some files, in the directory `/output`, with further members of the request. Sleeping takes
/// no time: the clock jumps.
fn run(argv: &[&str], files: &[(&str, &str)], stdin: &str, more: serde_json::Value) -> Ran {
    let memory: &'static Memory = Box::leak(Box::default());
    memory.files.lock().unwrap().insert("/output/".into(), Vec::new());
    for (path, content) in files {
        memory.files.lock().unwrap().insert((*path).into(), content.as_bytes().into());
    }
    let mut request = serde_json::json!({
        "argv": argv, "cwd": "/output", "env": { "PATH": "/bin" }, "now": 1_700_000_000_000u64, "seed": "seed", "deadlineMs": 30_000.0
    });
    request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let outside = Outside { port: memory, alarm: memory };
    let mut run =
        Run::start(&request.to_string(), stdin.as_bytes().into(), outside, &Handle::default()).unwrap();
    let mut polls = 0;
    while !run.poll() {
        polls += 1;
        if let Some(ms) = memory.alarm.lock().unwrap().take() {
            *memory.now.lock().unwrap() += ms;
        }
    }
    let text = |bytes: &Mutex<Vec<u8>>| String::from_utf8_lossy(&bytes.lock().unwrap()).into_owned();
    Ran {
        end: run.end().unwrap().clone(),
        stdout: text(&memory.stdout),
        stderr: text(&memory.stderr),
        polls,
        memory,
    }
}
