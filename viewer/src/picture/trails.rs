//! Where agents came from: lines behind them that fade.
//!
//! What it costs is bounded: of large crowds only some agents leave trails, and long trails
//! have no more corners than short ones.

use std::collections::VecDeque;

use flockwork::{Simulation, Topology};

/// At most so many agents leave trails: every second, fourth, eighth and so on of more.
const MOST_AGENTS: usize = 1_024;
/// Corners of a trail, and how many there are per simulated second, at most.
const MOST_CORNERS: f32 = 32.0;
const CORNERS_PER_SECOND: f32 = 20.0;

/// Remembers where agents were.
#[derive(Default)]
pub(crate) struct Trails {
    /// How far back trails reach in simulated seconds; without trails 0.
    seconds: f32,
    /// Which crowd is remembered.
    crowd: Crowd,
    /// Oldest first. The newest is of the step that was noted last, the others are corners.
    moments: VecDeque<Moment>,
}

#[derive(Default, PartialEq)]
struct Crowd {
    scene: String,
    world: [f32; 2],
    repeats: bool,
    steps_per_second: f32,
    /// Agents whose index is a multiple of it are remembered; a power of two.
    stride: usize,
}

#[derive(Default)]
struct Moment {
    tick: u64,
    spots: Vec<Option<Spot>>,
}

#[derive(Clone, Copy)]
struct Spot {
    generation: u32,
    position: [f32; 2],
}

/// A piece of a trail in world units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Piece {
    /// The older end comes last.
    pub(crate) ends: [[f32; 2]; 2],
    /// From 1, where the agent is, to 0, where the trail ends.
    pub(crate) freshness: f32,
}

impl Trails {
    pub(crate) fn new(seconds: f32) -> Self {
        Self { seconds, ..Self::default() }
    }

    /// Reaches further back from now on, or forgets what is older.
    pub(crate) fn reach_back(&mut self, seconds: f32) {
        self.seconds = seconds;
        let reach = self.reach();
        let newest = self.moments.back().map_or(0, |newest| newest.tick);
        self.moments.retain(|moment| seconds > 0.0 && newest - moment.tick <= reach);
    }

    /// To be called after every step.
    pub(crate) fn note(&mut self, simulation: &Simulation) {
        if self.seconds == 0.0 {
            return;
        }
        let scene = simulation.scene();
        let crowd = Crowd {
            scene: scene.name.clone(),
            world: simulation.world_size(),
            repeats: simulation.topology() == Topology::Torus,
            steps_per_second: scene.steps_per_second,
            stride: simulation.len().div_ceil(MOST_AGENTS).next_power_of_two(),
        };
        let tick = simulation.tick();
        let rewound = self.moments.back().is_some_and(|newest| tick < newest.tick);
        if rewound || crowd != self.crowd {
            self.moments.clear();
            self.crowd = crowd;
        }

        let oldest = tick.saturating_sub(self.reach());
        let mut moment = Moment::default();
        while self.moments.front().is_some_and(|moment| moment.tick < oldest) {
            moment = self.moments.pop_front().unwrap_or_default();
        }
        // What was newest stays only if it is a corner.
        let before = self.moments.len().checked_sub(2).map(|k| self.moments[k].tick);
        if let (Some(newest), Some(before)) = (self.moments.back(), before)
            && newest.tick - before < self.between()
        {
            moment = self.moments.pop_back().unwrap_or_default();
        }
        moment.tick = tick;
        moment.look(simulation, self.crowd.stride);
        self.moments.push_back(moment);
    }

    /// How far back trails reach, in steps.
    fn reach(&self) -> u64 {
        (self.seconds * self.crowd.steps_per_second).ceil() as u64
    }

    /// Steps between corners.
    fn between(&self) -> u64 {
        let dense = self.crowd.steps_per_second / CORNERS_PER_SECOND;
        dense.max(self.reach() as f32 / MOST_CORNERS).ceil() as u64
    }

    /// Collects the trails of the present agents.
    pub(crate) fn collect(&self, pieces: &mut Vec<Piece>) {
        pieces.clear();
        let Some(newest) = self.moments.back() else { return };
        let reach = self.reach().max(1) as f32;
        for (k, spot) in newest.spots.iter().enumerate() {
            let Some(mut spot) = *spot else { continue };
            for moment in self.moments.iter().rev().skip(1) {
                let Some(Some(older)) = moment.spots.get(k) else { break };
                // The index was another agent's.
                if older.generation != spot.generation {
                    break;
                }
                let ends = [spot.position, older.position];
                if !self.crosses_a_seam(ends) {
                    let freshness = 1.0 - (newest.tick - moment.tick) as f32 / reach;
                    pieces.push(Piece { ends, freshness });
                }
                spot = *older;
            }
        }
    }

    fn crosses_a_seam(&self, [from, to]: [[f32; 2]; 2]) -> bool {
        let far = |k: usize| (from[k] - to[k]).abs() > self.crowd.world[k] / 2.0;
        self.crowd.repeats && (far(0) || far(1))
    }
}

impl Moment {
    fn look(&mut self, simulation: &Simulation, stride: usize) {
        let agents = simulation.agents();
        let (mask, shift) = (stride as u32 - 1, stride.trailing_zeros());
        self.spots.clear();
        for (slot, &index) in agents.index.iter().enumerate() {
            if index & mask != 0 {
                continue;
            }
            let k = (index >> shift) as usize;
            if self.spots.len() <= k {
                self.spots.resize(k + 1, None);
            }
            let generation = simulation.id_at(slot).generation;
            self.spots[k] = Some(Spot { generation, position: [agents.x[slot], agents.y[slot]] });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::camera::Camera;
    use crate::picture::color_by::ColorBy;
    use crate::picture::painter::Painter;
    use crate::picture::view::View;
    use crate::raster::canvas::Canvas;
    use crate::raster::palette::{BACKGROUND, Pixel};
    use flockwork::{Scene, Species, World};

    /// An agent that goes 60 units/s to the right, a unit per step, in a world of 200 by 100.
    fn runner(world: World) -> Simulation {
        let kind = Species { max_speed: 60.0.into(), ..Species::new("runner", 0) };
        let mut crowd = Scene::new(world).species(kind).build().unwrap();
        crowd.spawn("runner", [20.5, 50.5], [1.0, 0.0]).unwrap();
        crowd
    }

    fn pieces(trails: &Trails) -> Vec<Piece> {
        let mut pieces = Vec::new();
        trails.collect(&mut pieces);
        pieces
    }

    fn walk(crowd: &mut Simulation, trails: &mut Trails, steps: usize) {
        for _ in 0..steps {
            trails.note(crowd);
            crowd.step().unwrap();
        }
        trails.note(crowd);
    }

    /// The trails' ends along x: the newest and the oldest.
    fn span(pieces: &[Piece]) -> (f32, f32) {
        (pieces[0].ends[0][0], pieces[pieces.len() - 1].ends[1][0])
    }

    #[test]
    fn a_trail_reaches_back_as_long_as_it_should_and_no_further() {
        let mut crowd = runner(World::bounded(2_000.0, 100.0));
        let mut trails = Trails::new(1.0);
        walk(&mut crowd, &mut trails, 30);
        assert_eq!(span(&pieces(&trails)), (50.5, 20.5));
        walk(&mut crowd, &mut trails, 170);
        let pieces = pieces(&trails);
        let (newest, oldest) = span(&pieces);
        assert_eq!(newest, 220.5, "it ends at the agent");
        assert!((157.0..=163.5).contains(&oldest), "{oldest}");
        assert!((18..=22).contains(&pieces.len()), "{} corners in a second", pieces.len());
        assert!(pieces.iter().all(|piece| (0.0..1.0).contains(&piece.freshness)));
        assert!(pieces.windows(2).all(|two| two[0].freshness > two[1].freshness));
    }

    #[test]
    fn another_reach_keeps_what_is_within_it() {
        let mut crowd = runner(World::bounded(2_000.0, 100.0));
        let mut trails = Trails::new(2.0);
        walk(&mut crowd, &mut trails, 100);
        let (newest, oldest) = span(&pieces(&trails));
        trails.reach_back(4.0);
        assert_eq!(span(&pieces(&trails)), (newest, oldest));
        trails.reach_back(0.5);
        let shorter = pieces(&trails);
        assert!(span(&shorter).1 > oldest && span(&shorter).1 >= newest - 30.0);
        assert!(shorter.iter().all(|piece| (0.0..1.0).contains(&piece.freshness)));
        trails.reach_back(0.0);
        assert!(pieces(&trails).is_empty());
    }

    #[test]
    fn nothing_is_remembered_of_other_crowds_and_of_what_was_rewound() {
        let mut crowd = runner(World::bounded(2_000.0, 100.0));
        let mut trails = Trails::new(1.0);
        walk(&mut crowd, &mut trails, 10);
        let early = crowd.snapshot();
        walk(&mut crowd, &mut trails, 10);
        assert!(!pieces(&trails).is_empty());
        crowd.restore(&early);
        trails.note(&crowd);
        assert!(pieces(&trails).is_empty());
        walk(&mut crowd, &mut trails, 20);
        let mut other = runner(World::bounded(1_000.0, 100.0));
        other.run(90).unwrap();
        trails.note(&other);
        assert!(pieces(&trails).is_empty());
    }

    #[test]
    fn trails_go_with_their_agents_and_are_not_inherited() {
        let mut crowd = runner(World::bounded(2_000.0, 100.0));
        let mut trails = Trails::new(1.0);
        walk(&mut crowd, &mut trails, 10);
        crowd.remove(crowd.id_at(0)).unwrap();
        walk(&mut crowd, &mut trails, 1);
        assert!(pieces(&trails).is_empty());
        crowd.spawn("runner", [900.0, 50.0], [1.0, 0.0]).unwrap();
        walk(&mut crowd, &mut trails, 10);
        let pieces = pieces(&trails);
        assert!(!pieces.is_empty());
        assert!(pieces.iter().flat_map(|piece| piece.ends).all(|end| end[0] >= 900.0));
    }

    #[test]
    fn no_line_crosses_the_picture_at_a_seam() {
        let mut crowd = runner(World::torus(200.0, 100.0));
        let mut trails = Trails::new(2.0);
        walk(&mut crowd, &mut trails, 200);
        let pieces = pieces(&trails);
        assert!(pieces.iter().any(|piece| piece.ends[0][0] < 30.0));
        assert!(pieces.iter().any(|piece| piece.ends[0][0] > 170.0));
        for Piece { ends: [to, from], .. } in pieces {
            assert!((to[0] - from[0]).abs() < 10.0, "{from:?} {to:?}");
        }
    }

    #[test]
    fn large_crowds_and_long_trails_are_bounded() {
        let scene = Scene::named("stress").unwrap().agents(9_000).unwrap();
        let mut crowd = scene.build().unwrap();
        let mut trails = Trails::new(20.0);
        walk(&mut crowd, &mut trails, 1_300);
        let newest = trails.moments.back().unwrap();
        assert_eq!(newest.spots.iter().flatten().count(), 9_000_usize.div_ceil(16));
        assert!(trails.moments.len() <= MOST_CORNERS as usize + 2);
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
                Painter::new().paint(view, &camera, &mut Canvas::new(200, &mut pixels));
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
        for (x, y) in [(55, 49), (80, 60), (130, 49)] {
            assert_eq!(at(&with_trails, x, y), BACKGROUND, "{x} {y}");
        }
        assert_eq!(at(&plain, 80, 49), BACKGROUND);
        for zoom in [1.0e-6, 1.0e6, f32::NAN] {
            picture(&view, zoom, 1);
        }
    }
}
