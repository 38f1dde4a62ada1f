//! What keys do: one table for the keyboard, the help and the command line.

use winit::keyboard::{Key, NamedKey};

/// What a key can ask for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Command {
    Pause,
    Step,
    Fit,
    NextScene,
    PreviousScene,
    Restart,
    NewSeed,
    Partition,
    Save,
    GoBack,
    CheckDeterminism,
    Panel,
    Help,
    Explain,
    Smoothing,
    Scenery,
    NonPenetration,
    Weight(&'static str, f32),
    Force(f32),
    Speed(f32),
    Quit,
}

/// How much one press changes a weight, force or speed.
const MORE: f32 = 1.1;
const LESS: f32 = 1.0 / MORE;

/// A key as the help writes it, what it does, and in words.
pub(crate) const KEYS: &[(&str, Command, &str)] = &[
    ("Space", Command::Pause, "pause and go on (the book: P)"),
    ("Right", Command::Step, "one step"),
    ("[", Command::PreviousScene, "previous scene"),
    ("]", Command::NextScene, "next scene"),
    ("r", Command::Restart, "start over"),
    ("R", Command::NewSeed, "start over with another seed"),
    ("f", Command::Fit, "fit the world"),
    ("g", Command::Partition, "cells or all pairs: other speed, same state"),
    ("n", Command::NonPenetration, "push overlapping agents apart, or not"),
    ("i", Command::Smoothing, "smoothed headings on and off (book)"),
    ("y", Command::Scenery, "obstacles and walls on and off (book)"),
    ("o", Command::Explain, "explain an agent, or none (book: its neighbors)"),
    ("s", Command::Weight("separation", MORE), "more separation (book)"),
    ("x", Command::Weight("separation", LESS), "less separation (book)"),
    ("a", Command::Weight("alignment", MORE), "more alignment (book)"),
    ("z", Command::Weight("alignment", LESS), "less alignment (book)"),
    ("d", Command::Weight("cohesion", MORE), "more cohesion (book)"),
    ("c", Command::Weight("cohesion", LESS), "less cohesion (book)"),
    ("Ins", Command::Force(MORE), "more maximum force (book)"),
    ("Del", Command::Force(LESS), "less maximum force (book)"),
    ("Home", Command::Speed(MORE), "more maximum speed (book)"),
    ("End", Command::Speed(LESS), "less maximum speed (book)"),
    ("F5", Command::Save, "keep this state"),
    ("F9", Command::GoBack, "return to the kept state"),
    ("F8", Command::CheckDeterminism, "run, rewind, run otherwise, compare"),
    ("Tab", Command::Panel, "show and hide the panel"),
    ("?", Command::Help, "show and hide these keys"),
    ("Esc", Command::Quit, "quit"),
];

/// What a pressed key asks for.
pub(crate) fn command(key: &Key) -> Option<Command> {
    let name = match key.as_ref() {
        Key::Named(NamedKey::Space) => "Space",
        Key::Named(NamedKey::ArrowRight) => "Right",
        Key::Named(NamedKey::Insert) => "Ins",
        Key::Named(NamedKey::Delete) => "Del",
        Key::Named(NamedKey::Home) => "Home",
        Key::Named(NamedKey::End) => "End",
        Key::Named(NamedKey::F5) => "F5",
        Key::Named(NamedKey::F8) => "F8",
        Key::Named(NamedKey::F9) => "F9",
        Key::Named(NamedKey::Tab) => "Tab",
        Key::Named(NamedKey::Escape) => "Esc",
        Key::Character("p" | "P") => "Space",
        Key::Character("h" | "H") => "?",
        Key::Character(character) => character,
        _ => return None,
    };
    let find = |name: &str| KEYS.iter().find(|(key, ..)| *key == name);
    // Only R tells capital from small.
    let found = find(name).or_else(|| find(&name.to_lowercase()));
    found.map(|(_, command, _)| *command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_guide_lists_every_key() {
        let guide = include_str!("../../docs/viewer.md");
        for (key, _, does) in KEYS {
            let row = format!("| {key} | {does} |");
            assert!(guide.contains(&row), "docs/viewer.md lacks {row}");
        }
    }

    #[test]
    fn every_key_is_there_once_and_capitals_work() {
        for (k, (key, ..)) in KEYS.iter().enumerate() {
            assert!(KEYS[..k].iter().all(|(other, ..)| other != key), "{key} twice");
        }
        let press = |text: &str| command(&Key::Character(text.into()));
        assert_eq!(press("r"), Some(Command::Restart));
        assert_eq!(press("R"), Some(Command::NewSeed));
        assert_eq!(press("G"), Some(Command::Partition));
        assert_eq!(press("P"), Some(Command::Pause));
        assert_eq!(press("é"), None);
        assert_eq!(command(&Key::Named(NamedKey::F5)), Some(Command::Save));
    }
}
