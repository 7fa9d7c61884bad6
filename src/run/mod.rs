//! Rounds: the conversation of a run, and what happens when the model says nothing.

pub mod drift;
pub mod history;
