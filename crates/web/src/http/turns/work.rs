//! The kinds of work, and how much of each may run and wait (docs/rules.md#turns).

use std::time::Duration;

use crate::http::REQUEST_TIMEOUT;

/// Largest content that is checked among queries: it takes milliseconds.
const SHORT_TEXT: usize = 32 * 1024;

/// A kind of work. Each has threads of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Most calls: few rows are read or written.
    Query,
    /// Reading, writing as JSON and compressing what is longer than a query may read.
    Large,
    /// Looking up and storing sessions, before the account is known.
    Session,
    /// Checking a long text.
    Text,
    /// Decoding an image.
    Image,
    /// Reading a PDF.
    Pdf,
    /// Making a document to save.
    Page,
    /// Writing an evidence bundle.
    Bundle,
    /// Collecting, or deleting, everything of an account.
    Export,
    /// Erasing a person.
    Erasure,
    /// Hashing a password.
    Password,
    /// Reading or writing a part of a file.
    FilePart,
    /// Work that follows an answer.
    Later,
    /// Readiness and metrics.
    Health,
    /// Background jobs.
    Job,
}

/// Limits of one kind of work.
#[derive(Clone, Copy, Debug)]
pub(in crate::http) struct Bounds {
    pub(in crate::http) threads: usize,
    /// At work for one caller.
    pub(in crate::http) at_work: usize,
    /// At work and waiting for one caller.
    pub(in crate::http) per_caller: u32,
    /// At work and waiting in total.
    pub(in crate::http) in_all: u32,
    pub(in crate::http) time: Time,
}

/// How long a request waits for its turn and its work together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::http) enum Time {
    /// The rest of the request's [`REQUEST_TIMEOUT`].
    OfRequest,
    /// A time of its own.
    Own(Duration),
    /// As long as the database responds.
    Unlimited,
}

/// Checking a large text or image takes seconds on a small machine, and so does waiting for
/// those of others.
const LONG: Time = Time::Own(Duration::from_secs(60));
/// A bundle or an export may be gigabytes.
const VERY_LONG: Time = Time::Own(Duration::from_secs(600));

const fn bounds(
    threads: usize,
    at_work: usize,
    per_caller: u32,
    in_all: u32,
    time: Time,
) -> Bounds {
    Bounds {
        threads,
        at_work,
        per_caller,
        in_all,
        time,
    }
}

impl Work {
    /// Every kind.
    pub const ALL: [Self; 15] = [
        Self::Query,
        Self::Large,
        Self::Session,
        Self::Text,
        Self::Image,
        Self::Pdf,
        Self::Page,
        Self::Bundle,
        Self::Export,
        Self::Erasure,
        Self::Password,
        Self::FilePart,
        Self::Later,
        Self::Health,
        Self::Job,
    ];

    /// Returns the kind of work that checks content of `length` bytes.
    #[must_use]
    pub const fn of_text(length: usize) -> Self {
        if length <= SHORT_TEXT {
            Self::Query
        } else {
            Self::Text
        }
    }

    /// Returns the name of its queue in metrics.
    #[must_use]
    pub const fn queue(self) -> &'static str {
        match self {
            Self::Query => "queries",
            Self::Large => "large",
            Self::Session => "sessions",
            Self::Text => "texts",
            Self::Image => "images",
            Self::Pdf => "pdfs",
            Self::Page => "pages",
            Self::Bundle => "bundles",
            Self::Export => "exports",
            Self::Erasure => "erasures",
            Self::Password => "passwords",
            Self::FilePart => "file_parts",
            Self::Later => "later",
            Self::Health => "health",
            Self::Job => "jobs",
        }
    }

    pub(in crate::http) const fn bounds(self) -> Bounds {
        match self {
            // More threads would only wait for each other at the database. An office, whose
            // hundreds of readers may come at once, shares its network.
            Self::Query => bounds(8, 2, 256, 1024, Time::OfRequest),
            // Waiting requests have not been read yet. Two at work hold a few times 8 MiB.
            Self::Large => bounds(2, 1, 128, 512, LONG),
            // An office shares its network.
            Self::Session => bounds(2, 2, 256, 1024, Time::OfRequest),
            // Each that waits holds up to 8 MiB of text in memory.
            Self::Text => bounds(1, 1, 4, 32, LONG),
            // Decoding an image takes up to 500 MB of memory. Waiting images are on the disk, and
            // pasting a document uploads many at once.
            Self::Image => bounds(1, 1, 32, 128, LONG),
            Self::Pdf => bounds(1, 1, 4, 32, LONG),
            // A page contains up to 32 MiB of images, written as text. Recipients count by client
            // address, which an office shares.
            Self::Page => bounds(1, 1, 16, 64, LONG),
            Self::Bundle => bounds(1, 1, 2, 32, VERY_LONG),
            // It waits on the disk meanwhile.
            Self::Export => bounds(1, 1, 1, 16, VERY_LONG),
            Self::Erasure => bounds(1, 1, 4, 32, Time::Unlimited),
            // A hash takes 19 MiB of memory. Logins count by client address, which an office
            // shares. They wait no longer than other requests: a database that is locked holds
            // those whose turn it is.
            Self::Password => bounds(2, 1, 64, 256, Time::Own(REQUEST_TIMEOUT)),
            // A document may show a hundred images, which a browser requests together.
            Self::FilePart => bounds(4, 2, 256, 1024, LONG),
            Self::Later => bounds(4, 2, 64, 1024, LONG),
            Self::Health => bounds(2, 1, 8, 64, Time::Own(HEALTH_TIMEOUT)),
            // All of them belong to the server itself.
            Self::Job => bounds(16, 16, 64, 128, Time::Unlimited),
        }
    }
}

/// Prometheus waits for ten seconds by default, other probes less.
const HEALTH_TIMEOUT: Duration = Duration::from_millis(2_500);
