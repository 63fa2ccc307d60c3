//! Archives: several files as one.

use std::io::{self, Read, Write};

use super::platform::PortError;

/// Writes what is in a file of an archive.
pub type EntryWriter<'a> = &'a mut dyn FnMut(&mut dyn Write) -> io::Result<()>;

/// Writes archives.
pub trait Archives: Send + Sync {
    /// Begins an archive. Its files follow in the order in which they are added.
    fn begin_archive<'w>(&self, to: Box<dyn Write + 'w>) -> Box<dyn ArchiveWriter + 'w>;
}

/// An archive that is being written, in bounded memory.
pub trait ArchiveWriter {
    /// Adds a file that is compressed already, as it is. The path is relative, with `/`, and
    /// new.
    ///
    /// # Errors
    /// When reading or writing fails.
    fn add_file(&mut self, path: &str, content: &mut dyn Read) -> Result<(), PortError>;

    /// Adds a file, compressed, that `write` writes piece by piece.
    ///
    /// # Errors
    /// When `write` or writing fails.
    fn add_text(&mut self, path: &str, write: EntryWriter<'_>) -> Result<(), PortError>;

    /// Adds an archive within the archive, as it is, that `write` writes.
    ///
    /// # Errors
    /// When `write` or writing fails.
    fn add_archive(&mut self, path: &str, write: EntryWriter<'_>) -> Result<(), PortError>;

    /// Ends the archive.
    ///
    /// # Errors
    /// When writing fails.
    fn finish(self: Box<Self>) -> Result<(), PortError>;
}
