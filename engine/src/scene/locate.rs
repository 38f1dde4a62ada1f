//! Finds the line of a scene file that an error refers to.

use toml::de::{DeTable, DeValue};

use crate::error::{Error, Place};

/// The parser's error as ours: file, line, and the nearest valid name for an unknown one.
pub(super) fn parse_error(error: &toml::de::Error, text: &str, file: &str) -> Error {
    let line = error.span().map(|span| line_at(text, span.start));
    let place = Place { file: Some(file.into()), line };
    let message = error.message();
    for (prefix, kind) in [("unknown field `", "field"), ("unknown variant `", "name")] {
        if let Some(rest) = message.strip_prefix(prefix) {
            let mut quoted = rest.split('`');
            let name = quoted.next().unwrap_or_default();
            let known: Vec<&str> = quoted.skip(1).step_by(2).collect();
            return Error::unknown(kind, name, known).at(place);
        }
    }
    Error::Parse { at: place, message: message.trim().to_owned() }
}

/// The line of the value at `path`, such as `species[0].max_speed`, or of the nearest enclosing
/// table if the text leaves the value at its default.
pub(super) fn line_of(text: &str, path: &str) -> Option<u32> {
    let root = DeTable::parse(text).ok()?;
    let root = DeValue::Table(root.into_inner());
    let (mut line, mut here) = (None, &root);
    for name in path.split(['.', '[', ']']).filter(|name| !name.is_empty()) {
        let next = match here {
            DeValue::Table(table) => table.get(name),
            DeValue::Array(array) => name.parse().ok().and_then(|k: usize| array.get(k)),
            _ => None,
        };
        let Some(value) = next else { break };
        line = Some(line_at(text, value.span().start));
        here = value.get_ref();
    }
    line
}

/// The first line that has `name` as a value or a key.
pub(super) fn line_of_name(text: &str, name: &str) -> Option<u32> {
    let quoted = format!("\"{name}\"");
    let is_key = |line: &str| {
        line.match_indices(name).any(|(at, _)| {
            let (before, after) = (&line[..at], &line[at + name.len()..]);
            !before.ends_with(|c: char| c.is_alphanumeric() || c == '_')
                && after.trim_start().starts_with('=')
        })
    };
    let found = text.lines().position(|line| line.contains(&quoted) || is_key(line));
    found.map(|line| line as u32 + 1)
}

fn line_at(text: &str, offset: usize) -> u32 {
    text[..offset.min(text.len())].matches('\n').count() as u32 + 1
}
