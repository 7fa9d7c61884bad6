//! handrail is an agent tool runtime. A model can only write text; handrail turns its tool calls into operations
//! with results and brings the results into the next round.
//!
//! A call walks one corridor, and each room is a module that consumes the value of the room before:
//!
//! | room | gives |
//! |---|---|
//! | [`wire`] | `Call`: what the provider sent |
//! | [`gate`] | `Found`: a bound tool that may be called in this step |
//! | [`arguments`] | `Checked`: an object that satisfies the tool's schema |
//! | [`permission`] | `Permitted`: nobody objects |
//! | [`schedule`] | `Scheduled`: a slot and a deadline |
//! | [`perform`] | `Outcome`: what the tool did |
//! | [`project`] | `Record`: what is stored, and what the model is shown |
//!
//! [`session`] is the engine room: `step(inputs, now)` returns effects, events and replies. It never performs
//! anything itself, so it needs no clock, no network and no threads.

#[cfg(feature = "core")]
pub mod arguments;
#[cfg(feature = "core")]
pub mod catalog;
#[cfg(any(
    feature = "component",
    feature = "component-javascript",
    feature = "js",
    feature = "program-javascript",
    feature = "program-shell"
))]
mod face;
#[cfg(feature = "core")]
pub mod gate;
#[cfg(feature = "core")]
pub mod identity;
#[cfg(feature = "core")]
pub mod perform;
#[cfg(feature = "core")]
pub mod permission;
#[cfg(any(feature = "engine-javascript", feature = "program-shell"))]
mod program;
#[cfg(feature = "core")]
pub mod project;
pub mod protocol;
#[cfg(feature = "core")]
pub mod run;
#[cfg(feature = "core")]
pub mod schedule;
#[cfg(feature = "core")]
pub mod session;
#[cfg(feature = "testing")]
pub mod testing;
#[cfg(feature = "core")]
pub mod tool;
#[cfg(feature = "core")]
pub mod wire;
#[cfg(feature = "core")]
pub mod workspace;
