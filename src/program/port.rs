//! The port, program side: all that a program can reach outside its own memory (AC-03). The functions behind it are
//! imports of the module; the driver answers them from the workspace of the core.

use std::fmt;

/// What a path is. Links, devices and modes do not exist in a workspace (WS-13).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A file.
    File,
    /// A directory.
    Directory,
}

/// What the port knows of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stat {
    /// File or directory.
    pub kind: Kind,
    /// Size in bytes; 0 for a directory.
    pub size: u64,
    /// Last change, in milliseconds since the Unix epoch.
    pub modified_ms: f64,
}

/// One name of a listing.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    /// The name inside its directory; it holds no slash.
    pub name: String,
    /// What stands under that name.
    pub stat: Stat,
}

macro_rules! errors {
    ($($(#[$doc:meta])* $name:ident = $code:literal, $sentence:literal;)*) => {
        /// Why the port refused an operation (FP-01).
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum PortError { $($(#[$doc])* $name,)* }

        impl PortError {
            /// The error with this code; a code that the port does not know is a failure of the port itself.
            #[cfg(any(feature = "program-javascript", feature = "program-shell"))]
            pub(crate) fn from_code(code: &str) -> PortError {
                match code { $($code => PortError::$name,)* _ => PortError::Io }
            }

            /// The code, as system calls name it.
            #[cfg(feature = "engine-javascript")]
            pub(crate) fn code(self) -> &'static str {
                match self { $(PortError::$name => $code,)* }
            }

            /// What tools print for it.
            pub(crate) fn sentence(self) -> &'static str {
                match self { $(PortError::$name => $sentence,)* }
            }
        }
    };
}

errors! {
    /// No such path, or one that is not visible (FP-04).
    NotFound = "ENOENT", "No such file or directory";
    /// A file operation on a directory.
    IsDirectory = "EISDIR", "Is a directory";
    /// A directory operation on a file, or a path through a file.
    NotDirectory = "ENOTDIR", "Not a directory";
    /// The path is taken.
    Exists = "EEXIST", "File exists";
    /// A directory that still has entries.
    NotEmpty = "ENOTEMPTY", "Directory not empty";
    /// Not writable, or protected (FP-04, FP-06).
    Denied = "EACCES", "Permission denied";
    /// No path at all, or a move of a directory into itself.
    Invalid = "EINVAL", "Invalid argument";
    /// Over the size of a file (WS-14).
    TooLarge = "EFBIG", "File too large";
    /// Over the size of the workspace (WS-14).
    Full = "ENOSPC", "No space left on device";
    /// Links, modes and owners (FP-02).
    Unsupported = "ENOTSUP", "Operation not supported";
    /// The effect of this program is closed (FP-03).
    Cancelled = "ECANCELED", "Operation canceled";
    /// Anything else: a fault of the driver.
    Io = "EIO", "Input/output error";
}

impl fmt::Display for PortError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.sentence())
    }
}

/// The result of an operation of the port.
pub(crate) type Answer<T> = Result<T, PortError>;

/// The port. Every operation is atomic and answered at once; paths are absolute (`/output/x`).
///
/// The driver must not call the program back from inside one of these, except for `cancel` and `complete`.
pub(crate) trait Port: Send + Sync {
    /// What stands at a path; `None` when nothing does.
    fn stat(&self, path: &str) -> Answer<Option<Stat>>;
    /// The entries of a directory, in any order.
    fn list(&self, path: &str) -> Answer<Vec<Entry>>;
    /// The whole content of a file.
    fn read(&self, path: &str) -> Answer<Vec<u8>>;
    /// Creates a file or replaces its content; the parent must exist.
    fn write(&self, path: &str, bytes: &[u8]) -> Answer<()>;
    /// Adds to the end of a file, which is created when missing.
    fn append(&self, path: &str, bytes: &[u8]) -> Answer<()>;
    /// Creates a directory, with its parents when `recursive`.
    fn mkdir(&self, path: &str, recursive: bool) -> Answer<()>;
    /// Moves a path to the trash of the workspace (FC-50).
    fn remove(&self, path: &str, recursive: bool) -> Answer<()>;
    /// Moves a file or a directory, over a file that is there.
    fn rename(&self, from: &str, to: &str) -> Answer<()>;
    /// Copies a file, over a file that is there.
    fn copy(&self, from: &str, to: &str) -> Answer<()>;
    /// Output, as it comes. The driver counts, caps and flags (SH-04).
    fn stdout(&self, bytes: &[u8]);
    /// Error output, as it comes.
    fn stderr(&self, bytes: &[u8]);
    /// The program can go on: the driver polls it again, later, never from inside this call.
    fn wake(&self);
    /// The clock of the run, in milliseconds since the Unix epoch (SH-42).
    fn now(&self) -> f64;
    /// Starts another program under a number; the driver answers with `complete`, inside this call or later (SH-57).
    #[cfg_attr(not(feature = "program-shell"), expect(dead_code, reason = "only the shell starts programs"))]
    fn spawn(&self, id: u32, request: &str, stdin: &[u8]) -> Answer<()>;
}
