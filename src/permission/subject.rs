//! For whom a call is made, and how much they may (PM-07, PM-52).

use serde_json::Value;

use crate::catalog::reading::{Members, Place, Read};
use crate::protocol::{Code, Fault};

/// The level of the host's own user.
pub const OWNER_LEVEL: u8 = 5;
/// From here on a person may be asked about a critical action (step 4).
pub const CRITICAL_LEVEL: u8 = 3;
/// The level of somebody of whom nothing is known.
const UNKNOWN_LEVEL: u8 = 1;

/// Roles that bring a level.
const LEVELS: [(&str, u8); 4] = [("owner", OWNER_LEVEL), ("group-owner", 4), ("admin", 3), ("member", 1)];

/// Somebody.
#[derive(Clone, Debug, PartialEq)]
pub struct Subject {
    /// Who, as the host calls them.
    pub id: Option<String>,
    /// How much they may, 0 to 5.
    pub level: u8,
    /// Their roles.
    pub roles: Vec<String>,
    /// Their groups.
    pub groups: Vec<String>,
}

impl Subject {
    /// The host's own user: nobody was named.
    pub fn host() -> Self {
        Self { id: None, level: OWNER_LEVEL, roles: Vec::new(), groups: Vec::new() }
    }

    /// Reads the member `subject` of a command.
    ///
    /// # Errors
    /// `command.invalid`, naming the member.
    pub fn decode(value: Option<&Value>) -> Result<Self, Fault> {
        let Some(value) = value.filter(|value| !value.is_null()) else { return Ok(Self::host()) };
        Self::read(value, &Place::document("command", Code::CommandInvalid).member("subject"))
    }
}

impl Read for Subject {
    fn read(value: &Value, place: &Place) -> Result<Self, Fault> {
        let mut members = Members::open(value, place)?;
        let explicit = members.integer_opt("level", 0..=u64::from(OWNER_LEVEL))?;
        let roles: Vec<String> = members.get("roles", Vec::new())?;
        let subject = Self {
            id: members.opt("id")?,
            level: level(
                roles.iter().map(String::as_str),
                explicit.and_then(|level| u8::try_from(level).ok()),
            ),
            groups: members.get("groups", Vec::new())?,
            roles,
        };
        members.end()?;
        Ok(subject)
    }
}

/// The level that several sources give: the highest. An explicit 0 stays 0.
pub fn level<'a>(roles: impl Iterator<Item = &'a str>, explicit: Option<u8>) -> u8 {
    if explicit == Some(0) {
        return 0;
    }
    let of = |role: &str| LEVELS.iter().find(|(name, _)| *name == role).map(|(_, level)| *level);
    roles.filter_map(of).chain(explicit).max().unwrap_or(UNKNOWN_LEVEL)
}
