//! Replies that neither answer nor call a tool.

/// Reminders before the run fails (FN-10).
pub const MAX_ATTEMPTS: u32 = 20;

/// What the model is told after an empty reply (FN-12).
pub const NUDGE: &str = "Your reply was empty. Call a tool, or answer with text to finish.";

/// What the model is told when a run goes on that had ended after its answer (RN-11).
pub const GO_ON: &str =
    "The run was interrupted after your reply. Go on: call a tool, or answer with text to finish.";
