//! Extracts facts about a tool call from its result line (`toolUseResult`), and images from a transcript.

use super::entry::{Object, number, object, text};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use bc_core::message::{ImageRef, PatchHunk, ToolDetails};
use serde_json_borrow::Value;
use sha2::{Digest as _, Sha256};

/// The maximum number of lines in an edit's patch. A longer patch is omitted, because the call's input
/// already contains the old and new text.
const PATCH_LINES: usize = 4_000;

/// The maximum size of an image, in bytes. The API accepts up to 5 MB.
const IMAGE_MAX: usize = 12 << 20;

/// An image to be stored beside the messages.
#[derive(Debug, Clone, PartialEq)]
pub struct ImageData {
    /// The file name by which the message refers to the image.
    pub name: String,
    /// The decoded bytes.
    pub bytes: Vec<u8>,
}

/// The facts in a result line and the images in the result's content; `None` if there are neither.
pub(super) fn details_of(run: Option<&Object<'_>>, images: &[ImageData]) -> Option<Box<ToolDetails>> {
    let known = |key| run.and_then(|run| text(run, key)).filter(|id| !id.is_empty()).map(str::to_owned);
    let details = ToolDetails {
        patch: run.map(patch).unwrap_or_default(),
        subagent: known("agentId"),
        background: known("backgroundTaskId"),
        images: images.iter().map(ImageData::reference).collect(),
    };
    (!details.is_empty()).then(|| Box::new(details))
}

impl ImageData {
    pub(super) fn reference(&self) -> ImageRef {
        ImageRef { name: self.name.clone(), bytes: self.bytes.len() as u64 }
    }
}

fn patch(run: &Object<'_>) -> Vec<PatchHunk> {
    let Some(Value::Array(hunks)) = run.get("structuredPatch") else { return Vec::new() };
    let hunks: Vec<PatchHunk> = hunks.iter().filter_map(|hunk| hunk_of(hunk.as_object()?)).collect();
    let lines: usize = hunks.iter().map(|hunk| hunk.lines.len()).sum();
    if lines > PATCH_LINES { Vec::new() } else { hunks }
}

fn hunk_of(hunk: &Object<'_>) -> Option<PatchHunk> {
    let Some(Value::Array(lines)) = hunk.get("lines") else { return None };
    let lines = lines.iter().filter_map(Value::as_str).map(str::to_owned).collect();
    let start = |key| u32::try_from(number(hunk, key)?).ok();
    Some(PatchHunk { old_start: start("oldStart")?, new_start: start("newStart")?, lines })
}

/// The images among the blocks of a message's content.
pub(super) fn images_in(content: &Value<'_>) -> Vec<ImageData> {
    let Value::Array(blocks) = content else { return Vec::new() };
    let image = |block: &Value<'_>| {
        let block = block.as_object().filter(|block| text(block, "type") == Some("image"))?;
        let source = object(block, "source").filter(|source| text(source, "type") == Some("base64"))?;
        image_of(text(source, "media_type")?, text(source, "data")?)
    };
    blocks.iter().filter_map(image).collect()
}

/// The image that the user attached by mentioning its path.
pub(super) fn attached_image(attachment: &Object<'_>) -> Option<ImageData> {
    let file = object(object(attachment, "content").filter(|c| text(c, "type") == Some("image"))?, "file")?;
    image_of(text(file, "type")?, text(file, "base64")?)
}

/// Decodes an image and names it by its hash. `None` for a type that the API does not accept, for invalid
/// base64, or for an image that is too large.
fn image_of(media: &str, data: &str) -> Option<ImageData> {
    let ending = match media {
        "image/png" => "png",
        "image/jpeg" => "jpg",
        "image/gif" => "gif",
        "image/webp" => "webp",
        _ => return None,
    };
    if data.len() / 4 * 3 > IMAGE_MAX {
        return None;
    }
    let bytes = STANDARD.decode(data).ok()?;
    let hash = Sha256::digest(&bytes);
    let hex: String = hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    Some(ImageData { name: format!("{hex}.{ending}"), bytes })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_image_is_named_by_its_bytes_and_other_sources_are_not_loaded() {
        let content = json!([
            {"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}},
            {"type":"image","source":{"type":"url","url":"https://example.com/a.png"}},
            {"type":"image","source":{"type":"base64","media_type":"image/svg+xml","data":"AAAA"}},
            {"type":"image","source":{"type":"base64","media_type":"image/png","data":"no base64!"}},
        ]);
        let images = images_in(&Value::from(&content));
        assert_eq!(images.len(), 1);
        assert_eq!(images[0].bytes, [0, 0, 0]);
        assert_eq!(images[0].name, "709e80c88487a2411e1ee4dfb9f22a86.png");
    }

    #[test]
    fn a_patch_has_the_lines_places_and_a_huge_one_is_omitted() {
        let details = |lines: usize| {
            let run = json!({"agentId":"a1","structuredPatch":[{"oldStart":3,"newStart":4,"lines":vec!["+x"; lines]}]});
            details_of(Value::from(&run).as_object(), &[]).unwrap()
        };
        let small = details(2);
        assert_eq!(
            (small.patch[0].old_start, small.patch[0].new_start, small.patch[0].lines.len()),
            (3, 4, 2)
        );
        assert_eq!(small.subagent.as_deref(), Some("a1"));
        assert_eq!(details(PATCH_LINES + 1).patch, []);
    }
}
