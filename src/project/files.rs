//! Where the files of a call lie (RS-50, RS-51).

use std::borrow::Cow;

use crate::protocol::Scenario;
use crate::protocol::digest::short_hash;

/// Longest id that names a folder as it is.
const FOLDER_CHARS: usize = 128;

/// The names of the files of one call. They are made from a hash of the call id: what a provider calls its calls never
/// becomes a path (RS-53).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallFiles {
    folder: String,
    stem: String,
    /// What the names of its results end in.
    suffix: &'static str,
}

impl CallFiles {
    /// The files of a call: in the folder of its invocation, or, in a session, in that of its run (RS-51).
    pub fn new(scenario: Scenario, run_id: &str, invocation_id: &str, round: u32, call_id: &str) -> Self {
        let owner = match scenario {
            Scenario::Chat => invocation_id,
            Scenario::Session => run_id,
        };
        let stem = format!("round-{round:03}-call_{}", short_hash(call_id));
        Self { folder: folder(owner).into_owned(), stem, suffix: "" }
    }

    /// The folders of a run, for the arguments and the results of its calls.
    pub fn folders(scenario: Scenario, run_id: &str, invocation_id: &str) -> [String; 2] {
        let Self { folder, .. } = Self::new(scenario, run_id, invocation_id, 0, "");
        ["tool-args", "tool-results"].map(|root| format!("{root}/{folder}"))
    }

    /// The files of the call whose arguments lie at this path; `None` if no call's do.
    pub fn beside(arguments: &str) -> Option<Self> {
        let (folder, stem) = arguments.strip_prefix("tool-args/")?.strip_suffix(".json")?.split_once('/')?;
        Some(Self { folder: folder.to_owned(), stem: stem.to_owned(), suffix: "" })
    }

    /// The files of the same call when its result comes from the background (SC-46).
    pub fn background(&self) -> Self {
        Self { suffix: "-background", ..self.clone() }
    }

    /// The arguments.
    pub fn arguments(&self) -> String {
        format!("tool-args/{}/{}.json", self.folder, self.stem)
    }

    /// The whole result, for the audit.
    pub fn result(&self) -> String {
        format!("tool-results/{}/{}{}.json", self.folder, self.stem, self.suffix)
    }

    /// The whole text, for reading.
    pub fn readable(&self) -> String {
        format!("tool-results/{}/{}{}.txt", self.folder, self.stem, self.suffix)
    }

    /// An image, counted from 1, with its file extension.
    pub fn image(&self, number: usize, extension: &str) -> String {
        format!("tool-results/{}/{}{}-img-{number}.{extension}", self.folder, self.stem, self.suffix)
    }
}

/// The folder of an id. A host may choose the id of a run: one that is no plain file name is hashed.
fn folder(id: &str) -> Cow<'_, str> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let fits = (1..=FOLDER_CHARS).contains(&id.len()) && id.chars().all(plain) && !id.starts_with('.');
    if fits { Cow::Borrowed(id) } else { Cow::Owned(short_hash(id)) }
}
