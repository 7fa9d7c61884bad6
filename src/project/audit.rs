//! What stands in the audit files of a call (AR-12, RS-54).

use serde::Serialize;
use serde_json::{Map, Value};

use super::record::Stored;
use crate::protocol::{self, Call, Record, write_json};

/// Arguments as they are kept.
#[derive(Clone, Copy, Debug)]
pub enum Arguments<'a> {
    /// The object.
    Object(&'a Map<String, Value>),
    /// What could not be read as one, verbatim.
    Invalid(&'a str),
}

/// The file of the arguments: `{callId, name, arguments}` or `{callId, name, invalid}`, and `repaired` with the object
/// that the tool got instead (AR-35).
pub fn arguments_file(
    call: &Call,
    arguments: Arguments<'_>,
    repaired: Option<&Map<String, Value>>,
) -> String {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct File<'a> {
        call_id: &'a str,
        name: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        arguments: Option<&'a Map<String, Value>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        invalid: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        repaired: Option<&'a Map<String, Value>>,
    }
    let (arguments, invalid) = match arguments {
        Arguments::Object(members) => (Some(members), None),
        Arguments::Invalid(text) => (None, Some(text)),
    };
    json_text(&File { call_id: &call.call_id, name: &call.name, arguments, invalid, repaired })
}

/// The file of the result: the record, and for external tools `raw`, the payload of the receipt with images as
/// `{path, mimeType}`.
pub fn result_file(record: &Stored, raw: Option<&Value>) -> String {
    let record: &Record = record;
    let mut text = json_text(record);
    if let (Some(raw), Some('}')) = (raw, text.pop()) {
        text.push_str(",\"raw\":");
        // Nothing of a tree of values can fail to be written.
        let _ = write_json(&mut text, raw);
    }
    text.push('}');
    text
}

/// Compact JSON. Maps have text keys and nothing else can fail, so the empty text never comes.
fn json_text(file: &impl Serialize) -> String {
    protocol::json_text(file).unwrap_or_default()
}
