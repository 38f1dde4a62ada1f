//! The viewer with a custom behavior: a shoal circles, and hungrier fish swim faster.
//! The program accepts the viewer's options; without options, it opens a window.
//!
//! `cargo run --release -p flockwork-viewer --example own_viewer -- --scene
//! viewer/examples/own_viewer.toml --color speed`

use std::process::ExitCode;

use flockwork::inspect::Feature;
use flockwork::kernel::{self, Batch, Force, Lanes, behavior};

behavior! {
    /// Circles a point at a given distance.
    struct Circle: "circle" {
        /// Multiplier applied to the force; 0 disables the behavior.
        weight: f32 = 2.0, 0.0 to 1.0e6;
        distance: f32 = 150.0, 1.0 to 1.0e4 "world units";
        center: flockwork::Target = flockwork::Target::Unset;
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        let (center, present) = batch.target(&self.center);
        let offset = batch.offset_to(center.position);
        batch.draw_circle(Feature::Range, center.position, L::splat(self.distance), present);

        let outside = offset.length() - L::splat(self.distance);
        let towards = offset.normalized();
        let desired = (towards.left() * batch.max_speed() + towards * outside).normalized();
        let hunger = batch.column(0);
        let grown = (hunger + L::splat(0.02 * batch.dt())).clamp(0.0, 1.0);
        batch.set_column(0, grown);
        let speed = batch.max_speed() * (hunger + L::splat(0.25));
        (desired * speed - batch.velocity()).keep(present).into()
    }

    fn columns(&self) -> Vec<&str> {
        vec!["hunger"]
    }
}

fn main() -> ExitCode {
    if let Err(error) = kernel::register::<Circle>() {
        eprintln!("error: {error}");
        return ExitCode::from(2);
    }
    flockwork_viewer::run()
}
