//! The runtime as a component: the world `runtime` of `wit/`. It exports the session and imports nothing.

use std::cell::RefCell;

use crate::protocol::{self, PortOp, PortReply};

wit_bindgen::generate!({ path: "wit", world: "runtime" });

use exports::handrail::agent::session::{Guest, GuestSession};
use exports::handrail::agent::types::{Entry, Fault, Kind, PortError, Stat};

struct Runtime;

impl Guest for Runtime {
    type Session = Session;
}

export!(Runtime);

/// A session of the host. The calls of a component never overlap, so the cell is never borrowed twice.
struct Session(RefCell<crate::session::Session>);

impl GuestSession for Session {
    fn new() -> Self {
        Session(RefCell::new(crate::session::Session::new()))
    }

    fn step(&self, inputs: String, now: u64) -> Result<String, Fault> {
        self.0.borrow_mut().step_text(&inputs, now).map_err(Fault::from)
    }

    fn put_blob(&self, bytes: Vec<u8>) -> String {
        self.0.borrow_mut().put_blob(bytes)
    }

    fn blob(&self, digest: String) -> Option<Vec<u8>> {
        self.0.borrow().blob(&digest).map(|bytes| bytes.to_vec())
    }

    fn snapshot(&self) -> Result<Vec<u8>, Fault> {
        self.0.borrow_mut().snapshot().map_err(Fault::from)
    }

    fn snapshot_blobs(&self) -> Vec<String> {
        self.0.borrow_mut().snapshot_blobs()
    }

    fn fresh_blobs(&self) -> Vec<String> {
        self.0.borrow().fresh_blobs()
    }

    fn restore(&self, state: Vec<u8>) -> Result<(), Fault> {
        self.0.borrow_mut().restore(&state).map_err(Fault::from)
    }

    fn in_flight(&self) -> String {
        self.0.borrow().in_flight_text()
    }

    fn port_stat(&self, effect: String, path: String) -> Result<Option<Stat>, PortError> {
        let PortReply::Stat(stat) = self.port(&effect, PortOp::Stat { path: &path })? else {
            return Ok(None);
        };
        Ok(stat.map(Stat::from))
    }

    fn port_list(&self, effect: String, path: String) -> Result<Vec<Entry>, PortError> {
        let PortReply::List(entries) = self.port(&effect, PortOp::List { path: &path })? else {
            return Ok(Vec::new());
        };
        Ok(entries.into_iter().map(Entry::from).collect())
    }

    fn port_read(&self, effect: String, path: String) -> Result<Vec<u8>, PortError> {
        let PortReply::Bytes(bytes) = self.port(&effect, PortOp::Read { path: &path })? else {
            return Ok(Vec::new());
        };
        Ok(bytes.to_vec())
    }

    fn port_write(&self, effect: String, path: String, bytes: Vec<u8>, now: u64) -> Result<(), PortError> {
        self.port(&effect, PortOp::Write { path: &path, bytes: &bytes, now }).map(drop)
    }

    fn port_append(&self, effect: String, path: String, bytes: Vec<u8>, now: u64) -> Result<(), PortError> {
        self.port(&effect, PortOp::Append { path: &path, bytes: &bytes, now }).map(drop)
    }

    fn port_mkdir(&self, effect: String, path: String, recursive: bool, now: u64) -> Result<(), PortError> {
        self.port(&effect, PortOp::Mkdir { path: &path, recursive, now }).map(drop)
    }

    fn port_remove(&self, effect: String, path: String, recursive: bool, now: u64) -> Result<(), PortError> {
        self.port(&effect, PortOp::Remove { path: &path, recursive, now }).map(drop)
    }

    fn port_rename(&self, effect: String, source: String, target: String, now: u64) -> Result<(), PortError> {
        self.port(&effect, PortOp::Rename { from: &source, to: &target, now }).map(drop)
    }

    fn port_copy(&self, effect: String, source: String, target: String, now: u64) -> Result<(), PortError> {
        self.port(&effect, PortOp::Copy { from: &source, to: &target, now }).map(drop)
    }
}

impl Session {
    fn port(&self, effect: &str, op: PortOp<'_>) -> Result<PortReply, PortError> {
        self.0.borrow_mut().file_port(effect, op).map_err(PortError::from)
    }
}

impl From<protocol::Fault> for Fault {
    fn from(fault: protocol::Fault) -> Self {
        let details = fault.details.map(|details| details.to_string());
        Fault { code: fault.code.as_str().into(), message: fault.message, details }
    }
}

impl From<protocol::PortError> for PortError {
    fn from(refused: protocol::PortError) -> Self {
        match refused {
            protocol::PortError::NotFound => PortError::NotFound,
            protocol::PortError::IsDirectory => PortError::IsDirectory,
            protocol::PortError::NotDirectory => PortError::NotDirectory,
            protocol::PortError::Exists => PortError::Exists,
            protocol::PortError::NotEmpty => PortError::NotEmpty,
            protocol::PortError::Denied => PortError::Denied,
            protocol::PortError::Invalid => PortError::Invalid,
            protocol::PortError::TooLarge => PortError::TooLarge,
            protocol::PortError::Full => PortError::Full,
            protocol::PortError::Unsupported => PortError::Unsupported,
            protocol::PortError::Cancelled => PortError::Cancelled,
        }
    }
}

impl From<protocol::PortStat> for Stat {
    fn from(stat: protocol::PortStat) -> Self {
        let kind = match stat.kind {
            protocol::PortKind::File => Kind::File,
            protocol::PortKind::Directory => Kind::Directory,
        };
        Stat { kind, size: stat.size as u64, modified: stat.modified }
    }
}

impl From<protocol::PortEntry> for Entry {
    fn from(entry: protocol::PortEntry) -> Self {
        Entry { name: entry.name, stat: entry.stat.into() }
    }
}
