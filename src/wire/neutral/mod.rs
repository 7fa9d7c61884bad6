//! History, tools and replies without any provider's shape (WR-60, WR-61).

mod form;

pub(super) use form::{finish, messages, parse, push, request, tools};

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Codec;
use crate::protocol::{Call, Code, Wire};

/// A tool as the model is offered it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tool {
    /// Its call name.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// The author's schema. A codec sends a projection of it and never changes it (WR-02).
    pub input_schema: Value,
}

/// Which calls the model may make in a step.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Choice {
    /// No call.
    None,
    /// As it likes.
    #[default]
    Auto,
    /// At least one call.
    Required,
    /// A call of the tool with this call name.
    Specific(String),
}

impl Choice {
    /// The choice as most formats say it; `specific` makes what names one tool.
    pub(super) fn plain(&self, specific: fn(&str) -> Value) -> Value {
        match self {
            Choice::None => "none".into(),
            Choice::Auto => "auto".into(),
            Choice::Required => "required".into(),
            Choice::Specific(name) => specific(name),
        }
    }
}

/// One entry of history, oldest first. A step with calls is an [`Entry::Assistant`] directly followed by the
/// [`Entry::Results`] of all its calls in call order (WR-05); [`super::paired`] makes any history so.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry<'a> {
    /// A system message.
    System(Cow<'a, str>),
    /// A message of the user, or one the runtime puts in his name.
    User(Cow<'a, str>),
    /// What the model said.
    Assistant(Cow<'a, Assistant>),
    /// The results of one batch.
    Results(Vec<ResultView<'a>>),
}

/// What the model said in one step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Assistant {
    /// Its text; empty if there is none.
    pub text: String,
    /// Its calls in model order. A call whose arguments were mended carries the mended object (AR-35).
    pub calls: Vec<Call>,
    /// What the same codec sends back verbatim (WR-14).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider_state: Option<ProviderState>,
}

/// Opaque parts of an assistant message. The session drops them when the model family changes; a codec ignores those
/// of another codec (WR-14).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ProviderState {
    /// The codec that made it and alone can read it.
    pub codec: Codec,
    /// The parts.
    pub items: Value,
}

/// A stored result as the model is to see it in this request.
#[derive(Clone, Debug, PartialEq)]
pub struct ResultView<'a> {
    /// The call it answers.
    pub call_id: Cow<'a, str>,
    /// The provider's own id of that call.
    pub provider_id: Option<Cow<'a, str>>,
    /// The call name.
    pub name: Cow<'a, str>,
    /// The error mark.
    pub is_error: bool,
    /// Why it failed.
    pub code: Option<Code>,
    /// Text and images in order.
    pub parts: Vec<ResultPart<'a>>,
}

/// One piece of a result.
#[derive(Clone, Debug, PartialEq)]
pub enum ResultPart<'a> {
    /// Text.
    Text(Cow<'a, str>),
    /// An image with its bytes, read from the store for this request (WR-16).
    Image {
        /// Where it is stored.
        path: Cow<'a, str>,
        /// Its media type.
        mime_type: Cow<'a, str>,
        /// Its bytes; empty where the codec sends the path ([`Codec::sends_paths`]).
        base64: String,
    },
    /// The sentence that stands where an image is not shown (IM-06).
    OmittedImage(Cow<'a, str>),
}

/// A closed reply of a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Reply {
    /// Its text; empty if there is none.
    pub text: String,
    /// Its calls in model order.
    pub calls: Vec<ReplyCall>,
    /// Why it ended.
    pub stop: Stop,
    /// What the same codec sends back verbatim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider_state: Option<ProviderState>,
    /// The token figures, if the provider reported them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
}

/// A call of a closed reply. [`super::call_id`] gives it its id.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReplyCall {
    /// The provider's id; `None` only where the codec has calls without ids.
    pub provider_id: Option<String>,
    /// The name the model used; never empty.
    pub name: String,
    /// The arguments as they came.
    pub arguments: Wire,
    /// The reply was cut off inside this call: it must not run (WR-12).
    pub cut: bool,
}

/// Why a usable reply ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Stop {
    /// The model was done.
    End,
    /// The model made calls.
    Calls,
    /// The output limit was reached; calls that it broke off are cut.
    Length,
    /// The provider paused the model: the reply goes back as it is and the model goes on (WR-40).
    Paused,
}

/// News from an open stream, for screens. Nothing is decided on it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Delta {
    /// More text.
    Text(String),
    /// A call was announced (WR-13). `index` counts the announced calls from 0.
    Begin {
        /// Which call of the reply.
        index: usize,
        /// The provider's id.
        provider_id: Option<String>,
        /// The name, if it is known yet.
        name: Option<String>,
    },
    /// More argument text of an announced call.
    Arguments {
        /// Which call of the reply.
        index: usize,
        /// The piece.
        text: String,
    },
}

/// Token figures as the provider reported them (RN-09).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Usage {
    /// Tokens of the request.
    pub input_tokens: u64,
    /// Tokens of the reply.
    pub output_tokens: u64,
    /// Both, as the provider counts them.
    pub total_tokens: u64,
    /// The part of the request that was read from a cache.
    pub cached_input_tokens: u64,
    /// The part of the reply that was hidden reasoning.
    pub reasoning_tokens: u64,
}

impl Usage {
    /// Counts another reply in.
    pub fn add(&mut self, other: &Usage) {
        let sum = |a: &mut u64, b: u64| *a = a.saturating_add(b);
        sum(&mut self.input_tokens, other.input_tokens);
        sum(&mut self.output_tokens, other.output_tokens);
        sum(&mut self.total_tokens, other.total_tokens);
        sum(&mut self.cached_input_tokens, other.cached_input_tokens);
        sum(&mut self.reasoning_tokens, other.reasoning_tokens);
    }
}

/// A reply that cannot be used: nothing of it runs and nothing of it enters history (RN-05).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelFault {
    /// `model.invalid_tool_call`, `model.reply_incomplete`, `model.output_truncated` or `model.provider_refusal`.
    pub code: Code,
    /// The sentence for the developer.
    pub message: String,
    /// The token figures that came with it: what cannot be used costs all the same (RN-09).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
}

impl ModelFault {
    /// A fault with this code and text.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), usage: None }
    }

    /// The same with token figures.
    pub fn with_usage(self, usage: Option<Usage>) -> Self {
        Self { usage, ..self }
    }
}

#[cfg(test)]
mod tests;
