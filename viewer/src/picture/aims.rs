//! What the agents of a small crowd aim at, as thin lines, and the circles of those that only wander.

use flockwork::{Feature, Shape, Simulation};

use super::camera::Camera;
use crate::raster::shapes::{Rasterizer, Tint};

/// Scenes of more agents are crowds: lines would hide them.
pub(crate) const FEW: usize = 64;
const TINT: Tint = Tint { opacity: 0.4, ..Tint::new([136, 148, 172]) };
/// Radius of the ring at the end of a line, in pixels.
const RING: f32 = 3.0;

/// A line from an agent to where it wants to be, or a circle that it wanders by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Aim {
    pub(crate) ends: [[f32; 2]; 2],
    /// Of the circle around the second end, in world units; a line ends in a small ring.
    pub(crate) circle: Option<f32>,
}

/// The aims of a crowd's agents; none if there are many.
pub(crate) fn aims(simulation: &mut Simulation) -> Vec<Aim> {
    if simulation.len() > FEW {
        return Vec::new();
    }
    // Beside other aims, wandering is no aim.
    let mut behaviors = simulation.scene().species.iter().flat_map(|kind| &kind.behaviors);
    let wander = behaviors.all(|behavior| behavior.name() == "wander");
    let ids: Vec<_> = simulation.ids().collect();
    let mut aims = Vec::new();
    for id in ids {
        // An agent that cannot be explained has no aim to show.
        let (Ok(why), Ok(state)) = (simulation.explain(id), simulation.agent(id)) else { continue };
        let marks = why.contributions.iter().flat_map(|contribution| &contribution.marks);
        aims.extend(marks.filter_map(|mark| {
            use Feature::{HidingPlace, Place, Target, WanderCircle, WanderTarget, Waypoint};
            let (at, circle) = match (mark.feature, mark.shape) {
                (Target | Place | HidingPlace, Shape::Point(at)) => (at, None),
                (WanderTarget, Shape::Point(at)) if wander => (at, None),
                (Waypoint, Shape::Circle { center, .. }) => (center, None),
                (WanderCircle, Shape::Circle { center, radius }) if wander => {
                    (center, Some(radius))
                }
                _ => return None,
            };
            let [x, y] = state.position;
            let [dx, dy] = simulation.displacement(state.position, at);
            Some(Aim { ends: [[x, y], [x + dx, y + dy]], circle })
        }));
    }
    aims
}

/// Draws aims with the world's origin at `image`.
pub(crate) fn draw(
    aims: &[Aim],
    camera: &Camera,
    image: [f32; 2],
    rasterizer: &mut Rasterizer<'_>,
) {
    for aim in aims {
        let [from, to] = aim.ends.map(|[x, y]| camera.to_screen([x + image[0], y + image[1]]));
        match aim.circle {
            Some(radius) => rasterizer.ring(to, radius * camera.zoom, 1.0, TINT),
            None => {
                rasterizer.line([from, to], 1.0, TINT);
                rasterizer.ring(to, RING * rasterizer.scale, 1.0, TINT);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flockwork::{Scene, Seek, Species, World};

    #[test]
    fn aims_lead_to_the_nearest_image_of_the_target() {
        let seek = Seek { target: [90.0, 50.0].into(), ..Seek::default() };
        let kind = Species::new("seeker", 0).steer(seek);
        let mut one = Scene::new(World::torus(100.0, 100.0)).species(kind).build().unwrap();
        one.spawn("seeker", [10.0, 50.0], [1.0, 0.0]).unwrap();
        let expected = Aim { ends: [[10.0, 50.0], [-10.0, 50.0]], circle: None };
        assert_eq!(aims(&mut one), [expected]);
    }

    #[test]
    fn hunters_hiders_and_guards_have_aims_and_crowds_have_none() {
        for (scene, some) in [
            ("hide", true),
            ("interpose", true),
            ("arrive", true),
            ("wander", true),
            ("flock", false),
        ] {
            let mut crowd = Scene::named(scene).unwrap().build().unwrap();
            crowd.run(30).unwrap();
            assert_eq!(!aims(&mut crowd).is_empty(), some, "{scene}");
        }
    }
}
