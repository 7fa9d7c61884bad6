//! Places that a person should know of before a tool touches them (PM-27).

use std::borrow::Cow;

use crate::catalog::reading::words;
use crate::protocol::order::sort;

words! {
    /// What was found.
    #[derive(PartialOrd, Ord)]
    pub enum Finding {
        /// Keys and passwords, also when they are only read.
        Credentials = "credentials",
        /// The folder of SSH, also when it is only read.
        Ssh = "ssh",
        /// The inside of a git repository.
        GitInternals = "git_internals",
        /// What a shell runs when it starts.
        ShellStartup = "shell_startup",
        /// What agents are told to do.
        AgentConfig = "agent_config",
        /// A command hidden in a text; reported by the tool itself.
        CommandInjection = "command_injection",
        /// A command that could not be read; reported by the tool itself.
        UnparseableCommand = "unparseable_command",
        /// Something that the tool was not meant for; reported by itself.
        OutOfScope = "out_of_scope",
    }
}

/// A kind of place and the names that make a path one of it.
type Names = (Finding, &'static [&'static str]);

const READ: [Names; 2] = [
    (
        Finding::Credentials,
        &[
            ".netrc",
            ".npmrc",
            ".pypirc",
            "credentials",
            "id_rsa",
            "id_ed25519",
            ".git-credentials",
            ".dockercfg",
            ".env",
            ".aws",
            ".gnupg",
            ".kube",
            ".docker",
        ],
    ),
    (Finding::Ssh, &[".ssh"]),
];

const WRITE: [Names; 3] = [
    (Finding::GitInternals, &[".git"]),
    (
        Finding::ShellStartup,
        &[
            ".bashrc",
            ".bash_profile",
            ".profile",
            ".zshrc",
            ".zshenv",
            ".zprofile",
            ".inputrc",
            "config.fish",
        ],
    ),
    (Finding::AgentConfig, &[".handrail", ".agents", ".foya", ".riot", ".claude"]),
];

/// What makes a path one to ask about. `writes`: it is not only read. Each kind once, in the order above.
pub fn findings(path: &str, writes: bool) -> Vec<Finding> {
    let mut found = Vec::new();
    for segment in segments(path) {
        for (kind, names) in READ.iter().chain(WRITE.iter().filter(|_| writes)) {
            if is_one(*kind, names, &segment) && !found.contains(kind) {
                found.push(*kind);
            }
        }
    }
    sort(&mut found, Ord::cmp);
    found
}

/// The names of a path as the most lenient file system takes them: it ends them at a NUL, knows streams and drives (`:`),
/// leaves out blanks around and dots behind them and what cannot be seen, and has no case.
fn segments(path: &str) -> impl Iterator<Item = Cow<'_, str>> {
    path.split(['/', '\\', ':', '\0']).map(|name| {
        let name = name.trim().trim_end_matches(['.', ' ']);
        if name.is_ascii() {
            Cow::Borrowed(name)
        } else {
            Cow::Owned(name.chars().filter_map(seen).collect())
        }
    })
}

/// A character as it counts in a name.
fn seen(c: char) -> Option<char> {
    match c {
        '\u{17f}' => Some('s'),
        '\u{212a}' => Some('k'),
        '\u{ad}'
        | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}' => None,
        c => Some(c),
    }
}

fn is_one(kind: Finding, names: &[&str], segment: &str) -> bool {
    names.iter().any(|name| name.eq_ignore_ascii_case(segment))
        || (kind == Finding::Credentials && is_environment(segment))
}

/// `.env.local` and the like, but not `.env.example`.
fn is_environment(segment: &str) -> bool {
    const START: &str = ".env.";
    let starts = segment.get(..START.len()).is_some_and(|start| start.eq_ignore_ascii_case(START));
    starts && !segment.to_ascii_lowercase().ends_with(".example")
}
