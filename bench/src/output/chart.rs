//! A chart: what it says, and its series as curves on logarithmic axes or as bars. It is drawn at
//! two widths, so that text has its size on a phone, too.

use askama::Template;

use crate::output::bars::{self, Bars};
use crate::output::curves::{self, Curve, Curves};
use crate::output::svg::{NARROW, Shapes, WIDE};

pub(crate) struct Chart {
    pub(crate) title: &'static str,
    pub(crate) caption: String,
    /// The subcommand that measures its rows.
    pub(crate) command: &'static str,
    pub(crate) series: Series,
}

pub(crate) enum Series {
    Curves(Curves),
    Bars(Bars),
}

#[derive(Template)]
#[template(path = "picture.svg")]
struct Picture<'a> {
    width: f64,
    height: f64,
    title: &'a str,
    shapes: String,
    alone: bool,
}

impl Chart {
    /// Whether there is anything to draw.
    pub(crate) fn has_series(&self) -> bool {
        match &self.series {
            Series::Curves(curves) => curves.curves.iter().any(|curve| !curve.points.is_empty()),
            Series::Bars(bars) => !bars.bars.is_empty(),
        }
    }

    /// Names and colors, for pictures too narrow for the names of curves.
    pub(crate) fn legend(&self) -> &[Curve] {
        match &self.series {
            Series::Curves(curves) => &curves.curves,
            Series::Bars(_) => &[],
        }
    }

    /// The picture on the page.
    pub(crate) fn wide(&self) -> String {
        self.svg(WIDE, false)
    }

    /// The picture on narrow screens.
    pub(crate) fn narrow(&self) -> String {
        self.svg(NARROW, false)
    }

    /// The picture in a file, with its own style.
    pub(crate) fn alone(&self) -> String {
        self.svg(WIDE, true)
    }

    fn svg(&self, width: f64, alone: bool) -> String {
        let (shapes, height) = self.shapes(width).unwrap_or_default();
        let shapes = shapes.into_string();
        let picture = Picture { width, height: height.round(), title: self.title, shapes, alone };
        picture.render().expect("a string takes all")
    }

    /// The shapes and their height.
    fn shapes(&self, width: f64) -> Option<(Shapes, f64)> {
        match &self.series {
            Series::Curves(curves) => curves::draw(curves, width),
            Series::Bars(bars) => bars::draw(bars, width),
        }
    }
}
