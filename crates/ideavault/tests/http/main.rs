//! Tests of the whole application over HTTP: what it promises, and how it refuses attackers
//! and broken clients.
//!
//! Each test has its own database, data folder, port and clock, and runs on SQLite and on
//! Postgres, unless only the pages, headers or pictures around the data are its subject. The harness checks every response: none may be a 5xx, and every refusal below
//! `/api` has the one error body.

#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

/// Makes each of the named functions a test on both databases. They take an [`harness::App`]
/// that has just started.
macro_rules! on_both_databases {
    ($($test:ident),+ $(,)?) => {
        on_sqlite!($($test),+);
        mod postgres {
            $(#[tokio::test]
            async fn $test() {
                super::$test($crate::harness::App::on_postgres().await).await;
            })+
        }
    };
}

/// Makes each of the named functions a test on SQLite alone: what they check is made of answers
/// that other tests compare on both databases.
macro_rules! on_sqlite {
    ($($test:ident),+ $(,)?) => {
        mod sqlite {
            $(#[tokio::test]
            async fn $test() {
                super::$test($crate::harness::App::on_sqlite().await).await;
            })+
        }
    };
}

mod accounts;
mod admission;
mod as_root;
mod assistance;
mod audit;
mod backup;
mod buckets;
mod cached_reads;
mod cleanup;
mod clocks;
mod commands;
mod comment_threads;
mod comments;
mod confirmations;
mod crashed_uploads;
mod crashes;
mod csrf;
mod damaged_evidence;
mod damaged_rows;
mod dashboards;
mod database_copy;
mod disclosed_files;
mod doctor;
mod documents;
mod downloads;
mod ended_sessions;
mod erasure;
mod every_route;
mod evidence;
mod first_screens;
mod gate;
mod harness;
mod headers;
mod ideas;
mod images;
mod interrupted;
mod leaving;
mod link_notifications;
mod links;
mod logs;
mod mails;
mod malformed;
mod metrics;
mod my_documents;
mod operator;
mod organizing;
mod outages;
mod ownership;
mod pages;
mod paging;
mod passwords;
mod pdf_ideas;
mod process;
mod quotas;
mod races;
mod random_requests;
mod rates;
mod readers;
mod refusals;
mod repeated_requests;
mod revisions;
mod rotation;
mod round_trips;
mod secrecy;
mod security_mails;
mod sessions;
mod share_previews;
mod shared_downloads;
mod stale_saves;
mod status;
mod storage;
mod storage_identity;
mod turns;
mod two_factors;
mod two_processes;
mod upgrades;
mod uploads;
mod users;
mod working_copies;
