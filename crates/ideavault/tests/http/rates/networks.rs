//! One customer with many networks, or one network with many accounts, leaves enough to others.

use ideavault_mail::testing::SmtpSink;
use reqwest::Method;
use serde_json::json;

use super::daily::register_from;
use super::{FOR_VERA, must_wait, register_from as recipient_from, sign_in};
use crate::harness::{Answer, App, Browser};

on_both_databases!(
    one_ipv6_customer_leaves_confirmation_mails_to_others,
    one_network_leaves_half_of_the_confirmation_mails_to_others,
    many_accounts_leave_invitations_to_others,
    networks_of_one_ipv6_customer_leave_codes_of_a_link_to_others,
    networks_of_one_ipv6_customer_guess_together_across_servers,
);

const DAY: u64 = 24 * 3600;

fn behind_a_proxy(scale: &str) -> [&str; 4] {
    [
        "--rate-limit-scale",
        scale,
        "--trusted-proxies",
        "127.0.0.1",
    ]
}

fn confirming<'a>(scale: &'a str, url: &'a str) -> Vec<&'a str> {
    let mails = ["--smtp-url", url, "--mail-from", "vault@example.org"];
    let always = ["--confirm-addresses", "always"];
    [&behind_a_proxy(scale)[..], &mails, &always].concat()
}

async fn one_ipv6_customer_leaves_confirmation_mails_to_others(app: App) {
    app.advance_to_midnight();
    let sink = SmtpSink::start();
    // Ten mails a day; an hour, one registration of a /64, five of a /48.
    let app = app.restart(&confirming("0.01", &sink.url())).await;
    let mut registered = 0;
    for n in 0..34 {
        let from = format!("2001:db8:0:{n}00::1");
        let answer = register_from(&app, &from, &format!("many{n}")).await;
        match answer.status {
            201 => {
                registered += 1;
                assert_eq!(sink.next().to.len(), 1);
            }
            _ => must_wait(answer, 3_600),
        }
    }
    assert_eq!(registered, 5);
    register_from(&app, "198.51.100.1", "ada").await.expect(201);
    assert_eq!(sink.next().to, ["ada@example.org"]);
}

async fn one_network_leaves_half_of_the_confirmation_mails_to_others(app: App) {
    app.advance_to_midnight();
    let sink = SmtpSink::start();
    // Ten mails a day, one registration an hour of a network.
    let app = app.restart(&confirming("0.01", &sink.url())).await;
    for hour in 0..7 {
        let name = format!("many{hour}");
        register_from(&app, "198.51.100.1", &name).await.expect(201);
        if hour < 5 {
            assert_eq!(sink.next().to, [format!("{name}@example.org")]);
        }
        app.advance_past_mails(chrono::Duration::minutes(61)).await;
    }
    assert_eq!(sink.try_next(), None);
    for n in 2..7 {
        let (from, name) = (format!("198.51.100.{n}"), format!("ada{n}"));
        register_from(&app, &from, &name).await.expect(201);
        assert_eq!(sink.next().to, [format!("{name}@example.org")]);
    }
    register_from(&app, "198.51.100.99", "zoe")
        .await
        .expect(201);
    assert_eq!(sink.try_next(), None);
}

async fn many_accounts_leave_invitations_to_others(app: App) {
    app.advance_to_midnight();
    let mut creators = Vec::new();
    for n in 0..7 {
        let creator = app.creator(&format!("ada{n}")).await;
        let idea = creator.idea("Kettle", "<p>Waits</p>").await;
        creators.push((creator, idea));
    }
    // Five a day, one for an account.
    let app = app.restart(&behind_a_proxy("0.01")).await;
    let from = |address: String, n: usize| {
        let (creator, idea) = &creators[n];
        let browser = creator.at(&app.browser());
        async move { invite_from(&browser, &address, *idea).await }
    };
    // Half of them for whoever comes, and some for accounts that have mailed none yet.
    for n in 0..4 {
        from(format!("2001:db8:0:{n}00::1"), n).await.expect(201);
    }
    must_wait(from("2001:db8:0:700::1".into(), 4).await, DAY);
    from("198.51.100.1".into(), 5).await.expect(201);
    must_wait(from("198.51.100.2".into(), 6).await, DAY);
}

async fn invite_from(owner: &Browser, address: &str, idea: i64) -> Answer {
    let link = json!({ "ideaId": idea, "shareType": "email", "recipientEmail": FOR_VERA });
    let sent = owner.send(Method::POST, "/api/shares", |request| {
        request.header("x-forwarded-for", address).json(&link)
    });
    sent.await
}

async fn networks_of_one_ipv6_customer_leave_codes_of_a_link_to_others(app: App) {
    let ada = app.creator("ada").await;
    let idea = ada.idea("Kettle", "<p>Waits</p>").await;
    let for_vera = json!({ "recipientEmail": FOR_VERA });
    let link = ada.share(idea, "email", for_vera).await;
    let app = app.restart(&behind_a_proxy("1")).await;
    for _ in 0..5 {
        recipient_from(&app, "2001:db8::1", &link).await.expect(201);
    }
    for n in 1..5 {
        let from = format!("2001:db8:0:{n}00::1");
        must_wait(recipient_from(&app, &from, &link).await, 3_600);
    }
    recipient_from(&app, "198.51.100.1", &link)
        .await
        .expect(201);
}

async fn networks_of_one_ipv6_customer_guess_together_across_servers(app: App) {
    let options = behind_a_proxy("0.1");
    let app = app.restart(&options).await;
    let other = app.another(&options).await;
    // One wrong password an account and /64, sixteen a /48.
    let guess = |app: &App, n: usize| {
        let (browser, from) = (app.browser(), format!("2001:db8:0:{n:02x}00::1"));
        async move { wrong_password(&browser, &from).await }
    };
    for n in 0..8 {
        assert_eq!(guess(&app, n).await, 401);
        assert_eq!(guess(&other, n + 8).await, 401);
    }
    assert_eq!(guess(&app, 16).await, 429);
    assert_eq!(guess(&other, 17).await, 429);
    assert_eq!(wrong_password(&app.browser(), "198.51.100.1").await, 401);
}

async fn wrong_password(browser: &Browser, from: &str) -> u16 {
    sign_in(browser, "nobody@example.org", from).await.status
}
