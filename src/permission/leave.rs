//! The leave to make one call: what turns a checked call into a permitted one.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::answer::{Consent, digest};
use super::verdict::Verdict;
use crate::arguments::Checked;
use crate::gate::Found;

/// A leave. It comes from a verdict, for immediate use, or from the consent of a person, and is then bound to the
/// tool and the arguments that were approved (PM-66): with others it is void. That one can be kept while the call
/// waits for its turn, also in a snapshot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Leave {
    approved: Option<String>,
}

/// A call nobody objects to. Only this room makes one.
pub struct Permitted(Checked<Found>);

impl Permitted {
    /// The call behind it.
    pub fn checked(&self) -> &Checked<Found> {
        &self.0
    }

    /// What the tool gets.
    pub fn into_arguments(self) -> Arc<Map<String, Value>> {
        self.0.into_arguments()
    }

    /// The leave by which it goes on after a restore: what was decided stands.
    pub fn leave(&self) -> Leave {
        Leave { approved: Some(digest(self.0.found().binding().id(), self.0.arguments())) }
    }
}

impl Leave {
    /// Whether a person gave it.
    pub fn is_personal(&self) -> bool {
        self.approved.is_some()
    }
}

impl Verdict {
    /// The leave of a verdict that allows the call.
    pub fn leave(&self) -> Option<Leave> {
        matches!(self, Verdict::Allow(_)).then_some(Leave { approved: None })
    }
}

impl Consent {
    /// The leave that a person gave to this call: with the arguments that were shown, or edited.
    pub fn leave(&self, checked: &Checked<Found>) -> Leave {
        Leave { approved: Some(digest(checked.found().binding().id(), checked.arguments())) }
    }
}

/// Permits a checked call by a leave.
///
/// # Errors
/// The call, when the leave was given for other arguments or another tool.
pub fn permit_by(checked: Checked<Found>, leave: &Leave) -> Result<Permitted, Box<Checked<Found>>> {
    let is_void =
        |approved: &String| *approved != digest(checked.found().binding().id(), checked.arguments());
    if leave.approved.as_ref().is_some_and(is_void) {
        return Err(Box::new(checked));
    }
    Ok(Permitted(checked))
}
