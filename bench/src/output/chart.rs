//! A chart: what it says, and its series as curves on logarithmic axes or as bars.

use askama::Template;

use crate::output::bars::{self, Bars};
use crate::output::curves::{self, Curves};
use crate::output::svg::{Shapes, WIDTH};

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
    height: f64,
    title: &'a str,
    shapes: String,
    alone: bool,
}

impl Chart {
    /// With its command and its caption from the template, in which `{}` stands for `value`.
    pub(crate) fn new(title: &'static str, value: &str, series: Series) -> Self {
        let texts = include_str!("../../templates/charts.txt").split("\n\n");
        let of_chart = |text: &'static str| text.strip_prefix(title)?.trim().split_once('\n');
        let (command, caption) = { texts }.find_map(of_chart).expect("every chart has a caption");
        Self { title, caption: caption.replace("{}", value), command, series }
    }

    /// Whether there is anything to draw.
    pub(crate) fn has_series(&self) -> bool {
        self.drawn().is_some()
    }

    /// The picture; in a file, with its own style.
    pub(crate) fn svg(&self, alone: bool) -> String {
        let (shapes, height) = self.drawn().unwrap_or_default();
        let shapes = shapes.into_string();
        let picture = Picture { height: height.round(), title: self.title, shapes, alone };
        picture.render().expect("a string takes all")
    }

    /// The shapes and their height.
    fn drawn(&self) -> Option<(Shapes, f64)> {
        match &self.series {
            Series::Curves(curves) => curves::draw(curves),
            Series::Bars(bars) => bars::draw(bars),
        }
    }
}
