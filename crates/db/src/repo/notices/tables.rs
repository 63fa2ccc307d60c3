//! The tables of notices, as the migrations create them.

use super::super::SqlTimestamp;
use super::super::schema::{idea_keys, ideas, recipients, shares};

diesel::table! {
    use diesel::sql_types::{BigInt, Integer, Nullable, Text};
    use super::SqlTimestamp;

    notices (seq) {
        seq -> BigInt,
        account_id -> Text,
        share_id -> Text,
        kind -> Text,
        recipient_id -> Nullable<Text>,
        count -> Integer,
        first_at -> SqlTimestamp,
        last_at -> SqlTimestamp,
        read_at -> Nullable<SqlTimestamp>,
        due_at -> SqlTimestamp,
        settled_at -> Nullable<SqlTimestamp>,
        mail_id -> Nullable<Text>,
    }
}

diesel::table! {
    use diesel::sql_types::Text;

    share_notification_modes (share_id) {
        share_id -> Text,
        mode -> Text,
    }
}

diesel::table! {
    use diesel::sql_types::{Binary, Nullable, Text};
    use super::SqlTimestamp;

    unsubscribe_tokens (token_hash) {
        token_hash -> Binary,
        account_id -> Nullable<Text>,
        recipient_id -> Nullable<Text>,
        created_at -> SqlTimestamp,
    }
}

diesel::table! {
    use diesel::sql_types::Text;

    muted_recipients (recipient_id) {
        recipient_id -> Text,
    }
}

diesel::allow_tables_to_appear_in_same_query!(notices, ideas);
diesel::allow_tables_to_appear_in_same_query!(notices, shares);
diesel::allow_tables_to_appear_in_same_query!(notices, idea_keys);
diesel::allow_tables_to_appear_in_same_query!(notices, recipients);
diesel::allow_tables_to_appear_in_same_query!(share_notification_modes, shares);
diesel::allow_tables_to_appear_in_same_query!(share_notification_modes, ideas);
