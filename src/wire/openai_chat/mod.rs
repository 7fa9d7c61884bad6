//! OpenAI chat completions (WR-20 to WR-23).

mod reply;
mod request;
mod stream;

pub(super) use reply::{parse, read};
pub(super) use request::{messages, request, tools};
pub(super) use stream::{finish, push};

#[cfg(test)]
mod tests;
