//! Where the files of a call lie (RS-50, RS-51).

use std::borrow::Cow;
use std::fmt::Write as _;
use std::sync::Arc;

use crate::protocol::Scenario;
use crate::protocol::digest::short_hash;
use crate::workspace::WorkspacePath;

/// Longest id that names a folder as it is.
const FOLDER_CHARS: usize = 128;
/// Characters of the name of a file of arguments, a slash before it, in a run of up to 999 steps.
const NAME_CHARS: usize = "/round-NNN-call_0123456789abcdef.json".len();
/// Where arguments lie.
const ARGUMENTS: &str = "tool-args/";
/// Where results lie.
const RESULTS: &str = "tool-results/";
/// How the names of arguments and whole results end.
const JSON: &str = ".json";

/// The names of the files of one call. They are made from a hash of the call id: what a provider calls its calls never
/// becomes a path (RS-53).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallFiles {
    arguments: WorkspacePath,
    /// What the names of its results end in.
    suffix: &'static str,
}

impl CallFiles {
    /// The files of a call: in the folder of its invocation, or, in a session, in that of its run (RS-51).
    pub fn new(scenario: Scenario, run_id: &str, invocation_id: &str, round: u32, call_id: &str) -> Self {
        let folder = folder(scenario, run_id, invocation_id);
        let mut arguments = String::with_capacity(ARGUMENTS.len() + folder.len() + NAME_CHARS);
        // Writing to a string cannot fail.
        let _ = write!(arguments, "{ARGUMENTS}{folder}/round-{round:03}-call_{}{JSON}", short_hash(call_id));
        Self { arguments: WorkspacePath::made(arguments), suffix: "" }
    }

    /// The folders of a run, for the arguments and the results of its calls.
    pub fn folders(scenario: Scenario, run_id: &str, invocation_id: &str) -> [WorkspacePath; 2] {
        let folder = folder(scenario, run_id, invocation_id);
        [ARGUMENTS, RESULTS].map(|root| WorkspacePath::made([root, &folder].concat()))
    }

    /// The files of the call whose arguments lie at this path; `None` if no call's do.
    pub fn beside(arguments: &Arc<str>) -> Option<Self> {
        let (folder, name) = stem(arguments)?.split_once('/')?;
        let is_one = is_plain(folder) && is_plain(name);
        is_one.then(|| Self { arguments: WorkspacePath::made(Arc::clone(arguments)), suffix: "" })
    }

    /// The files of the same call when its result comes from the background (SC-46).
    pub fn background(&self) -> Self {
        Self { suffix: "-background", ..self.clone() }
    }

    /// The arguments.
    pub fn arguments(&self) -> WorkspacePath {
        self.arguments.clone()
    }

    /// The whole result, for the audit.
    pub fn result(&self) -> WorkspacePath {
        self.of_result(JSON)
    }

    /// The whole text, for reading.
    pub fn readable(&self) -> WorkspacePath {
        self.of_result(".txt")
    }

    /// An image, counted from 1, with its file extension.
    pub fn image(&self, number: usize, extension: &str) -> WorkspacePath {
        self.of_result(&format!("-img-{number}.{extension}"))
    }

    fn of_result(&self, ending: &str) -> WorkspacePath {
        let stem = stem(self.arguments.as_str()).unwrap_or_default();
        WorkspacePath::made([RESULTS, stem, self.suffix, ending].concat())
    }
}

/// What the paths of all files of a call have in common.
fn stem(arguments: &str) -> Option<&str> {
    arguments.strip_prefix(ARGUMENTS)?.strip_suffix(JSON)
}

/// The folder of a run. A host may choose the id of a run: one that is no plain file name is hashed.
fn folder<'a>(scenario: Scenario, run_id: &'a str, invocation_id: &'a str) -> Cow<'a, str> {
    let owner = match scenario {
        Scenario::Chat => invocation_id,
        Scenario::Session => run_id,
    };
    if is_plain(owner) { Cow::Borrowed(owner) } else { Cow::Owned(short_hash(owner)) }
}

/// Whether this is a plain file name, and no long one.
fn is_plain(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    (1..=FOLDER_CHARS).contains(&name.len()) && name.bytes().all(is_plain) && !name.starts_with('.')
}
