//! Mails in the outbox folder.

use std::time::Duration as Wait;

use super::app::App;

impl App {
    /// Waits for a code in the outbox and returns it.
    pub async fn mailed_code(&self) -> String {
        self.mailed(code_in).await
    }

    /// Waits until `find` returns something for a mail in the outbox.
    pub async fn mailed<T>(&self, find: impl Fn(&str) -> Option<T>) -> T {
        let outbox = self.data_dir().join("outbox");
        let looking = async {
            let mut looks = tokio::time::interval(Wait::from_millis(20));
            loop {
                looks.tick().await;
                let mails = std::fs::read_dir(&outbox).into_iter().flatten();
                let found = mails
                    .map(|mail| mail.unwrap().path())
                    .filter(|mail| mail.extension().is_some_and(|kind| kind == "eml"))
                    .find_map(|mail| find(&std::fs::read_to_string(mail).unwrap()));
                if let Some(found) = found {
                    return found;
                }
            }
        };
        let found = tokio::time::timeout(Wait::from_secs(180), looking).await;
        found.unwrap()
    }
}

/// Returns the line of a mail that consists of a code.
pub fn code_in(mail: &str) -> Option<String> {
    mail.lines()
        .filter_map(|line| line.strip_prefix("    "))
        .find(|line| line.len() == 6 && line.bytes().all(|byte| byte.is_ascii_digit()))
        .map(str::to_owned)
}
