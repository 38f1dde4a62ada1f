//! The report as a picture: time per step against crowd size, both logarithmic.

use std::path::Path;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::Failure;
use crate::method::Method;
use crate::numbers::grouped;
use crate::report::{Report, cannot_write};
use crate::statistics::Crossing;

const SIZE: (u32, u32) = (1000, 700);
const FONT: &str = "Helvetica, Arial, sans-serif";
const INK: RGBColor = RGBColor(40, 40, 40);
const FAINT: RGBColor = RGBColor(150, 150, 150);

/// Okabe and Ito's colors, which color-blind eyes can tell apart.
fn color(method: Method) -> RGBColor {
    match method {
        Method::AllPairsScalar => RGBColor(213, 94, 0),
        Method::AllPairsSimd => RGBColor(230, 159, 0),
        Method::CellsScalar => RGBColor(204, 121, 167),
        Method::CellsSimd => RGBColor(0, 114, 178),
        Method::CellsSimdMt => RGBColor(0, 158, 115),
    }
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Draws the report into a file.
pub(crate) fn draw(report: &Report, path: &Path) -> Result<(), Failure> {
    let area = SVGBackend::new(path, SIZE).into_drawing_area();
    draw_on(report, &area).map_err(|error| cannot_write(path, &error))?;
    area.present().map_err(|error| cannot_write(path, &error))
}

fn draw_on(report: &Report, area: &Area<'_>) -> Result<(), Box<dyn std::error::Error>> {
    area.fill(&WHITE)?;
    let Some(bounds) = Bounds::of(report) else { return Ok(()) };
    let title = (FONT, 24).into_font().color(&INK);
    let subtitle = (FONT, 14).into_font().color(&FAINT);
    area.draw(&Text::new("Time per step against number of agents", (84, 22), title))?;
    let machine = &report.machine;
    let about = format!(
        "{}, {} cores, {} lanes · {} neighbors on average · medians with 95 % intervals",
        machine.cpu, machine.cores, machine.lanes, report.mean_neighbors
    );
    area.draw(&Text::new(about, (84, 52), subtitle))?;

    let mut chart = ChartBuilder::on(area)
        .margin(16)
        .margin_top(78)
        .margin_right(30)
        .x_label_area_size(54)
        .y_label_area_size(70)
        .build_cartesian_2d(
            (bounds.n.0..bounds.n.1).log_scale(),
            (bounds.ms.0..bounds.ms.1).log_scale(),
        )?;
    chart
        .configure_mesh()
        .x_desc("agents")
        .y_desc("milliseconds per step")
        .axis_desc_style((FONT, 16).into_font().color(&INK))
        .label_style((FONT, 14).into_font().color(&INK))
        .x_label_formatter(&|n| grouped(n.round() as usize))
        .y_label_formatter(&|ms| plain(*ms))
        .bold_line_style(RGBColor(225, 225, 225))
        .light_line_style(WHITE)
        .axis_style(FAINT)
        .draw()?;

    // What n and n² look like, from the lower left corner of what was measured.
    for (power, name) in [(1.0, "∝ n"), (2.0, "∝ n²")] {
        let anchor = bounds.guide_anchor(report, power);
        let line = bounds.guide(anchor, power);
        // Inside the frame and clear of the markers above the line.
        let Some(&(n, ms)) = line.get(line.len() * 9 / 10) else { continue };
        chart.draw_series(DashedLineSeries::new(line, 5, 5, FAINT.stroke_width(1)))?;
        let style = (FONT, 15).into_font().color(&FAINT).pos(Pos::new(HPos::Left, VPos::Top));
        chart.draw_series([Text::new(name, (n * 1.05, ms / 1.05), style)])?;
    }

    for method in Method::ALL {
        let points: Vec<(f64, f64)> = report
            .rows_of(method)
            .map(|row| (row.n as f64, row.seconds_per_step() * 1.0e3))
            .collect();
        if points.is_empty() {
            continue;
        }
        let stroke = color(method).stroke_width(2);
        let label = match report.slopes.get(method.id()) {
            Some(slope) => format!("{}: N^{:.2}", method.id(), slope.slope),
            None => method.id().to_owned(),
        };
        chart.draw_series(LineSeries::new(points.clone(), stroke))?.label(label).legend(
            move |(x, y)| PathElement::new([(x, y), (x + 26, y)], color(method).stroke_width(3)),
        );
        chart.draw_series(report.rows_of(method).map(|row| {
            let to_ms = 1.0e-6 * row.n as f64;
            let [low, high] = row.interval_ns_per_agent_step;
            let middle = row.median_ns_per_agent_step * to_ms;
            ErrorBar::new_vertical(row.n as f64, low * to_ms, middle, high * to_ms, stroke, 6)
        }))?;
        chart.draw_series(
            points.into_iter().map(|point| Circle::new(point, 4, color(method).filled())),
        )?;
    }

    for crossover in &report.crossovers {
        if let (Crossing::At(n), true) = (crossover.n, crossover.cells == Method::CellsSimd) {
            let line = vec![(n, bounds.ms.0), (n, bounds.ms.1)];
            chart.draw_series(DashedLineSeries::new(line, 2, 4, INK.stroke_width(1)))?;
            let style = (FONT, 14).into_font().color(&INK);
            let label = format!(" cells win from {}", grouped(n.round() as usize));
            chart.draw_series([Text::new(label, (n, bounds.ms.0 * 1.5), style)])?;
        }
    }

    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .margin(14)
        .legend_area_size(36)
        .label_font((FONT, 15).into_font().color(&INK))
        .background_style(WHITE.mix(0.9))
        .border_style(RGBColor(225, 225, 225))
        .draw()?;
    Ok(())
}

/// The ranges of the axes.
struct Bounds {
    n: (f64, f64),
    ms: (f64, f64),
}

impl Bounds {
    fn of(report: &Report) -> Option<Self> {
        let range = |values: &mut dyn Iterator<Item = f64>| {
            values.fold(None, |range: Option<(f64, f64)>, value| {
                let (low, high) = range.unwrap_or((value, value));
                Some((low.min(value), high.max(value)))
            })
        };
        let n = range(&mut report.rows.iter().map(|row| row.n as f64))?;
        let ms = range(&mut report.rows.iter().map(|row| row.seconds_per_step() * 1.0e3))?;
        Some(Self { n: (n.0 / 1.4, n.1 * 1.4), ms: (ms.0 / 2.0, ms.1 * 2.0) })
    }

    /// Guides start at the fastest time of the smallest crowd, a little below it.
    fn guide_anchor(&self, report: &Report, power: f64) -> (f64, f64) {
        let wanted = |method: &Method| (method.expected_slope() - power).abs() < 0.1;
        let rows = report.rows.iter().filter(|row| wanted(&row.method));
        let last = rows.max_by(|a, b| {
            (a.n, -a.seconds_per_step()).partial_cmp(&(b.n, -b.seconds_per_step())).expect("finite")
        });
        let anchor = last.map(|row| (row.n as f64, row.seconds_per_step() * 1.0e3));
        anchor.map_or((self.n.0, self.ms.0), |(n, ms)| (n, ms / 1.8))
    }

    /// A line of the given power through `anchor`, within the axes.
    fn guide(&self, (n, ms): (f64, f64), power: f64) -> Vec<(f64, f64)> {
        let at = |x: f64| (x, ms * (x / n).powf(power));
        // The crossover's label stands at the bottom.
        let floor = self.ms.0 * 3.0;
        let low = self.n.0.max(n * (floor / ms).powf(1.0 / power));
        let high = self.n.1.min(n * (self.ms.1 / ms).powf(1.0 / power));
        const POINTS: i32 = 64;
        (0..=POINTS)
            .map(|k| at(low * (high / low).powf(f64::from(k) / f64::from(POINTS))))
            .collect()
    }
}

/// 0.001, 10, 1,000.
fn plain(value: f64) -> String {
    if value >= 1.0 { grouped(value.round() as usize) } else { format!("{value}") }
}
