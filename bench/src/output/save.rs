//! A report as files: JSON with every measured time, CSV with one line per row, the page, and its
//! first figure.

use std::path::Path;

use crate::failure::Failure;
use crate::output::{csv, page};
use crate::results::files::{replace, save_json};
use crate::results::report::Report;

/// Writes a report in every form.
pub(crate) fn save_all(report: &Report, folder: &Path) -> Result<(), Failure> {
    save_json(report, folder)?;
    replace(&folder.join("report.csv"), &csv::text(report))?;
    replace(&folder.join("report.svg"), &page::first_figure(report))?;
    replace(&folder.join("report.html"), &page::html(report))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::path::PathBuf;
    use std::sync::LazyLock;

    use serde_json::{Value, json};

    use super::*;
    use crate::output::print;
    use crate::results::files;

    /// Every kind of report that is in the repository, with few rows and times.
    static SAVED: LazyLock<Vec<Value>> = LazyLock::new(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/results");
        let machines = std::fs::read_dir(folder).unwrap().map(|machine| machine.unwrap().path());
        let files = machines.flat_map(|machine| std::fs::read_dir(machine).unwrap());
        let files = files.map(|file| file.unwrap().path());
        let reports: Vec<PathBuf> =
            files.filter(|file| file.extension().is_some_and(|end| end == "json")).collect();
        assert!(reports.len() > 5);
        // Older ones get the present names.
        let read = |path: &PathBuf| serde_json::to_value(files::load(path).unwrap()).unwrap();
        let mut saved: Vec<Value> = reports.iter().map(|path| shortened(read(path))).collect();
        // The shortest that has everything comes first, since each value is edited once.
        saved.sort_by_key(|report| (report["roofline"].is_null(), report.to_string().len()));
        saved
    });

    fn shortened(mut report: Value) -> Value {
        let mut seen = std::collections::HashMap::new();
        let rows = report["rows"].as_array_mut().unwrap();
        rows.retain(|row| {
            let count = seen.entry((row["experiment"].to_string(), row["method"].to_string()));
            let count = count.or_insert(0);
            *count += 1;
            *count <= 2
        });
        for row in rows {
            let blocks = row["blocks"].as_array_mut().unwrap();
            blocks.truncate(2);
            blocks.iter_mut().for_each(|block| block["ns"].as_array_mut().unwrap().truncate(2));
        }
        report
    }

    /// The paths of all values, as JSON pointers; of alike entries, those of the first.
    fn paths(value: &Value, path: &str, all: &mut Vec<String>) {
        all.push(path.to_owned());
        match value {
            Value::Array(list) => {
                list.first().into_iter().for_each(|first| paths(first, &format!("{path}/0"), all));
            }
            Value::Object(fields) => {
                let alike = path == "/reached";
                for (name, value) in fields.iter().take(if alike { 1 } else { usize::MAX }) {
                    let name = name.replace('~', "~0").replace('/', "~1");
                    paths(value, &format!("{path}/{name}"), all);
                }
            }
            _ => {}
        }
    }

    /// Everything that is made of a report, as one text; or why it is refused.
    fn made_of(report: &Value, folder: &Path) -> Result<String, String> {
        let path = folder.join("edited.json");
        std::fs::write(&path, report.to_string()).unwrap();
        let report = files::load(&path).map_err(|failure| failure.to_string())?;
        let mut made = print::head(&report) + &print::text(&report, folder);
        for text in [csv::text(&report), page::first_figure(&report), page::html(&report)] {
            made += &text;
        }
        Ok(made)
    }

    fn assert_finite(made: &str, what: &str) {
        let words: HashSet<&str> = made.split(|c: char| !c.is_alphanumeric()).collect();
        for word in ["NaN", "inf", "infinity"] {
            assert!(!words.contains(word), "{what}: {word}");
        }
        assert!(made.len() < 1_000_000, "{what}: {} bytes", made.len());
        assert!(!made.contains(|c: char| c.is_control() && c != '\n'), "{what}");
    }

    #[test]
    fn a_report_with_any_one_value_edited_is_refused_by_field_or_shown_without_nonsense() {
        let folder = tempfile::tempdir().unwrap();
        let numbers = [0.0, -1.0, 1.0e-308, 1.0e-9, 1.0e8, 1.0e15, 1.0e18, 1.0e308];
        let mut edits: Vec<Value> = numbers.into_iter().map(Value::from).collect();
        let others =
            [json!(null), json!([]), json!({}), json!(0), json!(u64::MAX), json!("\u{1b}<=")];
        edits.extend(others);
        let (mut refused, mut shown) = (0, 0);
        let mut seen = HashSet::new();
        for report in &*SAVED {
            assert_finite(&made_of(report, folder.path()).unwrap(), "unedited");
            let mut all = Vec::new();
            paths(report, "", &mut all);
            for path in all.into_iter().filter(|path| seen.insert(path.clone())) {
                for edit in &edits {
                    let mut edited = report.clone();
                    *edited.pointer_mut(&path).unwrap() = edit.clone();
                    let what = format!("{path} = {edit}");
                    match made_of(&edited, folder.path()) {
                        Ok(made) => {
                            assert_finite(&made, &what);
                            shown += 1;
                        }
                        Err(said) => {
                            let mut fields = path.split('/').filter(|name| !name.is_empty());
                            let field = fields.rfind(|name| name.parse::<u32>().is_err());
                            let named =
                                field.is_none_or(|name| said.contains(&name.replace("~1", "/")));
                            let named = named || said.contains("format");
                            assert!(named && said.len() < 2_000, "{what}: {said}");
                            refused += 1;
                        }
                    }
                }
            }
        }
        assert!(refused > 500 && shown > 300, "{refused} refused, {shown} shown");
    }

    /// A saved report with one value replaced.
    fn edited(path: &str, value: Value) -> Value {
        let mut report = SAVED.iter().find(|report| !report["roofline"].is_null()).unwrap().clone();
        *report.pointer_mut(path).unwrap() = value;
        report
    }

    #[test]
    fn what_once_ended_the_program_is_refused_with_its_field_and_the_allowed_range() {
        let folder = tempfile::tempdir().unwrap();
        for (path, value, words) in [
            // A panic in the table of limits.
            ("/roofline/limits/0/bandwidths", json!([]), "roofline.limits[0].bandwidths has no"),
            // Axes without end.
            (
                "/rows/0/blocks/0/ns/1",
                json!(1.0e308),
                "rows[0].blocks[0].ns[1] = 1e308: must be from",
            ),
            ("/rows/0/blocks", json!([]), "rows[0].blocks has no entries"),
            ("/rows/0/n", json!(0), "rows[0].n = 0: must be from 1 to 100000000 agents"),
            ("/rows/0/x", json!("a"), "rows[0].x: invalid type: string"),
            ("/roofline/limits", json!([]), "roofline.limits has no entries"),
            ("/rows/1/id", json!("scaling/cells-simd/1000"), ""),
            (
                "/rows/1/id",
                edited("/rows/1/id", json!("any"))["rows"][0]["id"].clone(),
                "must be an id that no other row has",
            ),
            ("/machine/cpu", json!("x".repeat(1_001)), "machine.cpu has a text of 1001 characters"),
        ] {
            match made_of(&edited(path, value), folder.path()) {
                Err(said) => assert!(said.contains(words), "{path}: {said}"),
                Ok(_) => assert!(words.is_empty(), "{path} is not refused"),
            }
        }
    }

    #[test]
    fn control_characters_of_a_report_reach_no_terminal() {
        let folder = tempfile::tempdir().unwrap();
        let report = edited("/machine/cpu", json!("a\u{1b}[2Jfast\u{7} one\u{9b}31m"));
        let made = made_of(&report, folder.path()).unwrap();
        assert!(made.contains("a[2Jfast one31m"));
        assert_finite(&made, "control characters");
    }
}
