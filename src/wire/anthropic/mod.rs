//! Anthropic's messages (WR-40 to WR-44).

mod properties;
mod reply;
mod request;
mod stream;

pub(super) use properties::{from_wire, to_wire};
pub(super) use reply::parse;
pub(super) use request::{messages, request, tools};
pub use stream::MessageStream;

#[cfg(test)]
mod tests;
