//! Tables and their titles: the same for the terminal, the page and the page of behaviors.

/// A table under a title, after some paragraphs.
pub(crate) struct Section {
    pub(crate) title: String,
    pub(crate) about: Vec<String>,
    pub(crate) table: Option<Table>,
    /// Whether the page shows it only on request.
    pub(crate) folded: bool,
}

impl Section {
    pub(crate) fn new(title: impl Into<String>, about: impl Into<String>, table: Table) -> Self {
        let about = vec![about.into()].into_iter().filter(|words: &String| !words.is_empty());
        Self { title: title.into(), about: about.collect(), table: Some(table), folded: false }
    }

    pub(crate) fn of_words(title: &str, about: Vec<String>) -> Self {
        Self { title: title.to_owned(), about, table: None, folded: false }
    }

    /// Whether it says anything: paragraphs on an empty table do not.
    pub(crate) fn says_something(&self) -> bool {
        self.table.as_ref().map_or(!self.about.is_empty(), |table| !table.is_empty())
    }
}

pub(crate) struct Table {
    pub(crate) columns: Vec<Column>,
    pub(crate) groups: Vec<Rows>,
}

/// Column of words or numbers. Numbers are aligned to the right.
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) is_words: bool,
}

/// Rows under a common line, which may be empty.
pub(crate) struct Rows {
    pub(crate) name: String,
    pub(crate) rows: Vec<Vec<String>>,
}

impl Table {
    /// `head` has the names of columns, such as `crowd | agents:`; a colon marks numbers.
    pub(crate) fn new(head: &str, rows: Vec<Vec<String>>) -> Self {
        let column = |name: &str| match name.strip_suffix(':') {
            Some(name) => Column { name: name.to_owned(), is_words: false },
            None => Column { name: name.to_owned(), is_words: true },
        };
        let columns = head.split(" | ").map(column).collect();
        Self { columns, groups: vec![Rows { name: String::new(), rows }] }
    }

    fn is_empty(&self) -> bool {
        self.groups.iter().all(|group| group.rows.is_empty())
    }

    /// Whether it has sentences rather than numbers, whose lines wrap on the page.
    pub(crate) fn is_prose(&self) -> bool {
        self.columns.iter().all(|column| column.is_words)
    }

    fn lines(&self) -> impl Iterator<Item = &Vec<String>> {
        self.groups.iter().flat_map(|group| &group.rows)
    }

    /// Aligned with spaces.
    pub(crate) fn text(&self) -> String {
        let names: Vec<String> = self.columns.iter().map(|column| column.name.clone()).collect();
        let width = |k: usize| {
            let cells = self.lines().chain([&names]).filter_map(|line| line.get(k));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..names.len()).map(width).collect();
        let aligned = |line: &Vec<String>| {
            let mut text = String::new();
            for ((cell, column), width) in line.iter().zip(&self.columns).zip(&widths) {
                text += &match column.is_words {
                    true => format!("  {cell:width$}"),
                    false => format!("  {cell:>width$}"),
                };
            }
            format!("{}\n", text.trim_end())
        };
        let mut text = aligned(&names);
        for Rows { name, rows } in &self.groups {
            if !name.is_empty() {
                text += &format!("{name}\n");
            }
            text.extend(rows.iter().map(aligned));
        }
        text
    }

    pub(crate) fn markdown(&self) -> String {
        let cell = |cell: &str| if cell.is_empty() { " |".into() } else { format!(" {cell} |") };
        let line = |cells: Vec<&str>| {
            let cells: String = cells.into_iter().map(cell).collect();
            format!("|{cells}\n")
        };
        let rule = |column: &Column| if column.is_words { "---" } else { "---:" };
        let names = self.columns.iter().map(|column| &*column.name).collect();
        let rules = self.columns.iter().map(rule).collect();
        let rows = self.lines().map(|row| line(row.iter().map(|cell| &**cell).collect()));
        [line(names), line(rules)].into_iter().chain(rows).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_aligned_to_the_left_and_numbers_to_the_right() {
        let cells = |row: [&str; 3]| row.map(String::from).to_vec();
        let rows = vec![cells(["a", "10", ""]), cells(["long", "9.25", "µs"])];
        let table = Table::new("name | ns: | doubt", rows);
        assert_eq!(table.text(), "  name    ns  doubt\n  a       10\n  long  9.25  µs\n");
        assert_eq!(
            table.markdown(),
            "| name | ns | doubt |\n| --- | ---: | --- |\n| a | 10 | |\n| long | 9.25 | µs |\n"
        );
        assert!(!table.is_prose());
    }
}
