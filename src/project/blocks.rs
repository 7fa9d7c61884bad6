//! The block shapes that a tool may return (RS-06).

use serde_json::{Map, Value};

use crate::protocol::{ExtraMessage, Part};

/// A result in blocks.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    /// `ok: false`.
    pub(super) failed: bool,
    pub(super) parts: Vec<Part>,
    /// Digests in the order of their parts.
    pub(super) images: Vec<String>,
    pub(super) structured: Option<Value>,
    pub(super) display: Option<Value>,
    pub(super) extra_messages: Vec<ExtraMessage>,
    pub(super) terminate: bool,
}

/// Reads a string, `{text}` or `{content: [{type: "text", text} | {type: "image", image}]}`, with the optional
/// members `ok`, `structured`, `display`, `extraMessages` and `terminate`. The bytes of an image travel out of band:
/// `image` is its place among the images of the receipt. Images that no block names come last, in their order.
/// The error is the first problem, in words.
pub(super) fn read(value: &Value, attached: Vec<String>) -> Result<Blocks, String> {
    let mut blocks = Blocks::default();
    let mut named = vec![false; attached.len()];
    match value {
        Value::String(text) => blocks.parts.push(Part::Text { text: text.clone() }),
        Value::Object(members) => {
            blocks.read_content(members, &attached, &mut named)?;
            blocks.read_members(members)?;
        }
        _ => return Err("expected a string, {text} or {content: [blocks]}".into()),
    }
    for (digest, _) in attached.into_iter().zip(named).filter(|(_, named)| !named) {
        blocks.add_image(digest);
    }
    Ok(blocks)
}

impl Blocks {
    fn read_content(
        &mut self,
        members: &Map<String, Value>,
        attached: &[String],
        named: &mut [bool],
    ) -> Result<(), String> {
        let list = match (members.get("text"), members.get("content")) {
            (Some(Value::String(text)), None) => {
                self.parts.push(Part::Text { text: text.clone() });
                return Ok(());
            }
            (None, Some(Value::Array(list))) => list,
            (Some(_), None) => return Err("`text` must be a string".into()),
            (None, Some(_)) => return Err("`content` must be a list of blocks".into()),
            (Some(_), Some(_)) => return Err("`text` and `content` exclude each other".into()),
            (None, None) => return Err("expected a string, {text} or {content: [blocks]}".into()),
        };
        for (at, block) in list.iter().enumerate() {
            match block.get("type").and_then(Value::as_str) {
                Some("text") => {
                    let text = block.get("text").and_then(Value::as_str);
                    let text = text.ok_or_else(|| format!("`content[{at}].text` must be a string"))?;
                    self.parts.push(Part::Text { text: text.into() });
                }
                Some("image") => {
                    let place = block.get("image").and_then(Value::as_u64);
                    let place = place.and_then(|place| usize::try_from(place).ok());
                    let image = place.and_then(|place| Some((attached.get(place)?, named.get_mut(place)?)));
                    let Some((digest, named)) = image else {
                        return Err(format!("`content[{at}]` names no image of this call"));
                    };
                    *named = true;
                    self.add_image(digest.clone());
                }
                _ => return Err(format!("`content[{at}].type` must be text or image")),
            }
        }
        Ok(())
    }

    fn read_members(&mut self, members: &Map<String, Value>) -> Result<(), String> {
        let flag = |name: &str, default: bool| match members.get(name) {
            None | Some(Value::Null) => Ok(default),
            Some(value) => value.as_bool().ok_or_else(|| format!("`{name}` must be a boolean")),
        };
        self.failed = !flag("ok", true)?;
        self.terminate = flag("terminate", false)?;
        self.structured = members.get("structured").cloned();
        self.display = members.get("display").filter(|display| !display.is_null()).cloned();
        if self.display.as_ref().is_some_and(|display| display.get("kind").and_then(Value::as_str).is_none())
        {
            return Err("`display` must be an object with a `kind`".into());
        }
        let extra = match members.get("extraMessages") {
            None | Some(Value::Null) => &[],
            Some(Value::Array(list)) => list.as_slice(),
            Some(_) => return Err("`extraMessages` must be a list".into()),
        };
        for (at, message) in extra.iter().enumerate() {
            let by_user = message.get("role").is_none_or(|role| role == "user");
            let text = message.get("text").and_then(Value::as_str).filter(|_| by_user);
            let text =
                text.ok_or_else(|| format!("`extraMessages[{at}]` must be {{role: \"user\", text}}"))?;
            self.extra_messages.push(ExtraMessage { text: text.into() });
        }
        Ok(())
    }

    fn add_image(&mut self, digest: String) {
        self.parts.push(Part::Image { image: self.images.len() });
        self.images.push(digest);
    }
}
