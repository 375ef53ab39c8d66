//! Images in a prompt. If the path of an image is pasted alone, claude attaches the image, shows `[Image #1]`
//! in its place, and scales it down for the model. If a path is mentioned within other text, claude attaches
//! only a small image. Therefore the images attached to a prompt are pasted one by one, before its text.

use std::path::Path;

/// The start of claude's placeholder.
const PLACEHOLDER: &str = "[Image #";

/// The file name extensions that claude accepts as images.
const ENDINGS: [&str; 5] = ["png", "jpg", "jpeg", "gif", "webp"];

/// Returns the paths of the attached images that exist in `folder`, and the text without the mentions of
/// these images.
pub(crate) fn split(text: &str, folder: &Path) -> (Vec<String>, String) {
    let Some(folder) = folder.to_str().filter(|folder| text.contains(folder)) else {
        return (Vec::new(), text.to_owned());
    };
    let (mut images, mut rest, mut left) = (Vec::new(), String::new(), text);
    while let Some(at) = left.find('@') {
        let (before, mention) = left.split_at(at);
        rest.push_str(before);
        match path_of(mention).filter(|(path, _)| is_image(path, folder)) {
            Some((path, length)) => {
                images.push(path.to_owned());
                left = &mention[length..];
            }
            None => {
                rest.push('@');
                left = &mention[1..];
            }
        }
    }
    rest.push_str(left);
    (images, rest.trim().to_owned())
}

/// The path in a mention, and the mention's length.
fn path_of(mention: &str) -> Option<(&str, usize)> {
    if let Some(quoted) = mention.strip_prefix("@\"") {
        let end = quoted.find('"')?;
        return Some((&quoted[..end], end + 3));
    }
    let path = &mention[1..];
    let end = path.find(char::is_whitespace).unwrap_or(path.len());
    Some((&path[..end], end + 1))
}

fn is_image(path: &str, folder: &str) -> bool {
    let path = Path::new(path);
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_lowercase();
    path.parent() == Some(Path::new(folder)) && ENDINGS.contains(&ending.as_str()) && path.is_file()
}

/// The number of images in the box.
pub(crate) fn shown(typed: &str) -> usize {
    typed.matches(PLACEHOLDER).count()
}

/// The content of the box without its images.
pub(crate) fn without(typed: &str) -> String {
    let (mut rest, mut left) = (String::new(), typed);
    while let Some((before, after)) = left.split_once(PLACEHOLDER) {
        rest.push_str(before);
        match after.split_once(']') {
            Some((number, after)) if number.bytes().all(|byte| byte.is_ascii_digit()) => left = after,
            _ => {
                rest.push_str(PLACEHOLDER);
                left = after;
            }
        }
    }
    rest.push_str(left);
    rest.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attached_images_are_separated_and_other_mentions_stay() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("a b");
        std::fs::create_dir(&folder).unwrap();
        for name in ["1.png", "2.JPG", "n.txt"] {
            // In production, the engine writes these files.
            #[allow(clippy::disallowed_methods)]
            std::fs::write(folder.join(name), "x").unwrap();
        }
        let at = |name: &str| format!("@\"{}\"", folder.join(name).display());
        let text =
            format!("see {} and {} {} {} @src/a.rs", at("1.png"), at("2.JPG"), at("n.txt"), at("gone.png"));
        let (images, rest) = split(&text, &folder);
        assert_eq!(images.len(), 2);
        assert!(images[1].ends_with("2.JPG"));
        assert_eq!(rest, format!("see  and  {} {} @src/a.rs", at("n.txt"), at("gone.png")));
        assert_eq!(split(&text, dir.path()), (vec![], text.clone()));
        assert_eq!(split("me@example.org", &folder), (vec![], "me@example.org".to_owned()));
    }

    #[test]
    fn placeholders_are_counted_and_removed() {
        assert_eq!(shown("[Image #1] [Image #2] look"), 2);
        assert_eq!(without("[Image #1] [Image #2] look"), "look");
        assert_eq!(without("[Image #1]"), "");
        assert_eq!(without("about [Image #x] and [Image #"), "about [Image #x] and [Image #");
    }
}
