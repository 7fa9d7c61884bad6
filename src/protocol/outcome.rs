//! What a tool did, before projection decides what the model is shown.

use std::borrow::Cow;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};

use super::{Code, Refusal};

/// How a call ended; exactly one per call, and it never changes (IV-04).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "testing", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)] // The names are those of the specification, chapter 05, section 2.
pub enum Status {
    Ok,
    Error,
    Denied,
    Cancelled,
    TimedOut,
    Skipped,
    Unknown,
    Backgrounded,
}

impl Status {
    /// Whether a result with this status carries the error mark (RS-12).
    pub fn is_error(self) -> bool {
        !matches!(self, Status::Ok | Status::Backgrounded)
    }
}

/// What stands for the text of a result that has neither text nor image (SC-14).
pub const EMPTY_TEXT: &str = "The tool finished and produced no output.";

/// One piece of what the model is shown, in order.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "testing", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Part {
    /// Text.
    Text {
        /// The text.
        text: String,
    },
    /// An image, by its place in the list of images.
    Image {
        /// Index into `images`.
        image: usize,
    },
}

// By hand: serde's reader of a tagged enum goes through a second tree.
impl<'de> Deserialize<'de> for Part {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let part = Value::deserialize(deserializer)?;
        let text = part.get("text").and_then(Value::as_str);
        let image = part.get("image").and_then(Value::as_u64).and_then(|image| usize::try_from(image).ok());
        match (part.get("type").and_then(Value::as_str), text, image) {
            (Some("text"), Some(text), _) => Ok(Part::Text { text: text.to_owned() }),
            (Some("image"), _, Some(image)) => Ok(Part::Image { image }),
            _ => Err(D::Error::custom("expected a part: a text or the place of an image")),
        }
    }
}

/// A remark in the record, for the developer and the audit; the model does not see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "testing", derive(schemars::JsonSchema))]
pub struct Note {
    /// What kind of remark, for example `arguments_repaired`.
    pub kind: String,
    /// What it says, for example `{"locations": ["/a"]}`.
    pub data: Value,
}

/// A user message a tool adds after the results of its batch (RS-13).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "testing", derive(schemars::JsonSchema))]
pub struct ExtraMessage {
    /// The text.
    pub text: String,
}

/// What a tool did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Outcome {
    /// How it ended.
    pub status: Status,
    /// Why it failed; absent exactly when the status is no error.
    pub code: Option<Code>,
    /// Text and images in order.
    pub parts: Vec<Part>,
    /// The structured value, never shown to the model (RS-02).
    pub structured: Option<Value>,
    /// Digests of attached images, in the order of their parts.
    #[serde(default)]
    pub images: Vec<String>,
    /// Data for the screen (RS-07).
    #[serde(default)]
    pub display: Option<Value>,
    /// Paths that belong to the result.
    #[serde(default)]
    pub resource_refs: Vec<String>,
    /// Remarks for the record.
    #[serde(default)]
    pub notes: Vec<Note>,
    /// Messages to add after the batch.
    #[serde(default)]
    pub extra_messages: Vec<ExtraMessage>,
    /// The result ends the batch (SC-10).
    #[serde(default)]
    pub terminate: bool,
}

impl Outcome {
    /// A success that shows this text.
    pub fn ok(text: impl Into<String>, structured: Option<Value>) -> Self {
        Self {
            status: Status::Ok,
            code: None,
            parts: vec![Part::Text { text: text.into() }],
            structured,
            images: Vec::new(),
            display: None,
            resource_refs: Vec::new(),
            notes: Vec::new(),
            extra_messages: Vec::new(),
            terminate: false,
        }
    }

    /// A failure with this status, code and text; the structured value is that of RS-03.
    pub fn failure(status: Status, code: Code, message: impl Into<String>) -> Self {
        let message = message.into();
        let structured = json!({"error": {"code": code, "message": message}});
        Self { status, code: Some(code), ..Self::ok(message, Some(structured)) }
    }

    /// A refusal as a result.
    pub fn refused(refusal: Refusal) -> Self {
        Self::failure(Status::Error, refusal.code, refusal.message)
    }

    /// The text parts joined by one blank line: the `content` of the record (RS-12).
    pub fn text(&self) -> String {
        self.content().into_owned()
    }

    /// The same, borrowed where it is one part.
    pub fn content(&self) -> Cow<'_, str> {
        if let [Part::Text { text }] = self.parts.as_slice() {
            return Cow::Borrowed(text);
        }
        let texts: Vec<&str> = self
            .parts
            .iter()
            .filter_map(|part| match part {
                Part::Text { text } => Some(text.as_str()),
                Part::Image { .. } => None,
            })
            .collect();
        Cow::Owned(texts.join("\n\n"))
    }
}
