//! Writes emails to files, for trying IdeaVault without a mail server.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use ideavault_domain::mail::OutgoingMail;
use ideavault_domain::ports::{Mailer, MailerError};

use crate::message::{Carrier, Sender, message};

/// [`Mailer`] that writes each email to an `.eml` file. The names sort by the time of
/// writing; only the server's account may read the files.
pub struct FolderMailer {
    folder: PathBuf,
    sender: Sender,
}

impl FolderMailer {
    /// Writes emails to `folder`, which is created with the first one.
    #[must_use]
    pub fn new(folder: PathBuf, sender: Sender) -> Self {
        Self { folder, sender }
    }

    /// Writes a file atomically: it never has its name while incomplete. An email that is
    /// delivered again after a crash replaces the former file.
    fn keep(&self, name: &str, text: &[u8]) -> io::Result<()> {
        make_private_folder(&self.folder)?;
        let draft = self.folder.join(format!(".{name}.tmp"));
        let mut file = create_private(&draft)?;
        file.write_all(text)?;
        file.sync_all()?;
        fs::rename(&draft, self.folder.join(name))?;
        // The name, too, must survive a power failure.
        File::open(&self.folder)?.sync_all()
    }
}

impl Mailer for FolderMailer {
    fn deliver(&self, mail: &OutgoingMail) -> Result<(), MailerError> {
        let message = message(mail, &self.sender, Carrier::EightBit)?;
        let written = mail.written_at.format("%Y%m%dT%H%M%S%.6fZ");
        let name = format!("{written}-{}.eml", mail.id);
        self.keep(&name, &message.formatted())
            .map_err(|error| MailerError::Unavailable(Box::new(error)))
    }
}

fn make_private_folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

fn create_private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

#[cfg(test)]
mod tests {
    use ideavault_domain::Timestamp;
    use ideavault_domain::email::Email;
    use ideavault_domain::ids::MailId;
    use ideavault_domain::mail::Mail;
    use tempfile::TempDir;

    use super::*;

    fn mail(seconds: i64, id: u8) -> OutgoingMail {
        OutgoingMail {
            id: MailId::from_random([id; 16]),
            written_at: Timestamp::from_timestamp(seconds, 0).unwrap(),
            mail: Mail::new(
                Email::parse("ada@example.org").unwrap(),
                "Hello",
                format!("Grüße at {seconds}\n"),
            ),
            attachments: Vec::new(),
        }
    }

    fn mailer(folder: &Path) -> FolderMailer {
        FolderMailer::new(
            folder.into(),
            Sender::parse("vault@example.org", "IdeaVault").unwrap(),
        )
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn file_names_sort_by_the_time_of_the_mail() {
        let home = TempDir::new().unwrap();
        let folder = home.path().join("data/outbox");
        for (seconds, id) in [(1_800_000_100, 1), (1_799_999_999, 9), (1_800_000_000, 5)] {
            mailer(&folder).deliver(&mail(seconds, id)).unwrap();
        }
        let said: Vec<_> = names(&folder)
            .iter()
            .map(|name| fs::read_to_string(folder.join(name)).unwrap())
            .map(|text| {
                let line = text.lines().find(|line| line.starts_with("Grüße"));
                line.unwrap().to_owned()
            })
            .collect();
        assert_eq!(
            said,
            [
                "Grüße at 1799999999",
                "Grüße at 1800000000",
                "Grüße at 1800000100"
            ]
        );
        assert!(names(&folder)[1].starts_with("20270115T080000.000000Z-"));
    }

    #[test]
    fn delivering_a_mail_again_keeps_one_file() {
        let home = TempDir::new().unwrap();
        for _ in 0..2 {
            mailer(home.path()).deliver(&mail(0, 1)).unwrap();
        }
        assert_eq!(names(home.path()).len(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn mail_files_are_private() {
        use std::os::unix::fs::PermissionsExt as _;
        let home = TempDir::new().unwrap();
        let folder = home.path().join("outbox");
        mailer(&folder).deliver(&mail(0, 1)).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&folder), 0o700);
        assert_eq!(mode(&folder.join(&names(&folder)[0])), 0o600);
    }

    #[test]
    fn an_unusable_folder_is_unavailable() {
        let home = TempDir::new().unwrap();
        let file = home.path().join("outbox");
        fs::write(&file, "not a folder").unwrap();
        let outcome = mailer(&file).deliver(&mail(0, 1));
        assert!(matches!(outcome, Err(MailerError::Unavailable(_))));
    }
}
