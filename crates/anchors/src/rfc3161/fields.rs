//! Reading fields of DER without decoding what does not matter.

use der::{Decode, Header, Reader, SliceReader, Tag, TagNumber};

use super::refusal::Refusal;

/// Returns the tag of a constructed field.
pub(super) fn context(number: TagNumber) -> Tag {
    Tag::ContextSpecific {
        constructed: true,
        number,
    }
}

/// Returns the content of the next value if it has this tag, and passes over it.
pub(super) fn optional<'a>(
    reader: &mut impl Reader<'a>,
    number: TagNumber,
) -> der::Result<Option<&'a [u8]>> {
    if reader.is_finished() || reader.peek_tag()? != context(number) {
        return Ok(None);
    }
    let header = Header::decode(reader)?;
    reader.read_slice(header.length).map(Some)
}

/// Reads a value that fills `bytes`; `what` names it in a refusal.
pub(super) fn read<'a, T>(
    bytes: &'a [u8],
    what: &'static str,
    read: impl FnOnce(&mut SliceReader<'a>) -> der::Result<T>,
) -> Result<T, Refusal> {
    let whole = || {
        let mut reader = SliceReader::new(bytes)?;
        let value = read(&mut reader)?;
        reader.finish(value)
    };
    whole().map_err(|_: der::Error| Refusal::Malformed(what))
}
