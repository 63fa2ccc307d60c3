//! Implements the ports for bundles.

use std::error::Error;
use std::io::{Read, Write};

use ideavault_domain::digest::Digest;
use ideavault_domain::ids::IdeaId;
use ideavault_domain::ports::{BundleFormats, BundleWriter, CheckpointParts, PortError};

use crate::assets;
use crate::bundle;
use crate::checkpoint::{SignedCheckpoint, VerifierKey};
use crate::ots::{self, CalendarTimestamp};
use crate::proof::{TlogProof, hashes_to_text};

/// Bundles as zip files.
#[derive(Clone, Copy, Debug)]
pub struct ZipBundles;

struct ZipBundle<'w>(bundle::BundleWriter<Box<dyn Write + 'w>>);

fn failed(error: impl Error + Send + Sync + 'static) -> PortError {
    PortError {
        operation: "write a bundle",
        source: Box::new(error),
    }
}

impl BundleFormats for ZipBundles {
    fn begin<'w>(&self, to: Box<dyn Write + 'w>) -> Box<dyn BundleWriter + 'w> {
        Box::new(ZipBundle(bundle::BundleWriter::new(to)))
    }

    fn proof(&self, index: u64, hashes: &[Digest], note: &str) -> Result<Vec<u8>, PortError> {
        let proof = TlogProof {
            index,
            hashes: hashes.iter().map(|hash| *hash.as_bytes()).collect(),
            checkpoint: SignedCheckpoint::parse(note.as_bytes()).map_err(failed)?,
        };
        Ok(proof.to_text())
    }

    fn consistency(&self, hashes: &[Digest]) -> String {
        let hashes: Vec<_> = hashes.iter().map(|hash| *hash.as_bytes()).collect();
        hashes_to_text(&hashes)
    }

    fn parts(&self, note: &str, vkey: &str) -> Result<CheckpointParts, PortError> {
        let checkpoint = SignedCheckpoint::parse(note.as_bytes()).map_err(failed)?;
        let key = VerifierKey::parse(vkey).map_err(failed)?;
        Ok(CheckpointParts {
            body: checkpoint.checkpoint().body(),
            signature: checkpoint.signature(&key).map_err(failed)?.to_vec(),
            key_pem: key.pem(),
        })
    }

    fn checkpoint_stamp(&self, note: &str, proofs: &[Vec<u8>]) -> Result<Vec<u8>, PortError> {
        let checkpoint = SignedCheckpoint::parse(note.as_bytes()).map_err(failed)?;
        let answers = answers(&checkpoint, proofs)?;
        ots::checkpoint_file(&checkpoint, &answers).map_err(failed)
    }

    fn event_stamp(
        &self,
        event: &Digest,
        (index, hashes): (u64, &[Digest]),
        note: &str,
        proofs: &[Vec<u8>],
    ) -> Result<Vec<u8>, PortError> {
        let checkpoint = SignedCheckpoint::parse(note.as_bytes()).map_err(failed)?;
        let answers = answers(&checkpoint, proofs)?;
        let hashes: Vec<_> = hashes.iter().map(|hash| *hash.as_bytes()).collect();
        ots::event_file(event.as_bytes(), index, &hashes, &checkpoint, &answers).map_err(failed)
    }
}

/// Parses what calendars said of a checkpoint.
fn answers(
    checkpoint: &SignedCheckpoint,
    proofs: &[Vec<u8>],
) -> Result<Vec<CalendarTimestamp>, PortError> {
    let digest = ots::calendar_digest(checkpoint);
    let proofs = proofs.iter();
    proofs
        .map(|proof| CalendarTimestamp::parse(proof, &digest).map_err(failed))
        .collect()
}

impl BundleWriter for ZipBundle<'_> {
    fn add(&mut self, path: &str, content: &mut dyn Read) -> Result<(), PortError> {
        self.0.add(path, content).map_err(failed)?;
        Ok(())
    }

    fn withhold(&mut self, path: &str) {
        self.0.withhold(path);
    }

    fn note_missing(&mut self, path: &str) {
        self.0.note_missing(path);
    }

    fn note_pending(&mut self, kind: &'static str) {
        self.0.note_pending(kind);
    }

    fn finish(self: Box<Self>, idea: IdeaId, vkey: &str) -> Result<(), PortError> {
        let mut bundle = self.0;
        let readme = assets::readme(&idea.to_string(), vkey, bundle.paths(), bundle.missing());
        bundle
            .add("README.txt", readme.as_bytes())
            .map_err(failed)?;
        let script = assets::VERIFY_PY.as_bytes();
        bundle.add("verify.py", script).map_err(failed)?;
        bundle.finish().map_err(failed)?;
        Ok(())
    }
}
