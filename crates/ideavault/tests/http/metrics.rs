//! Metrics for Prometheus.

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::json;

use crate::harness::{App, Browser, Link, pdf};

on_both_databases!(
    metrics_have_a_listener_of_their_own,
    a_wrong_file_storage_is_told,
    metrics_name_nobody_and_nothing,
    refusals_and_failures_are_counted,
    rules_and_dashboard_ask_for_metrics_that_exist,
);

pub const ANYWHERE: [&str; 2] = ["--metrics-address", "127.0.0.1:0"];

fn listener(app: &App) -> Browser {
    let address = app.metrics_address().unwrap();
    Browser::new(reqwest::Client::new(), format!("http://{address}"))
}

pub async fn metrics(app: &App) -> String {
    listener(app).get("/metrics").await.expect(200).text()
}

/// Returns the value of the series that begins with `series`.
#[track_caller]
pub fn value(metrics: &str, series: &str) -> f64 {
    let mut lines = metrics.lines();
    let line = lines.find_map(|line| line.strip_prefix(series)?.strip_prefix(' '));
    let value = line.unwrap_or_else(|| panic!("{series}: {metrics}"));
    value.parse().unwrap()
}

async fn metrics_have_a_listener_of_their_own(app: App) {
    assert_eq!(app.metrics_address(), None);
    let app = app.restart(&ANYWHERE).await;
    assert_ne!(app.metrics_address().unwrap(), app.address());
    // The public one answers with the page for unknown addresses.
    let public = app.browser().get("/metrics").await.text();
    assert!(!public.contains("ideavault_http_requests"), "{public}");
    for path in ["/", "/readyz", "/metrics/more"] {
        listener(&app).get(path).await.expect(404);
    }
    let text = metrics(&app).await;
    // As `promtool check metrics` wants it, and any reader of the older format.
    assert!(!text.contains("# EOF"), "{text}");
    assert!(
        text.contains("# TYPE ideavault_http_requests_total counter\n"),
        "{text}"
    );
    assert!(
        text.contains("# TYPE ideavault_build_info gauge\n"),
        "{text}"
    );
    let open = reqwest::Client::new()
        .get(format!("http://{}/metrics", app.metrics_address().unwrap()))
        .header(
            "accept",
            "application/openmetrics-text;version=1.0.0,text/plain;q=0.5",
        )
        .send()
        .await
        .unwrap();
    let media_type = open.headers()["content-type"].to_str().unwrap().to_owned();
    assert!(
        media_type.starts_with("application/openmetrics-text"),
        "{media_type}"
    );
    let open = open.text().await.unwrap();
    assert!(
        open.contains("# TYPE ideavault_http_requests counter\n"),
        "{open}"
    );
    assert!(open.ends_with("# EOF\n"), "{open}");
    let version = env!("CARGO_PKG_VERSION");
    let build = format!("ideavault_build_info{{version=\"{version}\",commit=\"unknown\"}}");
    assert_eq!(value(&text, &build), 1.0);
    for series in [
        "ideavault_database_up",
        "ideavault_recording",
        "ideavault_free_bytes",
        "ideavault_stored_bytes",
        "ideavault_mails_waiting",
        "ideavault_mails_oldest_seconds",
        "ideavault_mails_given_up",
        "ideavault_last_backup_timestamp_seconds",
        "ideavault_anchors_failing",
        "process_cpu_seconds_total",
        "process_resident_memory_bytes",
        "process_start_time_seconds",
        "process_open_fds",
        "process_max_fds",
        "ideavault_events_without_place",
        "ideavault_heavy_work{queue=\"passwords\"}",
        "ideavault_cache_lookups_total{cache=\"data_keys\",result=\"miss\"}",
    ] {
        assert!(value(&text, series) >= 0.0, "{series}");
    }
    assert_eq!(value(&text, "ideavault_database_up"), 1.0);
    assert_eq!(value(&text, "ideavault_ready"), 1.0);
    assert_eq!(value(&text, "ideavault_recording"), 1.0);
    assert!(text.contains("ideavault_database_connections{"), "{text}");
}

async fn a_wrong_file_storage_is_told(app: App) {
    let app = app.restart(&ANYWHERE).await;
    std::fs::remove_file(app.data_dir().join("files").join("storage-id")).unwrap();
    // What the server has found before counts for a moment.
    let mut text = metrics(&app).await;
    while value(&text, "ideavault_ready") > 0.0 {
        tokio::task::yield_now().await;
        text = metrics(&app).await;
    }
    assert_eq!(value(&text, "ideavault_database_up"), 1.0);
}

async fn metrics_name_nobody_and_nothing(app: App) {
    let app = app.restart(&ANYWHERE).await;
    let ada = app.creator("zqada").await;
    let idea = ada.idea("Zqtitle", json!("<p>zqcontent</p>")).await;
    ada.pdf_idea(&pdf(5_000)).await;
    let link = ada
        .share(idea, "full-access", json!({ "name": "zqlink" }))
        .await;
    let guest = app.visitor();
    let recipient = guest.agree(&link).await;
    guest.read(&link).await;
    guest.close(&link).await;
    // Made-up addresses, methods and queries become no label either.
    let stranger = app.browser();
    for path in [
        "/zqpath",
        "/api/zqpath",
        "/s/zqtoken",
        "/api/share/zqtoken?zqquery=1",
    ] {
        stranger.get(path).await;
        let method = Method::from_bytes(b"ZQMETHOD").unwrap();
        stranger.send_bare(method, path, |head| head).await;
    }
    let text = metrics(&app).await;
    let Link { id, token } = &link;
    let email = ada.email.as_str();
    for secret in [
        id,
        token,
        &recipient,
        email,
        "zq",
        "vera",
        "example.org",
        "127.0.0.1",
    ] {
        let lower = text.to_lowercase();
        assert!(!lower.contains(&secret.to_lowercase()), "{secret}: {text}");
    }
    assert!(value(&text, "ideavault_stored_bytes") >= 5_000.0);
    let viewed = r#"route="/api/share/{token}",method="GET",status="2xx""#;
    assert!(value(&text, &format!("ideavault_http_requests_total{{{viewed}}}")) >= 1.0);
    // Asking for more addresses of the same routes adds no series.
    let series = |text: &str| -> BTreeSet<String> {
        let lines = text.lines().filter_map(|line| line.rsplit_once(' '));
        lines.map(|(series, _)| series.to_owned()).collect()
    };
    for number in 0..20 {
        stranger.get(&format!("/api/share/more{number}")).await;
        stranger.get(&format!("/api/more{number}")).await;
        stranger.get(&format!("/more{number}")).await;
    }
    assert_eq!(series(&metrics(&app).await), series(&text));
}

async fn refusals_and_failures_are_counted(app: App) {
    let options = [&ANYWHERE[..], &["--rate-limit-scale", "1"]].concat();
    let app = app.restart(&options).await;
    let browser = app.browser();
    let login = json!({ "email": "nobody@example.org", "password": "secret" });
    let (mut sent, mut refused) = (0.0, 0.0);
    while refused < 2.0 && sent < 40.0 {
        sent += 1.0;
        let answer = browser.post("/api/auth/login", login.clone()).await;
        if answer.status == 429 {
            refused += 1.0;
        }
    }
    assert_eq!(refused, 2.0);
    let text = metrics(&app).await;
    let limits = ["Login", "FailedLogin"].map(|limit| {
        let series = format!("ideavault_rate_limit_refusals_total{{limit=\"{limit}\"}} ");
        let mut lines = text.lines();
        let line = lines.find_map(|line| line.strip_prefix(&series));
        line.map_or(0.0, |count| count.parse::<f64>().unwrap())
    });
    assert_eq!(limits.iter().sum::<f64>(), refused, "{text}");
    let route = r#"route="/api/auth/login",method="POST",status="4xx""#;
    assert_eq!(
        value(&text, &format!("ideavault_http_requests_total{{{route}}}")),
        sent
    );
}

/// Those in `deploy`, without the suffixes of a histogram and the labels.
async fn rules_and_dashboard_ask_for_metrics_that_exist(app: App) {
    let app = app.restart(&ANYWHERE).await;
    app.browser().get("/api/ideas").await.expect(401);
    // The first run of the jobs.
    let mut text = metrics(&app).await;
    while !text.contains("ideavault_job_last_success_timestamp_seconds{") {
        tokio::task::yield_now().await;
        text = metrics(&app).await;
    }
    for file in ["prometheus/ideavault.rules.yml", "grafana/ideavault.json"] {
        let path = format!("{}/../../deploy/{file}", env!("CARGO_MANIFEST_DIR"));
        let asked = std::fs::read_to_string(path).unwrap();
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let names: BTreeSet<&str> = asked
            .split(|letter| !is_part(letter))
            .filter(|word| word.starts_with("ideavault_") || word.starts_with("process_"))
            // Absent before the first refusal.
            .filter(|word| *word != "ideavault_rate_limit_refusals_total")
            .collect();
        assert!(names.len() > 5, "{names:?}");
        for name in names {
            let is_there = text
                .lines()
                .any(|line| line.split(['{', ' ']).next() == Some(name));
            let described = format!("# TYPE {name} ");
            assert!(is_there || text.contains(&described), "{file}: {name}");
        }
    }
}
