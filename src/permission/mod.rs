//! Who may do what. Nothing objects yet: every checked call is permitted. The room stands on the way all the same,
//! so that nothing reaches a lane without having been here.

use crate::arguments::Checked;
use crate::gate::Found;

/// A call nobody objects to. Only this room makes one.
pub struct Permitted(Checked<Found>);

impl Permitted {
    /// The call behind it.
    pub fn checked(&self) -> &Checked<Found> {
        &self.0
    }
}

/// Permits a checked call.
pub fn permit(checked: Checked<Found>) -> Permitted {
    Permitted(checked)
}
