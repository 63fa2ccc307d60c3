//! CSV (RFC 4180) whose cells spreadsheets never evaluate.

use serde_json::Value;

/// A column: its heading, and the path of its values in the JSON of an entry.
pub type Column = (&'static str, &'static str);

/// Formats entries, with the headings before them if they are the first.
#[must_use]
pub fn of_entries(columns: &[Column], entries: &[Value], is_first: bool) -> String {
    let heading = columns.iter().map(|(name, _)| (*name).to_owned()).collect();
    let mut rows: Vec<Vec<String>> = if is_first { vec![heading] } else { Vec::new() };
    for entry in entries {
        let cell = |place: &str| match entry.pointer(place) {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
        };
        rows.push(columns.iter().map(|(_, place)| cell(place)).collect());
    }
    format(&rows)
}

/// First characters that make spreadsheets take a cell for a formula, in both widths.
const FORMULA: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];

/// Formats rows, each ended by CRLF.
#[must_use]
pub fn format(rows: &[Vec<String>]) -> String {
    rows.iter()
        .map(|row| {
            let cells: Vec<_> = row.iter().map(|cell| quote(cell)).collect();
            cells.join(",") + "\r\n"
        })
        .collect()
}

/// Escapes a cell. One that would be a formula gets an apostrophe, which marks text in
/// spreadsheets.
fn quote(cell: &str) -> String {
    let guard = if cell.trim_start().starts_with(FORMULA) {
        "'"
    } else {
        ""
    };
    format!("\"{guard}{}\"", cell.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_escape_commas_quotes_and_line_breaks() {
        let rows = vec![
            ["a, b", "say \"hi\"", "one\r\ntwo", ""]
                .map(str::to_owned)
                .to_vec(),
        ];
        assert_eq!(
            format(&rows),
            "\"a, b\",\"say \"\"hi\"\"\",\"one\r\ntwo\",\"\"\r\n"
        );
    }

    #[test]
    fn formulas_are_neutralized() {
        for formula in [
            "=HYPERLINK(\"http://evil\")",
            "+1+cmd|' /C calc'!A0",
            "-2+3",
            "@SUM(A1:A9)",
            " =1+1",
            "＝1+1",
        ] {
            assert!(quote(formula).starts_with("\"'"), "{formula}");
        }
        for text in ["Ada", "a=b", "'=1", "ada+x@example.org"] {
            assert_eq!(quote(text), format!("\"{text}\""));
        }
    }
}
