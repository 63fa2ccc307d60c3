//! Text tables for the terminal.

use super::Rows;

/// Formats rows in aligned columns; returns `empty` if there is only the heading.
pub(super) fn format(rows: &Rows, empty: &str) -> String {
    if rows.len() <= 1 {
        return format!("{empty}\n");
    }
    let mut widths = Vec::new();
    for row in rows {
        widths.resize(row.len().max(widths.len()), 0);
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    rows.iter()
        .map(|row| {
            let cells: Vec<_> = row
                .iter()
                .zip(&widths)
                .map(|(cell, &width)| format!("{cell:width$}"))
                .collect();
            cells.join("  ").trim_end().to_owned() + "\n"
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows = vec![
            ["name", "email", "profession", "joinedAt"]
                .map(str::to_owned)
                .to_vec(),
            ["Zoë", "zoe@example.org", "Poet", "2027"]
                .map(str::to_owned)
                .to_vec(),
        ];
        assert_eq!(
            format(&rows, ""),
            "name  email            profession  joinedAt\n\
             Zoë   zoe@example.org  Poet        2027\n"
        );
    }

    #[test]
    fn an_empty_list_prints_its_message() {
        let heading = vec![
            ["name", "email", "profession", "joinedAt"]
                .map(str::to_owned)
                .to_vec(),
        ];
        assert_eq!(format(&heading, "Nobody is here."), "Nobody is here.\n");
    }
}
