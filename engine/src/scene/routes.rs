//! Tasks for solving the routes of a scene: the positions of goals and the sizes of followers.

use std::collections::HashSet;

use crate::behaviors::Behavior;
use crate::crowd::limits::Limit;
use crate::error::{Error, within};
use crate::math::vec3::Vec3;
use crate::scene::Scene;
use crate::scenery::route::task::{GoalShape, MAX_CELL, Task};
use crate::scenery::route::{Area, Goal, Line, Route};
use crate::world::Topology;
use crate::world::point::Point;
use crate::world::space::Space;

/// Named goals are rounded to this fraction of a cell, so that a route is solved again only if a
/// goal has moved noticeably.
const ROUNDED_TO: f32 = 0.25;

impl Scene {
    /// Checks the routes, and returns a task for each.
    pub(crate) fn route_tasks(&self, space: &Space) -> Result<Vec<Task>, Error> {
        let mut names = HashSet::new();
        let tasks = self.routes.iter().enumerate().map(|(k, route)| {
            let field = format!("routes[{k}]");
            if !space.is_flat() {
                let allowed = "used in a flat world: routes lead along a floor";
                return Err(Error::refused(field, &route.name, allowed));
            }
            if !names.insert(&route.name) {
                let field = format!("{field}.name");
                return Err(Error::refused(field, &route.name, "unique among route names"));
            }
            self.route_task(field, route, space)
        });
        tasks.collect()
    }

    fn route_task(&self, field: String, route: &Route, space: &Space) -> Result<Task, Error> {
        let (_, _, most, unit) = Limit::Radius.range();
        let followers = self.species.iter().filter(|species| {
            species.behaviors.iter().any(|behavior| {
                matches!(behavior, Behavior::FlowFollowing(follow) if follow.route.as_ref() == Some(&route.name))
            })
        });
        let (mut smallest, mut largest) = (f32::INFINITY, 0.0_f32);
        for species in followers {
            let radius = &species.radius;
            if let Some(route_radius) =
                route.radius.filter(|&route_radius| radius.max() > route_radius)
            {
                let allowed =
                    format!("at least {}, the radius of species `{}`", radius.max(), species.name);
                return Err(Error::refused(format!("{field}.radius"), route_radius, allowed));
            }
            (smallest, largest) = (smallest.min(radius.min()), largest.max(radius.max()));
        }
        let has_no_followers = smallest == f32::INFINITY;
        let Some(radius) = route.radius.or((!has_no_followers).then_some(largest)) else {
            let allowed = "set, because no species follows the route";
            return Err(Error::refused(format!("{field}.radius"), "unset", allowed));
        };
        within(&format!("{field}.radius"), radius, 0.0, most, unit)?;
        let smallest = if has_no_followers { radius } else { smallest };
        if smallest <= 0.0 {
            let allowed = "above 0, as the radii of all species that follow the route";
            return Err(Error::refused(format!("{field}.radius"), smallest, allowed));
        }
        let max_cell = MAX_CELL * smallest;
        let cell = route.cell.unwrap_or(max_cell);
        if !(cell > 0.0 && cell <= max_cell) {
            let allowed =
                format!("above 0 and at most {max_cell} world units, 0.7 of the smallest radius");
            return Err(Error::refused(format!("{field}.cell"), cell, allowed));
        }
        let mut goals = Vec::new();
        self.add_goals(&format!("{field}.goal"), &route.goal, (cell, space), &mut goals)?;
        if goals.is_empty() {
            return Err(Error::refused(format!("{field}.goal"), "empty", "at least one goal"));
        }
        Ok(Task { name: route.name.clone(), field, goals, radius, cell, max_cell })
    }

    fn add_goals(
        &self,
        field: &str,
        goal: &Goal,
        (cell, space): (f32, &Space),
        goals: &mut Vec<GoalShape>,
    ) -> Result<(), Error> {
        let position = |field: String, point: Point| {
            point.check_in(&field, space.axes())?;
            let at = Vec3::from(point);
            if space.topology != Topology::Open {
                space.check_position(&field, at)?;
            }
            Ok(at)
        };
        match goal {
            &Goal::Point(point) => {
                goals.push(GoalShape::Line([position(field.into(), point)?; 2]));
            }
            Goal::Named(name) => {
                self.check_point(name).map_err(|error| error.in_field(field.into()))?;
                let at = position(format!("points.{name}"), self.points[name])?;
                let step = cell * ROUNDED_TO;
                let rounded = at.map(|along| (along / step).round() * step);
                let inside = |rounded: f32, size: f32| rounded.clamp(0.0, size);
                let is_open = space.topology == Topology::Open;
                let rounded = if is_open { rounded } else { rounded.zip(space.size, inside) };
                goals.push(GoalShape::Line([rounded; 2]));
            }
            Goal::Line { line: Line { a, b } } => {
                let a = position(format!("{field}.line.a"), *a)?;
                goals.push(GoalShape::Line([a, position(format!("{field}.line.b"), *b)?]));
            }
            Goal::Box { area: Area { low, high } } => {
                let from = position(format!("{field}.box.low"), *low)?;
                let to = position(format!("{field}.box.high"), *high)?;
                if !from.all_le(to) {
                    let value = space.written(to);
                    let allowed = "the corner with the largest coordinates";
                    return Err(Error::refused(format!("{field}.box.high"), value, allowed));
                }
                goals.push(GoalShape::Box([from, to]));
            }
            Goal::AnyOf(several) => {
                for (k, goal) in several.iter().enumerate() {
                    self.add_goals(&format!("{field}[{k}]"), goal, (cell, space), goals)?;
                }
            }
        }
        Ok(())
    }
}
