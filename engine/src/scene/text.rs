use std::io;
use std::ops::Range;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::error::{Error, ErrorKind, ErrorLocation};
use crate::file;
use crate::scene::Scene;

/// Maximum size of a scene file, in bytes: room for more than a million obstacles.
const MAX_FILE_BYTES: u64 = 64 << 20;

macro_rules! embedded {
    ($($name:literal)+) => {
        &[$(($name, include_str!(concat!("../../scenes/", $name, ".toml"))),)+]
    };
}

const SCENES: &[(&str, &str)] = embedded! {
    "stress" "flock" "big-shoal" "another-big-shoal" "zombies" "sheepdog" "leader" "birds"
    "boids" "flock-rules" "stress-clustered" "heavy" "seek" "flee" "arrive" "pursuit" "evade" "wander"
    "interpose" "hide" "offset-pursuit" "leader-following" "path-following" "stay-on-path"
    "flow-field" "obstacle-avoidance" "look-ahead" "wall-avoidance" "containment"
    "collision-avoidance" "velocity-matching" "sharks" "non-penetration" "evacuation" "routes"
    "birds-3d" "reef" "stress-3d"
};

impl Scene {
    /// Names of the embedded scenes, in the order in which the programs list them.
    #[must_use]
    pub fn names() -> impl ExactSizeIterator<Item = &'static str> {
        SCENES.iter().map(|(name, _)| *name)
    }

    /// Returns an embedded scene.
    ///
    /// # Errors
    /// If no embedded scene has this name. The error lists all names.
    pub fn named(name: &str) -> Result<Self, Error> {
        let known = SCENES.iter().find(|(known, _)| *known == name);
        let (_, text) = known.ok_or_else(|| Error::unknown("scene", name, Self::names()))?;
        Self::parse(text, &format!("{name}.toml"))
    }

    /// Parses the text of a TOML file; `file` is the file name shown in errors.
    ///
    /// # Errors
    /// If there is a syntax error, an unknown name or a value out of range. The error gives the
    /// file and line.
    pub fn parse(text: &str, file: &str) -> Result<Self, Error> {
        let scene = Self::read(text, file)?;
        let locate = |error: Error| {
            let (line, is_omitted) = match error.kind() {
                ErrorKind::OutOfRange { field, .. } => line_of(text, field),
                ErrorKind::UnknownName { field, name, .. } => {
                    (line_of_name(text, field, name), false)
                }
                _ => (None, false),
            };
            let error = if is_omitted { error.of_default() } else { error };
            error.at(ErrorLocation { file: Some(file.into()), line })
        };
        scene.check().map_err(locate)?;
        Ok(scene)
    }

    pub(crate) fn read(text: &str, file: &str) -> Result<Self, Error> {
        toml::from_str(text).map_err(|error| parse_error(&error, text, file))
    }

    /// Loads a scene from a file of at most 64 MiB: TOML, or the book's `params.ini` if the name
    /// ends in `.ini`.
    ///
    /// # Errors
    /// The same errors as [`Self::parse`] and [`Self::from_params_ini`], and an error if the file
    /// cannot be read.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Error> {
        let name = path.as_ref().display().to_string();
        let bytes = file::read(path, MAX_FILE_BYTES);
        let text = bytes.and_then(|bytes| {
            String::from_utf8(bytes)
                .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
        });
        let text = text.map_err(|error| Error::of_file(&name, &error))?;
        if ends_with(&name, ".ini") {
            Self::from_params_ini(&text, &name)
        } else {
            Self::parse(&text, &name)
        }
    }

    /// Loads a scene file if `name_or_path` ends in `.toml` or `.ini`. Otherwise, returns the
    /// embedded scene of that name.
    ///
    /// # Errors
    /// The same errors as [`Self::named`] and [`Self::load`].
    pub fn find(name_or_path: &str) -> Result<Self, Error> {
        if [".toml", ".ini"].iter().any(|extension| ends_with(name_or_path, extension)) {
            Self::load(name_or_path)
        } else {
            Self::named(name_or_path)
        }
    }

    /// Returns the scene as TOML; parsing the text gives an equal scene.
    ///
    /// # Panics
    /// Never in practice: a scene is plain data, so it always serializes.
    #[must_use]
    pub fn to_toml(&self) -> String {
        toml::to_string_pretty(self).expect("a scene is plain data")
    }
}

fn ends_with(name: &str, extension: &str) -> bool {
    name.to_ascii_lowercase().ends_with(extension)
}

fn parse_error(error: &toml::de::Error, text: &str, file: &str) -> Error {
    let line = error.span().map(|span| line_at(text, span.start));
    let location = ErrorLocation { file: Some(file.into()), line };
    let message = error.message().trim();
    let span = error.span();
    let path = span.as_ref().and_then(|span| path_to(&tree(text)?, span, ""));
    for (prefix, what) in [("unknown field `", "field"), ("unknown variant `", "name")] {
        if let Some(rest) = message.strip_prefix(prefix) {
            let mut quoted = rest.split('`');
            let name = quoted.next().unwrap_or_default();
            let known: Vec<&str> = quoted.skip(1).step_by(2).collect();
            let path = path.unwrap_or_default();
            // A dotted key has the same span as the table that it implies.
            let holder = path.strip_suffix(name).and_then(|path| path.strip_suffix('.'));
            let holder = holder.unwrap_or(&path).to_owned();
            return Error::unknown(what, name, known).in_field(holder).at(location);
        }
    }
    let message = match (path, span) {
        (Some(path), Some(span)) if !path.is_empty() => of_field(&path, span, message, text),
        _ => message.to_owned(),
    };
    Error::new(ErrorKind::Parse { at: location, message })
}

/// Words a parser message about the value at `span`, or about a field missing from it.
fn of_field(path: &str, span: Range<usize>, message: &str, text: &str) -> String {
    let quoted = message.strip_prefix("missing field `").and_then(|rest| rest.split_once('`'));
    if let Some((name, _)) = quoted {
        return match allowed_in(text, path, name) {
            Some(allowed) => format!("{path}.{name} is missing: must be {allowed}"),
            None => format!("{path}.{name} is missing"),
        };
    }
    match allowed(message) {
        Some(allowed) => {
            let value = &text[span.clone()];
            let whole = allowed.starts_with("a whole number").then(|| range_of(text, path, span));
            let allowed = whole.flatten().unwrap_or_else(|| allowed.to_owned());
            format!("{path} = {value}: must be {allowed}")
        }
        None => format!("{path}: {message}"),
    }
}

/// Returns the values that a missing field may have: parses the scene with a boolean in that field,
/// and takes them from the message. Booleans are never required.
fn allowed_in(text: &str, path: &str, name: &str) -> Option<String> {
    let mut root: toml::Value = toml::from_str(text).ok()?;
    let table = steps(path).try_fold(&mut root, |here, step| match here {
        toml::Value::Array(array) => array.get_mut(step.parse::<usize>().ok()?),
        _ => here.get_mut(step),
    });
    table?.as_table_mut()?.insert(name.into(), false.into());
    let error = toml::from_str::<Scene>(&root.as_table()?.to_string()).err()?;
    allowed(error.message().trim()).map(str::to_owned)
}

/// Returns the range of a whole number, which is narrower than that of its type: takes it from the
/// error for the largest number that fits into 32 bits.
fn range_of(text: &str, path: &str, span: Range<usize>) -> Option<String> {
    let largest = format!("{}{}{}", &text[..span.start], u32::MAX, &text[span.end..]);
    match toml::from_str::<Scene>(&largest).ok()?.check().err()?.kind() {
        ErrorKind::OutOfRange { field, allowed, .. } if field == path => {
            let is_range = allowed.starts_with("from ");
            Some(format!("{}{allowed}", if is_range { "a whole number " } else { "" }))
        }
        _ => None,
    }
}

/// Returns the allowed values that a parser message mentions, without Rust type names.
fn allowed(message: &str) -> Option<&str> {
    if message.starts_with("wanted exactly 1 element") {
        return Some("a table with exactly one entry");
    }
    let expected = message.rsplit_once("expected ").map_or(message, |(_, expected)| expected);
    Some(match expected {
        "floating-point number overflowed" => "a number within ±1.8e308",
        "wanted string or table" => "a string or a table",
        "newtype variant" => "a table with exactly one entry",
        "a sequence" => "a list",
        "f32" => "a number",
        "u32" => "a whole number from 0 to 4294967295",
        "u64" | "usize" => "a whole number from 0 to 18446744073709551615",
        _ if expected.starts_with("struct ") => "a table",
        _ if expected == message => return None,
        _ => expected,
    })
}

fn tree(text: &str) -> Option<DeValue<'_>> {
    Some(DeValue::Table(DeTable::parse(text).ok()?.into_inner()))
}

/// Returns the path of the value at `span`, such as `species[0].max_speed`, or of the table whose
/// key is at `span`.
fn path_to(parent: &DeValue<'_>, span: &Range<usize>, path: &str) -> Option<String> {
    let at = |path: String, child: &Spanned<DeValue<'_>>| {
        let inside = path_to(child.get_ref(), span, &path);
        inside.or_else(|| (child.span() == *span).then_some(path))
    };
    match parent {
        DeValue::Table(table) => table.iter().find_map(|(name, child)| {
            let dot = if path.is_empty() { "" } else { "." };
            let inside = at(format!("{path}{dot}{}", name.get_ref()), child);
            inside.or_else(|| (name.span() == *span).then(|| path.to_owned()))
        }),
        DeValue::Array(array) => {
            array.iter().enumerate().find_map(|(k, child)| at(format!("{path}[{k}]"), child))
        }
        _ => None,
    }
}

/// Returns the line of the value at `path`, such as `species[0].max_speed`, or of the nearest
/// enclosing table if the text omits the value. Also returns true in that case.
fn line_of(text: &str, path: &str) -> (Option<u32>, bool) {
    let Some(root) = tree(text) else { return (None, false) };
    let (value, is_found) = value_at(&root, path);
    let line = value.map(|value| line_at(text, value.span().start));
    // Some errors have a phrase instead of a path, such as `number of species`.
    (line, !is_found && !path.contains(' '))
}

fn steps(path: &str) -> impl Iterator<Item = &str> {
    path.split(['.', '[', ']']).filter(|step| !step.is_empty())
}

/// Returns the innermost value on the path, and true if that is the value at the path's end.
fn value_at<'a, 't>(root: &'a DeValue<'t>, path: &str) -> (Option<&'a Spanned<DeValue<'t>>>, bool) {
    let (mut found, mut here) = (None, root);
    for name in steps(path) {
        let next = match here {
            DeValue::Table(table) => table.get(name),
            DeValue::Array(array) => name.parse().ok().and_then(|k: usize| array.get(k)),
            _ => None,
        };
        let Some(value) = next else { return (found, false) };
        found = Some(value);
        here = value.get_ref();
    }
    (found, true)
}

/// Returns the first line in the value at `path` that refers to this name or has it as a key. An
/// empty path stands for the whole text.
fn line_of_name(text: &str, path: &str, name: &str) -> Option<u32> {
    let root = Spanned::new(0..0, tree(text)?);
    let value = value_at(root.get_ref(), path).0.unwrap_or(&root);
    let mut found = Vec::new();
    mentions(value, name, &mut found);
    match found.into_iter().min() {
        Some((_, start)) => Some(line_at(text, start)),
        None => line_of(text, path).0,
    }
}

/// Lists where keys (true) and values (false) with this text begin. Skips the key `name`, which
/// defines a name instead of referring to one.
fn mentions(parent: &Spanned<DeValue<'_>>, name: &str, found: &mut Vec<(bool, usize)>) {
    match parent.get_ref() {
        DeValue::String(text) if text == name => found.push((false, parent.span().start)),
        DeValue::Table(table) => {
            for (key, child) in table.iter().filter(|(key, _)| key.get_ref() != "name") {
                mentions(child, name, found);
                if key.get_ref() == name {
                    found.push((true, key.span().start));
                }
            }
        }
        DeValue::Array(array) => array.iter().for_each(|child| mentions(child, name, found)),
        _ => {}
    }
}

fn line_at(text: &str, offset: usize) -> u32 {
    text[..offset.min(text.len())].matches('\n').count() as u32 + 1
}

/// Parses a whole number from a command line, such as `5000`, `1_000_000`, `1e6`, `10k`, `2.5M` or
/// `1G`. Suffixes may be upper or lower case. Returns `None` for any other text, or for a number
/// above 9·10¹⁵, roughly where `f64` stops being exact for whole numbers.
#[must_use]
pub fn parse_count(text: &str) -> Option<usize> {
    let plain = text.replace('_', "");
    // The parser rounds once; a product would round twice and turn 8.2M into a fraction.
    let scaled = match plain.char_indices().last() {
        Some((end, 'k' | 'K')) => format!("{}e3", &plain[..end]),
        Some((end, 'm' | 'M')) => format!("{}e6", &plain[..end]),
        Some((end, 'g' | 'G')) => format!("{}e9", &plain[..end]),
        _ => plain,
    };
    let number = scaled.parse::<f64>().ok()?;
    (number.fract() == 0.0 && (0.0..=9.0e15).contains(&number)).then_some(number as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_may_have_an_exponent_separators_or_a_unit() {
        for text in ["2500000", "2.5e6", "2_500_000", "2.5M", "2.5m", "2500k", "2500K", "0.0025G"] {
            assert_eq!(parse_count(text), Some(2_500_000), "{text}");
        }
        // Regression: a product rounded in `f64` refused these as fractions.
        for (text, count) in [("8.2M", 8_200_000), ("16.1k", 16_100), ("1.001k", 1_001)] {
            assert_eq!(parse_count(text), Some(count), "{text}");
        }
        assert_eq!(parse_count("0"), Some(0));
        for text in
            ["", "-1", "1.5", "1e99", "nan", "inf", "many", "_", "M", "1.2345k", "5X", "1é", "1e16"]
        {
            assert_eq!(parse_count(text), None, "{text}");
        }
    }
}
