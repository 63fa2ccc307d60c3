use ideavault_domain::Timestamp;
use ideavault_domain::digest::Digest;
use ideavault_domain::document::{Attachment, Confirmation, LogPlace};
use ideavault_domain::nda::{AgreementParts, Clause};
use ideavault_domain::recipient::Origin;
use ideavault_domain::report::{Ground, Report, ReportLine};
use ideavault_domain::share::ShareType;

use super::*;
use crate::fonts::{Face, Fonts};
use crate::paragraphs::{balanced, broken, fitted};

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn place() -> LogPlace {
    LogPlace {
        origin: "vault.example.org/log1".into(),
        index: 41,
        size: 57,
        root: Digest::of(b"root"),
    }
}

fn certificate() -> Certificate {
    Certificate {
        vault: "IdeaVault".into(),
        made_at: at("2026-11-23T09:30:00Z"),
        title: "A kettle that waits until you are home".into(),
        creator: "Ada Lovelace".into(),
        document_id: "IV-7K3M-Q9TX-2B4N".into(),
        published_at: at("2026-11-22T14:05:09.123456Z"),
        sha256: Digest::of(b"content"),
        place: Some(place()),
        confirmations: vec![
            Confirmation::Authority {
                name: "freetsa.org".into(),
                time: at("2026-11-22T14:05:31Z"),
            },
            Confirmation::Block {
                name: "alice.btc.calendar.opentimestamps.org".into(),
                block: 925_114,
                time: Some(at("2026-11-22T16:20:00Z")),
            },
        ],
        has_witnesses: true,
        record: Some("https://vault.example.org/record/IV-7K3M-Q9TX-2B4N".into()),
        attachments: vec![facts("event.json")],
    }
}

fn facts(name: &str) -> Attachment {
    Attachment {
        name: name.into(),
        media_type: "application/json",
        description: "The facts of this document",
        content: b"{\"v\":1}".to_vec(),
    }
}

fn receipt() -> Receipt {
    const CLAUSE: Clause = Clause {
        heading: "1. Confidential Information",
        body: "\"Confidential Information\" means the content of the idea named above, in every \
               form in which IdeaVault shows or delivers it.",
    };
    let terms = AgreementParts {
        title: "NON-DISCLOSURE AGREEMENT",
        terms: vec![
            ("Agreement", "IdeaVault NDA, version 1.1".into()),
            ("Idea", "\"A kettle that waits until you are home\"".into()),
            ("Receiving Party", "\"Grace Hopper\"".into()),
        ],
        preamble: &[],
        clauses: &[CLAUSE; 30],
    };
    Receipt {
        vault: "IdeaVault".into(),
        number: "01993d5c-7c1e-7d0a-9b7e-2f0d5a1c3e44".into(),
        made_at: at("2026-11-23T09:30:00Z"),
        idea: "7".into(),
        title: "A kettle that waits until you are home".into(),
        document_id: Some("IV-7K3M-Q9TX-2B4N".into()),
        sharer: "Ada Lovelace".into(),
        name: "Grace Hopper".into(),
        email: "grace@example.org".into(),
        confirmed_at: Some(at("2026-11-22T14:00:00Z")),
        accepted_at: at("2026-11-22T14:05:09.123456Z"),
        version: "1.1".into(),
        terms,
        revision: 3,
        revision_sha256: Digest::of(b"content"),
        origin: Some(Origin {
            ip: "203.0.113.7".parse().unwrap(),
            user_agent: Some(
                "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) \
                 Chrome/142.0.0.0 Safari/537.36"
                    .into(),
            ),
        }),
        share_type: ShareType::OneTime,
        event: Some(Digest::of(b"event")),
        place: Some(place()),
        confirmations: Vec::new(),
        has_witnesses: false,
        attachments: vec![facts("receipt.json")],
    }
}

/// With the fonts that the environment names, to be looked at.
fn documents() -> PdfDocuments {
    let added = std::env::var("IDEAVAULT_TEST_FONTS").unwrap_or_default();
    let added = added.split(',').filter(|path| !path.is_empty());
    added.fold(PdfDocuments::default(), |documents, path| {
        documents.with_font(std::fs::read(path).unwrap()).unwrap()
    })
}

/// Keeps what a test wrote, to be looked at.
fn keep(name: &str, pdf: &[u8]) {
    if let Some(folder) = std::env::var_os("IDEAVAULT_TEST_DOCUMENTS") {
        std::fs::write(std::path::Path::new(&folder).join(name), pdf).unwrap();
    }
}

fn count(pdf: &[u8], part: &str) -> usize {
    let part = part.as_bytes();
    pdf.windows(part.len())
        .filter(|window| *window == part)
        .count()
}

const CHINESE: &str = "王小明";
const ARABIC: &str = "محمد بن موسى الخوارزمي";

#[test]
fn a_certificate_is_one_page_whatever_its_names() {
    let long = "An extraordinarily detailed apparatus for the synchronised preparation of hot \
                beverages, which waits until its owner has come home, and for the method of \
                its manufacture and repair";
    let cases = [
        ("plain", certificate()),
        (
            "bare",
            Certificate {
                place: None,
                confirmations: Vec::new(),
                has_witnesses: false,
                record: None,
                title: "Ζωή, Жизнь, Đời sống".into(),
                creator: "Ångström Łukasz".into(),
                ..certificate()
            },
        ),
        (
            "long",
            Certificate {
                title: long.into(),
                creator: "Wolfeschlegelsteinhausenbergerdorff ".repeat(3),
                vault: "The Vault of the Association of Independent Inventors e. V.".into(),
                record: Some(format!(
                    "https://{}.example.org/record/IV-7K3M-Q9TX-2B4N",
                    "vault".repeat(10)
                )),
                ..certificate()
            },
        ),
        (
            "scripts",
            Certificate {
                title: CHINESE.repeat(66),
                creator: ARABIC.into(),
                ..certificate()
            },
        ),
    ];
    for (name, certificate) in cases {
        let pdf = documents().certificate(&certificate).unwrap();
        keep(&format!("certificate-{name}.pdf"), &pdf);
        assert!(pdf.starts_with(b"%PDF-1.7"), "{name}");
        assert_eq!(
            count(&pdf, "/Type/Page/") + count(&pdf, "/Type/Page\n"),
            1,
            "{name}"
        );
        assert_eq!(count(&pdf, "pdfaid:part>3<"), 1, "{name}");
        assert_eq!(count(&pdf, "{\"v\":1}"), 1, "{name}");
    }
}

#[test]
fn a_receipt_holds_its_files_and_as_many_pages_as_its_text_needs() {
    let plain = documents().receipt(&receipt()).unwrap();
    keep("receipt-plain.pdf", &plain);
    assert_eq!(count(&plain, "{\"v\":1}"), 1);
    assert_eq!(count(&plain, "receipt.json"), 3);
    assert!(count(&plain, "/Type/Page/") + count(&plain, "/Type/Page\n") >= 3);
    let hard = Receipt {
        name: CHINESE.into(),
        sharer: ARABIC.into(),
        title: "x".repeat(200),
        email: format!("{}@example.org", "long".repeat(16)),
        place: None,
        event: None,
        ..receipt()
    };
    keep("receipt-hard.pdf", &documents().receipt(&hard).unwrap());
}

#[test]
fn a_report_has_as_many_pages_as_its_lines_need() {
    let line = |number| ReportLine {
        at: at("2026-11-22T14:05:09.123456Z"),
        sentence: "\"Grace Hopper\" accepted the agreement for version 3.".into(),
        details: vec!["grace@example.org".into(), "IdeaVault NDA 1.1".into()],
        basis: format!("No. {number}, SHA-256 {}", Digest::of(b"event")),
    };
    let report = Report {
        vault: "IdeaVault".into(),
        made_at: at("2026-11-23T09:30:00Z"),
        idea: "7".into(),
        title: "A kettle that waits until you are home".into(),
        document_id: Some("IV-7K3M-Q9TX-2B4N".into()),
        creator: "Ada Lovelace".into(),
        chosen: Some("the readers of version 3 (times in UTC)".into()),
        lines: (0..42).map(line).collect(),
        grounds: vec![Ground {
            place: place(),
            confirmed: Some((17, certificate().confirmations)),
        }],
        has_witnesses: true,
        verify_page: "https://vault.example.org/verify".into(),
    };
    let pdf = documents().report(&report).unwrap();
    keep("report.pdf", &pdf);
    let pages = |pdf: &[u8]| count(pdf, "/Type/Page/") + count(pdf, "/Type/Page\n");
    assert_eq!(count(&pdf, "pdfaid:part>3<"), 1);
    assert!((3..=5).contains(&pages(&pdf)), "{}", pages(&pdf));
    let empty = Report {
        lines: Vec::new(),
        grounds: Vec::new(),
        title: CHINESE.repeat(66),
        creator: ARABIC.into(),
        ..report
    };
    assert_eq!(pages(&documents().report(&empty).unwrap()), 1);
}

#[test]
fn the_same_facts_make_the_same_document() {
    let write = || documents().receipt(&receipt()).unwrap();
    assert_eq!(write(), write());
}

#[test]
fn characters_that_no_font_has_are_written_as_code_points() {
    let fonts = Fonts::load(&[]).unwrap();
    let visible = |text: &str| fonts.visible(Face::Sans, text);
    assert_eq!(
        visible("Ada Ångström, Ελένη, Жанна"),
        "Ada Ångström, Ελένη, Жанна"
    );
    assert_eq!(visible("王小 (Wang)"), "[U+738B U+5C0F] (Wang)");
    assert_eq!(visible("a\u{202e}b\u{0}\tc"), "a[U+202E]b[U+0000] c");
    assert_eq!(visible("🫖"), "[U+1FAD6]");
    assert_eq!(visible("a\u{ad}b"), "a[U+00AD]b");
}

#[test]
fn no_line_is_wider_than_its_paragraph() {
    let fonts = Fonts::load(&[]).unwrap();
    let texts = ["x".repeat(300), CHINESE.repeat(40), "word ".repeat(80)];
    for text in texts {
        for line in broken(&fonts, Face::Serif, 10.0, 120.0, &text) {
            assert!(line.width(10.0) <= 120.0);
        }
    }
}

#[test]
fn text_that_does_not_fit_ends_in_an_ellipsis() {
    let fonts = Fonts::load(&[]).unwrap();
    let room = (100.0, 40.0);
    let short = fitted(&fonts, Face::Serif, &[20.0, 10.0], room, 1.2, "Kettle");
    assert_eq!((short.size, short.lines.len()), (20.0, 1));
    let long = fitted(
        &fonts,
        Face::Serif,
        &[20.0, 10.0],
        room,
        1.2,
        &"kettle ".repeat(40),
    );
    assert_eq!((long.size, long.lines.len()), (10.0, 3));
    assert_eq!(long.lines[2].runs[0].text, "…");
}

#[test]
fn balance_keeps_the_number_of_lines_and_breaks_no_word() {
    let fonts = Fonts::load(&[]).unwrap();
    let lines = |text: &str| {
        let fitted = fitted(&fonts, Face::Serif, &[20.0], (300.0, 90.0), 1.2, text);
        let lines = balanced(&fonts, Face::Serif, fitted, 300.0, text).lines;
        let text =
            |line: &crate::fonts::Line| line.runs.iter().map(|run| run.text.clone()).collect();
        lines.iter().map(text).collect::<Vec<String>>()
    };
    assert_eq!(
        lines("A kettle that waits until you are home"),
        ["A kettle that waits", "until you are home"]
    );
    assert_eq!(lines("Wolfeschlegelsteinhausen waits").len(), 2);
    assert_eq!(
        lines("Wolfeschlegelsteinhausen waits")[0],
        "Wolfeschlegelsteinhausen"
    );
    assert_eq!(lines("Kettle"), ["Kettle"]);
}

#[test]
fn a_file_that_is_no_font_is_refused() {
    assert!(PdfDocuments::default().with_font(b"text".to_vec()).is_err());
}

#[test]
fn scripts_from_the_right_are_one_run_with_the_spaces_inside() {
    let fonts = Fonts::load(&[]).unwrap();
    let line = fonts.line(Face::Sans, "by \u{5d0}\u{5d1} \u{5d2}\u{5d3} in \u{5d4} 7");
    let runs: Vec<_> = line.runs.iter().map(|run| run.text.as_str()).collect();
    assert_eq!(
        runs,
        [
            "by ",
            "\u{5d0}\u{5d1} \u{5d2}\u{5d3}",
            " in ",
            "\u{5d4}",
            " 7"
        ]
    );
}
