//! Trails of single agents: fading lines behind them. A long trail has no more vertices than a short
//! one.

use std::collections::VecDeque;

use flockwork::{AgentId, Simulation, Topology};

/// Maximum number of vertices of a trail.
const MAX_VERTICES: f32 = 32.0;
/// Maximum number of vertices per simulated second.
const VERTICES_PER_SECOND: f32 = 20.0;

/// Records where agents were.
#[derive(Default)]
pub(crate) struct Trails {
    /// Length of trails in simulated seconds; 0 for none.
    seconds: f32,
    /// The crowd that was recorded.
    crowd: Crowd,
    /// Oldest first. The newest is from the latest step, the others are vertices.
    samples: VecDeque<Sample>,
}

#[derive(Default, PartialEq)]
struct Crowd {
    scene: String,
    world: [f32; 2],
    repeats: bool,
    steps_per_second: f32,
}

#[derive(Default)]
struct Sample {
    tick: u64,
    positions: Vec<(AgentId, [f32; 2])>,
}

/// A segment of a trail in world units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Segment {
    /// The older end comes last.
    pub(crate) ends: [[f32; 2]; 2],
    /// From 1 at the agent to 0 at the trail's end.
    pub(crate) freshness: f32,
}

impl Trails {
    pub(crate) fn new(seconds: f32) -> Self {
        Self { seconds, ..Self::default() }
    }

    /// Changes the length of trails and drops samples that are now too old.
    pub(crate) fn set_length(&mut self, seconds: f32) {
        self.seconds = seconds;
        let length = self.length();
        let newest = self.samples.back().map_or(0, |newest| newest.tick);
        self.samples.retain(|sample| seconds > 0.0 && newest - sample.tick <= length);
    }

    /// Call this after every step, with the agents that leave trails.
    pub(crate) fn record(&mut self, simulation: &Simulation, agents: &[AgentId]) {
        if self.seconds == 0.0 {
            return;
        }
        let scene = simulation.scene();
        let crowd = Crowd {
            scene: scene.name.clone(),
            world: simulation.world_size(),
            repeats: simulation.topology() == Topology::Torus,
            steps_per_second: scene.steps_per_second,
        };
        let tick = simulation.tick();
        let rewound = self.samples.back().is_some_and(|newest| tick < newest.tick);
        if rewound || crowd != self.crowd {
            self.samples.clear();
            self.crowd = crowd;
        }

        let oldest = tick.saturating_sub(self.length());
        let mut sample = Sample::default();
        while self.samples.front().is_some_and(|sample| sample.tick < oldest) {
            sample = self.samples.pop_front().unwrap_or_default();
        }
        // The newest sample stays only if it is due to become a vertex.
        let before = self.samples.len().checked_sub(2).map(|k| self.samples[k].tick);
        if let (Some(newest), Some(before)) = (self.samples.back(), before)
            && newest.tick - before < self.steps_per_vertex()
        {
            sample = self.samples.pop_back().unwrap_or_default();
        }
        sample.tick = tick;
        sample.positions.clear();
        let place = |&id: &AgentId| Some((id, simulation.agent(id).ok()?.position));
        sample.positions.extend(agents.iter().filter_map(place));
        self.samples.push_back(sample);
    }

    /// Length of trails in steps.
    fn length(&self) -> u64 {
        (self.seconds * self.crowd.steps_per_second).ceil() as u64
    }

    /// Steps between vertices.
    fn steps_per_vertex(&self) -> u64 {
        let dense = self.crowd.steps_per_second / VERTICES_PER_SECOND;
        dense.max(self.length() as f32 / MAX_VERTICES).ceil() as u64
    }

    /// Collects the trails of the present agents.
    pub(crate) fn collect(&self, segments: &mut Vec<Segment>) {
        segments.clear();
        let Some(newest) = self.samples.back() else { return };
        let length = self.length().max(1) as f32;
        for &(id, mut position) in &newest.positions {
            for sample in self.samples.iter().rev().skip(1) {
                let older = sample.positions.iter().find(|(other, _)| *other == id);
                let Some(&(_, older)) = older else { break };
                let ends = [position, older];
                if !self.crosses_a_seam(ends) {
                    let freshness = 1.0 - (newest.tick - sample.tick) as f32 / length;
                    segments.push(Segment { ends, freshness });
                }
                position = older;
            }
        }
    }

    fn crosses_a_seam(&self, [from, to]: [[f32; 2]; 2]) -> bool {
        let far = |k: usize| (from[k] - to[k]).abs() > self.crowd.world[k] / 2.0;
        self.crowd.repeats && (far(0) || far(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::camera::Camera;
    use crate::picture::color_by::ColorBy;
    use crate::picture::look::Look;
    use crate::picture::painter::Painter;
    use crate::picture::view::View;
    use crate::raster::canvas::Canvas;
    use crate::raster::palette::{BACKGROUND, Pixel};
    use flockwork::{Scene, Species, World};

    /// An agent that moves right at 60 units/s, one unit per step.
    fn runner(world: World) -> Simulation {
        let kind = Species { max_speed: 60.0.into(), ..Species::new("runner", 0) };
        let mut crowd = Scene::new(world).species(kind).build().unwrap();
        crowd.spawn("runner", [20.5, 50.5], [1.0, 0.0]).unwrap();
        crowd
    }

    fn segments(trails: &Trails) -> Vec<Segment> {
        let mut segments = Vec::new();
        trails.collect(&mut segments);
        segments
    }

    fn walk(crowd: &mut Simulation, trails: &mut Trails, steps: usize) {
        let all = |crowd: &Simulation| -> Vec<AgentId> {
            (0..crowd.len()).map(|slot| crowd.id_at(slot)).collect()
        };
        for _ in 0..steps {
            trails.record(crowd, &all(crowd));
            crowd.step().unwrap();
        }
        trails.record(crowd, &all(crowd));
    }

    /// The x of the trail's newest and oldest ends.
    fn span(segments: &[Segment]) -> (f32, f32) {
        (segments[0].ends[0][0], segments[segments.len() - 1].ends[1][0])
    }

    #[test]
    fn a_trail_is_as_long_as_it_should_be() {
        let mut crowd = runner(World::bounded(2_000.0, 100.0));
        let mut trails = Trails::new(1.0);
        walk(&mut crowd, &mut trails, 30);
        assert_eq!(span(&segments(&trails)), (50.5, 20.5));
        walk(&mut crowd, &mut trails, 170);
        let segments = segments(&trails);
        let (newest, oldest) = span(&segments);
        assert_eq!(newest, 220.5, "it ends at the agent");
        assert!((157.0..=163.5).contains(&oldest), "{oldest}");
        assert!((18..=22).contains(&segments.len()), "{} segments in a second", segments.len());
        assert!(segments.iter().all(|segment| (0.0..1.0).contains(&segment.freshness)));
        assert!(segments.windows(2).all(|two| two[0].freshness > two[1].freshness));
    }

    #[test]
    fn changing_the_length_keeps_what_is_within_it() {
        let mut crowd = runner(World::bounded(2_000.0, 100.0));
        let mut trails = Trails::new(2.0);
        walk(&mut crowd, &mut trails, 100);
        let (newest, oldest) = span(&segments(&trails));
        trails.set_length(4.0);
        assert_eq!(span(&segments(&trails)), (newest, oldest));
        trails.set_length(0.5);
        let shorter = segments(&trails);
        assert!(span(&shorter).1 > oldest && span(&shorter).1 >= newest - 30.0);
        assert!(shorter.iter().all(|segment| (0.0..1.0).contains(&segment.freshness)));
        trails.set_length(0.0);
        assert!(segments(&trails).is_empty());
    }

    #[test]
    fn other_crowds_and_rewound_steps_are_forgotten() {
        let mut crowd = runner(World::bounded(2_000.0, 100.0));
        let mut trails = Trails::new(1.0);
        walk(&mut crowd, &mut trails, 10);
        let early = crowd.snapshot();
        walk(&mut crowd, &mut trails, 10);
        assert!(!segments(&trails).is_empty());
        crowd.restore(&early);
        trails.record(&crowd, &[crowd.id_at(0)]);
        assert!(segments(&trails).is_empty());
        walk(&mut crowd, &mut trails, 20);
        let mut other = runner(World::bounded(1_000.0, 100.0));
        other.run(90).unwrap();
        trails.record(&other, &[other.id_at(0)]);
        assert!(segments(&trails).is_empty());
    }

    #[test]
    fn a_new_agent_does_not_inherit_the_trail_of_a_removed_one() {
        let mut crowd = runner(World::bounded(2_000.0, 100.0));
        let mut trails = Trails::new(1.0);
        walk(&mut crowd, &mut trails, 10);
        crowd.remove(crowd.id_at(0)).unwrap();
        walk(&mut crowd, &mut trails, 1);
        assert!(segments(&trails).is_empty());
        crowd.spawn("runner", [900.0, 50.0], [1.0, 0.0]).unwrap();
        walk(&mut crowd, &mut trails, 10);
        let segments = segments(&trails);
        assert!(!segments.is_empty());
        assert!(segments.iter().flat_map(|segment| segment.ends).all(|end| end[0] >= 900.0));
    }

    #[test]
    fn no_line_crosses_the_picture_at_a_seam() {
        let mut crowd = runner(World::torus(200.0, 100.0));
        let mut trails = Trails::new(2.0);
        walk(&mut crowd, &mut trails, 200);
        let segments = segments(&trails);
        assert!(segments.iter().any(|segment| segment.ends[0][0] < 30.0));
        assert!(segments.iter().any(|segment| segment.ends[0][0] > 170.0));
        for Segment { ends: [to, from], .. } in segments {
            assert!((to[0] - from[0]).abs() < 10.0, "{from:?} {to:?}");
        }
    }

    #[test]
    fn long_trails_are_bounded_and_only_the_agents_asked_for_leave_any() {
        let mut crowd = Scene::named("flock").unwrap().build().unwrap();
        let mut trails = Trails::new(20.0);
        let two = [crowd.id_at(3), crowd.id_at(9)];
        for _ in 0..1_300 {
            crowd.step().unwrap();
            trails.record(&crowd, &two);
        }
        assert!(trails.samples.iter().all(|sample| sample.positions.len() == 2));
        assert!(trails.samples.len() <= MAX_VERTICES as usize + 2);
    }

    #[test]
    fn trails_are_drawn_behind_agents_and_fade() {
        let mut crowd = runner(World::bounded(200.0, 100.0));
        let mut trails = Trails::new(1.0);
        walk(&mut crowd, &mut trails, 100);
        let mut view = View::of(&mut crowd, ColorBy::Heading);
        let picture = |view: &View, zoom: f32, threads: usize| -> Vec<Pixel> {
            let mut pixels = vec![[0; 4]; 200 * 100];
            let camera = Camera::new([100.0, 50.0], zoom, [200.0, 100.0]);
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let look = Look { glows: false, ..Look::default() };
                let mut painter = Painter::new(look);
                painter.paint(view, &camera, &mut Canvas::new(200, &mut pixels));
            });
            pixels
        };
        let plain = picture(&view, 1.0, 1);
        trails.collect(&mut view.trails);
        let with_trails = picture(&view, 1.0, 1);
        assert!(picture(&view, 1.0, 3) == with_trails);
        let at = |pixels: &[Pixel], x: usize, y: usize| pixels[y * 200 + x];
        let brightness = |x: usize| {
            let pixel = at(&with_trails, x, 49);
            pixel[..3].iter().map(|&channel| u32::from(channel)).sum::<u32>()
        };
        assert!(brightness(105) > brightness(80) && brightness(80) > brightness(64));
        for (x, y) in [(55, 49), (80, 60), (140, 49)] {
            assert_eq!(at(&with_trails, x, y), BACKGROUND, "{x} {y}");
        }
        assert_eq!(at(&plain, 80, 49), BACKGROUND);
        for zoom in [1.0e-6, 1.0e6, f32::NAN] {
            picture(&view, zoom, 1);
        }
    }
}
