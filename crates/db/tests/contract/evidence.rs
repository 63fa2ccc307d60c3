//! Agreements cannot be changed or deleted, even by somebody who bypasses the server. Events
//! are found again.

use ideavault_domain::evidence::Event;
use ideavault_domain::page::Paging;
use ideavault_domain::ports::{Database as _, DatabaseError};
use ideavault_domain::recipient::{NdaAcceptance, Origin};

use crate::support::{Fixture, acceptance, at, full_access, on_both_databases, race};

on_both_databases!(
    an_acceptance_round_trips,
    the_first_acceptance_is_kept,
    concurrent_acceptances_have_one_winner,
    an_acceptance_on_another_link_is_refused,
    the_database_refuses_to_change_an_acceptance,
    the_database_refuses_to_delete_rows_referenced_by_an_acceptance,
    the_database_refuses_to_change_an_offered_agreement,
    an_acceptance_survives_its_idea,
    events_are_read_by_their_rows_in_the_wanted_order,
);

fn stored(fixture: &Fixture, of: &NdaAcceptance) -> Option<NdaAcceptance> {
    fixture
        .read(|tx| tx.recipients().registration(of.recipient))
        .unwrap()
        .progress
        .acceptance
}

/// Records an acceptance on a share of a draft.
fn accepted(fixture: &Fixture) -> NdaAcceptance {
    let share = fixture.add_share(fixture.add_draft().id, full_access());
    acceptance(&fixture.add_guest(&share), at(5))
}

fn an_acceptance_round_trips(fixture: &Fixture) {
    let share = fixture.add_share(fixture.add_draft().id, full_access());
    let recipient = fixture.add_recipient(fixture.add_viewer().id, &share);
    let given = NdaAcceptance {
        origin: Some(Origin {
            ip: "203.0.113.9".parse().unwrap(),
            user_agent: None,
        }),
        ..acceptance(&recipient, at(5))
    };
    assert!(fixture.write(|tx| tx.recipients().add_acceptance(&given)));
    assert_eq!(stored(fixture, &given), Some(given));
    let other = accepted(fixture);
    assert_eq!(stored(fixture, &other), Some(other));
}

fn the_first_acceptance_is_kept(fixture: &Fixture) {
    let first = accepted(fixture);
    let second = NdaAcceptance {
        accepted_at: at(50),
        ..first.clone()
    };
    assert!(!fixture.write(|tx| tx.recipients().add_acceptance(&second)));
    assert_eq!(stored(fixture, &first), Some(first));
}

fn concurrent_acceptances_have_one_winner(fixture: &Fixture) {
    let share = fixture.add_share(fixture.add_draft().id, full_access());
    let recipient = fixture.add_recipient(fixture.add_viewer().id, &share);
    let added = race(16, |_| {
        fixture.write(|tx| {
            tx.recipients()
                .add_acceptance(&acceptance(&recipient, at(5)))
        })
    });
    assert_eq!(added.into_iter().filter(|added| *added).count(), 1);
}

fn an_acceptance_on_another_link_is_refused(fixture: &Fixture) {
    let idea = fixture.add_draft();
    let share = fixture.add_share(idea.id, full_access());
    let other = fixture.add_share(idea.id, full_access());
    let recipient = fixture.add_recipient(fixture.add_viewer().id, &share);
    let wrong = NdaAcceptance {
        share: other.id,
        ..acceptance(&recipient, at(5))
    };
    let refused = fixture
        .store
        .write(|tx| tx.recipients().add_acceptance(&wrong));
    assert!(
        matches!(refused, Err(DatabaseError::Internal { .. })),
        "{refused:?}"
    );
}

fn the_database_refuses_to_change_an_acceptance(fixture: &Fixture) {
    let given = accepted(fixture);
    fixture.refuses(
        "an acceptance is final",
        &[
            "UPDATE nda_acceptances SET nda_version = '2.0'",
            "UPDATE nda_acceptances SET accepted_at = accepted_at",
            "UPDATE nda_acceptances SET details = details",
            "DELETE FROM nda_acceptances",
        ],
    );
    if fixture.is_postgres() {
        fixture.refuses(
            "an acceptance is final",
            &[
                "TRUNCATE nda_acceptances",
                "TRUNCATE recipients CASCADE",
                "TRUNCATE viewer_sessions CASCADE",
            ],
        );
    } else {
        let replace = "INSERT OR REPLACE INTO nda_acceptances SELECT recipient_id, share_id, \
             '2.0', revision, accepted_at, details, email_confirmed_at FROM nda_acceptances";
        fixture.sql(replace).unwrap();
    }
    assert_eq!(stored(fixture, &given), Some(given));
}

fn the_database_refuses_to_delete_rows_referenced_by_an_acceptance(fixture: &Fixture) {
    let given = accepted(fixture);
    fixture.refuses(
        " constraint",
        &[
            "DELETE FROM recipients",
            "DELETE FROM viewer_sessions",
            "DELETE FROM shares",
            "DELETE FROM ideas",
            "DELETE FROM users",
        ],
    );
    assert_eq!(stored(fixture, &given), Some(given));
}

fn the_database_refuses_to_change_an_offered_agreement(fixture: &Fixture) {
    let given = accepted(fixture);
    fixture.refuses(
        "what a recipient was offered is final",
        &[
            "UPDATE recipients SET details = details",
            "UPDATE recipients SET agreement_version = '2.0'",
            "UPDATE recipients SET offered_at = created_at",
        ],
    );
    let registration = fixture.read(|tx| tx.recipients().registration(given.recipient));
    let recipient = registration.unwrap().progress.recipient;
    assert_eq!(recipient.agreement.digest(), given.nda_sha256);
}

fn an_acceptance_survives_its_idea(fixture: &Fixture) {
    let given = accepted(fixture);
    let share = fixture.share(given.share);
    assert!(fixture.write(|tx| tx.ideas().delete_draft(share.idea, at(9))));
    assert_eq!(stored(fixture, &given), Some(given));
}

fn events_are_read_by_their_rows_in_the_wanted_order(fixture: &Fixture) {
    fixture.begin_log();
    let share = fixture.add_share(fixture.add_draft().id, full_access());
    let recipient = fixture.add_recipient(fixture.add_viewer().id, &share);
    fixture.write(|tx| {
        let log = tx.evidence_log();
        log.append_event(&Event::share_created(&share))?;
        log.append_event(&Event::agreement_offered(&recipient, None))
    });
    fixture.read(|tx| {
        let log = tx.evidence_log();
        let events = log.events_of(share.idea, Paging::default())?.into_items();
        let rows: Vec<_> = events.iter().map(|event| event.row).collect();
        assert_eq!(rows.len(), 2);
        assert_eq!(log.events_in(&rows)?, events);
        assert_eq!(log.events_in(&[])?, []);
        // A recorded event never disappears.
        let absent = log.events_in(&[rows[0], i64::MAX]);
        assert!(
            matches!(absent, Err(DatabaseError::Damaged { .. })),
            "{absent:?}"
        );
        Ok(())
    });
}
