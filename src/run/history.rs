//! The conversation of a run as it is kept: images by reference, so that nothing large is stored twice and a
//! snapshot stays small (IM-04, AU-05).

use std::borrow::Cow;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use crate::protocol::{Code, Fault, Message, Part, Record, Status, StoredImage};
use crate::wire::{Assistant, Entry, ResultPart, ResultView};

/// One entry of the kept conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Kept {
    /// A system message.
    System(String),
    /// A message of the user, or one the runtime puts in his name.
    User(String),
    /// What the model said.
    Assistant(Assistant),
    /// The results of its calls.
    Results(Vec<KeptResult>),
}

/// What a request needs of a stored record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KeptResult {
    call_id: Arc<str>,
    provider_id: Option<String>,
    name: Arc<str>,
    is_error: bool,
    code: Option<Code>,
    parts: Vec<Part>,
    images: Vec<StoredImage>,
    /// Nobody knows what the call did.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    unknown: bool,
}

/// Gives the bytes of a file by its path.
pub type Read<'a> = &'a dyn Fn(&str) -> Option<Arc<[u8]>>;

/// What stands where an image is, for a model that takes none (IM-06).
const NO_IMAGES: &str = "[Image left out: this model takes no images.]";
/// What stands where an image was whose file is gone.
const NO_FILE: &str = "[Image left out: its file is no longer there.]";

impl KeptResult {
    /// The part of a record that requests are made of.
    pub fn of(record: &Record) -> Self {
        Self {
            call_id: record.call_id.clone(),
            provider_id: record.provider_id.clone(),
            name: record.name.clone(),
            is_error: record.is_error,
            code: record.error_code,
            parts: record.parts.clone(),
            images: record.images.clone(),
            unknown: record.status == Status::Unknown,
        }
    }

    /// The id of the call, if nobody knows what it did.
    pub fn unknown(&self) -> Option<&Arc<str>> {
        self.unknown.then_some(&self.call_id)
    }

    fn view<'a>(&'a self, read: Option<Read>) -> ResultView<'a> {
        let part = |part: &'a Part| match part {
            Part::Text { text } => ResultPart::Text(text.into()),
            Part::Image { image } => {
                let Some(read) = read else { return ResultPart::OmittedImage(NO_IMAGES.into()) };
                let bytes = self.images.get(*image).and_then(|stored| Some((stored, read(&stored.path)?)));
                match bytes {
                    Some((stored, bytes)) => ResultPart::Image {
                        path: stored.path.as_str().into(),
                        mime_type: stored.mime_type.as_str().into(),
                        base64: STANDARD.encode(bytes),
                    },
                    None => ResultPart::OmittedImage(NO_FILE.into()),
                }
            }
        };
        ResultView {
            call_id: Cow::Borrowed(&self.call_id),
            provider_id: self.provider_id.as_deref().map(Into::into),
            name: Cow::Borrowed(&self.name),
            is_error: self.is_error,
            code: self.code,
            parts: self.parts.iter().map(part).collect(),
        }
    }
}

impl Kept {
    /// The entry as a codec takes it. `read` gives the bytes of an image; `None` for a model that takes none.
    pub fn entry(&self, read: Option<Read>) -> Entry<'_> {
        match self {
            Kept::System(text) => Entry::System(text.into()),
            Kept::User(text) => Entry::User(text.into()),
            Kept::Assistant(said) => Entry::Assistant(Cow::Borrowed(said)),
            Kept::Results(results) => {
                Entry::Results(results.iter().map(|result| result.view(read)).collect())
            }
        }
    }
}

/// The conversation a run begins with: the host's prompt, then the messages so far (RN-03).
pub fn opening(prompt: &[Message], messages: &[Message]) -> Result<Vec<Kept>, Fault> {
    let entry = |list: &str, place: usize, message: &Message| match message.role.as_str() {
        "system" => Ok(Kept::System(message.text.clone())),
        "user" => Ok(Kept::User(message.text.clone())),
        "assistant" => Ok(Kept::Assistant(Assistant { text: message.text.clone(), ..Assistant::default() })),
        other => Err(Fault::new(
            Code::CommandInvalid,
            format!("{list}[{place}].role: expected system, user or assistant, got {other}"),
        )),
    };
    let listed = |list: &'static str, messages: &[Message]| {
        messages.iter().enumerate().map(|(place, m)| entry(list, place, m)).collect::<Result<Vec<_>, _>>()
    };
    let mut all = listed("promptMessages", prompt)?;
    all.extend(listed("messages", messages)?);
    Ok(all)
}
