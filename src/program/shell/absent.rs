//! Commands that are missing on purpose (SH-14). They answer 127 and say why, but `command -v` does not find them,
//! so a script that looks before it calls takes its other way.

use bashkit::{Builtin, BuiltinContext, CommandResolver, ExecResult, async_trait};
use std::sync::Arc;

const NETWORK: &str = "this shell has no network";
const HOST: &str = "this shell runs no host programs";
const PACKAGES: &str = "this shell has no package manager and no network";
const PYTHON: &str = "Python is not available in this shell; use js, jq or awk";

const ABSENT: [(&str, &[&str]); 4] = [
    (
        NETWORK,
        &[
            "curl",
            "dig",
            "ftp",
            "host",
            "http",
            "nc",
            "ncat",
            "netcat",
            "nslookup",
            "ping",
            "rsync",
            "scp",
            "sftp",
            "ssh",
            "telnet",
            "traceroute",
            "wget",
            "whois",
        ],
    ),
    (
        HOST,
        &[
            "busybox",
            "cargo",
            "cc",
            "clang",
            "cmake",
            "docker",
            "doas",
            "emacs",
            "gcc",
            "git",
            "go",
            "java",
            "javac",
            "kubectl",
            "nano",
            "perl",
            "podman",
            "php",
            "ruby",
            "rustc",
            "service",
            "su",
            "sudo",
            "systemctl",
            "vi",
            "vim",
        ],
    ),
    (
        PACKAGES,
        &[
            "apk", "apt", "apt-get", "brew", "bun", "dnf", "npm", "npx", "pacman", "pip", "pip3", "pnpm",
            "uv", "yarn", "yum",
        ],
    ),
    (PYTHON, &["python", "python2", "python3"]),
];

/// Why a command is missing; `None` for one that nobody planned.
pub(crate) fn reason(name: &str) -> Option<&'static str> {
    ABSENT.iter().find(|(_, names)| names.contains(&name)).map(|(reason, _)| *reason)
}

/// Answers for the missing commands.
#[derive(Debug)]
pub(crate) struct Absent;

impl CommandResolver for Absent {
    fn resolve(&self, name: &str) -> Option<Arc<dyn Builtin>> {
        let reason = reason(name)?;
        Some(Arc::new(Missing { name: name.into(), reason }))
    }
}

struct Missing {
    name: String,
    reason: &'static str,
}

#[async_trait]
impl Builtin for Missing {
    async fn execute(&self, _: BuiltinContext<'_>) -> bashkit::Result<ExecResult> {
        Ok(ExecResult::err(format!("bash: {}: command not found: {}\n", self.name, self.reason), 127))
    }
}
