//! Inputs as JSON text: all of them are understood, or nothing happens and the fault says which one is not.

use serde_json::{Map, Value};

use crate::arguments::{ReadFault, Reader, read_within};
use crate::protocol::{Code, Fault, Input, Receipt, from_tree, limits};
use crate::wire::{self, Codec, ModelFault, Reply};

/// Containers around a payload: the receipt, the input, the list.
const AROUND_PAYLOAD: usize = 3;

/// What the payload of a reply begins with.
const REPLY: &str = "{\"reply\":";

/// What was read of an input.
#[derive(Debug, PartialEq)]
pub(super) enum Read {
    /// The input.
    Input(Input),
    /// The receipt of a request to the model that brings a whole reply.
    Reply {
        /// The request.
        effect_id: String,
        /// What the model replied.
        reply: Box<Result<Reply, ModelFault>>,
    },
}

/// Reads a list of inputs. The fault names the input and its member. `asked` says which effects are requests to the
/// model, and how their replies are written.
pub(super) fn read(text: &str, asked: &dyn Fn(&str) -> Option<Codec>) -> Result<Vec<Read>, Fault> {
    match receipts(text, asked) {
        Some(inputs) => Ok(inputs),
        None => Ok(any(text)?.into_iter().map(Read::Input).collect()),
    }
}

fn any(text: &str) -> Result<Vec<Input>, Fault> {
    let Value::Array(items) = value(text)? else {
        return Err(unreadable("expected a list of inputs"));
    };
    let read = |(place, item): (usize, Value)| {
        from_tree::<Input>(item).map_err(|error| misfit(text, place, &error.to_string()))
    };
    items.into_iter().enumerate().map(read).collect()
}

/// A list of receipts with an answer as a host of JavaScript writes it, which is most of what ever comes in: read
/// without a tree in between. `None` for any other list, and for one with a fault, which is then read the long way.
fn receipts(text: &str, asked: &dyn Fn(&str) -> Option<Codec>) -> Option<Vec<Read>> {
    let mut reader = Reader::within(text, limits::INPUT_DEPTH - AROUND_PAYLOAD);
    let mut inputs = Vec::new();
    reader.piece("[")?;
    loop {
        inputs.push(receipt(&mut reader, asked)?);
        if reader.piece(",").is_none() {
            reader.piece("]")?;
            return reader.rest().is_empty().then_some(inputs);
        }
    }
}

/// A receipt `{effectId, outcome: "ok", payload}`.
fn receipt(reader: &mut Reader, asked: &dyn Fn(&str) -> Option<Codec>) -> Option<Read> {
    reader.piece("{\"receipt\":{\"effectId\":")?;
    let effect_id = reader.text()??.into_owned();
    reader.piece(",\"outcome\":\"ok\",\"payload\":")?;
    let codec = if reader.rest().starts_with(REPLY) { asked(&effect_id) } else { None };
    let read = match codec {
        Some(codec) => Read::Reply { reply: reply(reader, codec)?, effect_id },
        None => {
            // A payload of null is none.
            let payload = reader.value().filter(|payload| !payload.is_null())?;
            Read::Input(Input::Receipt(Receipt { payload: Some(payload), ..Receipt::ok(effect_id) }))
        }
    };
    reader.piece("}}")?;
    Some(read)
}

/// What stands in a payload `{reply}`; null stands for none.
fn reply(reader: &mut Reader, codec: Codec) -> Option<Box<Result<Reply, ModelFault>>> {
    if !reader.members()? || reader.name()? != "reply" || reader.next_byte() == b'n' {
        return None;
    }
    let reply = codec.read(reader)?;
    if reader.goes_on(b'}')? {
        return None;
    }
    Some(Box::new(reply))
}

/// The text of a host may hold halves of surrogate pairs, which become U+FFFD (WR-07). The arguments of a call are
/// texts inside such a text: what they escape is not touched here.
fn value(text: &str) -> Result<Value, Fault> {
    let read = match read_within(text, limits::INPUT_DEPTH) {
        Err(ReadFault::LoneSurrogate) => read_within(&wire::well_formed(text), limits::INPUT_DEPTH),
        read => read,
    };
    read.map_err(|fault| Fault::new(Code::InputInvalid, fault.to_string()))
}

fn unreadable(what: impl std::fmt::Display) -> Fault {
    Fault::new(Code::InputInvalid, format!("the inputs are not understood: {what}"))
}

/// The fault of one input. The derived reader says what is wrong, not always where: the member without which that
/// changes is the one.
fn misfit(text: &str, place: usize, error: &str) -> Fault {
    let item = value(text).ok().and_then(|list| list.get(place).cloned()).unwrap_or_default();
    let mut kinds = item.as_object().into_iter().flatten();
    let (Some((kind, said)), None) = (kinds.next(), kinds.next()) else {
        return unreadable(format_args!("inputs[{place}]: {error}"));
    };
    let no_members = Map::new();
    let members = said.as_object().unwrap_or(&no_members);
    // Without its type a command is nothing at all, so that is looked at last.
    let (types, others): (Vec<_>, Vec<_>) = members.keys().partition(|name| *name == "type");
    let culprit = others.into_iter().chain(types).find(|name| {
        let mut rest: Map<String, Value> = members.clone();
        rest.shift_remove(name.as_str());
        let item = Value::Object(Map::from_iter([(kind.clone(), Value::Object(rest))]));
        from_tree::<Input>(item).err().is_none_or(|other| other.to_string() != error)
    });
    match culprit {
        Some(name) => unreadable(format_args!("inputs[{place}].{kind}.{name}: {error}")),
        None => unreadable(format_args!("inputs[{place}].{kind}: {error}")),
    }
}

#[cfg(test)]
#[path = "inputs_tests.rs"]
mod tests;
