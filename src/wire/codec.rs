//! The choice of a wire format.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::pieces::Pieces;
use super::{
    Choice, Delta, Entry, Message, ModelFault, Reply, Request, Tool, anthropic, neutral, openai_chat,
};
use crate::arguments::Reader;
use crate::protocol::Wire;

/// A wire format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Codec {
    /// OpenAI chat completions, spoken by most servers.
    #[default]
    OpenaiChat,
    /// Anthropic's messages.
    Anthropic,
    /// No provider's: for hosts with a model layer of their own.
    Neutral,
}

impl Codec {
    /// Every codec.
    pub const ALL: &'static [Codec] = &[Codec::OpenaiChat, Codec::Anthropic, Codec::Neutral];

    /// Its name, for example `openai-chat`.
    pub fn name(self) -> &'static str {
        match self {
            Codec::OpenaiChat => "openai-chat",
            Codec::Anthropic => "anthropic",
            Codec::Neutral => "neutral",
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
            Codec::Anthropic => anthropic::parse(body),
            Codec::Neutral => neutral::parse(body),
        }
    }

    /// The same of one that comes next in a text. `None`: there is no JSON.
    pub(crate) fn read(self, reader: &mut Reader) -> Option<Result<Reply, ModelFault>> {
        match self {
            Codec::OpenaiChat => openai_chat::read(reader),
            _ => reader.value().map(|body| self.parse(&body)),
        }
    }

    /// The reader of a streamed reply.
    pub fn stream(self) -> Stream {
        match self {
            Codec::OpenaiChat | Codec::Neutral => Stream::ByCall(Pieces::of(self)),
            Codec::Anthropic => Stream::ByBlock(anthropic::MessageStream::default()),
        }
    }

    /// The tools as the request carries them, in the given order (WR-04).
    pub fn tools(self, tools: &[Tool]) -> Vec<Value> {
        match self {
            Codec::OpenaiChat => openai_chat::tools(tools),
            Codec::Anthropic => anthropic::tools(tools),
            Codec::Neutral => neutral::tools(tools),
        }
    }

    /// Entries of history as messages for [`Codec::request`]. The messages of two lists one after the other are those
    /// of both lists joined, as long as no list ends between an assistant entry with calls and its results.
    pub fn messages(self, entries: &[Entry]) -> Vec<Message> {
        match self {
            Codec::OpenaiChat => openai_chat::messages(entries),
            Codec::Anthropic => anthropic::messages(entries),
            Codec::Neutral => neutral::messages(entries),
        }
    }

    /// The request body from rendered messages and tools, without what belongs to the transport (model, stream). It
    /// may hold fewer messages than were given: see [`Codec::joins`].
    pub fn request(self, messages: Vec<Message>, tools: &[Value], choice: &Choice) -> Request {
        match self {
            Codec::OpenaiChat => openai_chat::request(messages, tools, choice),
            Codec::Anthropic => anthropic::request(messages, tools, choice),
            Codec::Neutral => neutral::request(messages, tools, choice),
        }
    }

    /// Whether neighbouring messages of one role are one message of a request, and system messages none (WR-42).
    pub fn joins(self) -> bool {
        matches!(self, Codec::Anthropic)
    }

    /// Whether the path of an image is sent, not its bytes: the host reads them itself (WR-60).
    pub fn sends_paths(self) -> bool {
        matches!(self, Codec::Neutral)
    }

    /// Whether arguments may have other names on the wire than in the schema (WR-43).
    pub fn renames(self) -> bool {
        matches!(self, Codec::Anthropic)
    }

    /// Names the arguments of a call as the wire does, where the provider refuses names of this schema (WR-43).
    pub fn arguments_to_wire(self, schema: &Value, arguments: &mut Wire) {
        if self.renames() {
            anthropic::to_wire(schema, arguments);
        }
    }

    /// Names the arguments of a call of a reply as this schema does.
    pub fn arguments_from_wire(self, schema: &Value, arguments: &mut Wire) {
        if self.renames() {
            anthropic::from_wire(schema, arguments);
        }
    }
}

/// The state of a reply that is being streamed. It can be stored between any two chunks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stream {
    /// Its pieces say which call they belong to.
    ByCall(Pieces),
    /// Its pieces say which block they belong to.
    ByBlock(anthropic::MessageStream),
}

impl Stream {
    /// Takes one JSON payload of the stream in.
    pub fn push(&mut self, chunk: &Value) -> Vec<Delta> {
        match self {
            Stream::ByCall(pieces) if pieces.codec == Codec::Neutral => neutral::push(pieces, chunk),
            Stream::ByCall(pieces) => openai_chat::push(pieces, chunk),
            Stream::ByBlock(stream) => stream.push(chunk),
        }
    }

    /// The stream was closed: the reply, which is the one [`Codec::parse`] gives for the whole (WR-15), or
    /// `model.reply_incomplete` if its closing event never came (WR-13).
    pub fn finish(self) -> Result<Reply, ModelFault> {
        match self {
            Stream::ByCall(pieces) if pieces.codec == Codec::Neutral => neutral::finish(pieces),
            Stream::ByCall(pieces) => openai_chat::finish(pieces),
            Stream::ByBlock(stream) => stream.finish(),
        }
    }
}
