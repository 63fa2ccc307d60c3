//! What the events of a bundle say, in words: `docs/evidence.md`, 'The report'.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::{self, Write};

use ideavault_domain::evidence::{
    Delivery, Disclosure, EventBody, EventKind, MUTUAL, OtherLog, PROVIDER_CONFIRMED, SIGNATORY,
};
use ideavault_domain::hex;

use super::paths;
use crate::assets::REPORT_START;
use crate::checkpoint::SignedCheckpoint;
use crate::{Digest, sha256};

/// Characters of the longest typed text.
const LONGEST: usize = 500;

/// Joins parts of a cell.
const BREAK: &str = "<br>";

/// `report.html`. It follows from the other files of a bundle, so that verifiers find a changed one.
#[derive(Debug, Default)]
pub struct ReportPage {
    logs: Vec<ToldLog>,
    lines: Vec<Line>,
    readers: Vec<Reader>,
    reader_numbers: BTreeMap<String, usize>,
    link_numbers: BTreeMap<String, usize>,
    idea: Option<String>,
    title: Option<String>,
    creator: Option<String>,
}

/// How much the holder of a bundle lacks, by the lists of its index.
#[derive(Debug, Clone, Copy, Default)]
pub struct LeftOut {
    /// Disclosures that the holder does not get, or that were erased.
    pub withheld: usize,
    /// Files that the vault has lost or has elsewhere.
    pub missing: usize,
    /// Events that had no place yet.
    pub pending: usize,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            withheld,
            missing,
            pending,
        } = self;
        if withheld + missing + pending == 0 {
            return formatter.write_str("nothing");
        }
        write!(
            formatter,
            "{withheld} facts that the holder does not get or that were erased, {missing} files that \
             the vault has lost or has elsewhere, {pending} events that had no place yet"
        )
    }
}

#[derive(Debug)]
struct ToldLog {
    prefix: String,
    origin: String,
    size: u64,
    /// SHA-256 of its checkpoint, in hexadecimal digits.
    checkpoint: String,
    previous: Option<OtherLog>,
}

#[derive(Debug)]
struct Line {
    /// Its log, by the order of logs.
    log: usize,
    place: u64,
    digest: Digest,
    at: String,
    told: Told,
}

/// What an event says, with texts made safe.
#[derive(Debug)]
struct Told {
    kind: EventKind,
    /// By the order of readers.
    reader: Option<usize>,
    author: Option<String>,
    /// By the order of links.
    link: Option<usize>,
    version: Option<String>,
    agreement: Option<String>,
    /// In which role of which company the reader, or who signed for the owner, acted.
    role: Option<String>,
    /// Who signed for the owner.
    signatory: Option<String>,
    /// Who confirmed the address of the reader, if not the vault by a code.
    provider: Option<String>,
    file: Option<String>,
    /// Number of the copy.
    mark: Option<String>,
    from: Option<String>,
    is_undelivered: bool,
    is_download: bool,
    is_signed: bool,
}

#[derive(Debug, Default)]
struct Reader {
    /// Name, and what else is known: role and company, address, and how that is known.
    person: Option<(String, Vec<String>)>,
    answers: Vec<String>,
    /// Paths that the texts of agreements have, if they are there.
    texts: Vec<String>,
    opened: Vec<String>,
    versions: BTreeSet<String>,
}

impl ReportPage {
    /// Begins with the events of a log. The newest log is the last one.
    pub fn begin_log(&mut self, prefix: &str, checkpoint: &SignedCheckpoint) {
        let head = checkpoint.checkpoint();
        self.logs.push(ToldLog {
            prefix: prefix.to_owned(),
            origin: head.origin().to_owned(),
            size: head.size(),
            checkpoint: hex::encode(&sha256(checkpoint.bytes())),
            previous: None,
        });
    }

    /// Adds the next event of the log that was begun last, with what the bundle discloses of it.
    pub fn add<'a>(
        &mut self,
        (place, digest): (u64, &Digest),
        event: &EventBody,
        facts: impl IntoIterator<Item = &'a Disclosure>,
    ) {
        let Some(log) = self.logs.last_mut() else {
            return;
        };
        if let Some(previous) = &event.previous {
            log.previous = Some(previous.clone());
        }
        let prefix = log.prefix.clone();
        if let Some(idea) = &event.idea {
            self.idea.get_or_insert_with(|| idea.clone());
        }
        let reader = event.recipient.as_ref().map(|id| self.reader(id));
        let mut told = Told {
            kind: event.kind,
            reader,
            author: None,
            link: None,
            version: event
                .revision
                .as_deref()
                .map(|number| format!("version {}", plain(number))),
            agreement: None,
            role: None,
            signatory: None,
            provider: None,
            file: None,
            mark: event.mark.as_deref().map(plain),
            from: None,
            is_undelivered: event.delivered == Some(Delivery::None(false)),
            is_download: event.download == Some(true),
            is_signed: event.discloses.contains_key(SIGNATORY),
        };
        if let Some(share) = &event.share {
            let next = self.link_numbers.len();
            told.link = Some(*self.link_numbers.entry(share.clone()).or_insert(next));
        }
        for fact in facts {
            match fact {
                Disclosure::Content(content) => {
                    self.title = Some(quoted(&content.title));
                    self.creator = Some(quoted(&content.creator));
                }
                Disclosure::Agreement(agreement) => {
                    let name = [agreement.template.as_str(), " ", &agreement.version];
                    let kind = match agreement.kind.as_deref() {
                        Some(MUTUAL) => "mutual agreement",
                        _ => "agreement",
                    };
                    told.agreement = Some(format!("{kind} {}", quoted_parts(&name)));
                }
                Disclosure::Person(person) => {
                    let known = match (person.identity.as_str(), &person.provider) {
                        ("email-confirmed", _) => "address confirmed".into(),
                        (PROVIDER_CONFIRMED, Some(provider)) => {
                            format!("address confirmed by {}", marked(provider))
                        }
                        _ => "address not confirmed".into(),
                    };
                    told.role = role_of(&person.role, &person.company);
                    told.provider = person.provider.as_deref().map(marked);
                    let details = told.role.iter().cloned();
                    let details = details.chain([marked(&person.email), known]);
                    if let Some(reader) = reader.and_then(|at| self.readers.get_mut(at)) {
                        reader.person = Some((quoted(&person.name), details.collect()));
                    }
                }
                Disclosure::Signatory(signatory) => {
                    told.signatory = Some(quoted(&signatory.name));
                    told.role = role_of(&signatory.role, &signatory.company);
                }
                Disclosure::Sources(_) => {}
                Disclosure::Terms(_) => {
                    if let Some(reader) = reader.and_then(|at| self.readers.get_mut(at)) {
                        reader.texts.push(paths::agreement(&prefix, place));
                    }
                }
                Disclosure::Origin(origin) => told.from = Some(marked(&origin.address)),
                Disclosure::File(file) => {
                    let copy = file.original.as_ref().map(|_| ", a marked copy");
                    told.file = Some(quoted(&file.name) + copy.unwrap_or_default());
                }
                Disclosure::Comment(comment) => told.author = Some(quoted(&comment.author)),
            }
        }
        let at = time(&event.at);
        if let Some(reader) = reader.and_then(|at| self.readers.get_mut(at)) {
            reader.note(&at, &told);
        }
        self.lines.push(Line {
            log: self.logs.len() - 1,
            place,
            digest: *digest,
            at,
            told,
        });
    }

    /// Returns the place of a reader in the order of readers.
    fn reader(&mut self, id: &str) -> usize {
        if let Some(at) = self.reader_numbers.get(id) {
            return *at;
        }
        let at = self.readers.len();
        self.readers.push(Reader::default());
        self.reader_numbers.insert(id.to_owned(), at);
        at
    }

    /// Writes the page. `has` tells whether the bundle has a file.
    ///
    /// # Errors
    ///
    /// Fails if writing does.
    pub fn write(
        &self,
        html: &mut dyn Write,
        has: &dyn Fn(&str) -> bool,
        left_out: LeftOut,
    ) -> io::Result<()> {
        let told = |quoted: &Option<String>| {
            let quoted = quoted.clone();
            quoted.unwrap_or_else(|| "not told here".into())
        };
        let idea = self.idea.as_deref().map(plain).unwrap_or_default();
        let (origin, size) = match self.logs.last() {
            Some(log) => (plain(&log.origin), log.size),
            None => (String::new(), 0),
        };
        let count = self.lines.len();
        writeln!(html, "{REPORT_START}<dl>")?;
        for (term, told) in [
            ("Idea", format!("{}, number {idea}", told(&self.title))),
            ("Owner", told(&self.creator)),
            ("Log", format!("{origin}, {size} events")),
            (
                "Told here",
                format!(
                    "{count} events; the numbers between are those of other ideas, or not part of this bundle"
                ),
            ),
            ("Listed as left out", left_out.to_string()),
        ] {
            writeln!(html, "<dt>{term}</dt><dd>{told}</dd>")?;
        }
        writeln!(html, "</dl>\n<h2>Readers</h2>")?;
        if self.readers.is_empty() {
            writeln!(html, "<p>None are recorded here.</p>")?;
        } else {
            writeln!(
                html,
                "<table><thead><tr><th>Reader</th><th>Agreed</th><th>Opened</th></tr></thead><tbody>"
            )?;
            for (at, reader) in self.readers.iter().enumerate() {
                let details = reader
                    .person
                    .iter()
                    .flat_map(|(_, details)| details.clone());
                let who: Vec<_> = [self.name(at)].into_iter().chain(details).collect();
                let texts = reader.texts.iter().filter(|path| has(path));
                let texts = texts.map(|path| format!("text: {path}"));
                let agreed: Vec<_> = or_no(&reader.answers).into_iter().chain(texts).collect();
                let opened = or_no(&reader.opened);
                writeln!(
                    html,
                    "<tr><td>{}</td><td>{}</td><td>{}</td></tr>",
                    who.join(BREAK),
                    agreed.join(BREAK),
                    opened.join(BREAK)
                )?;
            }
            writeln!(html, "</tbody></table>")?;
        }
        writeln!(html, "<h2>What happened</h2>\n<ol>")?;
        let confirmed = self.confirmed();
        for line in &self.lines {
            let Some(log) = self.logs.get(line.log) else {
                continue;
            };
            let folder = match log.prefix.strip_suffix('/') {
                Some(folder) => format!(" of {folder}"),
                None => String::new(),
            };
            let doubt = match confirmed.contains(&line.log) {
                true => "",
                false => ", not confirmed by the newest log",
            };
            writeln!(
                html,
                "<li><time>{}</time>{}<small>No. {}{folder}, SHA-256 {}{doubt}</small></li>",
                line.at,
                self.sentence(&line.told),
                line.place,
                hex::encode(&line.digest)
            )?;
        }
        writeln!(html, "</ol>")
    }

    /// Returns the logs that the newest one vouches for, itself included.
    fn confirmed(&self) -> BTreeSet<usize> {
        let mut confirmed = BTreeSet::new();
        let mut next = self.logs.len().checked_sub(1);
        while let Some(at) = next.filter(|at| confirmed.insert(*at)) {
            let previous = self.logs.get(at).and_then(|log| log.previous.as_ref());
            next = previous.and_then(|named| {
                let mut logs = self.logs.iter();
                logs.position(|log| log.origin == named.log && log.checkpoint == named.checkpoint)
            });
        }
        confirmed
    }

    fn name(&self, reader: usize) -> String {
        let person = self
            .readers
            .get(reader)
            .and_then(|reader| reader.person.as_ref());
        match person {
            Some((name, _)) => name.clone(),
            None => format!("Reader {}", reader + 1),
        }
    }

    fn sentence(&self, told: &Told) -> String {
        let who = match (told.reader, &told.author) {
            (Some(reader), _) => self.name(reader),
            (None, Some(author)) => author.clone(),
            (None, None) => "the owner".into(),
        };
        let link = match told.link {
            Some(link) => format!("link {}", link + 1),
            None => "a link".into(),
        };
        let agreement = told.agreement();
        let role = told.role.as_ref().map(|role| format!(" as {role}"));
        let role = role.unwrap_or_default();
        let signatory = told.signatory.as_deref().unwrap_or("the owner");
        let file = told.file.as_deref().unwrap_or("a file of the idea");
        let version = told.version.as_deref().unwrap_or("a version");
        let mut text = match told.kind {
            EventKind::LogStarted => "the log began.".into(),
            EventKind::LogResumed => {
                "recording had stopped and began again, in a new log.".to_owned()
            }
            EventKind::KeyRotated => "the log got a new key.".into(),
            EventKind::RevisionRecorded => format!("{version} was put on record."),
            EventKind::IdeaPublished => format!("the idea was published as {version}."),
            EventKind::IdeaDeleted => "the draft was deleted.".into(),
            EventKind::ShareCreated => format!("{link} was made."),
            EventKind::ShareRevoked => format!("{link} was revoked."),
            EventKind::AgreementOffered => format!("{who} was offered {agreement} by {link}."),
            EventKind::AgreementDelivered => format!("{who} was sent the text of the agreement."),
            EventKind::AgreementAccepted => {
                let version = told.version.iter().map(|version| format!(" for {version}"));
                let version: String = version.collect();
                let delivery = match told.is_undelivered {
                    true => " The vault has no record that its text was sent to the reader.",
                    false => "",
                };
                format!("{who} accepted {agreement}{role}{version}.{delivery}")
            }
            EventKind::AgreementDeclined => format!("{who} declined the agreement."),
            EventKind::EmailConfirmed => {
                let provider = told.provider.as_deref().unwrap_or("a code");
                format!("{who} confirmed the address by {provider}.")
            }
            EventKind::AgreementIssued => {
                format!("{signatory} accepted {agreement}{role} towards all readers of {link}.")
            }
            EventKind::AccessRequested => format!("{who} asked to read the document."),
            EventKind::AccessApproved => {
                let accepted = match told.is_signed {
                    true => format!(" and accepted the agreement{role}"),
                    false => String::new(),
                };
                format!("{signatory} let {who} read{accepted}.")
            }
            EventKind::AccessRefused => format!("the owner declined the request of {who}."),
            EventKind::ViewStarted => {
                let copy = told.mark.iter().map(|mark| format!(", copy {mark}"));
                format!("{who} opened {version}{}.", copy.collect::<String>())
            }
            EventKind::VisitClosed => format!("{who} closed the document."),
            EventKind::FileDelivered => match (&told.version, told.is_download) {
                (Some(version), _) => format!("{who} was shown the edited {version}."),
                (None, true) => format!("{who} downloaded {file}."),
                (None, false) => format!("{who} was sent {file}."),
            },
            EventKind::CommentAdded => format!("{who} commented."),
            EventKind::CommentChanged => format!("{who} changed a comment."),
            EventKind::CommentWithdrawn => format!("{who} withdrew a comment."),
            EventKind::PersonErased => format!("the personal details of {who} were erased."),
        };
        if let Some(first) = text.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        if let Some(address) = &told.from {
            text.push_str(&format!(" From the network address {address}."));
        }
        text
    }
}

impl Told {
    fn agreement(&self) -> String {
        match &self.agreement {
            Some(name) => format!("the {name}"),
            None => "the agreement".into(),
        }
    }
}

impl Reader {
    fn note(&mut self, at: &str, told: &Told) {
        match told.kind {
            EventKind::AgreementAccepted => {
                self.answers.push(format!("{at}: {}", told.agreement()))
            }
            EventKind::AgreementDeclined => self.answers.push(format!("{at}: declined")),
            // An edited version is shown within a view.
            EventKind::ViewStarted | EventKind::FileDelivered
                if told.kind == EventKind::ViewStarted || told.version.is_some() =>
            {
                let version = told.version.as_deref().unwrap_or("a version");
                if self.versions.insert(version.to_owned()) {
                    self.opened.push(format!("{at}: {version}"));
                }
            }
            _ => {}
        }
    }
}

/// Tells a role in a company.
fn role_of(role: &Option<String>, company: &Option<String>) -> Option<String> {
    let (role, company) = (role.as_deref()?, company.as_deref()?);
    Some(format!("{} of {}", quoted(role), quoted(company)))
}

fn or_no(parts: &[String]) -> Vec<String> {
    match parts {
        [] => vec!["no".into()],
        parts => parts.to_vec(),
    }
}

/// Returns a time as `YYYY-MM-DD hh:mm:ss`.
fn time(at: &str) -> String {
    let part = |range| at.get(range).unwrap_or_default();
    format!("{} {}", part(0..10), part(11..19))
}

/// Quotes a typed text, which cannot end the quotation.
fn quoted(text: &str) -> String {
    quoted_parts(&[text])
}

/// Quotes a text that is made of parts.
fn quoted_parts(parts: &[&str]) -> String {
    format!("\"<bdi>{}</bdi>\"", plain_parts(parts))
}

/// Marks a typed text.
fn marked(text: &str) -> String {
    format!("<bdi>{}</bdi>", plain(text))
}

fn plain(text: &str) -> String {
    plain_parts(&[text])
}

/// Makes a typed text safe, in a way that does not depend on a version of Unicode: no markup, no
/// quotation marks, nothing that hides or reorders what stands beside it, and not too long: many
/// events can name one text.
fn plain_parts(parts: &[&str]) -> String {
    let mut shown = String::new();
    let letters = parts.iter().flat_map(|part| part.chars());
    for (count, letter) in letters.enumerate() {
        if count == LONGEST {
            shown.push('\u{2026}');
            break;
        }
        match letter {
            '"' | '\u{201c}'..='\u{201f}' | '\u{ab}' | '\u{bb}' | '\u{ff02}' => shown.push('\''),
            '\0'..='\u{1f}'
            | '\u{7f}'..='\u{9f}'
            | '\u{ad}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{e0000}'..='\u{e007f}' => shown.push('\u{fffd}'),
            '&' => shown.push_str("&amp;"),
            '<' => shown.push_str("&lt;"),
            '>' => shown.push_str("&gt;"),
            other => shown.push(other),
        }
    }
    shown
}
