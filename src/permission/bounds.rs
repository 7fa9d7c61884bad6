//! Where a run may write without leaving its bounds (PM-64).

use serde_json::Value;

use super::{address, path};
use crate::catalog::matches;

/// The bounds of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bounds {
    /// Directories below which writing is in bounds: the writable roots and the working directories that were added.
    pub directories: Vec<String>,
    /// Hosts that may be reached, as patterns.
    pub hosts: Vec<String>,
}

impl Bounds {
    /// Whether a target is in bounds: what it names of path and address, and at least one of them.
    pub fn hold(&self, target: Option<&Value>) -> bool {
        let text = |name: &str| target?.get(name)?.as_str();
        let path =
            text("path").map(|path| self.directories.iter().any(|directory| path::is_below(path, directory)));
        let url = text("url").map(|url| self.reach(url));
        path != Some(false) && url != Some(false) && (path.is_some() || url.is_some())
    }

    fn reach(&self, url: &str) -> bool {
        host(url).is_some_and(|host| {
            self.hosts.iter().any(|pattern| matches(&pattern.to_ascii_lowercase(), &host))
        })
    }
}

/// The host of an address as those read it who fetch it, in lower case, without port.
fn host(url: &str) -> Option<String> {
    let url = address::normal(url);
    let (_, rest) = url.split_once("://")?;
    let host = rest.split(['/', '?', '#']).next()?;
    let host = match host.split_once(']') {
        Some((address, _)) => address.trim_start_matches('['),
        None => host.split(':').next()?,
    };
    (!host.is_empty()).then(|| host.to_ascii_lowercase())
}
