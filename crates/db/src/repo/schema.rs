//! The tables, as the migrations create them. The column `seq`, which only orders rows
//! of the same microsecond, is never written, but for that of events, which they are sealed with.

use super::SqlTimestamp;

diesel::table! {
    use diesel::sql_types::{BigInt, Nullable, Text};
    use super::SqlTimestamp;

    users (id) {
        id -> Text,
        email -> Text,
        name -> Text,
        password_hash -> Text,
        profile_image -> Nullable<Text>,
        created_at -> SqlTimestamp,
        session_epoch -> BigInt,
        notification_mode -> Text,
        email_confirmed_at -> Nullable<SqlTimestamp>,
        registration_told_at -> Nullable<SqlTimestamp>,
        disabled_at -> Nullable<SqlTimestamp>,
        deleted_at -> Nullable<SqlTimestamp>,
    }
}

diesel::table! {
    use diesel::sql_types::{Binary, Nullable, Text};
    use super::SqlTimestamp;

    email_confirmations (user_id) {
        user_id -> Text,
        token_hash -> Binary,
        requested_at -> SqlTimestamp,
        expires_at -> SqlTimestamp,
        used_at -> Nullable<SqlTimestamp>,
    }
}

diesel::table! {
    use diesel::sql_types::{Binary, Nullable, Text};
    use super::SqlTimestamp;

    user_sessions (key_hash) {
        key_hash -> Binary,
        user_id -> Nullable<Text>,
        state -> Text,
        created_at -> SqlTimestamp,
        last_seen_at -> SqlTimestamp,
    }
}

diesel::table! {
    use diesel::sql_types::{Binary, Text};
    use super::SqlTimestamp;

    known_devices (user_id, key_hash) {
        user_id -> Text,
        key_hash -> Binary,
        last_seen_at -> SqlTimestamp,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Binary, Nullable, Text};
    use super::SqlTimestamp;

    two_factors (user_id) {
        user_id -> Text,
        secret_sealed -> Binary,
        confirmed_at -> Nullable<SqlTimestamp>,
        last_step -> BigInt,
        wrong_codes -> BigInt,
        locked_until -> Nullable<SqlTimestamp>,
    }
}

diesel::table! {
    use diesel::sql_types::{Binary, Text};

    recovery_codes (user_id, code_hash) {
        user_id -> Text,
        code_hash -> Binary,
    }
}

diesel::table! {
    use diesel::sql_types::{Binary, Text};
    use super::SqlTimestamp;

    password_resets (user_id) {
        user_id -> Text,
        token_hash -> Binary,
        requested_at -> SqlTimestamp,
        expires_at -> SqlTimestamp,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Binary, Integer, Nullable, Text};
    use super::SqlTimestamp;

    ideas (id) {
        id -> BigInt,
        owner_id -> Text,
        title -> Binary,
        status -> Text,
        content_kind -> Text,
        document_id -> Nullable<Text>,
        published_at -> Nullable<SqlTimestamp>,
        revision -> Integer,
        created_at -> SqlTimestamp,
        updated_at -> SqlTimestamp,
        deleted_at -> Nullable<SqlTimestamp>,
        idempotency_key -> Nullable<Binary>,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Binary, Nullable};

    idea_keys (idea_id) {
        idea_id -> BigInt,
        content -> Nullable<Binary>,
        evidence -> Binary,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Binary, Integer, Nullable, Text};
    use super::SqlTimestamp;

    idea_revisions (idea_id, number) {
        idea_id -> BigInt,
        number -> Integer,
        title -> Binary,
        content_kind -> Text,
        sha256 -> Binary,
        created_at -> SqlTimestamp,
        size -> BigInt,
        content -> Nullable<Binary>,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Binary, Nullable, Text};
    use super::SqlTimestamp;

    files (id) {
        seq -> BigInt,
        id -> Text,
        owner_id -> Text,
        kind -> Text,
        media_type -> Text,
        name -> Binary,
        size -> BigInt,
        sha256 -> Binary,
        created_at -> SqlTimestamp,
        idempotency_key -> Nullable<Binary>,
    }
}

diesel::table! {
    use diesel::sql_types::{Binary, Text};

    file_keys (file_id) {
        file_id -> Text,
        wrapped -> Binary,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Integer, Text};

    revision_files (idea_id, number, file_id) {
        idea_id -> BigInt,
        number -> Integer,
        file_id -> Text,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Nullable, Text};

    account_storage (user_id) {
        user_id -> Text,
        used_bytes -> BigInt,
        quota_bytes -> Nullable<BigInt>,
    }
}

diesel::table! {
    use diesel::sql_types::Integer;

    vault_storage (one) {
        one -> Integer,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Text};

    idea_files (idea_id, file_id) {
        idea_id -> BigInt,
        file_id -> Text,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Binary, Bool, Integer, Nullable, Text};
    use super::SqlTimestamp;

    shares (id) {
        seq -> BigInt,
        id -> Text,
        idea_id -> BigInt,
        name -> Nullable<Binary>,
        cover_title -> Nullable<Binary>,
        share_type -> Text,
        expires_at -> Nullable<SqlTimestamp>,
        max_views -> Nullable<Integer>,
        recipient_email -> Nullable<Text>,
        token_hash -> Binary,
        token_sealed -> Binary,
        view_count -> Integer,
        shows_other_readers -> Bool,
        allow_download -> Bool,
        revoked_at -> Nullable<SqlTimestamp>,
        created_at -> SqlTimestamp,
    }
}

diesel::table! {
    use diesel::sql_types::{Binary, Nullable, Text};
    use super::SqlTimestamp;

    viewer_sessions (id) {
        id -> Text,
        key_hash -> Binary,
        created_at -> SqlTimestamp,
        replaces -> Nullable<Text>,
        replaced_at -> Nullable<SqlTimestamp>,
        browser_id -> Text,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Binary, Bool, Nullable, Text};
    use super::SqlTimestamp;

    recipients (id) {
        seq -> BigInt,
        id -> Text,
        viewer_session_id -> Text,
        share_id -> Text,
        details -> Binary,
        agreement_version -> Text,
        document_id -> Nullable<Text>,
        offered_at -> SqlTimestamp,
        created_at -> SqlTimestamp,
        closed_at -> Nullable<SqlTimestamp>,
        email_confirmed_at -> Nullable<SqlTimestamp>,
        end_reason -> Nullable<Text>,
        folding -> Text,
        erased_at -> Nullable<SqlTimestamp>,
        agreement_erased -> Bool,
        address_hash -> Nullable<Binary>,
    }
}

diesel::table! {
    use diesel::sql_types::{Binary, Nullable, Text};
    use super::SqlTimestamp;

    /// Why recipients declined, beside them: Diesel takes at most 16 columns for a table.
    #[sql_name = "recipients"]
    declined_recipients (id) {
        id -> Text,
        end_reason -> Nullable<Text>,
        decline_reason -> Nullable<Binary>,
        erased_at -> Nullable<SqlTimestamp>,
    }
}

diesel::table! {
    use diesel::sql_types::{Binary, Integer, Nullable, Text};
    use super::SqlTimestamp;

    nda_acceptances (recipient_id) {
        recipient_id -> Text,
        share_id -> Text,
        nda_version -> Text,
        revision -> Integer,
        accepted_at -> SqlTimestamp,
        details -> Binary,
        email_confirmed_at -> Nullable<SqlTimestamp>,
    }
}

diesel::table! {
    use diesel::sql_types::{Binary, Integer, Text};
    use super::SqlTimestamp;

    email_codes (recipient_id) {
        recipient_id -> Text,
        code_hash -> Binary,
        attempts -> Integer,
        sent_at -> SqlTimestamp,
        expires_at -> SqlTimestamp,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Binary, Integer, Nullable, Text};
    use super::SqlTimestamp;

    view_grants (id) {
        seq -> BigInt,
        id -> Text,
        share_id -> Text,
        recipient_id -> Text,
        only_grant_of -> Nullable<Text>,
        revision -> Integer,
        revision_sha256 -> Binary,
        granted_at -> SqlTimestamp,
        ends_at -> SqlTimestamp,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Binary, Nullable, Text};
    use super::SqlTimestamp;

    comments (id) {
        seq -> BigInt,
        id -> Text,
        idea_id -> BigInt,
        owner_id -> Text,
        recipient_id -> Nullable<Text>,
        sealed -> Binary,
        created_at -> SqlTimestamp,
        reply_to -> Nullable<Text>,
        share_id -> Nullable<Text>,
        edited_at -> Nullable<SqlTimestamp>,
        withdrawn_at -> Nullable<SqlTimestamp>,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Text};
    use super::SqlTimestamp;

    waitlist (email) {
        seq -> BigInt,
        email -> Text,
        name -> Text,
        profession -> Text,
        joined_at -> SqlTimestamp,
    }
}

diesel::table! {
    use diesel::sql_types::{Binary, Nullable, Text};
    use super::SqlTimestamp;

    invitations (email) {
        email -> Text,
        invited_at -> SqlTimestamp,
        announced_at -> Nullable<SqlTimestamp>,
        token_hash -> Nullable<Binary>,
        expires_at -> Nullable<SqlTimestamp>,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Binary, Integer, Nullable, Text};
    use super::SqlTimestamp;

    outbox_mails (id) {
        seq -> BigInt,
        id -> Text,
        sealed -> Binary,
        queued_at -> SqlTimestamp,
        expires_at -> SqlTimestamp,
        attempts -> Integer,
        next_attempt_at -> SqlTimestamp,
        sender_id -> Nullable<Text>,
        recipient_id -> Nullable<Text>,
        share_id -> Nullable<Text>,
        unconfirmed -> Integer,
    }
}

diesel::table! {
    use diesel::sql_types::{Binary, Integer};

    master_key (one) {
        one -> Integer,
        id -> Binary,
    }
}

diesel::table! {
    use diesel::sql_types::{Binary, Integer};

    cookie_key (one) {
        one -> Integer,
        sealed -> Binary,
    }
}

diesel::table! {
    use diesel::sql_types::{Binary, Integer};

    address_key (one) {
        one -> Integer,
        sealed -> Binary,
    }
}

diesel::table! {
    use diesel::sql_types::{Binary, Nullable};
    use super::SqlTimestamp;

    document_links (token_hash) {
        token_hash -> Binary,
        address_hash -> Binary,
        key_hash -> Nullable<Binary>,
        requested_at -> SqlTimestamp,
        expires_at -> SqlTimestamp,
    }
}

diesel::table! {
    use diesel::sql_types::{Integer, Text};

    storage_identity (one) {
        one -> Integer,
        id -> Text,
    }
}

diesel::table! {
    use diesel::sql_types::BigInt;
    use super::SqlTimestamp;

    public_records (idea_id) {
        idea_id -> BigInt,
        since -> SqlTimestamp,
    }
}

diesel::joinable!(public_records -> ideas (idea_id));

diesel::table! {
    use diesel::sql_types::{BigInt, Binary, Integer, Nullable, Text};
    use super::SqlTimestamp;

    working_copies (owner_id, idea_id, session) {
        owner_id -> Text,
        idea_id -> BigInt,
        session -> Text,
        kept_at -> SqlTimestamp,
        base -> Nullable<Integer>,
        wrapped_key -> Binary,
        title -> Binary,
        size -> BigInt,
        content -> Binary,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Binary, Bool, Nullable};

    organized_ideas (idea_id) {
        idea_id -> BigInt,
        tags -> Nullable<Binary>,
        is_archived -> Bool,
    }
}

// With what their list reads.
diesel::allow_tables_to_appear_in_same_query!(organized_ideas, ideas);
diesel::allow_tables_to_appear_in_same_query!(organized_ideas, idea_keys);
diesel::allow_tables_to_appear_in_same_query!(organized_ideas, evidence_events);
diesel::allow_tables_to_appear_in_same_query!(organized_ideas, shares);

diesel::table! {
    use diesel::sql_types::Integer;
    use super::SqlTimestamp;

    newest_time (one) {
        one -> Integer,
        at -> SqlTimestamp,
    }
}

diesel::table! {
    use diesel::sql_types::{Integer, Nullable, Text};
    use super::SqlTimestamp;

    jobs (name) {
        name -> Text,
        due_at -> SqlTimestamp,
        run_id -> Nullable<Text>,
        last_success_at -> Nullable<SqlTimestamp>,
        failures -> Integer,
    }
}

diesel::table! {
    use diesel::sql_types::{Binary, Integer};
    use super::SqlTimestamp;

    limit_counts (key_hash) {
        key_hash -> Binary,
        window_ends_at -> SqlTimestamp,
        events -> Integer,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Nullable, Text};
    use super::SqlTimestamp;

    audit_entries (seq) {
        seq -> BigInt,
        at -> SqlTimestamp,
        kind -> Text,
        account_id -> Nullable<Text>,
        subject -> Nullable<Text>,
        ip -> Nullable<Text>,
        user_agent -> Nullable<Text>,
        slot -> Nullable<Text>,
    }
}

diesel::table! {
    use diesel::sql_types::{Integer, Nullable};
    use super::SqlTimestamp;

    audit_retention (one) {
        one -> Integer,
        entries_before -> Nullable<SqlTimestamp>,
        addresses_before -> Nullable<SqlTimestamp>,
    }
}

diesel::table! {
    use diesel::sql_types::{Integer, Text};
    use super::SqlTimestamp;

    evidence_logs (number) {
        number -> Integer,
        origin -> Text,
        started_at -> SqlTimestamp,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Binary, Integer, Text};

    evidence_log_keys (log, from_size) {
        log -> Integer,
        from_size -> BigInt,
        vkey -> Text,
        seed -> Binary,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Binary, Bool, Integer, Nullable, Text};
    use super::SqlTimestamp;

    evidence_events (seq) {
        seq -> BigInt,
        kind -> Text,
        at -> SqlTimestamp,
        idea_id -> Nullable<BigInt>,
        share_id -> Nullable<Text>,
        recipient_id -> Nullable<Text>,
        comment_id -> Nullable<Text>,
        once -> Nullable<Text>,
        body -> Text,
        digest -> Binary,
        seal -> Binary,
        log -> Nullable<Integer>,
        place -> Nullable<BigInt>,
        in_activity -> Bool,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Binary, Text};

    evidence_disclosures (event, name) {
        event -> BigInt,
        name -> Text,
        body -> Binary,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Binary, Integer};

    evidence_nodes (log, position) {
        log -> Integer,
        position -> BigInt,
        hash -> Binary,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Binary, Integer, Nullable, Text};
    use super::SqlTimestamp;

    evidence_checkpoints (log, size) {
        log -> Integer,
        size -> BigInt,
        root -> Binary,
        made_at -> SqlTimestamp,
        previous -> BigInt,
        seal -> Binary,
        note -> Nullable<Text>,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Binary, Integer, Nullable, Text};
    use super::SqlTimestamp;

    evidence_anchors (log, size, kind, name) {
        log -> Integer,
        size -> BigInt,
        kind -> Text,
        name -> Text,
        state -> Text,
        attempts -> Integer,
        asked_at -> Nullable<SqlTimestamp>,
        next_attempt_at -> Nullable<SqlTimestamp>,
        error -> Nullable<Text>,
        artefact -> Nullable<Binary>,
        chain -> Nullable<Text>,
        time -> Nullable<SqlTimestamp>,
        block -> Nullable<BigInt>,
        seal -> Nullable<Binary>,
    }
}

// Tables that one statement reads for a gate.
diesel::allow_tables_to_appear_in_same_query!(
    email_codes,
    evidence_events,
    limit_counts,
    idea_keys,
    idea_revisions,
    ideas,
    nda_acceptances,
    recipients,
    shares,
    users,
    view_grants,
    viewer_sessions
);
diesel::allow_tables_to_appear_in_same_query!(files, file_keys, idea_files, ideas, revision_files);
diesel::allow_tables_to_appear_in_same_query!(comments, ideas);
diesel::allow_tables_to_appear_in_same_query!(comments, idea_keys);
diesel::allow_tables_to_appear_in_same_query!(comments, idea_revisions);
diesel::allow_tables_to_appear_in_same_query!(comments, users);
diesel::allow_tables_to_appear_in_same_query!(ideas, public_records);
diesel::allow_tables_to_appear_in_same_query!(outbox_mails, shares);
diesel::allow_tables_to_appear_in_same_query!(evidence_checkpoints, evidence_events);
diesel::allow_tables_to_appear_in_same_query!(evidence_logs, evidence_checkpoints);
