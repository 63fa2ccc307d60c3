//! Files and the ideas that show them.

use ideavault_domain::content::Content;
use ideavault_domain::file::{MediaType, StoredFile};
use ideavault_domain::idea::{Draft, Idea};
use ideavault_domain::idempotency::IdempotencyKey;
use ideavault_domain::ids::{FileId, IdeaId, UserId};
use ideavault_domain::ports::NewIdea;
use ideavault_domain::text::Title;

use crate::support::{Fixture, at, bytes, draft, on_both_databases, publication};

on_both_databases!(
    a_file_round_trips,
    a_file_id_is_used_once,
    a_file_is_added_once_for_each_key_of_its_owner,
    the_owners_images_are_listed_newest_first,
    an_idea_shows_the_files_of_its_first_revision,
    an_idea_shows_the_files_of_its_current_revision,
    html_references_only_images_of_the_owner,
    files_beyond_the_limit_of_one_statement_are_recorded,
    a_stale_save_keeps_the_shown_files,
    a_deleted_draft_shows_no_files,
    a_shown_file_is_not_removed,
    only_files_that_exist_are_found,
    a_pdf_idea_has_the_digest_of_its_file,
    the_database_refuses_to_change_the_files_of_a_published_idea,
    the_database_refuses_to_change_a_file,
);

fn html(files: &[&StoredFile]) -> String {
    files
        .iter()
        .map(|file| format!("<p><img src=\"{}\" alt=\"\"></p>", file.path()))
        .collect()
}

fn add_idea(fixture: &Fixture, owner: UserId, draft: Draft) -> Idea {
    let new = NewIdea {
        owner,
        draft,
        created_at: at(0),
        key: None,
    };
    fixture.write(|tx| tx.ideas().add_idea(&new)).unwrap()
}

fn add_pdf_idea(fixture: &Fixture, pdf: &StoredFile) -> Idea {
    let title = Title::parse("Kettle").unwrap();
    add_idea(fixture, pdf.owner, Draft::of_pdf(title, pdf))
}

fn showing(fixture: &Fixture, file: &StoredFile) -> Vec<IdeaId> {
    fixture.read(|tx| tx.files().ideas_showing(file.id))
}

fn a_file_round_trips(fixture: &Fixture) {
    let owner = fixture.add_user();
    for media_type in [MediaType::Pdf, MediaType::Png, MediaType::Jpeg] {
        let file = fixture.add_file(owner.id, media_type, at(1));
        assert_eq!(fixture.read(|tx| tx.files().file(file.id)), Some(file));
    }
    let absent = FileId::from_random(bytes());
    assert_eq!(fixture.read(|tx| tx.files().file(absent)), None);
}

fn a_file_id_is_used_once(fixture: &Fixture) {
    use ideavault_domain::ports::{Database as _, DatabaseError};

    let owner = fixture.add_user();
    let file = fixture.add_file(owner.id, MediaType::Png, at(1));
    let again = StoredFile {
        size: 1,
        ..file.clone()
    };
    let refused = fixture.store.write(|tx| tx.files().add_file(&again));
    assert!(matches!(refused, Err(DatabaseError::Internal { .. })));
    assert_eq!(fixture.read(|tx| tx.files().file(file.id)), Some(file));
}

fn a_file_is_added_once_for_each_key_of_its_owner(fixture: &Fixture) {
    let (ada, bob) = (fixture.add_user().id, fixture.add_user().id);
    let [one, two] = ["one", "two"].map(|key| IdempotencyKey::parse(key).unwrap());
    let new = |owner| crate::support::file(owner, MediaType::Png, at(1));
    let add =
        |file: &StoredFile, key| fixture.write(|tx| tx.files().add_file_of_request(file, key));
    let (first, second, bobs) = (new(ada), new(ada), new(bob));
    assert!(add(&first, &one));
    assert!(!add(&new(ada), &one));
    assert!(add(&second, &two));
    assert!(add(&bobs, &one));
    let found = |owner, key| fixture.read(|tx| tx.files().file_of_request(owner, key));
    assert_eq!(found(ada, &one).as_ref(), Some(&first));
    assert_eq!(found(ada, &two), Some(second));
    assert_eq!(found(bob, &one), Some(bobs));
    assert_eq!(found(bob, &two), None);
    // Files without a key are as many as are added.
    assert_ne!(
        fixture.add_file(ada, MediaType::Png, at(2)).id,
        fixture.add_file(ada, MediaType::Png, at(2)).id
    );
    assert_eq!(fixture.read(|tx| tx.files().images_of(ada)).len(), 4);
    assert!(fixture.write(|tx| tx.files().remove_file(first.id)));
    assert!(add(&new(ada), &one));
}

fn the_owners_images_are_listed_newest_first(fixture: &Fixture) {
    let owner = fixture.add_user();
    let stranger = fixture.add_user();
    let old = fixture.add_file(owner.id, MediaType::Png, at(1));
    let new = fixture.add_file(owner.id, MediaType::Jpeg, at(3));
    let same_time = fixture.add_file(owner.id, MediaType::Png, at(3));
    fixture.add_file(owner.id, MediaType::Pdf, at(4));
    fixture.add_file(stranger.id, MediaType::Png, at(5));
    let listed = fixture.read(|tx| tx.files().images_of(owner.id));
    assert_eq!(listed, [same_time, new, old]);
}

fn an_idea_shows_the_files_of_its_first_revision(fixture: &Fixture) {
    let owner = fixture.add_user();
    let image = fixture.add_file(owner.id, MediaType::Png, at(0));
    let pdf = fixture.add_file(owner.id, MediaType::Pdf, at(0));
    let with_image = add_idea(fixture, owner.id, draft(&html(&[&image, &image])));
    let with_pdf = add_pdf_idea(fixture, &pdf);
    add_idea(fixture, owner.id, draft("<p>no image</p>"));
    assert_eq!(showing(fixture, &image), [with_image.id]);
    assert_eq!(showing(fixture, &pdf), [with_pdf.id]);
    assert_eq!(
        fixture.read(|tx| tx.files().pdf_of(with_pdf.id)),
        Some(pdf.id)
    );
    assert_eq!(fixture.read(|tx| tx.files().pdf_of(with_image.id)), None);
}

fn an_idea_shows_the_files_of_its_current_revision(fixture: &Fixture) {
    let owner = fixture.add_user();
    let [first, both, second] =
        [1, 2, 3].map(|minute| fixture.add_file(owner.id, MediaType::Png, at(minute)));
    let idea = add_idea(fixture, owner.id, draft(&html(&[&first, &both])));
    let other = add_idea(fixture, owner.id, draft(&html(&[&first])));

    let next = draft(&html(&[&both, &second]));
    assert!(fixture.write(|tx| tx.ideas().add_revision(&idea, &next, at(5))));

    assert_eq!(showing(fixture, &first), [other.id]);
    assert_eq!(showing(fixture, &both), [idea.id]);
    assert_eq!(showing(fixture, &second), [idea.id]);
}

fn html_references_only_images_of_the_owner(fixture: &Fixture) {
    let owner = fixture.add_user();
    let stranger = fixture.add_user();
    let foreign = fixture.add_file(stranger.id, MediaType::Png, at(0));
    let pdf = fixture.add_file(owner.id, MediaType::Pdf, at(0));
    let absent = crate::support::file(owner.id, MediaType::Png, at(0));
    add_idea(fixture, owner.id, draft(&html(&[&foreign, &pdf, &absent])));
    for file in [&foreign, &pdf, &absent] {
        assert_eq!(showing(fixture, file), []);
    }
}

fn files_beyond_the_limit_of_one_statement_are_recorded(fixture: &Fixture) {
    let owner = fixture.add_user();
    let files: Vec<StoredFile> = (0..1_001)
        .map(|_| crate::support::file(owner.id, MediaType::Png, at(0)))
        .collect();
    fixture.write(|tx| files.iter().try_for_each(|file| tx.files().add_file(file)));
    let named: Vec<&StoredFile> = files.iter().collect();
    add_idea(fixture, owner.id, draft(&html(&named)));
    assert_eq!(fixture.count("idea_files"), 1_001);
}

fn a_stale_save_keeps_the_shown_files(fixture: &Fixture) {
    let owner = fixture.add_user();
    let image = fixture.add_file(owner.id, MediaType::Png, at(0));
    let stale = add_idea(fixture, owner.id, draft("<p>1</p>"));
    assert!(fixture.write(|tx| {
        tx.ideas()
            .add_revision(&stale, &draft(&html(&[&image])), at(1))
    }));
    assert!(!fixture.write(|tx| tx.ideas().add_revision(&stale, &draft("<p>3</p>"), at(2))));
    assert_eq!(showing(fixture, &image), [stale.id]);
}

fn a_deleted_draft_shows_no_files(fixture: &Fixture) {
    let owner = fixture.add_user();
    let image = fixture.add_file(owner.id, MediaType::Png, at(0));
    let idea = add_idea(fixture, owner.id, draft(&html(&[&image])));
    assert!(fixture.write(|tx| tx.ideas().delete_draft(idea.id, at(1))));
    assert_eq!(showing(fixture, &image), []);
    assert_eq!(fixture.count("idea_files"), 0);
    assert_eq!(fixture.read(|tx| tx.files().images_of(owner.id)), [image]);
}

fn a_shown_file_is_not_removed(fixture: &Fixture) {
    let owner = fixture.add_user();
    let pdf = fixture.add_file(owner.id, MediaType::Pdf, at(0));
    let other = fixture.add_file(owner.id, MediaType::Pdf, at(0));
    let idea = add_pdf_idea(fixture, &pdf);
    assert!(!fixture.write(|tx| tx.files().remove_file(pdf.id)));
    fixture.write(|tx| {
        assert!(tx.ideas().delete_draft(idea.id, at(1))?);
        assert!(tx.files().remove_file(pdf.id)?);
        assert!(!tx.files().remove_file(pdf.id)?);
        Ok(())
    });
    assert_eq!(fixture.read(|tx| tx.files().file(pdf.id)), None);
    assert_eq!(fixture.read(|tx| tx.files().file(other.id)), Some(other));
}

fn only_files_that_exist_are_found(fixture: &Fixture) {
    let owner = fixture.add_user();
    let file = fixture.add_file(owner.id, MediaType::Png, at(0));
    let mut asked: Vec<FileId> = (0..1_200).map(|_| FileId::from_random(bytes())).collect();
    asked.push(file.id);
    let existing = fixture.read(|tx| tx.files().existing_files(&asked));
    assert_eq!(existing, [file.id]);
    assert_eq!(fixture.read(|tx| tx.files().existing_files(&[])), []);
}

fn a_pdf_idea_has_the_digest_of_its_file(fixture: &Fixture) {
    let owner = fixture.add_user();
    let pdf = fixture.add_file(owner.id, MediaType::Pdf, at(0));
    let idea = add_pdf_idea(fixture, &pdf);
    assert_eq!(idea.sha256, pdf.sha256);
    assert_eq!(fixture.idea(idea.id), idea);
    let content = fixture.read(|tx| tx.ideas().revision_content(idea.id, 1));
    let expected = Content::Pdf {
        file_name: pdf.name.to_string(),
        pdf_path: pdf.path(),
    };
    assert_eq!(content, Some(expected));
}

fn the_database_refuses_to_change_the_files_of_a_published_idea(fixture: &Fixture) {
    let owner = fixture.add_user();
    let pdf = fixture.add_file(owner.id, MediaType::Pdf, at(0));
    let image = fixture.add_file(owner.id, MediaType::Png, at(0));
    let idea = add_pdf_idea(fixture, &pdf);
    assert!(fixture.write(|tx| tx.ideas().publish_idea(&idea, &publication(at(1)))));
    fixture.refuses(
        "what a published idea shows is final",
        &[
            "DELETE FROM idea_files",
            &format!(
                "INSERT INTO idea_files (idea_id, file_id) VALUES ({}, '{}')",
                idea.id, image.id
            ),
        ],
    );
    fixture.refuses(
        "never changed",
        &[&format!("UPDATE idea_files SET file_id = '{}'", image.id)],
    );
    assert_eq!(showing(fixture, &pdf), [idea.id]);
    let draft = add_idea(fixture, owner.id, draft(&html(&[&image])));
    let unshown = format!("DELETE FROM idea_files WHERE idea_id = {}", draft.id);
    fixture.sql(&unshown).unwrap();
    assert_eq!(showing(fixture, &image), []);
}

fn the_database_refuses_to_change_a_file(fixture: &Fixture) {
    let owner = fixture.add_user();
    let pdf = fixture.add_file(owner.id, MediaType::Pdf, at(0));
    add_pdf_idea(fixture, &pdf);
    fixture.refuses(
        "a stored file never changes",
        &[
            "UPDATE files SET sha256 = name",
            "UPDATE files SET media_type = 'image/png', kind = 'image'",
        ],
    );
    let foreign_key = if fixture.is_postgres() {
        "violates foreign key constraint"
    } else {
        "FOREIGN KEY constraint failed"
    };
    fixture.refuses(foreign_key, &["DELETE FROM files"]);
}
