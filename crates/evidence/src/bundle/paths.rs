//! Paths of the files in a bundle that disclosures name by their digests.

use ideavault_domain::evidence::{ContentFacts, FileFacts};

/// Returns the path of the content of a version, without its ending.
pub fn version(revision: &str) -> String {
    format!("idea/version-{revision}")
}

/// Reports whether a content is a file: a PDF.
pub fn is_file(content: &ContentFacts) -> bool {
    let mut files = content.files.iter();
    files.any(|file| file.sha256 == content.sha256)
}

/// Returns the files of a version with their paths. The content of a PDF is the file itself.
pub fn version_files<'a>(
    revision: &str,
    content: &'a ContentFacts,
) -> Vec<(String, &'a FileFacts)> {
    let version = version(revision);
    let is_file = is_file(content);
    let numbered = (1..).zip(&content.files);
    numbered
        .filter(|(_, file)| !is_file || file.sha256 == content.sha256)
        .map(|(number, file)| {
            let ending = ending_of(&file.media_type);
            let path = match is_file {
                true => format!("{version}.{ending}"),
                false => format!("{version}-{number}.{ending}"),
            };
            (path, file)
        })
        .collect()
}

/// Reports whether a version may have a file with that digest. `number` is the place of the file among
/// those that the content lists, from 1; without one, it is the content itself.
pub fn is_of(
    (content, is_file): (&ContentFacts, bool),
    (number, ending): (Option<u64>, &str),
    digest: &str,
) -> bool {
    let is_it = |file: &FileFacts| file.sha256 == digest && ending_of(&file.media_type) == ending;
    match (is_file, number) {
        (false, None) => matches!(ending, "html" | "json") && content.sha256 == digest,
        (false, Some(number)) => {
            let at = usize::try_from(number)
                .ok()
                .and_then(|at| at.checked_sub(1));
            at.and_then(|at| content.files.get(at)).is_some_and(is_it)
        }
        (true, None) => content.sha256 == digest && content.files.iter().any(is_it),
        (true, Some(_)) => false,
    }
}

/// Returns the path of the agreement that an event discloses. `prefix` is the folder of its log.
pub fn agreement(prefix: &str, place: u64) -> String {
    format!("{prefix}agreements/{place}.txt")
}

/// Returns the ending of a file of that media type.
pub fn ending_of(media_type: &str) -> &'static str {
    match media_type {
        "application/pdf" => "pdf",
        "image/png" => "png",
        _ => "jpg",
    }
}
