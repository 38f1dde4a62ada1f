use super::camera::Camera;
use super::light::exposure::AgentMark;
use super::triangles;
use super::view::{MAX_SIZE, View};

/// Every mark is clickable within at least this many pixels, so that small marks are easy to hit.
const RADIUS: f32 = 16.0;

/// Returns the index (as in `AgentId`) of the agent whose mark is at a pixel position. If marks
/// overlap there, picks the one with the smallest distance relative to its size, or in a turned
/// world, the one nearest to the viewer.
pub(crate) fn pick(view: &View, marks: &[AgentMark], camera: &Camera, at: [f32; 2]) -> Option<u32> {
    let radius = |slot: usize| {
        let mark = marks.get(view.kind(slot)).map_or(0.0, |mark| mark.radius);
        mark * view.size(slot)
    };
    let largest = marks.iter().map(|mark| mark.radius).fold(0.0, f32::max);
    let largest = triangles::extent(MAX_SIZE * largest).max(RADIUS) / camera.zoom;
    let mut best = (1.0, None);
    let mut nearest = (f32::MIN, None);
    for camera in view.cameras(camera) {
        let point = camera.to_world(at);
        let near = |k: usize, low: [f32; 2], high: [f32; 2]| {
            point[k] >= low[k] - largest && point[k] <= high[k] + largest
        };
        for chunk in &view.chunks {
            if !(near(0, chunk.low, chunk.high) && near(1, chunk.low, chunk.high)) {
                continue;
            }
            for slot in chunk.slots.clone() {
                let (dx, dy) = (view.x[slot] - point[0], view.y[slot] - point[1]);
                let (pixels, radius) = ((dx * dx + dy * dy).sqrt() * camera.zoom, radius(slot));
                let away = pixels / triangles::extent(radius).max(RADIUS);
                if away <= best.0 {
                    best = (away, Some(view.index[slot]));
                }
                if let Some(&z) = view.z.get(slot)
                    && pixels <= radius
                    && z >= nearest.0
                {
                    nearest = (z, Some(view.index[slot]));
                }
            }
        }
    }
    nearest.1.or(best.1)
}

#[cfg(test)]
mod tests {
    use flockwork::{Scene, Species, World};

    use super::*;
    use crate::picture::projection::Angle;
    use crate::picture::view::{ColorBy, Look};

    fn picked(view: &View, camera: &Camera, at: [f32; 2]) -> Option<u32> {
        let marks = view
            .radii
            .iter()
            .map(|radius| AgentMark { radius: radius * camera.zoom, ..AgentMark::default() });
        pick(view, &marks.collect::<Vec<_>>(), camera, at)
    }

    fn view() -> View {
        let kind = |name, radius: f32| Species { radius: radius.into(), ..Species::new(name, 0) };
        let scene = Scene::new(World::torus(100.0, 100.0));
        let mut two = scene.species(kind("shark", 5.0)).species(kind("fish", 0.5)).build().unwrap();
        two.spawn("shark", [2.0, 50.0], [1.0, 0.0]).unwrap();
        two.spawn("fish", [50.0, 50.0], [1.0, 0.0]).unwrap();
        View::of(&two, ColorBy::Heading)
    }

    #[test]
    fn all_of_a_mark_is_picked_when_zoomed_in() {
        let view = view();
        for zoom in [1.0, 10.0, 40.0] {
            let camera = Camera::new([2.0, 50.0], zoom, [400.0, 400.0]);
            let [x, y] = camera.to_screen([2.0, 50.0]);
            let inside = 0.9 * (5.0 * zoom).max(8.0);
            assert_eq!(picked(&view, &camera, [x + inside, y]), Some(0), "at {zoom}");
            let outside = 2.1 * (5.0 * zoom).max(8.0);
            assert_eq!(picked(&view, &camera, [x + outside, y + outside]), None, "at {zoom}");
        }
    }

    #[test]
    fn in_a_turned_world_the_nearer_of_two_agents_is_picked_where_they_are_drawn() {
        let kind = Species { radius: 3.0.into(), ..Species::new("bird", 0) };
        let scene = Scene::new(World::bounded(100.0, 80.0).depth(60.0)).species(kind);
        let mut crowd = scene.build().unwrap();
        let places = [[50.0, 70.0, 30.0], [51.0, 10.0, 30.0], [20.0, 40.0, 50.0]];
        let [far, near, aside] =
            places.map(|at| crowd.spawn("bird", at, [1.0, 0.0, 0.0]).unwrap().index);
        for (yaw, pitch, first) in [(0.0, 0.0, near), (180.0, 0.0, far)] {
            let mut view = View::default();
            view.update(&crowd, Look { angle: Angle { yaw, pitch }, ..Look::default() });
            let camera = view.fit((400, 300));
            let at = |k: usize| {
                let [x, y, _] = view.projection.place(places[k]);
                camera.to_screen([x, y])
            };
            assert_eq!(picked(&view, &camera, at(0)), Some(first), "{yaw}");
            assert_eq!(picked(&view, &camera, at(1)), Some(first), "{yaw}");
            assert_eq!(picked(&view, &camera, at(2)), Some(aside), "{yaw}");
        }
    }

    #[test]
    fn what_is_drawn_in_a_periodic_image_is_picked() {
        let view = view();
        let camera = Camera::new([100.0, 50.0], 3.0, [400.0, 400.0]);
        for place in [[102.0, 50.0], [2.0, 50.0]] {
            assert_eq!(picked(&view, &camera, camera.to_screen(place)), Some(0), "{place:?}");
        }
        assert_eq!(picked(&view, &camera, camera.to_screen([50.0, 50.0])), Some(1));
        assert_eq!(picked(&view, &camera, camera.to_screen([75.0, 20.0])), None);
    }
}
