//! The file port: what a running program may ask of the workspace, and what it is answered (FP-01).

use std::sync::Arc;

/// One operation. Paths are absolute: `/output/x` is the tools' `output/x`, and `/tmp` is private to the effect (FP-05).
/// `now` is the program's time of a change, in milliseconds since the Unix epoch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PortOp<'a> {
    /// What stands at a path. Answer: [`PortReply::Stat`].
    Stat {
        /// Which.
        path: &'a str,
    },
    /// The entries of a directory. Answer: [`PortReply::List`].
    List {
        /// Which.
        path: &'a str,
    },
    /// The whole of a file. Answer: [`PortReply::Bytes`].
    Read {
        /// Which.
        path: &'a str,
    },
    /// Makes or replaces a file in a directory that exists.
    Write {
        /// Which.
        path: &'a str,
        /// All of its content.
        bytes: &'a [u8],
        /// When.
        now: u64,
    },
    /// Adds to the end of a file, or makes it.
    Append {
        /// Which.
        path: &'a str,
        /// What is added.
        bytes: &'a [u8],
        /// When.
        now: u64,
    },
    /// Makes a directory.
    Mkdir {
        /// Which.
        path: &'a str,
        /// With its parents; one that exists is left as it is.
        recursive: bool,
        /// When.
        now: u64,
    },
    /// Takes a file or a directory out.
    Remove {
        /// Which.
        path: &'a str,
        /// With everything below.
        recursive: bool,
        /// When.
        now: u64,
    },
    /// Moves a file or a directory, over a file or an empty directory that is there.
    Rename {
        /// Which.
        from: &'a str,
        /// Its new place.
        to: &'a str,
        /// When.
        now: u64,
    },
    /// Copies a file over one that is there, or a directory with everything below to where nothing is.
    Copy {
        /// Which.
        from: &'a str,
        /// Where to.
        to: &'a str,
        /// When.
        now: u64,
    },
}

/// The answer to an operation.
#[derive(Clone, Debug, PartialEq)]
pub enum PortReply {
    /// It is done.
    Done,
    /// What stands at the path, if anything does.
    Stat(Option<PortStat>),
    /// Entries in order of their names.
    List(Vec<PortEntry>),
    /// The content of a file.
    Bytes(Arc<[u8]>),
}

/// File or directory; there is nothing else (WS-13).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum PortKind {
    File = 1,
    Directory = 2,
}

/// What stands at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PortStat {
    /// What it is.
    pub kind: PortKind,
    /// Bytes; 0 of a directory.
    pub size: usize,
    /// When this effect changed it, or the start of the effect; milliseconds since the Unix epoch. The workspace itself
    /// keeps no times.
    pub modified: u64,
}

/// One entry of a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PortEntry {
    /// Its name, without a slash.
    pub name: String,
    /// What it is.
    pub stat: PortStat,
}

macro_rules! errors {
    ($($(#[$doc:meta])* $name:ident = $code:literal;)*) => {
        /// Why an operation is refused; nothing has changed then.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum PortError { $($(#[$doc])* $name,)* }

        impl PortError {
            /// The POSIX name, for example `ENOENT`.
            pub fn as_str(self) -> &'static str {
                match self { $(PortError::$name => $code,)* }
            }
        }

        #[cfg(feature = "testing")]
        impl schemars::JsonSchema for PortError {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                "PortError".into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({
                    "type": "string",
                    "enum": [$($code),*],
                    "description": "Why an operation on the files of a command is refused; nothing has changed then.",
                })
            }
        }
    };
}

errors! {
    /// Nothing stands there, or nothing that is visible (FP-04).
    NotFound = "ENOENT";
    /// A directory stands where a file is needed.
    IsDirectory = "EISDIR";
    /// A file stands where a directory is needed.
    NotDirectory = "ENOTDIR";
    /// Something stands there.
    Exists = "EEXIST";
    /// The directory has entries.
    NotEmpty = "ENOTEMPTY";
    /// Not below a writable root (FP-04).
    Denied = "EACCES";
    /// No path, or a directory that would come to stand inside itself.
    Invalid = "EINVAL";
    /// The file, or the answer, is too large (WS-14, FP-02).
    TooLarge = "EFBIG";
    /// There is no room (WS-14).
    Full = "ENOSPC";
    /// No such operation here (FP-02).
    Unsupported = "ENOTSUP";
    /// The effect is not open, or not one of a program (FP-03).
    Cancelled = "ECANCELED";
}

impl std::fmt::Display for PortError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}
