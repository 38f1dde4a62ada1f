//! Builds mistakes into functions, switched off. `FLOCKWORK_MUTATION` switches one on by its
//! number, so a single build serves all mistakes.
//!
//! A function gets a copy of its body for each mistake in it. In code formatted by rustfmt, the
//! indentation shows where bodies begin and end.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::Mutation;

/// Appended to the root of each crate with mistakes.
const SWITCH: &str = r#"
mod mutation {
    #[inline(always)]
    pub(crate) fn is_made(number: usize) -> bool {
        static MADE: std::sync::LazyLock<Option<usize>> = std::sync::LazyLock::new(|| {
            std::env::var("FLOCKWORK_MUTATION").ok()?.parse().ok()
        });
        *MADE == Some(number)
    }
}
"#;

type Bodies = BTreeMap<(usize, usize), String>;

/// Returns the changed files, by path, and the mistakes that cannot be switched. `read` returns
/// the text of a file before the changes.
pub(crate) fn switched<'a>(
    mutations: impl IntoIterator<Item = (usize, &'a Mutation)>,
    read: impl Fn(&str) -> String,
) -> (BTreeMap<String, String>, Vec<&'a Mutation>) {
    let (mut files, mut alone) = (BTreeMap::<String, Bodies>::new(), Vec::new());
    for (number, mutation) in mutations {
        let Some(changed) = changed_bodies(mutation, &files, &read) else {
            alone.push(mutation);
            continue;
        };
        for (file, bodies) in changed {
            for (place, body) in bodies {
                *files.entry(file.clone()).or_default().entry(place).or_default() +=
                    &format!("if crate::mutation::is_made({number}) {{\n{body}}} else ");
            }
        }
    }
    let mut texts = BTreeMap::new();
    for (file, bodies) in files {
        let crate_root =
            file.split_once("/src/").expect("a source file").0.to_owned() + "/src/lib.rs";
        let mut text = read(&file);
        for ((start, end), branches) in bodies.into_iter().rev() {
            text.replace_range(start..end, &format!("{branches}{{\n{}}}\n", &text[start..end]));
        }
        texts.insert(file, text);
        texts.entry(crate_root.clone()).or_insert_with(|| read(&crate_root) + SWITCH);
    }
    (texts, alone)
}

/// Returns `None` if a change is outside of functions, in a function that cannot be switched, or in
/// a program instead of a library.
fn changed_bodies(
    mutation: &Mutation,
    others: &BTreeMap<String, Bodies>,
    read: impl Fn(&str) -> String,
) -> Option<BTreeMap<String, Bodies>> {
    let mut files = BTreeMap::<String, Bodies>::new();
    for change in &mutation.changes {
        let (file, text) = (change.path(), read(&change.path()));
        let start = text.find(&change.from)?;
        let body = body(&text, start..start + change.from.len())?;
        let place = (body.start, body.end);
        let is_apart =
            |other: &(usize, usize)| *other == place || other.1 <= place.0 || place.1 <= other.0;
        let others = others.get(&file).into_iter().chain(files.get(&file));
        let is_of_program = file.contains("/bin/") || file.ends_with("/main.rs");
        if is_of_program || !others.flat_map(Bodies::keys).all(is_apart) {
            return None;
        }
        let body = files.entry(file).or_default().entry(place).or_insert(text[body].to_owned());
        *body = body.replace(&change.from, &change.to);
    }
    Some(files)
}

/// Returns the body of the innermost function around a place, if that function can be switched.
/// `const` functions cannot read the environment, and functions that return `impl Trait` must
/// return the same type from all bodies.
fn body(text: &str, place: Range<usize>) -> Option<Range<usize>> {
    let mut end = place.start;
    while let Some(start) = text[..end].rfind("fn ") {
        end = start;
        let line = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let before = text[line..start].trim_start();
        if !before.split_whitespace().all(|word| word == "unsafe" || word.starts_with("pub")) {
            continue;
        }
        let indent = &text[line..start - before.len()];
        let open = start + text[start..].find("{\n")? + 2;
        let close = text[open..].find(&format!("\n{indent}}}\n")).map(|close| open + close + 1);
        if let Some(close) = close.filter(|&close| open <= place.start && place.end <= close) {
            let returned = text[start..open].split_once("->").unwrap_or_default().1;
            return (!returned.contains("impl ")).then_some(open..close);
        }
    }
    None
}

#[test]
fn a_body_is_that_of_the_innermost_function() {
    let text = "\
impl A {
    pub(crate) fn outer<L: Lanes>(
        a: L,
    ) -> L {
        fn inner() {
            one();
        }
        two();
    }

    const fn constant() {
        three();
    }

    fn opaque() -> impl Iterator {
        four()
    }
}
";
    let body = |place: &str| {
        let start = text.find(place).unwrap();
        body(text, start..start + place.len()).map(|body| text[body].trim())
    };
    assert_eq!(body("one"), Some("one();"));
    assert!(body("two").unwrap().starts_with("fn inner"));
    for place in ["a: L", "three", "four"] {
        assert_eq!(body(place), None, "{place}");
    }
}
