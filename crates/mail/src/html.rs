//! The HTML part of an email, rendered from its plain text, so that both always say the
//! same. The text of all emails follows these conventions:
//!
//! - paragraphs are separated by empty lines;
//! - a paragraph that consists of a URL becomes a button;
//! - indented lines are highlighted: `label:  value` or `label  value` become rows, digits
//!   alone a code, anything else a quotation;
//! - the text after `-- ` is the footer: the name of the vault, which is also the heading,
//!   and then lines whose URLs become links.
//!
//! Invariant: nothing that a person typed becomes markup or a link, and no remote content
//! is loaded. Typed texts are single lines, so that none is a paragraph.

use std::fmt::Write as _;

const SERIF: &str = "Georgia,'Times New Roman',serif";
const SANS: &str = "-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/// Colours for dark mode; email programs without media queries show the light ones.
const STYLE: &str = "\
:root{color-scheme:light dark;supported-color-schemes:light dark}\n\
@media (prefers-color-scheme:dark){\n\
.paper{background:#0f1522!important}\n\
.sheet{background:#171f30!important;border-color:#b3404a #2a3449 #2a3449!important}\n\
.ink{color:#eceae3!important}\n\
.muted{color:#a9b1c2!important}\n\
.line{border-color:#2a3449!important}\n\
.quiet{background:#0f1522!important;border-color:#b3404a!important}\n\
.press{background:#eceae3!important;color:#14213d!important}\n\
.link{color:#a9c4f5!important}\n\
}\n";

/// Renders an email with that subject and text as HTML, ASCII only.
pub(crate) fn render(subject: &str, text: &str) -> String {
    let (body, footer) = text.split_once("\n-- \n").unwrap_or((text, ""));
    let vault = Escaped(footer.lines().next().unwrap_or_default());
    let mut html = String::new();
    html.push_str("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    html.push_str("<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n");
    html.push_str("<meta name=\"color-scheme\" content=\"light dark\">\n");
    push(
        &mut html,
        format_args!("<title>{}</title>\n", Escaped(subject)),
    );
    push(
        &mut html,
        format_args!("<style>\n{STYLE}</style>\n</head>\n"),
    );
    push(
        &mut html,
        format_args!(
            "<body class=\"paper\" style=\"margin:0;padding:0;background:#f8f6f1\">\n\
             <table role=\"presentation\" class=\"paper\" width=\"100%\" cellpadding=\"0\" \
             cellspacing=\"0\" style=\"background:#f8f6f1\"><tr>\
             <td align=\"center\" style=\"padding:24px 12px\">\n\
             <table role=\"presentation\" width=\"100%\" cellpadding=\"0\" cellspacing=\"0\" \
             style=\"max-width:560px\">\n\
             <tr><td class=\"ink\" style=\"padding:0 4px 14px;font:600 20px {SERIF};\
             color:#14213d\"><span style=\"color:#b3404a\">&#9679;</span>&nbsp;{vault}</td></tr>\n\
             <tr><td class=\"sheet\" style=\"padding:28px 24px 12px;background:#fffefb;\
             border:1px solid #e0dbcf;border-top:3px solid #8c2a32;border-radius:6px\">\n"
        ),
    );
    for block in body.split("\n\n") {
        push_block(&mut html, block.trim_matches('\n'));
    }
    push(
        &mut html,
        format_args!(
            "</td></tr>\n<tr><td class=\"muted\" style=\"padding:14px 4px;font:13px/1.6 {SANS};\
             color:#525c73\">\n"
        ),
    );
    let mut lines = footer.lines().peekable();
    while let Some(line) = lines.next() {
        push_footer_line(&mut html, line);
        html.push_str(if lines.peek().is_some() {
            "<br>\n"
        } else {
            "\n"
        });
    }
    html.push_str("</td></tr>\n</table>\n</td></tr></table>\n</body>\n</html>\n");
    html
}

fn push_block(html: &mut String, block: &str) {
    if block.is_empty() {
        return;
    }
    if block.lines().all(|line| line.starts_with("   ")) {
        push_facts(html, block);
    } else if is_address(block) {
        push_button(html, block);
    } else {
        push(
            html,
            format_args!(
                "<p class=\"ink\" style=\"margin:0 0 16px;font:16px/1.55 {SANS};color:#14213d\">"
            ),
        );
        for (number, line) in block.lines().enumerate() {
            let gap = if number == 0 { "" } else { "\n" };
            push(html, format_args!("{gap}{}", Escaped(line.trim())));
        }
        html.push_str("</p>\n");
    }
}

fn push_button(html: &mut String, address: &str) {
    let label = label_of(address);
    let address = Escaped(address);
    push(
        html,
        format_args!(
            "<p style=\"margin:4px 0 8px\"><a class=\"press\" href=\"{address}\" \
             style=\"display:inline-block;padding:12px 20px;background:#14213d;color:#fffefb;\
             font:600 16px {SANS};text-decoration:none;border-radius:6px\">{label}</a></p>\n\
             <p class=\"muted\" style=\"margin:0 0 18px;font:13px/1.5 {SANS};color:#525c73;\
             word-break:break-all\">{address}</p>\n"
        ),
    );
}

fn push_facts(html: &mut String, block: &str) {
    push(
        html,
        format_args!(
            "<table role=\"presentation\" class=\"quiet\" width=\"100%\" cellpadding=\"0\" \
             cellspacing=\"0\" style=\"margin:0 0 18px;background:#f8f6f1;\
             border-left:3px solid #8c2a32\">\n"
        ),
    );
    for (number, line) in block.lines().map(str::trim).enumerate() {
        // A quoted text may contain two spaces itself.
        match line.split_once("  ") {
            Some((label, value)) if !label.starts_with('"') => push(
                html,
                format_args!(
                    "<tr><td class=\"muted\" valign=\"top\" style=\"padding:7px 0 7px 14px;\
                     font:14px/1.5 {SANS};color:#525c73;white-space:nowrap\">{}</td>\
                     <td class=\"ink\" width=\"100%\" style=\"padding:7px 14px;font:15px/1.5 {SANS};\
                     color:#14213d;overflow-wrap:anywhere\">{}</td></tr>\n",
                    Escaped(label.trim_end_matches(':')),
                    Escaped(value.trim()),
                ),
            ),
            _ => {
                let is_code = line.chars().all(|letter| letter.is_ascii_digit());
                let font = if is_code {
                    "600 26px ui-monospace,Consolas,monospace;letter-spacing:5px".to_owned()
                } else if number == 0 {
                    format!("600 17px/1.45 {SERIF}")
                } else {
                    format!("14px/1.5 {SANS}")
                };
                push(
                    html,
                    format_args!(
                        "<tr><td class=\"ink\" colspan=\"2\" style=\"padding:10px 14px;\
                         color:#14213d;font:{font};overflow-wrap:anywhere\">{}</td></tr>\n",
                        Escaped(line)
                    ),
                );
            }
        }
    }
    html.push_str("</table>\n");
}

/// Renders a line of the footer, which has no typed text: a URL at its end becomes a link.
fn push_footer_line(html: &mut String, line: &str) {
    let (words, address) = match line.rsplit_once(' ') {
        Some((words, last)) if is_address(last) => (words, last),
        _ if is_address(line) => ("", line),
        _ => (line, ""),
    };
    push(html, format_args!("{}", Escaped(words)));
    if !address.is_empty() {
        let gap = if words.is_empty() { "" } else { " " };
        let address = Escaped(address);
        push(
            html,
            format_args!(
                "{gap}<a class=\"link\" href=\"{address}\" style=\"color:#1f4a8f;\
                 word-break:break-all\">{address}</a>"
            ),
        );
    }
}

fn is_address(text: &str) -> bool {
    (text.starts_with("https://") || text.starts_with("http://"))
        && !text.contains(char::is_whitespace)
}

/// Returns the label of a button by the page that it leads to.
fn label_of(address: &str) -> &'static str {
    let path = address.splitn(4, '/').nth(3).unwrap_or_default();
    match path.split(['/', '?']).next().unwrap_or_default() {
        "register" => "Create your account",
        "reset-password" | "forgot-password" => "Choose a new password",
        "confirm-email" => "Confirm your address",
        "view" | "collect" => "Open the idea",
        "share" => "See the activity",
        "dashboard" => "Open your ideas",
        "login" => "Sign in",
        _ => "Open the page",
    }
}

/// Displays text as HTML, ASCII only, so that it survives every mail system.
struct Escaped<'a>(&'a str);

impl std::fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for letter in self.0.chars() {
            match letter {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                letter if letter.is_ascii() => f.write_char(letter)?,
                letter => write!(f, "&#{};", u32::from(letter))?,
            }
        }
        Ok(())
    }
}

/// Writing to a string cannot fail.
fn push(html: &mut String, text: std::fmt::Arguments<'_>) {
    html.write_fmt(text).unwrap_or_default();
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "Hello Ada,\n\nsomebody \u{2764} opened\nyour link:\n\n    A <b>kettle</b>\n\n\
        \x20   When:  22 November, 10:00\n    From:  127.0.0.1\n\nhttps://vault.example.org/share/7\n\n\
        Bye.\n\n-- \nIdeaVault\nhttps://vault.example.org\nStop these emails: \
        https://vault.example.org/unsubscribe/x\n";

    #[test]
    fn each_text_convention_is_rendered_as_markup() {
        let html = render("News \"A\"", TEXT);
        for part in [
            "<title>News &quot;A&quot;</title>",
            ">somebody &#10084; opened\nyour link:</p>",
            ">A &lt;b&gt;kettle&lt;/b&gt;</td>",
            ">When</td>",
            ">22 November, 10:00</td>",
            "href=\"https://vault.example.org/share/7\"",
            ">See the activity</a>",
            "Stop these emails: <a",
            ">https://vault.example.org/unsubscribe/x</a>",
        ] {
            assert!(html.contains(part), "{part}\n{html}");
        }
        assert!(html.is_ascii());
    }

    #[test]
    fn no_remote_resources_are_loaded() {
        let html = render("News", TEXT);
        for part in ["<img", "src=", "url(", "<link", "@import", "<script"] {
            assert!(!html.contains(part), "{part}\n{html}");
        }
    }

    #[test]
    fn user_text_becomes_neither_markup_nor_a_link() {
        let title = "<a href=\"https://evil.example\">click</a>  https://evil.example";
        let text = format!("Hello https://evil.example,\n\n    {title}\n\n-- \nIdeaVault\n");
        let html = render(title, &text);
        assert!(!html.contains("<a"), "{html}");
    }

    #[test]
    fn a_code_is_emphasized() {
        let html = render("Code", "Hello,\n\n    012345\n");
        assert!(html.contains("letter-spacing:5px;overflow-wrap:anywhere\">012345<"));
    }

    #[test]
    fn the_name_of_the_vault_is_escaped_in_the_heading() {
        assert!(render("News", TEXT).contains("&nbsp;IdeaVault</td>"));
        let text = TEXT.replace("IdeaVault", "Ada & <b>Bob's</b> \"Vault\"");
        let html = render("News", &text);
        let name = "Ada &amp; &lt;b&gt;Bob&#39;s&lt;/b&gt; &quot;Vault&quot;";
        assert_eq!(html.matches(name).count(), 2, "{html}");
        assert!(!html.contains("<b>"), "{html}");
    }
}
