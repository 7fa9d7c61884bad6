//! The state of one program that is not inside the engine: what it may reach, and how it is to end.

use super::command_line::CommandLine;
use super::console::Console;
use super::request::Request;
use crate::program::port::Port;
use boa_engine::error::PanicError;
use boa_engine::{Context, JsError, JsObject, JsResult, JsString, JsValue};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// Asks the driver for a poll at a later time. One alarm is set at most; a new one replaces it.
pub(crate) trait Alarm: Send + Sync {
    /// Wakes the program after so many milliseconds.
    fn ring_after(&self, ms: f64);
    /// Forgets the alarm.
    fn silence(&self);
}

/// The world outside of the engine.
#[derive(Clone, Copy)]
pub(crate) struct Outside {
    /// Files, output and the clock.
    pub port: &'static dyn Port,
    /// Timers.
    pub alarm: &'static dyn Alarm,
}

/// One program while it runs.
pub(crate) struct Process {
    /// What it may reach.
    pub outside: Outside,
    /// What was asked for.
    pub request: Request,
    /// The command line as it was understood.
    pub command: CommandLine,
    /// Standard input, until somebody takes it.
    pub stdin: RefCell<Vec<u8>>,
    /// The working directory.
    pub cwd: RefCell<String>,
    /// Groups, counters and clocks of `console`.
    pub console: RefCell<Console>,
    /// Libraries of this module that were loaded, by name.
    pub libraries: RefCell<BTreeMap<&'static str, JsValue>>,
    /// CommonJS modules that were begun, by path: `require.cache`.
    pub required: RefCell<Option<JsObject>>,
    /// The module of the entry, `require.main`.
    pub main: RefCell<Option<JsObject>>,
    /// The path of the entry; `[eval]` and `[stdin]` stand in the working directory.
    pub main_path: RefCell<String>,
    /// Characters that stand in front of the first line of the entry when it is a module.
    pub main_head: Cell<usize>,
    /// The text of the entry when it is no file.
    pub main_text: RefCell<String>,
    /// Globals of libraries that were read or set.
    pub globals: RefCell<BTreeMap<JsString, JsValue>>,
    /// The functions that libraries are made of, once a library was loaded.
    pub native: RefCell<Option<JsObject>>,
    /// Promises that were rejected and have no handler yet.
    pub rejections: Rejections,
    /// The clock of the program runs this much ahead of the port's.
    skew_ms: f64,
    started_ms: f64,
    exit: Cell<Option<i32>>,
    stopped: Cell<Option<&'static str>>,
}

impl Process {
    /// A program that has not begun.
    pub(crate) fn new(outside: Outside, request: Request, command: CommandLine, stdin: Vec<u8>) -> Process {
        let now = outside.port.now();
        Process {
            outside,
            command,
            stdin: RefCell::new(stdin),
            cwd: RefCell::new(request.cwd.clone()),
            console: RefCell::default(),
            libraries: RefCell::default(),
            required: RefCell::default(),
            main: RefCell::default(),
            main_path: RefCell::default(),
            main_head: Cell::new(0),
            main_text: RefCell::default(),
            globals: RefCell::default(),
            native: RefCell::default(),
            rejections: Rejections::default(),
            skew_ms: request.now.map_or(0.0, |start| start - now),
            started_ms: now,
            exit: Cell::new(None),
            stopped: Cell::new(None),
            request,
        }
    }

    /// The program that an engine runs.
    ///
    /// # Errors
    /// The engine belongs to no program.
    pub(crate) fn of(context: &Context) -> JsResult<Rc<Process>> {
        context.get_data::<Rc<Process>>().cloned().ok_or_else(|| PanicError::new("no program").into())
    }

    /// Milliseconds since the Unix epoch, on the clock that scripts see (SH-42).
    pub(crate) fn now(&self) -> f64 {
        self.outside.port.now() + self.skew_ms
    }

    /// Milliseconds since the program began.
    pub(crate) fn elapsed(&self) -> f64 {
        self.outside.port.now() - self.started_ms
    }

    /// The path as the port takes it: absolute, without `.` and `..`.
    pub(crate) fn absolute(&self, path: &str) -> String {
        normal(&self.cwd.borrow(), path)
    }

    /// Writes to standard output, unless the program has ended already.
    ///
    /// # Errors
    /// The program has ended: the engine stops here.
    pub(crate) fn stdout(&self, text: &[u8]) -> JsResult<()> {
        self.going()?;
        self.outside.port.stdout(text);
        Ok(())
    }

    /// Writes to standard error; as [`Process::stdout`].
    ///
    /// # Errors
    /// The program has ended: the engine stops here.
    pub(crate) fn stderr(&self, text: &[u8]) -> JsResult<()> {
        self.going()?;
        self.outside.port.stderr(text);
        Ok(())
    }

    /// Ends the program: the returned error is one that scripts cannot catch. Inside an async function the engine
    /// turns it into a rejection and goes on, which is why everything that has an effect asks [`Process::going`].
    pub(crate) fn exit(&self, code: i32) -> JsError {
        self.exit.set(Some(code));
        PanicError::new("exit").into()
    }

    /// Ends the program because a bound was reached; the sentence says which (SH-43).
    pub(crate) fn stop(&self, limit: &'static str) -> JsError {
        self.stopped.set(Some(limit));
        self.exit(126)
    }

    /// The bound that ended the program.
    pub(crate) fn limit(&self) -> Option<&'static str> {
        self.stopped.get()
    }

    /// The status that the program asked to end with.
    pub(crate) fn exited(&self) -> Option<i32> {
        self.exit.get()
    }

    /// Whether the program may still have effects.
    ///
    /// # Errors
    /// It may not: the engine stops here.
    pub(crate) fn going(&self) -> JsResult<()> {
        match self.exit.get() {
            Some(code) => Err(self.exit(code)),
            None => Ok(()),
        }
    }
}

/// Promises without a handler, in the order of their rejection.
#[derive(Default)]
pub(crate) struct Rejections(RefCell<BTreeMap<(u64, u64), JsObject>>, Cell<u64>);

impl Rejections {
    /// A promise was rejected.
    pub(crate) fn add(&self, promise: JsObject) {
        self.1.set(self.1.get() + 1);
        self.0.borrow_mut().insert((place(&promise), self.1.get()), promise);
    }

    /// A promise has a handler now.
    pub(crate) fn remove(&self, promise: &JsObject) {
        let place = place(promise);
        let mut promises = self.0.borrow_mut();
        let found = promises
            .range((place, 0)..=(place, u64::MAX))
            .find(|(_, other)| JsObject::equals(other, promise));
        if let Some(key) = found.map(|(key, _)| *key) {
            promises.remove(&key);
        }
    }

    /// Takes the first of them.
    pub(crate) fn take_first(&self) -> Option<JsObject> {
        let mut promises = self.0.borrow_mut();
        let key = *promises.keys().min_by_key(|key| key.1)?;
        promises.remove(&key)
    }
}

/// A number that is the same for the same object.
fn place(object: &JsObject) -> u64 {
    let mut hasher = std::hash::DefaultHasher::new();
    object.hash(&mut hasher);
    hasher.finish()
}

/// Joins a path to a directory and removes `.`, `..` and doubled slashes.
pub(crate) fn normal(directory: &str, path: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    let base = if path.starts_with('/') { "" } else { directory };
    for name in base.split('/').chain(path.split('/')) {
        match name {
            "" | "." => {}
            ".." => {
                names.pop();
            }
            _ => names.push(name),
        }
    }
    format!("/{}", names.join("/"))
}

/// The directory that a path lies in.
pub(crate) fn directory(path: &str) -> &str {
    match path.rsplit_once('/') {
        Some(("", _)) | None => "/",
        Some((head, _)) => head,
    }
}
