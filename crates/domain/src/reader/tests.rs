use uuid::Uuid;

use super::*;
use crate::page::PageSize;

fn at(day: u32) -> Timestamp {
    format!("2026-05-{day:02}T12:00:00Z").parse().unwrap()
}

fn reader(number: i64, name: &str) -> Reader {
    let email = format!("{}@example.org", name.to_lowercase().replace(' ', "."));
    Reader {
        number,
        recipient: Uuid::from_u128(1).into(),
        idea: 7.into(),
        idea_title: Title::from_stored("Kettle".into()),
        document_id: None,
        share: Uuid::from_u128(2).into(),
        share_type: ShareType::FullAccess,
        share_name: None,
        person: Some((
            PersonName::from_stored(name.into()),
            Email::from_stored(email),
        )),
        identity: Identity::SelfDeclared,
        registered_at: at(1),
        acceptance: None,
        has_declined: false,
        was_turned_away: false,
        versions: Vec::new(),
        views: 0,
        last_opened_at: None,
        downloads: 0,
        comments: 0,
    }
}

fn accepted(version: i32, day: u32, before: Reader) -> Reader {
    let acceptance = ReaderAcceptance {
        at: at(day),
        agreement: AgreementVersion::CURRENT,
        sha256: None,
        version,
    };
    Reader {
        acceptance: Some(acceptance),
        ..before
    }
}

fn opened(version: i32, day: u32, mut reader: Reader) -> Reader {
    reader.versions.push(OpenedVersion {
        number: version,
        sha256: None,
        first_opened_at: at(day),
    });
    reader.last_opened_at = Some(at(day));
    reader.views += 1;
    reader
}

fn filter(change: impl FnOnce(&mut ReaderQuery)) -> ReaderFilter {
    let mut query = ReaderQuery::default();
    change(&mut query);
    ReaderFilter::parse(&query).unwrap()
}

fn numbers(filter: &ReaderFilter, readers: &[Reader]) -> Vec<i64> {
    let found = filter.found(readers.to_vec());
    found.iter().map(|reader| reader.number).collect()
}

#[test]
fn a_state_says_how_far_a_reader_came() {
    let new = || reader(1, "Grace Hopper");
    let by_mail = Reader {
        share_type: ShareType::Email,
        ..new()
    };
    let confirmed = Reader {
        identity: Identity::EmailConfirmed { at: at(2) },
        ..by_mail.clone()
    };
    let declined = Reader {
        has_declined: true,
        ..new()
    };
    let refused = Reader {
        was_turned_away: true,
        ..accepted(1, 2, new())
    };
    let came_back = opened(1, 3, refused.clone());
    let erased = Reader {
        person: None,
        ..came_back.clone()
    };
    let states = [
        (new(), "registered"),
        (by_mail, "unconfirmed"),
        (confirmed, "registered"),
        (accepted(1, 2, new()), "agreed"),
        (declined, "declined"),
        (refused, "refused"),
        (came_back, "opened"),
        (erased, "erased"),
    ];
    for (reader, state) in states {
        assert_eq!(reader.state().as_str(), state);
        let found = filter(|query| query.state = Some(state.into()));
        assert_eq!(numbers(&found, &[reader]), [1], "{state}");
    }
}

#[test]
fn a_text_is_found_without_case_and_marks() {
    let readers = [reader(1, "Žofie Müller"), reader(2, "Grace Hopper")];
    for (text, expected) in [
        ("zofie mull", vec![1]),
        ("MÜLLER", vec![1]),
        ("hopper@EXAMPLE", vec![2]),
        ("example.org", vec![2, 1]),
        (" ", vec![2, 1]),
        ("kettle", vec![]),
    ] {
        let found = filter(|query| query.text = Some(text.into()));
        assert_eq!(numbers(&found, &readers), expected, "{text}");
    }
    let erased = Reader {
        person: None,
        ..reader(3, "Ada")
    };
    let found = filter(|query| query.text = Some("ada".into()));
    assert_eq!(numbers(&found, &[erased]), [0; 0]);
}

#[test]
fn who_saw_a_version_before_a_day() {
    let readers = [
        opened(2, 2, accepted(1, 1, reader(1, "Before"))),
        opened(2, 3, accepted(2, 1, reader(2, "Later"))),
        opened(
            2,
            9,
            opened(1, 1, accepted(1, 1, reader(3, "The first one before"))),
        ),
        opened(1, 1, accepted(2, 1, reader(4, "Accepted it only"))),
        accepted(2, 1, reader(5, "Opened nothing")),
    ];
    let saw = |to: Option<&str>| {
        filter(|query| {
            query.version = Some("2".into());
            query.state = Some("opened".into());
            query.to = to.map(Into::into);
            query.sort = Some("registeredAt".into());
        })
    };
    assert_eq!(numbers(&saw(None), &readers), [1, 2, 3]);
    assert_eq!(numbers(&saw(Some("2026-05-02")), &readers), [1]);
    assert_eq!(numbers(&saw(Some("2026-05-03T12:00:00Z")), &readers), [1]);
    let met = filter(|query| {
        query.version = Some("2".into());
        query.sort = Some("registeredAt".into());
    });
    assert_eq!(numbers(&met, &readers), [1, 2, 3, 4, 5]);
}

#[test]
fn a_time_is_that_of_the_first_opening_or_else_of_the_registration() {
    let readers = [
        reader(1, "Registered on the first"),
        opened(1, 5, reader(2, "Opened on the fifth")),
    ];
    let within = |from: &str, to: &str| {
        filter(|query| {
            query.from = Some(from.into());
            query.to = Some(to.into());
        })
    };
    assert_eq!(numbers(&within("2026-05-01", "2026-05-04"), &readers), [1]);
    assert_eq!(numbers(&within("2026-05-05", "2026-05-05"), &readers), [2]);
    let zoned = within("2026-05-05T13:30:00+02:00", "2026-05-05T14:30:00+02:00");
    assert_eq!(numbers(&zoned, &readers), [2]);
}

#[test]
fn readers_without_what_is_compared_come_last() {
    let readers = [
        opened(1, 5, reader(1, "Özgür")),
        opened(2, 8, opened(1, 3, reader(2, "ada"))),
        reader(3, "Peter"),
        Reader {
            person: None,
            ..reader(4, "")
        },
    ];
    for (sort, expected) in [
        ("registeredAt", [1, 2, 3, 4]),
        ("-registeredAt", [4, 3, 2, 1]),
        ("name", [2, 1, 3, 4]),
        ("-name", [3, 1, 2, 4]),
        ("firstOpenedAt", [2, 1, 4, 3]),
        ("-firstOpenedAt", [1, 2, 4, 3]),
        ("lastOpenedAt", [1, 2, 4, 3]),
        ("-lastOpenedAt", [2, 1, 4, 3]),
    ] {
        let sorted = filter(|query| query.sort = Some(sort.into()));
        assert_eq!(numbers(&sorted, &readers), expected, "{sort}");
    }
}

#[test]
fn pages_continue_after_a_reader_who_is_looked_for_no_longer() {
    let size: PageSize = "2".parse().unwrap();
    let readers: Vec<_> = (1..=5).map(|number| reader(number, "Ada")).collect();
    let registered = filter(|query| {
        query.sort = Some("registeredAt".into());
        query.state = Some("registered".into());
    });
    let (first, total) = registered.page(readers.clone(), Paging { size, after: None });
    assert_eq!(total, 5);
    let of = |page: &Page<Reader>| -> Vec<_> {
        page.items().iter().map(|reader| reader.number).collect()
    };
    assert_eq!(of(&first), [1, 2]);
    let mut later = readers;
    later[1] = accepted(1, 2, later[1].clone());
    let after = first.next();
    let (second, total) = registered.page(later.clone(), Paging { size, after });
    assert_eq!((of(&second), total), (vec![3, 4], 4));
    let after = second.next();
    let (third, _) = registered.page(later, Paging { size, after });
    assert_eq!((of(&third), third.next()), (vec![5], None));
}

#[test]
fn what_cannot_be_looked_for_is_refused_by_its_name() {
    let refused = |change: fn(&mut ReaderQuery)| {
        let mut query = ReaderQuery::default();
        change(&mut query);
        ReaderFilter::parse(&query).unwrap_err().field
    };
    assert_eq!(refused(|query| query.share = Some("7".into())), "shareId");
    for version in ["0", "-1", "two", "1.5", "99999999999"] {
        let query = ReaderQuery {
            version: Some(version.into()),
            ..ReaderQuery::default()
        };
        assert_eq!(ReaderFilter::parse(&query).unwrap_err().field, "version");
    }
    assert_eq!(refused(|query| query.state = Some("read".into())), "state");
    assert_eq!(refused(|query| query.from = Some("3 May".into())), "from");
    assert_eq!(refused(|query| query.to = Some("2026-05-32".into())), "to");
    assert_eq!(refused(|query| query.sort = Some("email".into())), "sort");
    assert_eq!(refused(|query| query.text = Some("x".repeat(201))), "q");
}
