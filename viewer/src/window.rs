mod answer;
pub(crate) mod app;
mod keys;
mod legend;
mod mouse;
mod panel;
mod screen;

use egui::{Color32, Context, Theme};

pub(super) const GROUND: Color32 = Color32::from_rgb(20, 22, 28);
pub(super) const TEXT: Color32 = Color32::from_rgb(190, 196, 208);
const WEAK_TEXT: Color32 = Color32::from_rgb(146, 152, 166);
pub(super) const ACCENT: Color32 = Color32::from_rgb(230, 159, 0);
pub(super) const BACKDROP: Color32 = Color32::from_rgba_unmultiplied_const(20, 22, 28, 231);

pub(super) fn apply(context: &Context) {
    context.set_theme(Theme::Dark);
    // egui handles a press and its release in separate frames. On a slow machine, more time
    // passes between frames than egui allows for a click.
    context.options_mut(|options| options.input_options.max_click_duration = f64::INFINITY);
    context.style_mut_of(Theme::Dark, |style| {
        let visuals = &mut style.visuals;
        visuals.widgets.noninteractive.fg_stroke.color = TEXT;
        visuals.weak_text_color = Some(WEAK_TEXT);
    });
}

pub(super) fn color32(channels: [f32; 3]) -> Color32 {
    let [red, green, blue] = channels.map(|channel| channel as u8);
    Color32::from_rgb(red, green, blue)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::explanation;

    /// Contrast ratio as defined by the Web Content Accessibility Guidelines.
    fn contrast(text: Color32, ground: Color32) -> f64 {
        let luminance = |color: Color32| {
            let [red, green, blue] = [color.r(), color.g(), color.b()].map(|channel| {
                let channel = f64::from(channel) / 255.0;
                if channel <= 0.040_45 {
                    channel / 12.92
                } else {
                    ((channel + 0.055) / 1.055).powf(2.4)
                }
            });
            0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05
        };
        let (a, b) = (luminance(text), luminance(ground));
        a.max(b) / a.min(b)
    }

    /// Regression: descriptions, hints and headings were dark gray on near-black, and the legend
    /// had no background.
    #[test]
    fn text_has_a_contrast_of_at_least_4_5() {
        let context = Context::default();
        apply(&context);
        let visuals = context.style_of(Theme::Dark).visuals.clone();
        let grounds = [GROUND, visuals.window_fill, visuals.extreme_bg_color, visuals.panel_fill]
            .into_iter()
            .flat_map(|ground| [ground, ground + visuals.faint_bg_color]);
        let over = [Color32::BLACK, Color32::WHITE].map(|picture| picture.blend(BACKDROP));
        let mut texts = vec![TEXT, ACCENT, Color32::LIGHT_RED, Color32::LIGHT_YELLOW];
        texts.extend([visuals.text_color(), visuals.weak_text_color()]);
        texts.extend([visuals.strong_text_color(), visuals.warn_fg_color]);
        let forces = (0..7).map(|force| {
            let [red, green, blue] = explanation::color(force).1.color;
            Color32::from_rgb(red, green, blue)
        });
        let mut pairs: Vec<(Color32, Color32)> = grounds
            .chain(over)
            .flat_map(|ground| texts.iter().map(move |text| (*text, ground)))
            .collect();
        pairs.extend(
            forces.flat_map(|force| [(force, GROUND), (force, GROUND + visuals.faint_bg_color)]),
        );
        let widgets = &visuals.widgets;
        for state in [&widgets.inactive, &widgets.hovered, &widgets.active, &widgets.open] {
            pairs
                .extend([state.weak_bg_fill, state.bg_fill].map(|fill| (state.text_color(), fill)));
        }
        pairs.push((visuals.selection.stroke.color, visuals.selection.bg_fill));
        for (text, ground) in pairs {
            let found = contrast(text, ground);
            assert!(found >= 4.5, "{text:?} on {ground:?}: {found:.2}");
        }
    }
}
