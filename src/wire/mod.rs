//! The wire formats of model providers, as pure functions: history and tools to a request, a reply or its stream to
//! a neutral reply.
//!
//! *Comes in*: [`Entry`]s of history, [`Tool`]s, and the provider's JSON, whole or as the payloads of its stream.
//! *Goes out*: messages and tool lists of a request; a [`Reply`], or a [`ModelFault`] when nothing of it may run.
//! *Invariants*: rendering a list of entries piece by piece gives the same messages as rendering it at once, so a
//! host that holds the first ones needs only the rest; a whole reply and any stream of it are the same reply
//! (WR-15); a replayed call always carries an object (WR-01).
//! *Not here*: transport, retries, and what the arguments of a call mean.

mod anthropic;
mod blocks;
mod closed;
mod codec;
mod ids;
mod message;
mod neutral;
mod openai_chat;
mod pairing;
mod pieces;
mod results;
mod surrogates;

pub use codec::{Codec, Stream};
pub use ids::{call_id, own_id, repeated_id};
pub use message::{Message, Request};
pub use neutral::{
    Assistant, Choice, Delta, Entry, ModelFault, ProviderState, Reply, ReplyCall, ResultPart, ResultView,
    Stop, Tool, Usage,
};
pub use pairing::{Paired, first_kept, paired};
pub use surrogates::well_formed;

/// An object with these members. Much smaller in the module than what `json!` becomes.
fn object<const N: usize>(mut members: [(&str, serde_json::Value); N]) -> serde_json::Value {
    filled(&mut members)
}

fn filled(members: &mut [(&str, serde_json::Value)]) -> serde_json::Value {
    let mut object = serde_json::Map::with_capacity(members.len());
    for (name, value) in members {
        object.insert((*name).to_owned(), value.take());
    }
    object.into()
}

#[cfg(test)]
mod tests;
