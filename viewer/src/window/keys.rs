//! Key bindings: one table for the keyboard, the help and the guide.

use winit::keyboard::{Key, ModifiersState, NamedKey, PhysicalKey};

use super::mouse::Tool;

/// What a key can do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Command {
    Pause,
    Step,
    Forward,
    Restart,
    NewSeed,
    PreviousScene,
    NextScene,
    Fit,
    Follow,
    Explain,
    Colors,
    Trails,
    Flow,
    Panel,
    SelectTool(Tool),
    Partition,
    Grid,
    Panes,
    CheckDeterminism,
    SaveCheckpoint,
    RestoreCheckpoint,
    SaveSnapshot,
    SaveScene,
    Record,
    Screenshot,
    Help,
    Quit,
}

/// A key as the help writes it, its command, and a description.
pub(crate) type Binding = (&'static str, Command, &'static str);

/// All keys, in groups.
pub(crate) const KEYS: &[(&str, &[Binding])] = &[
    (
        "time",
        &[
            ("Space", Command::Pause, "pause and resume (or P)"),
            ("Right", Command::Step, "a single step, while paused"),
            ("e", Command::Forward, "ten simulated seconds at full speed, or stop them"),
            ("r", Command::Restart, "restart"),
            ("R", Command::NewSeed, "restart with another seed"),
            ("[", Command::PreviousScene, "previous scene"),
            ("]", Command::NextScene, "next scene"),
        ],
    ),
    (
        "compare",
        &[
            ("g", Command::Partition, "cells or all pairs: different speed, same state"),
            ("c", Command::Grid, "the grid's cells on and off"),
            ("k", Command::Panes, "two panes: the crowd by cells and by all pairs"),
            ("F8", Command::CheckDeterminism, "run, rewind, run on other threads, compare"),
        ],
    ),
    (
        "view",
        &[
            ("f", Command::Fit, "fit the world"),
            ("o", Command::Explain, "explain the agent in the middle of the view, or none"),
            ("v", Command::Follow, "follow the explained agent, on and off"),
            ("m", Command::Colors, "next color mode"),
            ("t", Command::Trails, "trails on and off"),
            ("w", Command::Flow, "small agents as a flow: automatic, on, off"),
            ("Tab", Command::Panel, "show or hide the panel"),
        ],
    ),
    (
        "left button",
        &[
            ("1", Command::SelectTool(Tool::Look), "explain and pan"),
            ("2", Command::SelectTool(Tool::Lead), "move the scene's point"),
            ("3", Command::SelectTool(Tool::Add), "add agents"),
            ("4", Command::SelectTool(Tool::Erase), "remove agents"),
            ("5", Command::SelectTool(Tool::Obstacle), "build an obstacle"),
            ("6", Command::SelectTool(Tool::Wall), "build a wall"),
        ],
    ),
    (
        "keep",
        &[
            ("F5", Command::SaveCheckpoint, "keep this state in memory"),
            ("F9", Command::RestoreCheckpoint, "return to the kept state"),
            ("F6", Command::SaveSnapshot, "write this state to a file"),
            ("F7", Command::SaveScene, "write the scene with all edits (TOML)"),
            ("F11", Command::Record, "start and stop a recording (GIF)"),
            ("F12", Command::Screenshot, "screenshot (PNG)"),
            ("?", Command::Help, "show or hide these keys (or H)"),
            ("Esc", Command::Quit, "close what is open, cancel a long task, or quit"),
        ],
    ),
];

/// What the mouse does, for the help and the guide.
pub(crate) const MOUSE: &[(&str, &str)] = &[
    ("moving", "moves the scene's point `cursor`, if there is one, as in zombies"),
    ("wheel", "zoom at the cursor"),
    ("right button", "move the scene's point; with 5 or 6: remove the last obstacle or wall"),
    ("dropped file", "open a scene or a snapshot"),
];

/// All keys.
fn bindings() -> impl Iterator<Item = &'static Binding> {
    KEYS.iter().flat_map(|(_, keys)| *keys)
}

/// The command for a pressed key: by what it types, or, where the keyboard's layout types something
/// else, by where it is.
pub(crate) fn command(key: &Key, place: PhysicalKey, shift: bool) -> Option<Command> {
    by_name(key).or_else(|| {
        let PhysicalKey::Code(code) = place else { return None };
        // What the key types on the keyboard that the codes are named after.
        let code = format!("{code:?}");
        let typed = match code.as_str() {
            "BracketLeft" => "[".into(),
            "BracketRight" => "]".into(),
            "Slash" if shift => "?".into(),
            _ => {
                let letter = code.strip_prefix("Key").or_else(|| code.strip_prefix("Digit"))?;
                if shift { letter.to_owned() } else { letter.to_lowercase() }
            }
        };
        by_name(&Key::Character(typed.into()))
    })
}

fn by_name(key: &Key) -> Option<Command> {
    let name = match key.as_ref() {
        Key::Named(NamedKey::ArrowRight) => "Right".into(),
        Key::Named(NamedKey::Escape) => "Esc".into(),
        // Space, Tab and F4 are named as in the table.
        Key::Named(named) => format!("{named:?}"),
        Key::Character("p" | "P") => "Space".into(),
        Key::Character("h" | "H") => "?".into(),
        Key::Character(character) => character.to_owned(),
        _ => return None,
    };
    let find = |name: &str| bindings().find(|(key, ..)| *key == name);
    // Only R and r differ.
    let found = find(&name).or_else(|| find(&name.to_lowercase()));
    found.map(|(_, command, _)| *command)
}

/// Whether the held modifiers make a key press a shortcut of the system or another program. Control
/// and Alt together type brackets on some keyboards.
pub(crate) fn is_system_shortcut(held: ModifiersState) -> bool {
    held.super_key() || held.control_key() != held.alt_key()
}

#[cfg(test)]
mod tests {
    use super::*;
    use winit::keyboard::KeyCode;

    /// The guide's table is this one; `cargo test` prints it where it is not.
    #[test]
    fn the_guide_lists_every_key() {
        let mut table = String::new();
        for (group, keys) in KEYS {
            for (number, (key, _, does)) in keys.iter().enumerate() {
                let group = if number == 0 { group } else { "" };
                table += &format!("| {group} | {key} | {does} |\n");
            }
        }
        for (number, (how, does)) in MOUSE.iter().enumerate() {
            let group = if number == 0 { "mouse" } else { "" };
            table += &format!("| {group} | {how} | {does} |\n");
        }
        let guide = include_str!("../../../docs/viewer.md");
        assert!(guide.contains(&table), "docs/viewer.md lacks this table:\n{table}");
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
        for (k, (key, ..)) in bindings().enumerate() {
            assert!(bindings().take(k).all(|(other, ..)| other != key), "{key} twice");
        }
        let press = |text: &str| by_name(&Key::Character(text.into()));
        assert_eq!(press("r"), Some(Command::Restart));
        assert_eq!(press("R"), Some(Command::NewSeed));
        assert_eq!(press("G"), Some(Command::Partition));
        assert_eq!(press("P"), Some(Command::Pause));
        assert_eq!(press("é"), None);
        for (named, command) in [
            (NamedKey::Space, Command::Pause),
            (NamedKey::Tab, Command::Panel),
            (NamedKey::F5, Command::SaveCheckpoint),
            (NamedKey::F12, Command::Screenshot),
            (NamedKey::ArrowRight, Command::Step),
            (NamedKey::Escape, Command::Quit),
        ] {
            assert_eq!(by_name(&Key::Named(named)), Some(command));
        }
        assert_eq!(by_name(&Key::Named(NamedKey::Home)), None);
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
        assert_eq!(press("é", KeyCode::Digit2, false), Some(Command::SelectTool(Tool::Lead)));
        // What a key types comes first.
        assert_eq!(press("w", KeyCode::KeyZ, false), press("w", KeyCode::KeyW, false));
        assert_eq!(press("è", KeyCode::Backquote, false), None);
    }
}
