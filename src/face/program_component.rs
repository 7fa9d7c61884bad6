//! A program as a component: the world `program` of `wit/`. Its files, its clock and its output are those that the host
//! gives it; there is nothing else it could reach.

use std::cell::RefCell;

use crate::program::javascript::{Alarm, Handle, Outside, Run};
use crate::program::port::{Answer, Entry, Kind, Port, PortError, Stat};
use crate::program::random;

wit_bindgen::generate!({ path: "wit", world: "program" });

use exports::handrail::agent::process::Guest;
use handrail::agent::{clock, files, output, spawn, types};

thread_local! {
    static HANDLE: Handle = Handle::default();
    static RUN: RefCell<Option<Run>> = const { RefCell::new(None) };
}

const OUTSIDE: Outside = Outside { port: &Host, alarm: &Host };

struct Program;

impl Guest for Program {
    fn start(request: String, stdin: Vec<u8>) -> Result<(), String> {
        let run = HANDLE.with(|handle| Run::start(&request, stdin, OUTSIDE, handle));
        RUN.replace(Some(run.map_err(|error| error.to_string())?));
        Ok(())
    }

    fn poll() -> bool {
        RUN.with_borrow_mut(|run| run.as_mut().is_none_or(Run::poll))
    }

    /// Nothing: this program starts no others.
    fn complete(_id: u32, _exit: i32, _stdout: Vec<u8>, _stderr: Vec<u8>) {}

    fn cancel() {
        HANDLE.with(|handle| handle.cancel(OUTSIDE));
    }

    fn finish() -> Option<String> {
        RUN.with_borrow(|run| serde_json::to_string(run.as_ref()?.end()?).ok())
    }
}

export!(Program);

/// The imports of this instance.
#[derive(Debug)]
struct Host;

impl Port for Host {
    fn stat(&self, path: &str) -> Answer<Option<Stat>> {
        Ok(files::stat_of(path)?.map(Stat::from))
    }

    fn list(&self, path: &str) -> Answer<Vec<Entry>> {
        let entry = |entry: types::Entry| Entry { name: entry.name, stat: entry.stat.into() };
        Ok(files::entries_of(path)?.into_iter().map(entry).collect())
    }

    fn read(&self, path: &str) -> Answer<Vec<u8>> {
        Ok(files::read(path)?)
    }

    fn write(&self, path: &str, bytes: &[u8]) -> Answer<()> {
        Ok(files::write(path, bytes)?)
    }

    fn append(&self, path: &str, bytes: &[u8]) -> Answer<()> {
        Ok(files::append(path, bytes)?)
    }

    fn mkdir(&self, path: &str, recursive: bool) -> Answer<()> {
        Ok(files::mkdir(path, recursive)?)
    }

    fn remove(&self, path: &str, recursive: bool) -> Answer<()> {
        Ok(files::remove(path, recursive)?)
    }

    fn rename(&self, from: &str, to: &str) -> Answer<()> {
        Ok(files::rename(from, to)?)
    }

    fn copy(&self, from: &str, to: &str) -> Answer<()> {
        Ok(files::copy(from, to)?)
    }

    fn stdout(&self, bytes: &[u8]) {
        output::stdout(bytes);
    }

    fn stderr(&self, bytes: &[u8]) {
        output::stderr(bytes);
    }

    fn wake(&self) {
        clock::wake();
    }

    fn now(&self) -> f64 {
        clock::now()
    }

    fn spawn(&self, id: u32, request: &str, stdin: &[u8]) -> Answer<()> {
        Ok(spawn::begin(id, request, stdin)?)
    }
}

impl Alarm for Host {
    fn ring_after(&self, ms: f64) {
        clock::wake_after(ms);
    }

    fn silence(&self) {
        clock::stay_asleep();
    }
}

impl From<types::Stat> for Stat {
    fn from(stat: types::Stat) -> Self {
        let kind = match stat.kind {
            types::Kind::File => Kind::File,
            types::Kind::Directory => Kind::Directory,
        };
        Stat { kind, size: stat.size, modified_ms: stat.modified as f64 }
    }
}

impl From<types::PortError> for PortError {
    fn from(refused: types::PortError) -> Self {
        match refused {
            types::PortError::NotFound => PortError::NotFound,
            types::PortError::IsDirectory => PortError::IsDirectory,
            types::PortError::NotDirectory => PortError::NotDirectory,
            types::PortError::Exists => PortError::Exists,
            types::PortError::NotEmpty => PortError::NotEmpty,
            types::PortError::Denied => PortError::Denied,
            types::PortError::Invalid => PortError::Invalid,
            types::PortError::TooLarge => PortError::TooLarge,
            types::PortError::Full => PortError::Full,
            types::PortError::Unsupported => PortError::Unsupported,
            types::PortError::Cancelled => PortError::Cancelled,
            types::PortError::Io => PortError::Io,
        }
    }
}

/// Where the libraries of the program get random bytes from: the seed of its request, and nothing else (SH-42). The
/// build says `--cfg getrandom_backend="custom"`, which makes getrandom call this.
///
/// # Safety
/// `dest` has room for `length` bytes.
#[unsafe(no_mangle)]
unsafe extern "Rust" fn __getrandom_v03_custom(dest: *mut u8, length: usize) -> Result<(), getrandom::Error> {
    let mut bytes = vec![0; length];
    random::fill(&mut bytes);
    // SAFETY: getrandom gives room for `length` bytes, and the two do not overlap.
    unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), dest, length) };
    Ok(())
}
