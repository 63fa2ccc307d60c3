//! The operator's settings: name, logo, contact and terms.

use reqwest::Method;
use serde_json::json;

use crate::commands::{binary, stderr};
use crate::harness::{App, require_frontend};

on_both_databases!(
    pages_show_the_product_by_default,
    pages_show_the_settings_as_text,
    a_contact_address_is_encoded_in_its_link,
    the_logo_is_served_only_as_an_image,
    mails_and_authenticator_apps_show_the_name,
    an_invalid_setting_is_named_at_startup,
);

const NAME: &str = "Ada & <b>\"Vault\"</b>'s {{ csp_nonce }} {% if logo %}";
const ESCAPED: &str =
    "Ada &amp; &lt;b&gt;&quot;Vault&quot;&lt;/b&gt;&#x27;s {{ csp_nonce }} {% if logo %}";
const SVG: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>";

async fn pages_show_the_product_by_default(app: App) {
    require_frontend();
    let browser = app.browser();
    for path in ["/", "/login", "/register", "/privacy", "/terms", "/contact"] {
        let page = browser.get(path).await.expect(200).html();
        assert!(page.contains(" · IdeaVault</title>"), "{path}");
        assert!(page.contains("data-vault-name=\"IdeaVault\""), "{path}");
        for set in ["{{", "{%", "<img", "reach the operator", "mailto:"] {
            assert!(!page.contains(set), "{path}: {set}");
        }
        let (_, footer) = page.split_once("<footer").unwrap();
        let (footer, _) = footer.split_once("</footer>").unwrap();
        assert!(!footer.contains("IdeaVault"), "{path}");
    }
    let register = browser.get("/register").await.expect(200).html();
    assert!(register.contains("href=\"/terms\" target=\"_blank\""));
    let terms = browser.get("/terms").await.expect(200).html();
    assert!(terms.contains("1. Who offers this service"));
    browser.get("/logo").await.expect(404);
}

async fn pages_show_the_settings_as_text(app: App) {
    require_frontend();
    let settings = [
        "--name",
        NAME,
        "--contact",
        "desk@acme.example",
        "--terms",
        "https://acme.example/terms?a=1&b=\"2\"",
    ];
    let vault = app.another(&settings).await;
    let browser = vault.browser();
    for (path, status) in [("/", 200), ("/login", 200), ("/privacy", 200), ("/no", 404)] {
        let page = browser.get(path).await.expect(status).html();
        let title = format!(" · {ESCAPED}</title>");
        assert!(page.contains(&title), "{path}");
        assert!(page.contains(&format!("<bdi>{ESCAPED}</bdi>")), "{path}");
        assert!(page.contains("href=\"mailto:desk@acme.example\""), "{path}");
        assert!(!page.contains("<b>"), "{path}");
        assert!(!page.contains("<img"), "{path}");
        assert!(!page.contains(" · IdeaVault"), "{path}");
    }
    let terms = "href=\"https://acme.example/terms?a=1&amp;b=%222%22\"";
    for path in ["/register", "/terms"] {
        let page = browser.get(path).await.expect(200).html();
        assert!(page.contains(terms), "{path}");
        assert!(!page.contains("1. Who offers this service"), "{path}");
    }
    let privacy = browser.get("/privacy").await.expect(200).html();
    assert!(privacy.contains("You can reach the operator here: <a href=\"mailto:desk@"));
}

async fn a_contact_address_is_encoded_in_its_link(app: App) {
    require_frontend();
    let vault = app.another(&["--contact", "r&d?+50%@acme.example"]).await;
    let page = vault.browser().get("/privacy").await.expect(200).html();
    assert!(page.contains("href=\"mailto:r%26d%3F%2B50%25@acme.example\""));
    assert!(page.contains("data-vault-contact-link=\"mailto:r%26d%3F%2B50%25@acme.example\""));
}

async fn the_logo_is_served_only_as_an_image(app: App) {
    require_frontend();
    let folder = tempfile::TempDir::new().unwrap();
    let file = folder.path().join("logo.svg");
    std::fs::write(&file, SVG).unwrap();
    let vault = app.another(&["--logo", file.to_str().unwrap()]).await;
    let browser = vault.browser();
    let logo = browser.get("/logo").await.expect(200);
    assert_eq!(logo.text(), SVG);
    assert_eq!(logo.header("content-type"), "image/svg+xml");
    assert_eq!(logo.header("x-content-type-options"), "nosniff");
    let policy = logo.header("content-security-policy");
    for directive in ["default-src 'none'", "sandbox", "frame-ancestors 'none'"] {
        assert!(policy.contains(directive), "{policy}");
    }
    let head = browser.send(Method::HEAD, "/logo", |head| head).await;
    assert!(head.expect(200).body.is_empty());
    let tag = logo.header("etag").to_owned();
    let again = browser.send_bare(Method::GET, "/logo", |head| {
        head.header("if-none-match", tag)
    });
    assert!(again.await.expect(304).body.is_empty());
    let login = browser.get("/login").await.expect(200).html();
    assert_eq!(login.matches("<img src=\"/logo\" alt=\"\"").count(), 1);
    assert!(!login.contains("alert(1)"));
}

async fn mails_and_authenticator_apps_show_the_name(app: App) {
    let settings = [
        "--name",
        "Acme Ideas",
        "--contact",
        "https://acme.example/help",
    ];
    // Only this server runs: either of two could deliver the mail.
    let vault = app.restart(&settings).await;
    let ada = vault.creator("ada").await;
    let body = json!({ "email": ada.email });
    ada.post("/api/auth/forgot-password", body)
        .await
        .expect(200);
    let mail = vault
        .mailed(|mail| mail.contains("reset-password/").then(|| mail.to_owned()))
        .await;
    for text in [
        "From: \"Acme Ideas\" <ideavault@localhost>",
        "Subject: Your request to change your Acme Ideas password",
        "&nbsp;Acme Ideas</td>",
        "Contact: https://acme.example/help",
        // In quoted-printable encoding.
        "href=3D\"https://acme.example/help\"",
    ] {
        assert!(mail.contains(text), "{text}\n{mail}");
    }
    assert!(!mail.contains("IdeaVault"), "{mail}");
    let password = json!({ "currentPassword": ada.password });
    let setup = ada.post("/api/auth/totp", password).await.expect(200);
    let uri = setup.json()["uri"].as_str().unwrap().to_owned();
    assert!(uri.starts_with("otpauth://totp/Acme%20Ideas:"), "{uri}");
    assert!(uri.contains("&issuer=Acme%20Ideas&"), "{uri}");
}

async fn an_invalid_setting_is_named_at_startup(app: App) {
    let long = "x".repeat(61);
    for (setting, value) in [
        ("IDEAVAULT_NAME", long.as_str()),
        ("IDEAVAULT_LOGO", "/no/such/logo.png"),
        ("IDEAVAULT_CONTACT", "javascript:alert(1)"),
        ("IDEAVAULT_TERMS", "http://acme.example/terms"),
    ] {
        let output = binary(&["serve", "--listen", "127.0.0.1:0"])
            .env("IDEAVAULT_DATABASE_URL", app.database_url())
            .env("IDEAVAULT_DATA_DIR", app.data_dir())
            .env(setting, value)
            .output();
        let complaint = stderr(&output.unwrap());
        assert!(complaint.contains(setting), "{complaint}");
    }
}
