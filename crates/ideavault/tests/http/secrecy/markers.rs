//! Recognisable values, and the search for them.

use std::fs;
use std::path::PathBuf;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ideavault_db::testing::Cell;
use serde_json::Value;

use crate::harness::Browser;

/// A table and a column.
pub type Place = (&'static str, &'static str);

/// A value that was given to the server or by it.
struct Marker {
    bytes: Vec<u8>,
    /// Where it is stored in the clear. It has to be found in each of these columns, so that
    /// none is listed for nothing and the search is known to work.
    clear: &'static [Place],
}

/// All of them.
#[derive(Default)]
pub struct Markers(Vec<Marker>);

impl Markers {
    /// Returns `text`, which must be found nowhere.
    pub fn secret(&mut self, text: impl Into<String>) -> String {
        self.clear(text, &[])
    }

    /// Returns `text`, which is stored in the clear in these columns and no others.
    pub fn clear(&mut self, text: impl Into<String>, clear: &'static [Place]) -> String {
        let text = text.into();
        let bytes = text.clone().into_bytes();
        self.0.push(Marker { bytes, clear });
        text
    }

    /// Adds bytes that must be found nowhere.
    pub fn bytes(&mut self, bytes: Vec<u8>) {
        self.0.push(Marker { bytes, clear: &[] });
    }

    /// Adds a token, as text and as bytes.
    pub fn token(&mut self, token: &str) {
        self.secret(token);
        self.bytes(URL_SAFE_NO_PAD.decode(token).unwrap());
    }

    /// Adds a digest in hexadecimal, as text and as bytes.
    pub fn digest(&mut self, digest: &Value) {
        let text = self.secret(digest.as_str().unwrap());
        let pairs = text.as_bytes().chunks(2).map(str::from_utf8);
        let bytes = pairs.map(|pair| u8::from_str_radix(pair.unwrap(), 16).unwrap());
        self.bytes(bytes.collect());
    }

    /// Adds the values of a browser's cookies.
    pub fn cookies(&mut self, browser: &Browser) {
        for value in browser.secret_cookies() {
            self.secret(value);
        }
    }

    /// Expects each of them in its columns of the database and in no others.
    pub fn check_cells(&self, cells: &[Cell]) {
        let cells: Vec<_> = cells
            .iter()
            .map(|cell| ((&*cell.table, &*cell.column), searchable(&cell.bytes)))
            .collect();
        let mut found = Vec::new();
        let mut missing = Vec::new();
        for marker in &self.0 {
            let is_in = marker.search();
            let places: Vec<_> = cells
                .iter()
                .filter(|(_, value)| is_in(value))
                .map(|(place, _)| *place)
                .collect();
            let is_clear = |place: &(&str, &str)| marker.clear.contains(place);
            let elsewhere = places.iter().filter(|place| !is_clear(place));
            found.extend(elsewhere.map(|place| (marker.shown(), *place)));
            let absent = marker.clear.iter().filter(|place| !places.contains(place));
            missing.extend(absent.map(|place| (marker.shown(), *place)));
        }
        assert!(found.is_empty(), "in the clear: {found:#?}");
        assert!(
            missing.is_empty(),
            "not where they are said to be: {missing:#?}"
        );
    }

    /// Expects none of the secrets in the names and the bytes of these files, and none of the others
    /// either, unless they belong to the database.
    pub fn check_raw(&self, files: &[PathBuf], of_database: bool) {
        let files: Vec<_> = files
            .iter()
            .map(|path| {
                let name = path.as_os_str().as_encoded_bytes();
                (path, searchable(&[name, &fs::read(path).unwrap()].concat()))
            })
            .collect();
        let mut found = Vec::new();
        for marker in &self.0 {
            let is_in = marker.search();
            let holding = files.iter().filter(|(_, content)| is_in(content));
            let places: Vec<_> = holding.map(|(path, _)| path).collect();
            if of_database && !marker.clear.is_empty() {
                assert!(!places.is_empty(), "{} is in no file", marker.shown());
            } else {
                found.extend(places.into_iter().map(|name| (marker.shown(), name)));
            }
        }
        assert!(found.is_empty(), "in the clear: {found:#?}");
    }
}

impl Marker {
    /// Returns a search for it in [`searchable`] texts, as it is or in hexadecimal.
    fn search(&self) -> impl Fn(&str) -> bool {
        let plain = searchable(&self.bytes);
        let hex = self.bytes.iter().map(|byte| format!("{byte:02x}"));
        let hex: String = hex.collect();
        move |text| text.contains(&plain) || text.contains(&hex)
    }

    fn shown(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }
}

/// Returns a text with one character for each byte, in lower case, because the search in
/// texts is fast even without optimization.
fn searchable(bytes: &[u8]) -> String {
    let lower = bytes.iter().map(u8::to_ascii_lowercase);
    lower.map(char::from).collect()
}
