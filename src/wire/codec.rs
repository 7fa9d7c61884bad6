//! The choice of a wire format.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Choice, Delta, Entry, ModelFault, Reply, Tool, openai_chat};

/// A wire format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Codec {
    /// OpenAI chat completions, spoken by most servers.
    #[default]
    OpenaiChat,
}

impl Codec {
    /// Every codec.
    pub const ALL: &'static [Codec] = &[Codec::OpenaiChat];

    /// Its name, for example `openai-chat`.
    pub fn name(self) -> &'static str {
        match self {
            Codec::OpenaiChat => "openai-chat",
        }
    }

    /// The codec with this name.
    pub fn named(name: &str) -> Option<Codec> {
        Codec::ALL.iter().copied().find(|codec| codec.name() == name)
    }

    /// A whole reply.
    pub fn parse(self, body: &Value) -> Result<Reply, ModelFault> {
        match self {
            Codec::OpenaiChat => openai_chat::parse(body),
        }
    }

    /// The reader of a streamed reply.
    pub fn stream(self) -> Stream {
        match self {
            Codec::OpenaiChat => Stream::OpenaiChat(openai_chat::ChatStream::default()),
        }
    }

    /// The tools as the request carries them, in the given order (WR-04).
    pub fn tools(self, tools: &[Tool]) -> Vec<Value> {
        match self {
            Codec::OpenaiChat => openai_chat::tools(tools),
        }
    }

    /// Entries of history as messages of the request. The messages of two lists one after the other are those of
    /// both lists joined, as long as no list ends between an assistant entry with calls and its results.
    pub fn messages(self, entries: &[Entry]) -> Vec<Value> {
        match self {
            Codec::OpenaiChat => openai_chat::messages(entries),
        }
    }

    /// The request body from rendered messages and tools, without what belongs to the transport (model, stream).
    pub fn request(self, messages: Vec<Value>, tools: &[Value], choice: &Choice) -> Map<String, Value> {
        match self {
            Codec::OpenaiChat => openai_chat::request(messages, tools, choice),
        }
    }
}

/// The state of a reply that is being streamed. It can be stored between any two chunks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stream {
    /// Of [`Codec::OpenaiChat`].
    OpenaiChat(openai_chat::ChatStream),
}

impl Stream {
    /// Takes one JSON payload of the stream in.
    pub fn push(&mut self, chunk: &Value) -> Vec<Delta> {
        match self {
            Stream::OpenaiChat(stream) => stream.push(chunk),
        }
    }

    /// The stream was closed: the reply, which is the one [`Codec::parse`] gives for the whole (WR-15), or
    /// `model.reply_incomplete` if its closing event never came (WR-13).
    pub fn finish(self) -> Result<Reply, ModelFault> {
        match self {
            Stream::OpenaiChat(stream) => stream.finish(),
        }
    }
}
