//! Key bindings. The keyboard handler, the help and the guide share one table.

use winit::keyboard::{Key, KeyCode, ModifiersState, NamedKey, PhysicalKey};

use crate::session::Session;
use crate::session::controls::Controls;
use Command::{Change, Close, Do, Fit, Help, Listed, Panel, Quit, Screenshot, Step};

#[derive(Clone, Copy, Debug)]
pub(crate) enum Command {
    Do(fn(&mut Session)),
    Change(fn(&mut Controls)),
    Step,
    Fit,
    Panel,
    Screenshot,
    Help,
    Close,
    Quit,
    /// A mouse action or keys of the widgets: listed in the help but bound to no command.
    Listed,
}

pub(crate) type Binding = (&'static str, Command, &'static str);

pub(crate) const KEYS: &[Binding] = &[
    ("Space", Change(|all| all.paused = !all.paused), "pause and resume (or P)"),
    ("Right", Step, "pause, and take a single step"),
    ("r", Do(|session| session.restart(None)), "restart"),
    ("[", Do(|session| session.switch_scene(-1)), "previous scene"),
    ("]", Do(|session| session.switch_scene(1)), "next scene"),
    ("g", Change(Controls::toggle_partition), "cells or all pairs: the same state"),
    ("f", Fit, "fit the world"),
    (
        "v",
        Change(Controls::next_angle),
        "view of a world with depth: tilted, from above, from the side",
    ),
    ("Tab", Panel, "show or hide the panel"),
    ("F5", Do(Session::save_checkpoint), "keep this state in memory"),
    ("F9", Do(Session::restore_checkpoint), "return to the kept state"),
    ("F12", Screenshot, "screenshot (PNG)"),
    ("?", Help, "show or hide these keys (or H)"),
    ("Esc", Close, "close what is open, or cancel a long task"),
    ("Ctrl + - 0", Listed, "larger, smaller, normal text"),
    ("Ctrl+Q", Quit, "quit"),
    ("click", Listed, "explain an agent; in empty space, move the scene's nearest point there"),
    ("right button", Listed, "move the scene's nearest point with the cursor"),
    ("moving", Listed, "moves the scene's point `cursor`, if it has one, as in zombies"),
    ("dragging", Listed, "pan"),
    ("middle button", Listed, "turn a world with depth (or Shift and dragging)"),
    ("wheel", Listed, "zoom at the cursor"),
];

pub(crate) fn binding(key: &str) -> Option<&'static Binding> {
    KEYS.iter().find(|(name, ..)| *name == key)
}

/// Finds the binding for a pressed key by its character. If none matches, e.g. on a Cyrillic
/// layout, finds it by the key's position.
pub(crate) fn pressed(
    key: &Key,
    place: PhysicalKey,
    held: ModifiersState,
) -> Option<&'static Binding> {
    if held.control_key() && !held.alt_key() {
        let quits = match key.as_ref() {
            Key::Character(typed) if typed.is_ascii() => typed.eq_ignore_ascii_case("q"),
            _ => place == PhysicalKey::Code(KeyCode::KeyQ),
        };
        return binding("Ctrl+Q").filter(|_| quits);
    }
    // Leave combinations with Super, Control or Alt to the system and other programs. Control+Alt
    // is allowed, because it types brackets on some keyboards.
    if held.super_key() || held.control_key() != held.alt_key() {
        return None;
    }
    by_name(key).or_else(|| {
        let PhysicalKey::Code(code) = place else { return None };
        // The character at this position on a US keyboard.
        let code = format!("{code:?}");
        let typed = match code.as_str() {
            "BracketLeft" => "[".into(),
            "BracketRight" => "]".into(),
            "Slash" if held.shift_key() => "?".into(),
            _ => code.strip_prefix("Key")?.to_lowercase(),
        };
        by_name(&Key::Character(typed.into()))
    })
}

fn by_name(key: &Key) -> Option<&'static Binding> {
    let name = match key.as_ref() {
        Key::Named(NamedKey::ArrowRight) => "Right".into(),
        Key::Named(NamedKey::Escape) => "Esc".into(),
        Key::Named(named) => format!("{named:?}"),
        Key::Character("p" | "P") => "Space".into(),
        Key::Character("h" | "H") => "?".into(),
        Key::Character(character) => character.to_owned(),
        _ => return None,
    };
    binding(&name).or_else(|| binding(&name.to_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The guide must contain this table. If it does not, the test prints the table.
    #[test]
    fn the_guide_lists_every_key() {
        let mut table = String::new();
        for (key, _, does) in KEYS {
            table += &format!("| {key} | {does} |\n");
        }
        let guide = include_str!("../../../docs/viewer.md");
        assert!(guide.contains(&table), "docs/viewer.md lacks this table:\n{table}");
    }

    fn press(text: &str, code: KeyCode, held: ModifiersState) -> Option<&'static str> {
        let found = pressed(&Key::Character(text.into()), PhysicalKey::Code(code), held);
        found.map(|(name, ..)| *name)
    }

    #[test]
    fn system_shortcuts_are_ignored() {
        use ModifiersState as Held;
        for held in [Held::CONTROL, Held::ALT, Held::SUPER, Held::CONTROL | Held::SHIFT] {
            assert_eq!(press("r", KeyCode::KeyR, held), None, "{held:?}");
        }
        for held in [Held::empty(), Held::SHIFT, Held::CONTROL | Held::ALT] {
            assert_eq!(press("r", KeyCode::KeyR, held), Some("r"), "{held:?}");
        }
    }

    /// Regression: Esc used to quit the program when nothing was open.
    #[test]
    fn only_ctrl_q_quits() {
        assert_eq!(press("q", KeyCode::KeyQ, ModifiersState::CONTROL), Some("Ctrl+Q"));
        assert_eq!(press("q", KeyCode::KeyQ, ModifiersState::empty()), None);
        let quits = KEYS.iter().filter(|(_, command, _)| matches!(command, Quit)).count();
        assert_eq!(quits, 1);
    }

    /// Regression: Ctrl+Q did nothing on a Cyrillic layout.
    #[test]
    fn ctrl_q_quits_in_any_layout() {
        for (text, code, quits) in
            [("й", KeyCode::KeyQ, true), ("q", KeyCode::KeyA, true), ("a", KeyCode::KeyQ, false)]
        {
            let found = press(text, code, ModifiersState::CONTROL);
            assert_eq!(found, quits.then_some("Ctrl+Q"), "{text}");
        }
    }

    #[test]
    fn every_key_is_bound_once_and_capitals_work() {
        for (k, (key, ..)) in KEYS.iter().enumerate() {
            assert!(KEYS[..k].iter().all(|(other, ..)| other != key), "{key} twice");
        }
        let name = |(name, ..): &Binding| *name;
        let typed = |text: &str| by_name(&Key::Character(text.into())).map(name);
        assert_eq!(typed("r"), Some("r"));
        assert_eq!(typed("G"), Some("g"));
        assert_eq!(typed("P"), Some("Space"));
        assert_eq!(typed("é"), None);
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
        let (none, shift) = (ModifiersState::empty(), ModifiersState::SHIFT);
        assert_eq!(press("к", KeyCode::KeyR, none), Some("r"));
        assert_eq!(press("ρ", KeyCode::KeyR, none), Some("r"));
        assert_eq!(press("ü", KeyCode::BracketLeft, none), Some("["));
        assert_eq!(press(",", KeyCode::Slash, shift), Some("?"));
        assert_eq!(press("f", KeyCode::KeyG, none), Some("f"));
        assert_eq!(press("è", KeyCode::Backquote, none), None);
    }
}
