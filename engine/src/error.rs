use std::{fmt, io};

use crate::id::AgentId;

/// An engine error. Its [`kind`](Self::kind) has the details needed to fix the cause.
/// The kind is boxed, so that a `Result` stays small.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error(transparent)]
pub struct Error(Box<ErrorKind>);

/// The kind of an [`Error`], with its details.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A value that is not allowed, such as a number out of range.
    #[error("{at}{}: must be {}", refused_value(field, value, *is_default), quoted(allowed))]
    OutOfRange {
        /// Where the value was set; empty for values set in code.
        at: ErrorLocation,
        /// Path of the field, such as `species[0].max_speed`.
        field: String,
        /// The rejected value, as written.
        value: String,
        /// True if the scene file omits the field, so that `value` is its default.
        is_default: bool,
        /// Allowed values, such as a range with its unit.
        allowed: String,
    },
    /// A name that does not exist, with the most similar valid name.
    #[error(
        "{at}{}unknown {kind} `{}`{}",
        in_front(field),
        quoted(name),
        suggestion(kind, nearest, known)
    )]
    UnknownName {
        /// Where the name was used; empty for names passed in code.
        at: ErrorLocation,
        /// What the name should refer to, such as a scene or a species.
        kind: &'static str,
        /// Path of the field that has the name, such as `species[0].behaviors[1].seek.target`;
        /// empty if the name is not in a field of a scene.
        field: String,
        /// Unknown name, as written.
        name: String,
        /// Most similar valid name, if any is similar enough to suggest.
        nearest: Option<String>,
        /// Every name that would have been accepted.
        known: Vec<String>,
    },
    /// A scene file that cannot be parsed.
    #[error("{at}{}", quoted(message))]
    Parse {
        /// File and line where parsing stopped.
        at: ErrorLocation,
        /// What was found and what was expected.
        message: String,
    },
    /// A file that could not be read or written.
    #[error("{}: {}", escaped(path), quoted(message))]
    File {
        /// Path of the file, as given.
        path: String,
        /// The I/O error's category, to match on.
        kind: io::ErrorKind,
        /// The operating system's message.
        message: String,
    },
    /// Bytes that are not a valid snapshot.
    #[error("{at}not a valid snapshot: {}", quoted(message))]
    Snapshot {
        /// File that the bytes came from, if any.
        at: ErrorLocation,
        /// What is wrong, and where in the snapshot.
        message: String,
    },
    /// A snapshot in another version of the format, so its contents were not read.
    #[error(
        "{at}the format of the snapshot is version {version}, but this flockwork reads version \
         {supported}"
    )]
    SnapshotVersion {
        /// File that the bytes came from, if any.
        at: ErrorLocation,
        /// Version of the snapshot's format.
        version: u32,
        /// The only version that this flockwork reads.
        supported: u32,
    },
    /// An id that was never assigned, or whose agent was removed.
    #[error("agent {id} does not exist (removed, or from another simulation)")]
    NoSuchAgent {
        /// The rejected id.
        id: AgentId,
    },
    /// An agent would move outside the allowed coordinates, so the step was not taken.
    #[error(
        "step {tick}: agent {id} would move to {}, outside ±{limit}; the step was not taken",
        place(at)
    )]
    Runaway {
        /// Number of the rejected step.
        tick: u64,
        /// Agent that would move out of bounds.
        id: AgentId,
        /// The rejected position, in world units.
        at: [f32; 3],
        /// Largest allowed coordinate, in world units.
        limit: f32,
    },
    /// A behavior from another crate returned a force that is not finite or whose square overflows,
    /// or tried to write a non-finite value to a column. The step was not taken.
    #[error("step {tick}: {what} of agent {id} would be {value}; the step was not taken")]
    NotFinite {
        /// Number of the rejected step.
        tick: u64,
        /// Behavior or column whose value was rejected.
        what: String,
        /// Agent whose value was rejected.
        id: AgentId,
        /// The rejected value.
        value: f32,
    },
    /// A behavior from another crate panicked, so the step was not taken.
    #[error("step {tick}: {message}; the step was not taken")]
    Panicked {
        /// Number of the rejected step.
        tick: u64,
        /// Name of the behavior, and its panic message.
        message: String,
    },
    /// A request for more memory than is available.
    #[error("about {} of memory is needed, {}", in_words(*needed), there_is(*available))]
    Memory {
        /// Estimated memory needed, in bytes.
        needed: u64,
        /// Bytes that this process can still allocate, if known.
        available: Option<u64>,
    },
    /// The operating system refused to start worker threads.
    #[error("cannot start {threads} worker threads: {message}")]
    Threads {
        /// Requested number of threads.
        threads: usize,
        /// The operating system's message.
        message: String,
    },
}

/// A file and line; both are `None` for values set in code.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ErrorLocation {
    /// File, as the caller named it.
    pub file: Option<Box<str>>,
    /// 1-based line number.
    pub line: Option<u32>,
}

impl fmt::Display for ErrorLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(f, "{}:{line}: ", escaped(file)),
            (Some(file), None) => write!(f, "{}: ", escaped(file)),
            (None, _) => Ok(()),
        }
    }
}

fn there_is(available: Option<u64>) -> String {
    match available {
        Some(available) => format!("but {} is available", in_words(available)),
        None => "more than the system can provide".into(),
    }
}

fn in_words(bytes: u64) -> String {
    match bytes as f64 {
        bytes if bytes >= 1.0e9 => format!("{:.1} GB", bytes / 1.0e9),
        bytes => format!("{:.0} MB", bytes / 1.0e6),
    }
}

/// Maximum number of characters to quote in full. Longer text is quoted without its middle.
const MAX_QUOTE_CHARS: usize = 300;
const FIRST_QUOTED: usize = 200;
const LAST_QUOTED: usize = 60;
const MAX_NAMES: usize = 64;
/// Suggestions ignore names longer than this many bytes,
/// because comparison time grows with the square of the length.
const MAX_COMPARED_BYTES: usize = 64;
const MAX_COMPARED_NAMES: usize = 4096;

/// Shortens text for a message and escapes control characters except line breaks, because terminals
/// would interpret them.
fn quoted(text: &str) -> String {
    let end = |at: Option<(usize, char)>| at.map_or(text.len(), |(at, _)| at);
    let shown = if text.char_indices().nth(MAX_QUOTE_CHARS).is_none() {
        text.to_owned()
    } else {
        let first = end(text.char_indices().nth(FIRST_QUOTED));
        let last = end(text.char_indices().nth_back(LAST_QUOTED - 1));
        let left_out = last - first;
        format!("{}… ({left_out} bytes) …{}", &text[..first], &text[last..])
    };
    shown.split('\n').map(escaped).collect::<Vec<_>>().join("\n")
}

/// Escapes all control characters, line breaks included, e.g. of a file's name.
pub fn escaped(text: impl fmt::Display) -> String {
    let escaped = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.into() };
    text.to_string().chars().map(escaped).collect()
}

fn refused_value(field: &str, value: &str, is_default: bool) -> String {
    let separator = if is_default { " is missing, so it is " } else { " = " };
    format!("{}{separator}{}", quoted(field), quoted(value))
}

fn in_front(field: &str) -> String {
    if field.is_empty() { String::new() } else { format!("{}: ", quoted(field)) }
}

fn suggestion(kind: &str, nearest: &Option<String>, known: &[String]) -> String {
    if known.is_empty() {
        return format!(": there is no {kind}");
    }
    let names: Vec<String> = known.iter().take(MAX_NAMES).map(|name| quoted(name)).collect();
    let more = match known.len() - names.len() {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    let known = format!("(known: {}{more})", names.join(", "));
    match nearest {
        Some(name) => format!("; did you mean `{}`? {known}", quoted(name)),
        None => format!(" {known}"),
    }
}

impl Error {
    /// Creates an error of this kind. [`ErrorKind`] holds all its details.
    #[must_use]
    pub fn new(kind: ErrorKind) -> Self {
        Self(Box::new(kind))
    }

    /// The error's kind, to match on.
    #[must_use]
    pub fn kind(&self) -> &ErrorKind {
        &self.0
    }

    /// Stable name of the error's kind, for logs and for bindings to other languages.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self.kind() {
            ErrorKind::OutOfRange { .. } => "out_of_range",
            ErrorKind::UnknownName { .. } => "unknown_name",
            ErrorKind::Parse { .. } => "parse",
            ErrorKind::File { .. } => "file",
            ErrorKind::Snapshot { .. } => "snapshot",
            ErrorKind::SnapshotVersion { .. } => "snapshot_version",
            ErrorKind::NoSuchAgent { .. } => "no_such_agent",
            ErrorKind::Runaway { .. } => "runaway",
            ErrorKind::NotFinite { .. } => "not_finite",
            ErrorKind::Panicked { .. } => "panicked",
            ErrorKind::Memory { .. } => "memory",
            ErrorKind::Threads { .. } => "threads",
        }
    }

    pub(crate) fn of_file(path: impl Into<String>, error: &io::Error) -> Self {
        let (kind, message) = (error.kind(), error.to_string());
        Self::new(ErrorKind::File { path: path.into(), kind, message })
    }

    pub(crate) fn refused(
        field: impl Into<String>,
        value: impl fmt::Display,
        allowed: impl Into<String>,
    ) -> Self {
        let (field, value, allowed) = (field.into(), value.to_string(), allowed.into());
        let (at, is_default) = (ErrorLocation::default(), false);
        Self::new(ErrorKind::OutOfRange { at, field, value, is_default, allowed })
    }

    pub(crate) fn duplicate_id(id: AgentId) -> Self {
        Self::refused("ids", format!("agent {id}, given twice"), "given once each")
    }

    pub(crate) fn unknown<'a>(
        kind: &'static str,
        name: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let known: Vec<String> = known.into_iter().map(str::to_owned).collect();
        let nearest = known
            .iter()
            .take(MAX_COMPARED_NAMES)
            .filter(|candidate| candidate.len().max(name.len()) <= MAX_COMPARED_BYTES)
            .map(|candidate| (strsim::jaro_winkler(candidate, name), candidate))
            // By Jaro–Winkler similarity alone, any name would be similar to a short one.
            .filter(|(similarity, candidate)| {
                *similarity > 0.7 && strsim::normalized_damerau_levenshtein(candidate, name) > 0.4
            })
            .max_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, candidate)| candidate.clone());
        let (at, field, name) = (ErrorLocation::default(), String::new(), name.to_owned());
        Self::new(ErrorKind::UnknownName { at, kind, field, name, nearest, known })
    }

    pub(crate) fn in_field(mut self, path: String) -> Self {
        if let ErrorKind::UnknownName { field, .. } = &mut *self.0 {
            *field = path;
        }
        self
    }

    pub(crate) fn of_default(mut self) -> Self {
        if let ErrorKind::OutOfRange { is_default, .. } = &mut *self.0 {
            *is_default = true;
        }
        self
    }

    pub(crate) fn of_agent(mut self, id: AgentId) -> Self {
        if let ErrorKind::OutOfRange { field, .. } = &mut *self.0 {
            *field = format!("{field} of agent {id}");
        }
        self
    }

    /// Names the wrong entry of a list: `position.x` becomes `positions[2].x`. If the list has only
    /// one entry, the name does not change.
    pub(crate) fn of_entry(mut self, one: &str, list: &str, number: usize, count: usize) -> Self {
        if count == 1 {
            return self;
        }
        if let ErrorKind::OutOfRange { field, .. } = &mut *self.0 {
            *field = field.replacen(one, &format!("{list}[{number}]"), 1);
        }
        self
    }

    pub(crate) fn at(mut self, place: ErrorLocation) -> Self {
        if let ErrorKind::OutOfRange { at, .. }
        | ErrorKind::UnknownName { at, .. }
        | ErrorKind::Parse { at, .. }
        | ErrorKind::Snapshot { at, .. }
        | ErrorKind::SnapshotVersion { at, .. } = &mut *self.0
        {
            *at = place;
        }
        self
    }
}

/// Checks a number against a range. `None` is always valid.
pub(crate) fn within(
    field: &str,
    value: impl Into<Option<f32>>,
    min: f32,
    max: f32,
    unit: &str,
) -> Result<(), Error> {
    let is_inside = |&value: &f32| value >= min && value <= max;
    let Some(value) = value.into().filter(|value| !is_inside(value)) else { return Ok(()) };
    let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
    let (value, allowed) = (format_args!("{value:?}"), format!("from {min} to {max}{unit}"));
    Err(Error::refused(field, value, allowed))
}

pub(crate) fn check_count(
    list: &str,
    count: usize,
    expected: usize,
    entries: &str,
) -> Result<(), Error> {
    if count == expected {
        return Ok(());
    }
    Err(Error::refused(format!("number of {list}"), count, format!("{expected}, {entries}")))
}

/// Returns the index of a name in a list.
///
/// # Errors
/// If the list does not contain the name. The error suggests the most similar one.
pub fn position<'a>(
    kind: &'static str,
    name: &str,
    known: impl Iterator<Item = &'a str> + Clone,
) -> Result<usize, Error> {
    let found = known.clone().position(|known| known == name);
    found.ok_or_else(|| Error::unknown(kind, name, known))
}

/// Formats a position; omits z if z is 0.
fn place([x, y, z]: &[f32; 3]) -> String {
    if *z == 0.0 { format!("({x}, {y})") } else { format!("({x}, {y}, {z})") }
}
