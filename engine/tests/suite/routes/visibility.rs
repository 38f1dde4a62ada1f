//! A visibility graph in `f64` decides independently whether a way exists.
//!
//! Its nodes are points around corners and obstacles. A disk has room along each edge, so every way
//! that the graph finds exists. It may miss ways with less than a tenth of a radius to spare.

use super::plans::Plan;

type P = [f64; 2];

/// Number of points around each corner, and their distance relative to the closest that fits.
const POINTS: usize = 8;
const FARTHER: f64 = 1.0825;

fn minus(a: P, b: P) -> P {
    [a[0] - b[0], a[1] - b[1]]
}

fn dot(a: P, b: P) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

fn length(a: P) -> f64 {
    a[0].hypot(a[1])
}

pub(super) fn to_segment(point: P, [from, to]: [P; 2]) -> f64 {
    let (along, offset) = (minus(to, from), minus(point, from));
    let length_sq = dot(along, along);
    let share =
        if length_sq > 0.0 { (dot(offset, along) / length_sq).clamp(0.0, 1.0) } else { 0.0 };
    length([offset[0] - along[0] * share, offset[1] - along[1] * share])
}

fn between_segments(a: [P; 2], b: [P; 2]) -> f64 {
    let side = |line: [P; 2], point: P| {
        let (along, offset) = (minus(line[1], line[0]), minus(point, line[0]));
        along[0] * offset[1] - along[1] * offset[0]
    };
    if side(a, b[0]) * side(a, b[1]) < 0.0 && side(b, a[0]) * side(b, a[1]) < 0.0 {
        return 0.0;
    }
    let ends = [to_segment(a[0], b), to_segment(a[1], b), to_segment(b[0], a), to_segment(b[1], a)];
    ends.into_iter().fold(f64::INFINITY, f64::min)
}

impl Plan {
    pub(super) fn has_room(&self, line: [P; 2], radius: f64) -> bool {
        self.walls.iter().all(|wall| between_segments(line, *wall) >= radius)
            && self.disks.iter().all(|&(at, disk)| to_segment(at, line) >= radius + disk)
    }

    /// One flag per start: true if a disk of this radius has a way to the goal.
    pub(super) fn has_way(&self, radius: f64, starts: &[P]) -> Vec<bool> {
        let ends = self.walls.as_flattened().iter().map(|&end| (end, 0.0));
        let around = |(at, disk): (P, f64)| {
            (0..POINTS).map(move |k| {
                let (sin, cos) = (k as f64 * std::f64::consts::TAU / POINTS as f64).sin_cos();
                let far = (disk + radius) * FARTHER;
                [at[0] + cos * far, at[1] + sin * far]
            })
        };
        let inside = |at: &P| (0..2).all(|axis| (0.0..=self.size[axis]).contains(&at[axis]));
        let corners = ends.chain(self.disks.iter().copied()).flat_map(around);
        let corners = corners.filter(|at| inside(at) && self.has_room([*at; 2], radius));
        let mut unknown: Vec<P> = starts.iter().copied().chain(corners).collect();
        let mut front = vec![self.goal];
        while let Some(known) = front.pop() {
            let (near, rest) =
                unknown.into_iter().partition(|&other| self.has_room([known, other], radius));
            unknown = rest;
            front.extend::<Vec<P>>(near);
        }
        starts.iter().map(|start| !unknown.contains(start)).collect()
    }
}

#[test]
fn the_graph_knows_which_doors_a_disk_passes() {
    for (door, passes) in [(40.0, true), (22.0, true), (19.9, false), (5.0, false)] {
        let wall = |from: P, to: P| [from, to];
        let plan = Plan {
            size: [200.0, 100.0],
            walls: vec![
                wall([100.0, 0.0], [100.0, 50.0 - door / 2.0]),
                wall([100.0, 50.0 + door / 2.0], [100.0, 100.0]),
            ],
            disks: Vec::new(),
            goal: [150.0, 80.0],
        };
        let found = plan.has_way(10.0, &[[50.0, 20.0], [150.0, 20.0]]);
        assert_eq!(found, [passes, true], "{door}");
    }
}
