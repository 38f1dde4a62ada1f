use std::io;
use std::path::Path;

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
    "collision-avoidance" "velocity-matching" "sharks" "non-penetration" "evacuation"
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
    /// A syntax error, an unknown name or a value out of range. The error gives the file and line.
    pub fn parse(text: &str, file: &str) -> Result<Self, Error> {
        let scene = Self::read(text, file)?;
        let locate = |error: Error| {
            let line = match error.kind() {
                ErrorKind::OutOfRange { field, .. } => line_of(text, field),
                ErrorKind::UnknownName { name, .. } => line_of_name(text, name),
                _ => None,
            };
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
    let place = ErrorLocation { file: Some(file.into()), line };
    let message = error.message();
    for (prefix, what) in [("unknown field `", "field"), ("unknown variant `", "name")] {
        if let Some(rest) = message.strip_prefix(prefix) {
            let mut quoted = rest.split('`');
            let name = quoted.next().unwrap_or_default();
            let known: Vec<&str> = quoted.skip(1).step_by(2).collect();
            return Error::unknown(what, name, known).at(place);
        }
    }
    Error::new(ErrorKind::Parse { at: place, message: message.trim().to_owned() })
}

/// Returns the line of the value at `path`, such as `species[0].max_speed`, or of the nearest
/// enclosing table if the text omits the value.
fn line_of(text: &str, path: &str) -> Option<u32> {
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

fn line_of_name(text: &str, name: &str) -> Option<u32> {
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

/// Parses a whole number from a command line, such as `5000`, `1_000_000`, `1e6`, `10k`, `2.5M` or
/// `1G`. Suffixes may be upper or lower case. Returns `None` for any other text, or for a number
/// above 9·10¹⁵, roughly where `f64` stops being exact for whole numbers.
#[must_use]
pub fn parse_count(text: &str) -> Option<usize> {
    let plain = text.replace('_', "");
    let (digits, factor) = match plain.char_indices().last() {
        Some((end, 'k' | 'K')) => (&plain[..end], 1.0e3),
        Some((end, 'm' | 'M')) => (&plain[..end], 1.0e6),
        Some((end, 'g' | 'G')) => (&plain[..end], 1.0e9),
        _ => (plain.as_str(), 1.0),
    };
    let number = digits.parse::<f64>().ok()? * factor;
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
        assert_eq!(parse_count("0"), Some(0));
        for text in
            ["", "-1", "1.5", "1e99", "nan", "inf", "many", "_", "M", "1.2345k", "5X", "1é", "1e16"]
        {
            assert_eq!(parse_count(text), None, "{text}");
        }
    }
}
