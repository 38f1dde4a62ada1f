use std::fmt;

/// Maximum line length on a terminal, in columns.
pub(crate) const WIDTH: usize = 80;
const MIN_WRAPPED: usize = 10;

pub(crate) struct Section {
    pub(crate) title: String,
    pub(crate) about: String,
    pub(crate) table: Table,
    pub(crate) on_terminal: bool,
    /// True if the section is printed as Markdown, ready to paste into the documentation.
    pub(crate) is_markdown: bool,
}

impl Section {
    pub(crate) fn new(title: impl Into<String>, about: impl Into<String>, table: Table) -> Self {
        let (title, about) = (title.into(), about.into());
        Self { title, about, table, on_terminal: true, is_markdown: false }
    }
}

impl fmt::Display for Section {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { title, about, table, is_markdown, .. } = self;
        let about = if about.is_empty() { String::new() } else { wrapped(about) };
        match is_markdown {
            true => write!(out, "## {title}\n\n{about}\n{}", table.markdown()),
            false => write!(out, "{title}\n{about}{table}"),
        }
    }
}

pub(crate) fn wrapped(words: &str) -> String {
    textwrap::fill(words, WIDTH) + "\n"
}

pub(crate) struct Table {
    pub(crate) columns: Vec<Column>,
    pub(crate) groups: Vec<Rows>,
}

pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) is_words: bool,
}

/// Rows under a common heading; an empty `name` omits the heading.
pub(crate) struct Rows {
    pub(crate) name: String,
    pub(crate) rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new(head: &str, rows: Vec<Vec<String>>) -> Self {
        Self::grouped(head, [Rows { name: String::new(), rows }])
    }

    /// `head` lists the columns, e.g. `crowd | agents:`. A colon marks a column of numbers.
    /// Groups without rows are left out.
    pub(crate) fn grouped(head: &str, groups: impl IntoIterator<Item = Rows>) -> Self {
        let column = |name: &str| match name.strip_suffix(':') {
            Some(name) => Column { name: name.to_owned(), is_words: false },
            None => Column { name: name.to_owned(), is_words: true },
        };
        let groups = groups.into_iter().filter(|group| !group.rows.is_empty()).collect();
        Self { columns: head.split(" | ").map(column).collect(), groups }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    fn rows(&self) -> impl Iterator<Item = &Vec<String>> {
        self.groups.iter().flat_map(|group| &group.rows)
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
        let rows = self.rows().map(|row| line(row.iter().map(|cell| &**cell).collect()));
        [line(names), line(rules)].into_iter().chain(rows).collect()
    }
}

impl fmt::Display for Table {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.columns.iter().map(|column| column.name.clone()).collect();
        let width = |k: usize| {
            let cells = self.rows().chain([&names]).filter_map(|row| row.get(k));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let mut widths: Vec<usize> = (0..names.len()).map(width).collect();
        let (last, before) = widths.split_last_mut().expect("a table has columns");
        let used: usize = before.iter().map(|width| width + 2).sum();
        *last = (*last).min(WIDTH.saturating_sub(used + 2).max(MIN_WRAPPED));
        let aligned = |row: &Vec<String>| {
            let mut text = String::new();
            for ((cell, column), &width) in row.iter().zip(&self.columns).zip(&widths) {
                text += &match column.is_words {
                    _ if cell.chars().count() > width => {
                        let indent = format!("\n{}", " ".repeat(used + 2));
                        format!("  {}", textwrap::wrap(cell, width).join(&indent))
                    }
                    true => format!("  {cell:width$}"),
                    false => format!("  {cell:>width$}"),
                };
            }
            format!("{}\n", text.trim_end())
        };
        out.write_str(&aligned(&names))?;
        for Rows { name, rows } in &self.groups {
            if !name.is_empty() {
                writeln!(out, "{name}")?;
            }
            rows.iter().try_for_each(|row| out.write_str(&aligned(row)))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(row: [&str; 3]) -> Vec<String> {
        row.map(String::from).to_vec()
    }

    #[test]
    fn words_are_aligned_to_the_left_and_numbers_to_the_right() {
        let rows = vec![cells(["a", "10", ""]), cells(["long", "9.25", "µs"])];
        let table = Table::new("name | ns: | doubt", rows);
        assert_eq!(table.to_string(), "  name    ns  doubt\n  a       10\n  long  9.25  µs\n");
        assert_eq!(
            table.markdown(),
            "| name | ns | doubt |\n| --- | ---: | --- |\n| a | 10 | |\n| long | 9.25 | µs |\n"
        );
    }

    #[test]
    fn lines_fit_the_terminal_and_lose_no_word() {
        let doubt = "other processes kept 1.0 cores busy throughout ".repeat(4);
        let rows = vec![cells([&"m".repeat(40), &"9".repeat(20), doubt.trim()])];
        let text = Table::new("variant | ns: | doubt", rows).to_string() + &wrapped(&doubt);
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        assert_eq!(text.matches("busy").count(), 8, "{text}");
    }
}
