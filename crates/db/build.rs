//! Watches the migrations, and names their content, so that test databases that
//! were made of other migrations are not taken for current ones.

use std::error::Error;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let migrations = Path::new("../../migrations");
    println!("cargo::rerun-if-changed={}", migrations.display());
    let mut files = Vec::new();
    collect(migrations, &mut files)?;
    files.sort();
    let mut hasher = DefaultHasher::new();
    for file in files {
        file.hash(&mut hasher);
        fs::read(&file)?.hash(&mut hasher);
    }
    println!(
        "cargo::rustc-env=IDEAVAULT_MIGRATIONS_DIGEST={:016x}",
        hasher.finish()
    );
    Ok(())
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
