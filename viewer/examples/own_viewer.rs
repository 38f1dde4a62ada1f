//! The viewer with a behavior of your own: a shoal that circles, each fish faster the hungrier it
//! is. Takes the viewer's options; without any, it opens a window.
//!
//! `cargo run --release -p flockwork-viewer --example own_viewer -- --scene
//! viewer/examples/own_viewer.toml --color hunger`

use std::process::ExitCode;

use flockwork::What;
use flockwork::custom::{self, Batch, CustomBehavior, Force, Lanes, WEIGHT, fields, number};
use serde::{Deserialize, Serialize};

/// Steers around a point at a distance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Circle {
    weight: f32,
    distance: f32,
    center: flockwork::Target,
}

impl Default for Circle {
    fn default() -> Self {
        Self { weight: 2.0, distance: 150.0, center: flockwork::Target::Unset }
    }
}

impl CustomBehavior for Circle {
    const NAME: &'static str = "circle";

    fields! {
        weight: WEIGHT,
        distance: number(1.0, 1.0e4, "world units"),
        center: custom::CHOICE,
    }

    fn weight(&self) -> f32 {
        self.weight
    }

    fn columns(&self) -> Vec<&str> {
        vec!["hunger"]
    }

    #[inline(always)]
    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        let (center, present) = batch.target(&self.center);
        let way = batch.way_to(center.position);
        batch.draw_point(What::Target, center.position);
        batch.draw_circle(What::Range, center.position, L::splat(self.distance));

        let outside = way.length() - L::splat(self.distance);
        let towards = way.normalized();
        let desired = (towards.perp() * batch.max_speed() + towards * outside).normalized();
        let hunger = batch.column(0);
        let grown = (hunger + L::splat(0.02 * batch.dt())).limited(0.0, 1.0);
        batch.set_column(0, grown);
        let speed = batch.max_speed() * (hunger + L::splat(0.25));
        (desired * speed - batch.velocity()).keep(present).into()
    }
}

fn main() -> ExitCode {
    if let Err(error) = custom::register::<Circle>() {
        eprintln!("error: {error}");
        return ExitCode::from(2);
    }
    flockwork_viewer::run()
}
