use egui::{Color32, Ui};
use egui_plot::{HoverPosition, Legend, Line, Plot, PlotPoints, Points, uniform_grid_spacer};

use super::Panel;
use crate::session::comparison::{METHODS, Scaling};
use crate::window::ACCENT;
use crate::window::answer::{grouped, times};

const COLORS: [Color32; 2] = [Color32::from_rgb(86, 180, 233), ACCENT];

pub(super) fn show(ui: &Ui, cx: &Panel) {
    let Some(scaling) = &cx.frame.readings.scaling else { return };
    let mut open = true;
    let title = format!("scaling of {} on {} threads", scaling.scene, scaling.threads);
    let window = egui::Window::new(title).id("scaling".into()).open(&mut open);
    window.default_pos([12.0, 100.0]).collapsible(false).resizable(false).show(ui.ctx(), |ui| {
        ui.set_width(440.0);
        curves(ui, scaling);
        if let Some([agents, factor]) = scaling.gain() {
            let (factor, agents) = (times(factor), grouped(agents as usize));
            ui.heading(format!("cells are {factor} times as fast at {agents} agents"));
        }
        ui.label(match scaling.crossing() {
            Some(agents) => format!("cells are faster above about {agents:.0} agents"),
            None => "the curves do not cross".into(),
        });
        ui.weak(
            "A quick single run: each point is the fastest of a few steps. For intervals and all methods: \
             cargo run --release",
        );
    });
    if !open {
        cx.worker.send(|session| session.close_scaling());
    }
}

fn curves(ui: &mut Ui, scaling: &Scaling) {
    let plot = Plot::new("scaling")
        .height(260.0)
        .legend(Legend::default().position(egui_plot::Corner::LeftTop))
        .x_axis_label("agents")
        .y_axis_label("ms per step")
        .x_axis_formatter(|mark, _| power_of_ten(mark.value))
        .y_axis_formatter(|mark, _| power_of_ten(mark.value))
        .x_grid_spacer(uniform_grid_spacer(|_| [1.0, 1.0, 1.0]))
        .y_grid_spacer(uniform_grid_spacer(|_| [1.0, 1.0, 1.0]))
        .label_formatter(|at| {
            let HoverPosition::NearDataPoint { plot_name, position, .. } = at else { return None };
            let [agents, ms] = [position.x, position.y].map(|log| 10_f64.powf(log));
            Some(format!("{plot_name}\n{agents:.0} agents\n{ms:.4} ms"))
        });
    let still = plot.allow_scroll(false).allow_zoom(false).allow_drag(false);
    still.allow_boxed_zoom(false).show(ui, |plot| {
        for ((curve, (_, name)), color) in scaling.curves.iter().zip(METHODS).zip(COLORS) {
            let logs = || -> PlotPoints<'_> {
                let log =
                    |[agents, seconds]: &[f64; 2]| [agents.log10(), (1.0e3 * seconds).log10()];
                curve.iter().map(log).collect()
            };
            plot.line(Line::new(name, logs()).color(color));
            plot.points(Points::new(name, logs()).color(color).radius(3.0));
        }
    });
}

fn power_of_ten(exponent: f64) -> String {
    let exponent = exponent.round();
    match exponent < 0.0 {
        true => format!("{:.*}", -exponent as usize, 10_f64.powf(exponent)),
        false => grouped(10_f64.powf(exponent) as usize),
    }
}

#[cfg(test)]
mod tests {
    use super::power_of_ten;

    #[test]
    fn axes_are_labeled_with_numbers() {
        let labels = [-2.0, -1.0, 0.0, 1.0, 6.0].map(power_of_ten);
        assert_eq!(labels, ["0.01", "0.1", "1", "10", "1,000,000"]);
    }
}
