//! Self-contained HTML: embeds images, replaces videos by links, and carries the content itself.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::file::{self, MediaType};
use crate::ids::FileId;

use super::{Content, image_source};

/// Address prefix of embedded videos; the video id follows.
const VIDEO: &str = "https://www.youtube-nocookie.com/embed/";

/// Returns a `data:` URL with the whole file.
#[must_use]
pub fn data_address(media_type: MediaType, bytes: &[u8]) -> String {
    format!(
        "data:{};base64,{}",
        media_type.as_str(),
        STANDARD.encode(bytes)
    )
}

/// Replaces the addresses of files by the result of `address`; an image without one
/// is reduced to its description. Videos become links.
///
/// # Errors
/// The errors of `address`.
pub fn embed<E>(
    html: &str,
    mut address: impl FnMut(FileId) -> Result<Option<String>, E>,
) -> Result<String, E> {
    let html = with_video_links(html);
    let mut parts = html.split("<img ");
    let mut embedded = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        embedded.push_str("<img ");
        let found = image_source(part).and_then(|path| Some((path, file::id_in_path(path)?)));
        match found {
            Some((path, id)) => {
                let data = address(id)?.unwrap_or_else(|| "data:,".to_owned());
                let old = format!("src=\"{path}\"");
                embedded.push_str(&part.replacen(&old, &format!("src=\"{data}\""), 1));
            }
            None => embedded.push_str(part),
        }
    }
    Ok(embedded)
}

/// Returns an HTML comment that carries the exact stored content, which the page of the public record
/// compares with what is on record (`frontend/src/features/record/compare.ts`).
#[must_use]
pub fn carrier(content: &Content) -> String {
    let stored = STANDARD.encode(content.to_stored());
    format!("<!-- ideavault-content {stored} -->")
}

fn with_video_links(html: &str) -> String {
    let mut parts = html.split("<iframe ");
    let mut linked = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (frame, rest) = part.split_once("</iframe>").unwrap_or((part, ""));
        if let Some(id) = image_source(frame).and_then(|path| path.strip_prefix(VIDEO)) {
            let page = format!("https://www.youtube.com/watch?v={id}");
            linked.push_str(&format!("<a href=\"{page}\">{page}</a>"));
        }
        linked.push_str(rest);
    }
    linked
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;
    use crate::digest::Digest;

    #[test]
    fn images_are_embedded_as_data_urls() {
        let [kept, lost] = [1, 2].map(|n| FileId::from_random([n; 16]));
        let html = format!(
            "<p>{0}<img src=\"{0}\" alt=\" src=&quot;x\"></p><img alt=\"b\" src=\"{1}\">\
             <img src=\"data:image/png;base64,AAAA\">",
            file::path_of(kept),
            file::path_of(lost),
        );
        let embedded = embed(&html, |id| {
            Ok::<_, Infallible>((id == kept).then(|| "data:image/png;base64,BBBB".to_owned()))
        });
        assert_eq!(
            embedded.unwrap(),
            format!(
                "<p>{}<img src=\"data:image/png;base64,BBBB\" alt=\" src=&quot;x\"></p>\
                 <img alt=\"b\" src=\"data:,\"><img src=\"data:image/png;base64,AAAA\">",
                file::path_of(kept),
            )
        );
    }

    #[test]
    fn a_comment_carries_the_exact_content() {
        let content = Content::Html("<p>Waits --> é</p>".into());
        let carried = carrier(&content);
        let encoded = carried
            .strip_prefix("<!-- ideavault-content ")
            .and_then(|rest| rest.strip_suffix(" -->"))
            .unwrap();
        let decoded = STANDARD.decode(encoded).unwrap();
        assert_eq!(decoded, content.to_stored().as_bytes());
        assert_eq!(Digest::of(&decoded), content.digest());
    }

    #[test]
    fn videos_become_links() {
        let html = "<p>a</p><iframe src=\"https://www.youtube-nocookie.com/embed/abcdefghijk\" \
                    width=\"560\"></iframe><p>b</p>";
        let embedded = embed(html, |_| Ok::<_, Infallible>(None));
        assert_eq!(
            embedded.unwrap(),
            "<p>a</p><a href=\"https://www.youtube.com/watch?v=abcdefghijk\">\
             https://www.youtube.com/watch?v=abcdefghijk</a><p>b</p>"
        );
    }
}
