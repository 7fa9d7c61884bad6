//! The terms a run works under: for whom, how freely, and whether somebody can be asked (chapter 04, section 2).

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::catalog::Profile;
use crate::catalog::profile::MODES;
use crate::permission::{Asker, Bounds, Setting, Subject};
use crate::protocol::{Code, Fault, StartRun};

/// What the host says of them, at the start and later. Written down as it was said.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Said {
    pub subject: Option<Value>,
    /// The mode that the caller wants, beside that of the profile.
    pub mode: Option<String>,
    /// Those that others want.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub modes: Vec<String>,
    /// The caller wants nobody to be asked, in the mode that there is.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub dont_ask: bool,
    pub silent: bool,
    pub unattended: bool,
    pub route: Option<String>,
    pub platform: Option<String>,
    /// The host has a reviewer.
    pub reviewer: bool,
    /// Working directories that were added.
    pub directories: Vec<String>,
    /// Hosts that may be reached.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hosts: Vec<String>,
}

/// The same as decisions need it.
pub(crate) struct Terms {
    pub said: Said,
    pub subject: Subject,
    pub asker: Asker,
    pub setting: Setting,
    pub bounds: Bounds,
    /// Somebody can be asked.
    pub approver: bool,
    /// A reviewer can be asked.
    pub reviewer: bool,
}

impl Said {
    /// What a run is started with.
    pub fn of(start: &StartRun) -> Result<Self, Fault> {
        start.modes.iter().try_for_each(|mode| check_mode(mode))?;
        let mut said = Self {
            subject: start.subject.clone().filter(|subject| !subject.is_null()),
            modes: start.modes.clone(),
            silent: start.can_prompt == Some(false),
            unattended: start.unattended,
            route: start.route.clone(),
            platform: start.platform.clone(),
            reviewer: start.capabilities.reviewer,
            directories: start.working_directories.clone(),
            hosts: start.allowed_hosts.clone(),
            ..Self::default()
        };
        start.mode.iter().try_for_each(|mode| said.set_mode(mode))?;
        Ok(said)
    }

    /// Another mode of the caller. `dontAsk` leaves the mode as it is (PM-53).
    pub fn set_mode(&mut self, mode: &str) -> Result<(), Fault> {
        check_mode(mode)?;
        self.dont_ask = mode == "dontAsk";
        if !self.dont_ask {
            self.mode = Some(mode.to_owned());
        }
        Ok(())
    }
}

impl Terms {
    /// The terms of a run. Grants for a run hold for its invocation alone (SA-15); their names are those of the run,
    /// too, since every run has an `inv_1`.
    pub fn new(
        said: Said,
        profile: &Profile,
        session: &str,
        run: &str,
        invocation: &str,
    ) -> Result<Self, Fault> {
        let subject = Subject::decode(said.subject.as_ref())?;
        let permissions = &profile.permissions;
        let modes = permissions.mode.iter().chain(&said.mode).chain(&said.modes).map(String::as_str);
        let mut setting = Setting::new(modes, subject.level);
        setting.unattended |= said.unattended;
        let writable = &profile.workspace.writable_roots;
        Ok(Self {
            asker: Asker {
                session: session.to_owned(),
                invocation: format!("{run}/{invocation}"),
                route: said.route.clone(),
                agent: Some(profile.id.clone()),
                platform: said.platform.clone(),
            },
            bounds: Bounds {
                directories: writable.iter().chain(&said.directories).cloned().collect(),
                hosts: said.hosts.clone(),
            },
            approver: permissions.can_prompt && setting.can_prompt && !said.silent && !said.dont_ask,
            reviewer: permissions.reviewer && said.reviewer,
            setting,
            subject,
            said,
        })
    }
}

/// Refuses a word that is no mode: what reads the words takes such a one for the strictest (PM-53).
fn check_mode(word: &str) -> Result<(), Fault> {
    if MODES.contains(&word) {
        return Ok(());
    }
    let message = format!("mode: expected one of {}, got {word}", MODES.join(", "));
    Err(Fault::new(Code::CommandInvalid, message))
}
