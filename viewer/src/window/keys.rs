//! Key bindings: one table for the keyboard, the help and the guide.

use winit::keyboard::{Key, ModifiersState, NamedKey, PhysicalKey};

use super::mouse::Tool;
use crate::session::Session;
use crate::session::controls::Controls;
use Command::{
    ByMouse, Change, Do, Explain, Fit, Follow, Help, Panel, Quit, Record, Screenshot, SelectTool,
};

/// What a key can do.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Command {
    /// Something to the session.
    Do(fn(&mut Session)),
    /// A change of its controls.
    Change(fn(&mut Controls)),
    SelectTool(Tool),
    Fit,
    Follow,
    Explain,
    Panel,
    Record,
    Screenshot,
    Help,
    Quit,
    /// Nothing: the mouse does it.
    ByMouse,
}

/// A group, which continues where it is empty; a key as the help writes it; its command; and a
/// description.
pub(crate) type Binding = (&'static str, &'static str, Command, &'static str);

/// All keys, and what the mouse does.
pub(crate) const KEYS: &[Binding] = &[
    ("time", "Space", Change(|all| all.paused = !all.paused), "pause and resume (or P)"),
    ("", "Right", Do(Session::step_once), "pause, and take a single step"),
    ("", "e", Do(Session::toggle_forward), "ten simulated seconds at full speed, or stop them"),
    ("", "r", Do(|session| session.restart(None)), "restart"),
    ("", "R", Do(Session::reseed), "restart with another seed"),
    ("", "[", Do(|session| session.switch_scene(-1)), "previous scene"),
    ("", "]", Do(|session| session.switch_scene(1)), "next scene"),
    ("compare", "g", Change(Controls::toggle_partition), "cells or all pairs: the same state"),
    ("", "c", Change(|all| all.grid = !all.grid), "the grid's cells on and off"),
    ("", "k", Change(|all| all.panes = !all.panes), "two panes: by cells and by all pairs"),
    ("", "F8", Do(Session::check_determinism), "run, rewind, run on other threads, compare"),
    ("view", "f", Fit, "fit the world"),
    ("", "o", Explain, "explain the agent in the middle of the view, or none"),
    ("", "v", Follow, "follow the explained agent, on and off"),
    ("", "m", Do(Session::next_color), "next color mode"),
    ("", "t", Change(Controls::toggle_trails), "trails on and off"),
    ("", "w", Do(Session::next_flow_view), "small agents as a flow: automatic, on, off"),
    ("", "Tab", Panel, "show or hide the panel"),
    ("left button", "1", SelectTool(Tool::Look), "explain and pan"),
    ("", "2", SelectTool(Tool::Lead), "move the scene's point"),
    ("", "3", SelectTool(Tool::Add), "add agents"),
    ("", "4", SelectTool(Tool::Erase), "remove agents"),
    ("", "5", SelectTool(Tool::Obstacle), "build an obstacle"),
    ("", "6", SelectTool(Tool::Wall), "build a wall"),
    ("keep", "F5", Do(Session::save_checkpoint), "keep this state in memory"),
    ("", "F9", Do(Session::restore_checkpoint), "return to the kept state"),
    ("", "F6", Do(|session| session.save_snapshot("".as_ref())), "write this state to a file"),
    ("", "F7", Do(|session| session.save_scene("".as_ref())), "write the edited scene (TOML)"),
    ("", "F11", Record, "start and stop a recording (GIF)"),
    ("", "F12", Screenshot, "screenshot (PNG)"),
    ("", "?", Help, "show or hide these keys (or H)"),
    ("", "Esc", Quit, "close what is open, cancel a long task, or quit"),
    ("mouse", "moving", ByMouse, "moves the scene's point `cursor`, if it has one, as in zombies"),
    ("", "wheel", ByMouse, "zoom at the cursor"),
    ("", "right button", ByMouse, "move the scene's point; with 5 or 6: remove the last one built"),
    ("", "dropped file", ByMouse, "open a scene or a snapshot"),
];

/// What is bound to a key, as the table writes it.
pub(crate) fn binding(key: &str) -> Option<&'static Binding> {
    KEYS.iter().find(|(_, name, ..)| *name == key)
}

/// The binding of a pressed key: by what it types, or, where the keyboard's layout types something
/// else, by where it is.
pub(crate) fn pressed(key: &Key, place: PhysicalKey, shift: bool) -> Option<&'static Binding> {
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

fn by_name(key: &Key) -> Option<&'static Binding> {
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
    // Only R and r differ.
    binding(&name).or_else(|| binding(&name.to_lowercase()))
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
        for (group, key, _, does) in KEYS {
            table += &format!("| {group} | {key} | {does} |\n");
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
        for (k, (_, key, ..)) in KEYS.iter().enumerate() {
            assert!(KEYS[..k].iter().all(|(_, other, ..)| other != key), "{key} twice");
        }
        let name = |(_, name, ..): &Binding| *name;
        let press = |text: &str| by_name(&Key::Character(text.into())).map(name);
        assert_eq!(press("r"), Some("r"));
        assert_eq!(press("R"), Some("R"));
        assert_eq!(press("G"), Some("g"));
        assert_eq!(press("P"), Some("Space"));
        assert_eq!(press("é"), None);
        for (named, key) in [
            (NamedKey::Space, "Space"),
            (NamedKey::Tab, "Tab"),
            (NamedKey::F5, "F5"),
            (NamedKey::F12, "F12"),
            (NamedKey::ArrowRight, "Right"),
            (NamedKey::Escape, "Esc"),
        ] {
            assert_eq!(by_name(&Key::Named(named)).map(name), Some(key));
        }
        assert!(by_name(&Key::Named(NamedKey::Home)).is_none());
    }

    #[test]
    fn keys_work_in_any_layout() {
        let press = |text: &str, code, shift| {
            let found = pressed(&Key::Character(text.into()), PhysicalKey::Code(code), shift);
            found.map(|(_, name, ..)| *name)
        };
        // Cyrillic, Greek, German.
        assert_eq!(press("к", KeyCode::KeyR, false), Some("r"));
        assert_eq!(press("К", KeyCode::KeyR, true), Some("R"));
        assert_eq!(press("ρ", KeyCode::KeyR, false), Some("r"));
        assert_eq!(press("ü", KeyCode::BracketLeft, false), Some("["));
        assert_eq!(press(",", KeyCode::Slash, true), Some("?"));
        assert_eq!(press("é", KeyCode::Digit2, false), Some("2"));
        // What a key types comes first.
        assert_eq!(press("w", KeyCode::KeyZ, false), press("w", KeyCode::KeyW, false));
        assert_eq!(press("è", KeyCode::Backquote, false), None);
    }
}
