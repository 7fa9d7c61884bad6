//! Where a path belongs. `/tmp`, `/dev` and `/bin` exist beside the roots of the workspace, but no listing of `/`
//! shows them: the top level lists the visible roots only (WS-02).

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::OnceLock;

/// Where a path belongs.
#[derive(Debug, PartialEq)]
pub(super) enum Place<'a> {
    /// Behind the port: the workspace and `/tmp`.
    Port(&'a str),
    /// Below `/dev`, in the memory of this call (FP-05).
    Device(&'a Path),
    /// A command of the shell, which scripts also call by its path (`#!/usr/bin/env bash`).
    Command(&'a str),
    /// `/bin`, `/usr/bin` or `/usr`.
    BinDirectory,
}

/// The commands of the shell, by name.
#[derive(Debug, Default)]
pub(in super::super) struct Commands(OnceLock<BTreeSet<String>>);

impl Commands {
    /// Tells the names, once.
    pub(in super::super) fn set(&self, names: Vec<String>) {
        let shells = ["bash", "sh"].map(String::from);
        let _ = self.0.set(names.into_iter().chain(shells).collect());
    }

    /// Where an absolute path without `.` and `..` belongs.
    pub(super) fn place<'a>(&self, path: &'a str) -> Place<'a> {
        if path == "/dev" || path.starts_with("/dev/") {
            return Place::Device(Path::new(path));
        }
        if matches!(path, "/bin" | "/usr" | "/usr/bin") {
            return Place::BinDirectory;
        }
        let name = path.strip_prefix("/bin/").or_else(|| path.strip_prefix("/usr/bin/"));
        match name {
            Some(name) if self.names().is_some_and(|names| names.contains(name)) => Place::Command(name),
            _ => Place::Port(path),
        }
    }

    /// The names in one of the directories.
    pub(super) fn inside(&self, directory: &Path) -> impl Iterator<Item = &str> {
        let names = if directory == Path::new("/usr") { None } else { self.names() };
        names.into_iter().flatten().map(String::as_str)
    }

    fn names(&self) -> Option<&BTreeSet<String>> {
        self.0.get()
    }
}

/// Whether a path behind the port belongs to the scratch tree of the call, which the programs it starts share (FP-05).
/// Nothing is renamed or copied between the two trees in one operation of the port.
pub(super) fn is_scratch(path: &str) -> bool {
    path == "/tmp" || path.starts_with("/tmp/")
}

/// The content of the file of a command: a script that runs it. The second line is the sign by which the
/// interpreter knows such a file and runs the command at once.
pub(super) fn stub(name: &str) -> String {
    format!("#!/bin/sh\n# bashkit builtin: {name}\nexec {name} \"$@\"\n")
}
