//! The judgement of a closed reply, the same for every codec and for whole and streamed replies.

use std::collections::BTreeMap;

use super::{Codec, ModelFault, ProviderState, Reply, ReplyCall, Stop, Usage};
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
        let mut ids = BTreeMap::new();
        let mut calls = Vec::with_capacity(self.calls.len());
        for (index, call) in self.calls.into_iter().enumerate() {
            calls.push(call.judge(codec, index, cut, &mut ids)?);
        }
        if cut {
            stop = Stop::Length;
        }
        let provider_state = self.state.map(|items| ProviderState { codec, items });
        Ok(Reply { text: self.text, calls, stop, provider_state, usage: self.usage })
    }
}

impl ClosedCall {
    fn judge(
        self,
        codec: Codec,
        index: usize,
        cut: bool,
        ids: &mut BTreeMap<String, usize>,
    ) -> Result<ReplyCall, ModelFault> {
        let fault = |what: &str| {
            let message = format!("Call {} of the reply {what}.", index + 1);
            Err(ModelFault::new(Code::ModelInvalidToolCall, message))
        };
        let Some(name) = self.name.filter(|name| !name.is_empty()) else { return fault("has no name") };
        let provider_id = self.id.filter(|id| !id.is_empty());
        match &provider_id {
            // Hosts need not have ids (WR-61); providers do.
            None if codec != Codec::Neutral => return fault("has no id"),
            Some(id) if ids.insert(id.clone(), index).is_some() => {
                return fault("repeats the id of an earlier call");
            }
            _ => {}
        }
        Ok(ReplyCall { provider_id, name, arguments: self.arguments, cut: cut && self.last })
    }
}
