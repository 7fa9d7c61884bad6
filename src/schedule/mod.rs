//! When a call of a batch may go on: lanes, the cap of parallel calls, and what one call's end means for the others.
//!
//! *Comes in*: for each call of a batch one [`Slot`], plain facts known when the batch closes.
//! *Goes out*: [`Step`]s, one at a time in call order, and [`Fallout`]s, which say what must happen to which call.
//! *Invariants*: at most `limit` parallel calls run at once (IV-50); with barriers nothing overlaps a serial call
//! (IV-51); inside a lane calls are admitted in call order (IV-52); what a fallout names as unstarted never starts
//! (IV-53); a denied, cancelled or skipped call takes nothing along (IV-54). Beside it [`LoopGuard`], which stops a call
//! that failed twice and a run that goes round in circles (LG-01).
//! *Not here*: why a call waits, what it does, and which text a call that never ran is answered with.

mod fallout;
mod loop_guard;
mod plan;

pub use fallout::Fallout;
pub use loop_guard::{LoopGuard, Signature, call_signature, is_poll};
pub use plan::{Lanes, Plan, Scheduled, Slot, SlotState, Step};

#[cfg(test)]
mod tests;
