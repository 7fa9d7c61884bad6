//! What the formats of several providers say of results in the same way.

use std::borrow::Cow;

use serde_json::Value;

use super::{ResultPart, ResultView, blocks};
use crate::protocol::EMPTY_TEXT;

/// A result as one text. Images are only announced: their bytes stand after all results of the batch.
pub(super) fn text<'a>(result: &'a ResultView) -> Cow<'a, str> {
    if let [ResultPart::Text(text)] = &result.parts[..]
        && !text.is_empty()
    {
        return Cow::Borrowed(text);
    }
    let mut images = 0;
    let mut pieces: Vec<Cow<'_, str>> = Vec::new();
    for part in &result.parts {
        match part {
            ResultPart::Text(text) | ResultPart::OmittedImage(text) => pieces.push(Cow::Borrowed(text)),
            ResultPart::Image { .. } => {
                images += 1;
                pieces.push(format!("[Image {images} of this result: image attached below.]").into());
            }
        }
    }
    pieces.retain(|piece| !piece.is_empty());
    if pieces.is_empty() { EMPTY_TEXT.into() } else { pieces.join("\n\n").into() }
}

/// The announced images of a batch, each behind a caption. `carries` says of which results; `image` makes the
/// provider's block from media type and bytes.
pub(super) fn images(
    results: &[ResultView],
    carries: impl Fn(&ResultView) -> bool,
    image: fn(&str, &str) -> Value,
) -> Vec<Value> {
    let mut content = Vec::new();
    for (place, result) in results.iter().enumerate().filter(|(_, result)| carries(result)) {
        let mut images = 0;
        for part in &result.parts {
            let ResultPart::Image { mime_type, base64, .. } = part else { continue };
            images += 1;
            let name = &result.name;
            let caption = format!("Image {images} of the result of call {}, `{name}`:", place + 1);
            content.push(blocks::block(&caption));
            content.push(image(mime_type, base64));
        }
    }
    content
}
