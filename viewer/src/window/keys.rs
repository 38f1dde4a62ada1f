//! Key bindings: one table for the keyboard, the help and the guide.

use winit::keyboard::{Key, KeyCode, ModifiersState, NamedKey, PhysicalKey};

use super::mouse::Tool;

/// What a key can do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Command {
    Pause,
    Step,
    /// Arrow keys: see [`arrow`].
    Drive,
    Fit,
    Follow,
    NextScene,
    PreviousScene,
    Restart,
    NewSeed,
    Partition,
    SaveCheckpoint,
    SaveSnapshot,
    SaveScene,
    Undo,
    FullScreen,
    RestoreCheckpoint,
    CheckDeterminism,
    Screenshot,
    /// The extension of the files to record to.
    Record(&'static str),
    Panel,
    Help,
    Explain,
    Trails,
    Colors,
    Flow,
    Aims,
    Panes,
    Forward,
    WriteNumbers,
    Smoothing,
    Scenery,
    NonPenetration,
    SelectTool(Tool),
    Weight(&'static str, f32),
    Force(f32),
    Speed(f32),
    Quit,
}

impl Command {
    /// Whether holding the key repeats the command.
    pub(crate) fn repeats(self) -> bool {
        matches!(self, Self::Step | Self::Weight(..) | Self::Force(_) | Self::Speed(_))
    }
}

/// Factors by which one press changes a weight, force or speed.
const MORE: f32 = 1.1;
const LESS: f32 = 1.0 / MORE;

/// A key as the help writes it, its command, and a description.
pub(crate) const KEYS: &[(&str, Command, &str)] = &[
    ("Space", Command::Pause, "pause and resume (the book: P)"),
    ("Right", Command::Step, "single step, while paused"),
    ("arrows", Command::Drive, "drive the dog, shark or leader, while running"),
    ("[", Command::PreviousScene, "previous scene"),
    ("]", Command::NextScene, "next scene"),
    ("r", Command::Restart, "restart"),
    ("R", Command::NewSeed, "restart with another seed"),
    ("f", Command::Fit, "fit the world"),
    ("v", Command::Follow, "follow the explained agent, on and off"),
    ("t", Command::Trails, "trails on and off"),
    ("m", Command::Colors, "next color mode"),
    ("w", Command::Flow, "small agents as a flow: automatic, on, off"),
    ("g", Command::Partition, "cells or all pairs: different speed, same state"),
    ("l", Command::Aims, "lines to what agents aim at, in small crowds, on and off"),
    ("k", Command::Panes, "two panes: the same crowd by cells and by all pairs"),
    ("e", Command::Forward, "fast-forward ten simulated seconds, or stop it"),
    ("n", Command::NonPenetration, "push overlapping agents apart, on and off"),
    ("i", Command::Smoothing, "smoothed headings on and off (book)"),
    ("y", Command::Scenery, "obstacles and walls on and off (book)"),
    ("o", Command::Explain, "explain an agent, on and off (book: its neighbors)"),
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
    ("1", Command::SelectTool(Tool::Look), "left button: explain and pan"),
    ("2", Command::SelectTool(Tool::Lead), "left button: move the scene's point"),
    ("3", Command::SelectTool(Tool::Add), "left button: add agents"),
    ("4", Command::SelectTool(Tool::Erase), "left button: remove agents"),
    ("5", Command::SelectTool(Tool::Obstacle), "left button: build an obstacle"),
    ("6", Command::SelectTool(Tool::Wall), "left button: build a wall"),
    ("F5", Command::SaveCheckpoint, "keep this state in memory"),
    ("F9", Command::RestoreCheckpoint, "return to the kept state"),
    ("F6", Command::SaveSnapshot, "write this state to a file"),
    ("F7", Command::SaveScene, "write the scene with all edits to a file (TOML)"),
    ("u", Command::Undo, "undo the last edit"),
    ("F8", Command::CheckDeterminism, "check determinism: run, rewind, run again, compare"),
    ("F10", Command::Record("png"), "start and stop recording (PNG series)"),
    ("F11", Command::Record("gif"), "start and stop recording (GIF)"),
    ("F12", Command::Screenshot, "screenshot (PNG)"),
    ("F3", Command::WriteNumbers, "write the numbers over time to a file (CSV)"),
    ("F4", Command::FullScreen, "full screen, on and off"),
    ("Tab", Command::Panel, "show or hide the panel"),
    ("?", Command::Help, "show or hide these keys (or H)"),
    (
        "Esc",
        Command::Quit,
        "close a menu or these keys, otherwise quit; asks if edits are not saved",
    ),
];

/// What the mouse does, for the help and the guide.
pub(crate) const MOUSE: &[(&str, &str)] = &[
    ("wheel", "zoom at the cursor"),
    (
        "left button",
        "the tool chosen with keys 1 to 6; at first: click to explain an agent, drag to pan",
    ),
    ("right button", "move the scene's point; with 5 or 6: undo the last obstacle or wall"),
    ("dropped file", "open a scene or a snapshot"),
];

/// The command for a pressed key: by what it types, or, where the keyboard's layout types something
/// else, by where it is.
pub(crate) fn command(key: &Key, place: PhysicalKey, shift: bool) -> Option<Command> {
    by_name(key).or_else(|| {
        let PhysicalKey::Code(code) = place else { return None };
        let (_, plain, shifted) = *PLACES.iter().find(|(known, ..)| *known == code)?;
        by_name(&Key::Character(if shift { shifted } else { plain }.into()))
    })
}

/// What keys type in the layout that the table is written for, without and with Shift.
const PLACES: &[(KeyCode, &str, &str)] = &[
    (KeyCode::KeyA, "a", "A"),
    (KeyCode::KeyB, "b", "B"),
    (KeyCode::KeyC, "c", "C"),
    (KeyCode::KeyD, "d", "D"),
    (KeyCode::KeyE, "e", "E"),
    (KeyCode::KeyF, "f", "F"),
    (KeyCode::KeyG, "g", "G"),
    (KeyCode::KeyH, "h", "H"),
    (KeyCode::KeyI, "i", "I"),
    (KeyCode::KeyJ, "j", "J"),
    (KeyCode::KeyK, "k", "K"),
    (KeyCode::KeyL, "l", "L"),
    (KeyCode::KeyM, "m", "M"),
    (KeyCode::KeyN, "n", "N"),
    (KeyCode::KeyO, "o", "O"),
    (KeyCode::KeyP, "p", "P"),
    (KeyCode::KeyQ, "q", "Q"),
    (KeyCode::KeyR, "r", "R"),
    (KeyCode::KeyS, "s", "S"),
    (KeyCode::KeyT, "t", "T"),
    (KeyCode::KeyU, "u", "U"),
    (KeyCode::KeyV, "v", "V"),
    (KeyCode::KeyW, "w", "W"),
    (KeyCode::KeyX, "x", "X"),
    (KeyCode::KeyY, "y", "Y"),
    (KeyCode::KeyZ, "z", "Z"),
    (KeyCode::Digit1, "1", "1"),
    (KeyCode::Digit2, "2", "2"),
    (KeyCode::Digit3, "3", "3"),
    (KeyCode::Digit4, "4", "4"),
    (KeyCode::Digit5, "5", "5"),
    (KeyCode::Digit6, "6", "6"),
    (KeyCode::BracketLeft, "[", "["),
    (KeyCode::BracketRight, "]", "]"),
    (KeyCode::Slash, "/", "?"),
];

fn by_name(key: &Key) -> Option<Command> {
    let name = match key.as_ref() {
        Key::Named(NamedKey::Space) => "Space",
        Key::Named(NamedKey::ArrowRight) => "Right",
        Key::Named(NamedKey::Insert) => "Ins",
        Key::Named(NamedKey::Delete) => "Del",
        Key::Named(NamedKey::Home) => "Home",
        Key::Named(NamedKey::End) => "End",
        Key::Named(NamedKey::F3) => "F3",
        Key::Named(NamedKey::F4) => "F4",
        Key::Named(NamedKey::F5) => "F5",
        Key::Named(NamedKey::F6) => "F6",
        Key::Named(NamedKey::F7) => "F7",
        Key::Named(NamedKey::F8) => "F8",
        Key::Named(NamedKey::F9) => "F9",
        Key::Named(NamedKey::F10) => "F10",
        Key::Named(NamedKey::F11) => "F11",
        Key::Named(NamedKey::F12) => "F12",
        Key::Named(NamedKey::Tab) => "Tab",
        Key::Named(NamedKey::Escape) => "Esc",
        Key::Character("p" | "P") => "Space",
        Key::Character("h" | "H") => "?",
        Key::Character(character) => character,
        _ => return None,
    };
    let find = |name: &str| KEYS.iter().find(|(key, ..)| *key == name);
    // Only R and r differ.
    let found = find(name).or_else(|| find(&name.to_lowercase()));
    found.map(|(_, command, _)| *command)
}

/// Whether the held modifiers make a key press a shortcut of the system or another program. Control
/// and Alt together type brackets on some keyboards.
pub(crate) fn is_system_shortcut(held: ModifiersState) -> bool {
    held.super_key() || held.control_key() != held.alt_key()
}

/// The direction of an arrow key, y up.
pub(crate) fn arrow(key: &Key) -> Option<[f32; 2]> {
    match key {
        Key::Named(NamedKey::ArrowRight) => Some([1.0, 0.0]),
        Key::Named(NamedKey::ArrowLeft) => Some([-1.0, 0.0]),
        Key::Named(NamedKey::ArrowUp) => Some([0.0, 1.0]),
        Key::Named(NamedKey::ArrowDown) => Some([0.0, -1.0]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_guide_lists_every_key() {
        let guide = include_str!("../../../docs/viewer.md");
        let keys = KEYS.iter().map(|(key, _, does)| (key, does));
        for (key, does) in keys.chain(MOUSE.iter().map(|(how, does)| (how, does))) {
            let row = format!("| {key} | {does} |");
            assert!(guide.contains(&row), "docs/viewer.md lacks {row}");
        }
    }

    #[test]
    fn system_shortcuts_are_ignored() {
        use ModifiersState as Held;
        for held in [Held::CONTROL, Held::ALT, Held::SUPER, Held::CONTROL | Held::SHIFT] {
            assert!(is_system_shortcut(held), "{held:?}");
        }
        for held in [Held::empty(), Held::SHIFT, Held::CONTROL | Held::ALT] {
            assert!(!is_system_shortcut(held), "{held:?}");
        }
    }

    #[test]
    fn every_key_is_bound_once_and_capitals_work() {
        for (k, (key, ..)) in KEYS.iter().enumerate() {
            assert!(KEYS[..k].iter().all(|(other, ..)| other != key), "{key} twice");
        }
        let press = |text: &str| by_name(&Key::Character(text.into()));
        assert_eq!(press("r"), Some(Command::Restart));
        assert_eq!(press("R"), Some(Command::NewSeed));
        assert_eq!(press("G"), Some(Command::Partition));
        assert_eq!(press("P"), Some(Command::Pause));
        assert_eq!(press("é"), None);
        assert_eq!(by_name(&Key::Named(NamedKey::F5)), Some(Command::SaveCheckpoint));
    }

    #[test]
    fn keys_work_in_any_layout() {
        let press = |text: &str, code, shift| {
            command(&Key::Character(text.into()), PhysicalKey::Code(code), shift)
        };
        // Cyrillic, Greek, German.
        assert_eq!(press("к", KeyCode::KeyR, false), Some(Command::Restart));
        assert_eq!(press("К", KeyCode::KeyR, true), Some(Command::NewSeed));
        assert_eq!(press("ρ", KeyCode::KeyR, false), Some(Command::Restart));
        assert_eq!(press("ü", KeyCode::BracketLeft, false), Some(Command::PreviousScene));
        assert_eq!(press(",", KeyCode::Slash, true), Some(Command::Help));
        // What a key types comes first.
        assert_eq!(press("z", KeyCode::KeyY, false), press("z", KeyCode::KeyZ, false));
        assert_eq!(press("è", KeyCode::Backquote, false), None);
        for (key, ..) in KEYS.iter().filter(|(key, ..)| key.chars().count() == 1) {
            let reached = PLACES.iter().any(|(_, plain, shifted)| [plain, shifted].contains(&key));
            assert!(reached, "{key} has no place");
        }
    }
}
