use std::fmt::Debug;

use serde::{Deserialize, Serialize};

use crate::error::{Error, within};
use crate::world::COORDINATE_LIMIT;
use crate::world::point::Point;
use crate::world::space::Space;

/// Start area, heading and speed of a species' agents.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[must_use]
pub struct Start {
    /// Start area; anywhere in the world by default.
    pub place: StartPlace,
    /// Initial heading in degrees, from -360 to 360, counterclockwise from the +x axis; random by
    /// default.
    pub heading: Option<f32>,
    /// Initial speed as a fraction of the maximum speed, from 0 to 1; 1 by default.
    pub speed: Option<f32>,
}

/// Area in which the agents of a species start. Agents are distributed uniformly over the part of
/// the area inside the world. On a torus, the area continues across the seam.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum StartPlace {
    /// Uniformly at random within the world's width and height.
    #[default]
    Anywhere,
    /// Uniformly at random within a circle.
    Circle {
        /// Center, in world units; each coordinate is within ±1e7.
        center: Point,
        /// Radius, in world units, from 0 to 1e7.
        radius: f32,
    },
    /// Uniformly at random within a rectangle.
    Box {
        /// Corner with the smallest coordinates, in world units, within ±1e7.
        low: Point,
        /// Corner with the largest coordinates, in world units, within ±1e7.
        high: Point,
    },
    /// In circles around random centers.
    Clusters {
        /// Number of circles, from 1 to 1e6.
        count: u32,
        /// Radius of each circle, in world units, from 0 to 1e7.
        radius: f32,
    },
}

impl Start {
    /// Starts agents within a circle. Both arguments are in world units; `radius` is from 0 to 1e7.
    pub fn in_circle(center: impl Into<Point>, radius: f32) -> Self {
        let center = center.into();
        Self { place: StartPlace::Circle { center, radius }, ..Self::default() }
    }

    /// Starts agents within a rectangle, given by the corners with the smallest and largest
    /// coordinates, in world units.
    pub fn in_box(low: impl Into<Point>, high: impl Into<Point>) -> Self {
        let (low, high) = (low.into(), high.into());
        Self { place: StartPlace::Box { low, high }, ..Self::default() }
    }

    /// Starts agents in `count` circles around random centers; `count` is from 1 to 1e6.
    /// `radius` is in world units, from 0 to 1e7.
    pub fn in_clusters(count: u32, radius: f32) -> Self {
        Self { place: StartPlace::Clusters { count, radius }, ..Self::default() }
    }

    setters! {
        /// Sets the initial heading, from -360 to 360 degrees, counterclockwise from the +x axis.
        heading(degrees: f32) = Some(degrees);
        /// Sets the initial speed as a fraction of the maximum speed, from 0 to 1.
        speed(fraction: f32) = Some(fraction);
    }

    pub(crate) fn check(&self, path: &str) -> Result<(), Error> {
        let field = |name: &str| format!("{path}.{name}");
        within(&field("heading"), self.heading, -360.0, 360.0, "degrees")?;
        within(&field("speed"), self.speed, 0.0, 1.0, "of the maximum speed")?;
        match &self.place {
            StartPlace::Anywhere => Ok(()),
            StartPlace::Circle { center, radius } => {
                center.check(&field("place.circle.center"))?;
                within(&field("place.circle.radius"), *radius, 0.0, 1.0e7, "world units")
            }
            StartPlace::Box { low, high } => {
                low.check(&field("place.box.low"))?;
                high.check(&field("place.box.high"))?;
                (0..low.len().min(high.len())).try_for_each(|axis| {
                    let field = field(&format!("place.box.high[{axis}]"));
                    within(&field, high[axis], low[axis], COORDINATE_LIMIT, "world units")
                })
            }
            StartPlace::Clusters { count, radius } => {
                within(&field("place.clusters.count"), *count as f32, 1.0, 1.0e6, "")?;
                within(&field("place.clusters.radius"), *radius, 0.0, 1.0e7, "world units")
            }
        }
    }

    /// Rejects a start area that is entirely outside the world: no agent could start there.
    pub(crate) fn check_inside(&self, path: &str, space: &Space) -> Result<(), Error> {
        let check_axes = |name: &str, point: Point| {
            point.check_axes(&format!("{path}.place.{name}"), space.axes())
        };
        let everywhere = [[f32::NEG_INFINITY; 3], [f32::INFINITY; 3]];
        let [low, high] = space.bounds().unwrap_or(everywhere);
        let size = &<[f32; 3]>::from(space.size)[..space.axes()];
        let size: Vec<String> = size.iter().map(f32::to_string).collect();
        let size = size.join(" × ");
        let refuse = |field: &str, value: &dyn Debug, allowed: String| {
            let allowed = format!("{allowed}: the world is {size} world units");
            Err(Error::refused(format!("{path}.place.{field}"), format!("{value:?}"), allowed))
        };
        match self.place {
            StartPlace::Anywhere | StartPlace::Clusters { .. } => Ok(()),
            StartPlace::Box { low: from, high: to } => {
                check_axes("box.low", from)?;
                check_axes("box.high", to)?;
                (0..space.axes()).try_for_each(|axis| {
                    if from[axis] < low[axis] && to[axis] <= low[axis] {
                        let allowed = format!("above {}", low[axis]);
                        return refuse(&format!("box.high[{axis}]"), &to[axis], allowed);
                    }
                    if to[axis] > high[axis] && from[axis] >= high[axis] {
                        let allowed = format!("below {}", high[axis]);
                        return refuse(&format!("box.low[{axis}]"), &from[axis], allowed);
                    }
                    Ok(())
                })
            }
            StartPlace::Circle { center, radius } => {
                check_axes("circle.center", center)?;
                let away = (0..space.axes()).fold(0.0, |away: f64, axis| {
                    let nearest = center[axis].clamp(low[axis], high[axis]);
                    away.hypot(f64::from(center[axis]) - f64::from(nearest))
                });
                if away == 0.0 || away < f64::from(radius) {
                    return Ok(());
                }
                let allowed =
                    format!("inside the world, or closer to it than the radius, {radius}");
                refuse("circle.center", &&center[..], allowed)
            }
        }
    }
}

/// Rule that gives each agent its own target at the start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OwnTarget {
    /// The previous agent of the same species, so that the agents move in single file.
    /// The first agent has no target.
    Previous,
    /// The previous agent of the same species; the first agent targets the first agent of the named
    /// species.
    SingleFile(String),
    /// The agent with the same number in the named species, modulo the size of that species.
    EachOf(String),
}
