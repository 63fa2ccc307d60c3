//! `ideavault adopt-files`.

use std::io::Write;

use clap::Args;

use super::{CommandError, write};
use crate::config::DataOptions;
use crate::data::{self, files_of};
use crate::storage_identity;

/// Options of `ideavault adopt-files`.
#[derive(Args, Clone, Debug)]
pub struct AdoptFilesOptions {
    /// Accept that files are missing which the database names.
    #[arg(long)]
    pub accept_missing: bool,

    /// Location of the files folder and the database.
    #[command(flatten)]
    pub data: DataOptions,
}

/// Binds the files folder to the database, and reports it on `out`.
///
/// # Errors
/// [`CommandError`].
pub fn adopt_files(options: &AdoptFilesOptions, out: &mut dyn Write) -> Result<(), CommandError> {
    let opened = data::open_existing(&options.data)?;
    let folder = files_of(&options.data.data_dir)?;
    let (known, missing) =
        storage_identity::adopt(&opened.database, &folder, options.accept_missing)?;
    let path = folder.path().display();
    let text = match missing {
        0 => format!("{path} is the files folder of this vault. It has all {known} files.\n"),
        _ => format!(
            "{path} is the files folder of this vault. {missing} of {known} files are missing.\n"
        ),
    };
    write(out, &text)
}
