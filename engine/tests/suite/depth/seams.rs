use flockwork::behaviors::Separation;
use flockwork::{Partition, Scene, Simulation, Species, World};

use crate::common::variants::Variant;

const SIZE: [f32; 3] = [90.0, 60.0, 40.0];

fn sea() -> Simulation {
    let fish = Species::new("fish", 0).view_distance(8.0).behavior(Separation::default());
    let [width, height, depth] = SIZE;
    Scene::new(World::torus(width, height).depth(depth)).species(fish).build().unwrap()
}

#[test]
fn agents_see_and_push_each_other_across_each_seam() {
    for axis in 0..3 {
        for (variant, partition) in
            Variant::all().zip([Partition::Cells, Partition::AllPairs].repeat(2))
        {
            let mut sea = sea();
            variant.set(&mut sea);
            sea.set_execution(sea.execution().partition(partition)).unwrap();
            let mut low = [30.0, 30.0, 20.0];
            let mut high = low;
            (low[axis], high[axis]) = (1.0, SIZE[axis] - 1.0);
            let aside = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]][usize::from(axis == 0)];
            let [a, b] = [low, high].map(|at| sea.spawn("fish", at, aside).unwrap());
            assert_eq!(sea.neighbors(a).unwrap(), [b], "axis {axis}");
            assert_eq!(sea.neighbors(b).unwrap(), [a], "axis {axis}");
            let [pushed, other] = [a, b].map(|id| sea.explain(id).unwrap().force[axis]);
            assert!(pushed > 0.0 && other < 0.0, "axis {axis}: {pushed}, {other}");
            sea.step().unwrap();
            let offset = sea.displacement(high, sea.agent(a).unwrap().position);
            assert!(offset[axis] > 2.0, "axis {axis}: {offset:?}");
        }
    }
}

#[test]
fn agents_in_all_corners_of_a_torus_are_neighbors() {
    let mut sea = sea();
    let corners = (0..8).map(|bits| {
        [0, 1, 2].map(|axis| if bits >> axis & 1 == 0 { 1.0 } else { SIZE[axis] - 1.0 })
    });
    let ids: Vec<_> = corners.map(|at| sea.spawn("fish", at, [0.0, 0.0, 1.0]).unwrap()).collect();
    for partition in [Partition::Cells, Partition::AllPairs] {
        sea.set_execution(sea.execution().partition(partition)).unwrap();
        assert!(ids.iter().all(|&id| sea.neighbors(id).unwrap().len() == 7));
    }
}

#[test]
fn agents_that_leave_through_a_seam_come_back_on_the_other_side() {
    for axis in 0..3 {
        for sign in [-1.0, 1.0] {
            let mut sea = sea();
            let mut at = [30.0, 30.0, 20.0];
            at[axis] = if sign < 0.0 { 0.1 } else { SIZE[axis] - 0.1 };
            let mut heading = [0.0; 3];
            heading[axis] = sign;
            let id = sea.spawn("fish", at, heading).unwrap();
            sea.step().unwrap();
            let now = sea.agent(id).unwrap().position[axis];
            let expected = at[axis] + sign * (150.0 / 60.0 - SIZE[axis]);
            assert!((now - expected).abs() < 1.0e-4, "axis {axis}: {now}, not {expected}");
        }
    }
}
