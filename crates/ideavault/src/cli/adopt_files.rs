//! `ideavault adopt-files`.

use std::io::Write;

use clap::Args;

use super::{CommandError, counted, write};
use crate::config::DataOptions;
use crate::data::{self, files_of};
use crate::storage_identity;

/// Options of `ideavault adopt-files`.
#[derive(Args, Clone, Debug)]
pub struct AdoptFilesOptions {
    /// Accept that files are missing which the database names.
    #[arg(long)]
    pub accept_missing: bool,

    /// Location of the files and the database.
    #[command(flatten)]
    pub data: DataOptions,
}

/// Binds the file storage to the database, and reports it on `out`.
pub fn adopt_files(options: &AdoptFilesOptions, out: &mut dyn Write) -> Result<(), CommandError> {
    let opened = data::open_existing(&options.data)?;
    let blobs = files_of(&options.data)?;
    let (known, missing) =
        storage_identity::adopt(&opened.database, blobs.as_ref(), options.accept_missing)?;
    let name = blobs.name();
    let files = counted(known, "file");
    let missing = match missing {
        0 => "none".to_owned(),
        count => count.to_string(),
    };
    let text = format!("The {name} now belongs to this vault: {files}, {missing} missing.\n");
    write(out, &text)
}
