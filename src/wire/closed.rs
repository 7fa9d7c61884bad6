//! The judgement of a closed reply, the same for every codec and for whole and streamed replies.

use super::{Codec, ModelFault, ProviderState, Reply, ReplyCall, Stop, Usage};
use crate::protocol::order::repeats;
use crate::protocol::{Code, Wire};
use serde_json::Value;

/// A reply as a codec read it, before anything is held against it.
#[derive(Debug, Default)]
pub(super) struct Closed {
    pub(super) text: String,
    pub(super) calls: Vec<ClosedCall>,
    pub(super) end: End,
    pub(super) state: Option<Value>,
    pub(super) usage: Option<Usage>,
}

/// A call as a codec read it.
#[derive(Debug, Default)]
pub(super) struct ClosedCall {
    pub(super) id: Option<String>,
    pub(super) name: Option<String>,
    pub(super) arguments: Wire,
    /// If the output limit broke the reply off, then in this call.
    pub(super) last: bool,
}

/// What the provider says about the end of its reply.
#[derive(Debug, Default)]
pub(super) enum End {
    /// Nothing special.
    #[default]
    Natural,
    /// The output limit was reached.
    Length,
    /// Paused by the provider; it goes on when the reply is sent back.
    Paused,
    /// Refused, or stopped by a filter; with the words of the provider if it has any.
    Refused(String),
}

impl Closed {
    /// The same where only the order of the calls tells which one came last.
    pub(super) fn judge_in_order(mut self, codec: Codec) -> Result<Reply, ModelFault> {
        if let Some(call) = self.calls.last_mut() {
            call.last = true;
        }
        self.judge(codec)
    }

    /// The neutral reply. Faults: a refusal or an output limit without calls (WR-11, WR-12), and a call without a
    /// name, without an id, or with the id of another call (WR-10).
    pub(super) fn judge(self, codec: Codec) -> Result<Reply, ModelFault> {
        let cut = matches!(self.end, End::Length);
        let mut stop = if self.calls.is_empty() { Stop::End } else { Stop::Calls };
        if self.calls.is_empty() {
            match self.end {
                End::Natural => {}
                End::Paused => stop = Stop::Paused,
                End::Length => {
                    let message = "The model's output limit was reached before it made a call.";
                    return Err(ModelFault::new(Code::ModelOutputTruncated, message));
                }
                End::Refused(words) if words.is_empty() => {
                    let message = "The provider refused to answer.";
                    return Err(ModelFault::new(Code::ModelProviderRefusal, message));
                }
                End::Refused(words) => return Err(ModelFault::new(Code::ModelProviderRefusal, words)),
            }
        }
        let ids: Vec<&str> = self.calls.iter().map(|call| call.id.as_deref().unwrap_or_default()).collect();
        for (index, (call, again)) in self.calls.iter().zip(repeats(&ids)).enumerate() {
            if let Some(what) = call.flaw(codec, again) {
                let message = format!("Call {} of the reply {what}.", index + 1);
                return Err(ModelFault::new(Code::ModelInvalidToolCall, message));
            }
        }
        let calls = self.calls.into_iter().map(|call| call.judged(cut)).collect();
        if cut {
            stop = Stop::Length;
        }
        let provider_state = self.state.map(|items| ProviderState { codec, items });
        Ok(Reply { text: self.text, calls, stop, provider_state, usage: self.usage })
    }
}

impl ClosedCall {
    /// What is held against it. `again`: a call before it has the same id.
    fn flaw(&self, codec: Codec, again: bool) -> Option<&'static str> {
        if self.name.as_ref().is_none_or(String::is_empty) {
            return Some("has no name");
        }
        match self.id.as_deref() {
            // Hosts need not have ids (WR-61); providers do.
            None | Some("") => (codec != Codec::Neutral).then_some("has no id"),
            Some(_) => again.then_some("repeats the id of an earlier call"),
        }
    }

    fn judged(self, cut: bool) -> ReplyCall {
        ReplyCall {
            provider_id: self.id.filter(|id| !id.is_empty()),
            name: self.name.unwrap_or_default(),
            arguments: self.arguments,
            cut: cut && self.last,
        }
    }
}
