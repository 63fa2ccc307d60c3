use std::io::{Read, Write};

use flate2::Compression;
use flate2::write::DeflateEncoder;
use ideavault_domain::hex;
use rawzip::path::EntryPath;
use rawzip::{CompressionMethod, ZipArchiveWriter};

use super::*;
use crate::{canonical, sha256};

/// An entry of a zip file as hostile as it gets.
struct Hostile<'a> {
    path: &'a [u8],
    contents: &'a [u8],
    permissions: u32,
    encrypted: bool,
    method: CompressionMethod,
}

impl Default for Hostile<'_> {
    fn default() -> Self {
        Self {
            path: b"file",
            contents: b"contents",
            permissions: 0o100_644,
            encrypted: false,
            method: CompressionMethod::DEFLATE,
        }
    }
}

fn zip(entries: &[Hostile]) -> Vec<u8> {
    let mut zip = ZipArchiveWriter::new(Vec::new());
    for hostile in entries {
        let (mut entry, config) = zip
            .new_file(EntryPath::verbatim(hostile.path))
            .compression_method(hostile.method)
            .unix_permissions(hostile.permissions)
            .encrypted(hostile.encrypted)
            .start()
            .unwrap();
        let output = if hostile.method == CompressionMethod::DEFLATE {
            let encoder = DeflateEncoder::new(&mut entry, Compression::best());
            let mut data = config.wrap(encoder);
            data.write_all(hostile.contents).unwrap();
            let (encoder, output) = data.finish().unwrap();
            encoder.finish().unwrap();
            output
        } else {
            let mut data = config.wrap(&mut entry);
            data.write_all(hostile.contents).unwrap();
            data.finish().unwrap().1
        };
        entry.finish(output).unwrap();
    }
    zip.finish().unwrap()
}

fn files(paths: &[&str]) -> Vec<u8> {
    let entries: Vec<_> = paths
        .iter()
        .map(|path| Hostile {
            path: path.as_bytes(),
            ..Hostile::default()
        })
        .collect();
    zip(&entries)
}

fn open(bytes: &[u8]) -> Result<BundleReader, BundleError> {
    BundleReader::from_bytes(bytes.to_vec(), &Limits::default())
}

fn refused(bytes: &[u8]) -> String {
    let error = open(bytes).err().expect("the bundle was accepted");
    assert!(!error.is_unreadable());
    error.to_string()
}

fn bundle() -> Vec<u8> {
    let mut writer = BundleWriter::new(Vec::new());
    writer
        .add("idea/content.html", &b"<p>Idea</p>"[..])
        .unwrap();
    writer.add("idea/a b.bin", &[7; 3000][..]).unwrap();
    writer.add("events/0.json", &b"{}"[..]).unwrap();
    writer.finish().unwrap()
}

fn position(bytes: &[u8], wanted: &[u8]) -> usize {
    let found: Vec<_> = bytes
        .windows(wanted.len())
        .enumerate()
        .filter_map(|(place, window)| (window == wanted).then_some(place))
        .collect();
    *found.last().unwrap()
}

#[test]
fn a_bundle_is_read_as_it_was_written() {
    let bundle = open(&bundle()).unwrap();
    let paths: Vec<_> = bundle.paths().collect();
    assert_eq!(
        paths,
        [
            "bundle.json",
            "events/0.json",
            "idea/a b.bin",
            "idea/content.html"
        ]
    );
    assert_eq!(bundle.read("idea/content.html").unwrap(), b"<p>Idea</p>");
    assert_eq!(bundle.digest("idea/a b.bin").unwrap(), sha256(&[7; 3000]));
    let index: Index = canonical::read_as(&bundle.read(INDEX).unwrap()).unwrap();
    assert_eq!(index.v, VERSION);
    assert_eq!(index.files.len(), 3);
    assert_eq!(index.files["events/0.json"], hex::encode(&sha256(b"{}")));
    let missing = bundle.read("README.txt").unwrap_err();
    assert_eq!(missing.to_string(), "README.txt: the file is missing");
}

#[test]
fn the_same_files_make_the_same_bytes() {
    assert_eq!(bundle(), bundle());
}

#[test]
fn other_readers_of_zip_files_read_a_bundle() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bundle.zip");
    std::fs::write(&path, bundle()).unwrap();
    let script = "import sys, zipfile\n\
        z = zipfile.ZipFile(sys.argv[1])\n\
        assert z.testzip() is None\n\
        print(z.read('idea/content.html').decode(), len(z.namelist()))";
    let output = std::process::Command::new("python3")
        .args(["-c", script])
        .arg(&path)
        .output()
        .unwrap();
    assert_eq!(
        String::from_utf8_lossy(&output.stdout).trim(),
        "<p>Idea</p> 4",
        "{output:?}"
    );
    let file = std::fs::File::open(&path).unwrap();
    let bundle = BundleReader::open(file, &Limits::default()).unwrap();
    assert_eq!(bundle.read("events/0.json").unwrap(), b"{}");
}

#[test]
fn the_writer_refuses_a_path_that_the_reader_refuses() {
    let mut writer = BundleWriter::new(Vec::new());
    for path in ["../a", "/a", "", "a/", "bundle.json"] {
        assert!(writer.add(path, &b""[..]).is_err(), "{path}");
    }
    writer.add("a/b", &b""[..]).unwrap();
    assert!(writer.add("A/B", &b""[..]).is_err());
    assert!(writer.add("a/b/c", &b""[..]).is_err());
    assert!(writer.add("a", &b""[..]).is_err());
}

#[test]
fn a_failing_reader_or_writer_is_an_error() {
    struct Failing;
    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("disk"))
        }
    }
    impl Write for Failing {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("disk"))
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut writer = BundleWriter::new(Vec::new());
    assert!(writer.add("a", Failing).unwrap_err().is_unreadable());
    let mut writer = BundleWriter::new(Failing);
    assert!(writer.add("a", &b""[..]).is_err());
}

#[test]
fn a_path_that_leads_elsewhere_is_refused() {
    for path in [
        "/etc/passwd",
        "../a",
        "a/../../b",
        "a/./b",
        "a//b",
        "C:/a",
        "C:a",
        "a\\b",
        "..\\a",
        "a\0b",
        "a\nb",
        "a.",
        "a /b",
        "a:stream",
        "",
        &"a/".repeat(200),
        &"a".repeat(241),
    ] {
        let message = refused(&files(&["README.txt", path]));
        // A path that ends in a slash is a folder to begin with.
        assert!(
            message == format!("{path}: the path is not safe")
                || message == format!("{path}: this is not a regular file"),
            "{message}"
        );
    }
    let latin_1 = zip(&[Hostile {
        path: b"caf\xe9",
        ..Hostile::default()
    }]);
    assert_eq!(refused(&latin_1), "caf\u{fffd}: the path is not safe");
}

#[test]
fn a_path_that_occurs_twice_is_refused() {
    for paths in [
        ["a", "a"],
        ["README.txt", "readme.TXT"],
        ["idea/\u{c4}", "idea/\u{e4}"],
        ["a", "a/b"],
        ["A/b", "a"],
    ] {
        let message = refused(&files(&paths));
        assert_eq!(
            message,
            format!("{}: another file has the same path", paths[1])
        );
    }
}

#[test]
fn what_is_not_a_plain_file_is_refused() {
    let refused_entry = |hostile: Hostile| refused(&zip(&[hostile]));
    for (permissions, name) in [
        (0o120_777, "link"),
        (0o040_755, "folder"),
        (0o020_666, "tty"),
    ] {
        let message = refused_entry(Hostile {
            permissions,
            ..Hostile::default()
        });
        assert_eq!(message, "file: this is not a regular file", "{name}");
    }
    assert_eq!(
        refused_entry(Hostile {
            encrypted: true,
            ..Hostile::default()
        }),
        "file: the file is encrypted"
    );
    assert_eq!(
        refused_entry(Hostile {
            method: CompressionMethod::BZIP2,
            ..Hostile::default()
        }),
        "file: the file is compressed by another method than Deflate"
    );
}

#[test]
fn a_bomb_is_refused_before_it_expands() {
    let zeros = vec![0; 2 * 1024 * 1024];
    let bomb = zip(&[Hostile {
        contents: &zeros,
        ..Hostile::default()
    }]);
    assert_eq!(
        refused(&bomb),
        "file: the file is compressed too well to be real"
    );
    let limits = Limits {
        max_entries: 10,
        max_total: 15,
    };
    let open = |bytes| BundleReader::from_bytes(bytes, &limits).err().unwrap();
    assert_eq!(
        open(files(&["a", "b"])).to_string(),
        "the bundle holds more than 15 bytes"
    );
    let names: Vec<_> = (0..11).map(|name| name.to_string()).collect();
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    assert_eq!(
        open(files(&names)).to_string(),
        "the bundle has more than 10 files"
    );
}

#[test]
fn a_file_of_another_size_than_declared_is_refused() {
    let contents = vec![7; 100_000];
    let honest = zip(&[Hostile {
        contents: &contents,
        ..Hostile::default()
    }]);
    // Offset 24 of an entry of the list is the size of its contents.
    let declared = position(&honest, b"PK\x01\x02") + 24;
    for size in [0_u32, 1, 99_999, 100_001] {
        let mut lying = honest.clone();
        lying[declared..declared + 4].copy_from_slice(&size.to_le_bytes());
        let bundle = open(&lying).unwrap();
        for message in [
            bundle.digest("file").unwrap_err().to_string(),
            bundle.read("file").unwrap_err().to_string(),
        ] {
            assert_eq!(
                message,
                "file: the file is damaged or not of its declared size"
            );
        }
    }
}

#[test]
fn a_file_that_is_too_long_for_memory_is_only_hashed() {
    let contents = vec![7; 17 * 1024 * 1024];
    let mut writer = BundleWriter::new(Vec::new());
    writer.add("idea/film.mp4", contents.as_slice()).unwrap();
    let bundle = open(&writer.finish().unwrap()).unwrap();
    assert_eq!(bundle.digest("idea/film.mp4").unwrap(), sha256(&contents));
    assert_eq!(
        bundle.read("idea/film.mp4").unwrap_err().to_string(),
        "idea/film.mp4: the file is too long"
    );
}

#[test]
fn a_bundle_of_many_files_is_read_as_it_was_written() {
    let paths: BTreeSet<_> = (0..100_001).map(|n| format!("idea/{n}")).collect();
    let mut writer = BundleWriter::new(Vec::new());
    for path in &paths {
        writer.add(path, &b""[..]).unwrap();
    }
    let zip = writer.finish().unwrap();
    let bundle = BundleReader::from_bytes(zip, &Limits::default()).unwrap();
    let json = bundle.read(INDEX).unwrap();
    let index: Index = canonical::read_as(&json).unwrap();
    assert!(index.files.keys().eq(&paths));
    assert!(bundle.paths_below("idea/").eq(&paths));
}

#[test]
fn an_index_that_is_too_long_for_its_files_is_refused() {
    let index = |length: usize| {
        let contents = vec![b' '; length];
        let index = Hostile {
            path: INDEX.as_bytes(),
            contents: &contents,
            method: CompressionMethod::STORE,
            ..Hostile::default()
        };
        open(&zip(&[index])).unwrap().read(INDEX)
    };
    let longest = 16 * 1024 * 1024 + 256;
    assert_eq!(index(longest).unwrap().len(), longest);
    assert_eq!(
        index(longest + 1).unwrap_err().to_string(),
        "bundle.json: the file is too long"
    );
}

#[test]
fn a_truncated_bundle_is_refused() {
    let bundle = bundle();
    for length in (0..bundle.len()).step_by(97).chain([bundle.len() - 1]) {
        assert!(open(&bundle[..length]).is_err(), "{length}");
    }
    assert_eq!(
        refused(&bundle[..bundle.len() - 1]),
        "the bundle is not a complete zip file"
    );
}

#[test]
fn what_is_hidden_between_files_or_around_them_is_refused() {
    let bundle = bundle();
    for hidden in [
        [b"#!/bin/sh\n".as_slice(), &bundle].concat(),
        [&bundle, b"more".as_slice()].concat(),
        [bundle.as_slice(), &bundle].concat(),
    ] {
        assert!(open(&hidden).is_err());
    }
    let mut commented = bundle.clone();
    let end = commented.len() - 2;
    commented[end..].copy_from_slice(&[4, 0]);
    commented.extend_from_slice(b"note");
    assert_eq!(
        refused(&commented),
        "the bundle holds data outside its files"
    );
    // The end of the list says that there is one entry less.
    let mut shorter = bundle.clone();
    let end = position(&shorter, b"PK\x05\x06");
    shorter[end + 8] -= 1;
    shorter[end + 10] -= 1;
    assert_eq!(refused(&shorter), "the bundle holds data outside its files");
}

#[test]
fn an_entry_that_says_something_else_than_the_list_is_refused() {
    let mut renamed = files(&["file", "other"]);
    // The name follows the 30 bytes of an entry's own header.
    renamed[30] = b'F';
    assert_eq!(
        refused(&renamed),
        "file: the headers of the file contradict each other"
    );
}

#[test]
fn an_entry_that_names_another_size_than_the_list_is_refused() {
    let crc = rawzip::crc32(b"contents").to_le_bytes();
    let build = |own_size: u8| {
        let sizes = |size: u8| [size, 0, 0, 0, size, 0, 0, 0];
        let common = [20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0];
        let mut zip = [b"PK\x03\x04".as_slice(), &common, &crc, &sizes(own_size)].concat();
        zip.extend_from_slice(&[4, 0, 0, 0]);
        zip.extend_from_slice(b"filecontents");
        let list = zip.len();
        zip.extend_from_slice(b"PK\x01\x02\x14\0");
        zip.extend_from_slice(&[common.as_slice(), &crc, &sizes(8)].concat());
        zip.extend_from_slice(&[4, 0]);
        zip.extend_from_slice(&[0; 16]);
        zip.extend_from_slice(b"file");
        let length = u8::try_from(zip.len() - list).unwrap();
        zip.extend_from_slice(b"PK\x05\x06\0\0\0\0\x01\0\x01\0");
        zip.extend_from_slice(&[length, 0, 0, 0, u8::try_from(list).unwrap(), 0, 0, 0, 0, 0]);
        zip
    };
    assert_eq!(open(&build(8)).unwrap().read("file").unwrap(), b"contents");
    assert_eq!(
        refused(&build(9)),
        "file: the headers of the file contradict each other"
    );
}

#[test]
fn entries_that_share_bytes_are_refused() {
    let mut shared = files(&["a", "b"]);
    let second = position(&shared, b"PK\x01\x02");
    // Offset 42 of an entry of the list is the place of the entry.
    shared[second + 42..second + 46].copy_from_slice(&0_u32.to_le_bytes());
    assert_eq!(
        refused(&shared),
        "b: the headers of the file contradict each other"
    );
    let name = second + 46;
    shared[name] = b'a';
    assert_eq!(refused(&shared), "a: another file has the same path");
    // A place behind the end, and one that overflows.
    for place in [0x00ff_ffff_u32, 0xffff_fffe] {
        let mut far = files(&["a", "b"]);
        far[second + 42..second + 46].copy_from_slice(&place.to_le_bytes());
        assert_eq!(
            refused(&far),
            "b: the file is damaged or not of its declared size"
        );
    }
}

#[test]
fn every_flipped_bit_of_a_bundle_is_found() {
    let good = bundle();
    let read_all = |bytes: &[u8]| {
        let bundle = open(bytes)?;
        bundle
            .paths()
            .map(|path| Ok((path.to_owned(), bundle.digest(path)?)))
            .collect::<Result<BTreeMap<_, _>, BundleError>>()
    };
    let contents = read_all(&good).unwrap();
    for byte in (0..good.len()).filter(|byte| *byte < 2000 || *byte > good.len() - 1000) {
        for bit in 0..8 {
            let mut changed = good.clone();
            changed[byte] ^= 1 << bit;
            // Dates and the like may change; files may not.
            if let Ok(read) = read_all(&changed) {
                assert!(read == contents, "byte {byte}, bit {bit}");
            }
        }
    }
}

#[test]
fn the_index_is_canonical_json() {
    let mut writer = BundleWriter::new(Vec::new());
    for path in ["log/vkey", "events/10.json", "events/9.json", "idea/A.png"] {
        writer.add(path, &b""[..]).unwrap();
    }
    writer.note_missing("idea/b.png");
    writer.note_pending("view.started");
    writer.withhold("disclosures/1-person.json");
    let json = open(&writer.finish().unwrap())
        .unwrap()
        .read(INDEX)
        .unwrap();
    let index: Index = canonical::read_as(&json).unwrap();
    assert_eq!(
        index,
        Index {
            files: ["events/10.json", "events/9.json", "idea/A.png", "log/vkey"]
                .map(|path| (path.to_owned(), hex::encode(&sha256(b""))))
                .into(),
            missing: BTreeSet::from(["idea/b.png".to_owned()]),
            pending: vec!["view.started".into()],
            v: VERSION,
            withheld: BTreeSet::from(["disclosures/1-person.json".to_owned()]),
        }
    );
    assert_eq!(
        String::from_utf8(json).unwrap(),
        String::from_utf8(canonical::write(&index).unwrap()).unwrap()
    );
}
