use flockwork::cpu::Level;
use flockwork::{
    AgentId, AgentOrder, InSpace, Point, Scene, Simulation, Spawn, Species, Vector, World,
};
use proptest::prelude::*;

use crate::common::scenes::flock;

fn crowd(topology: usize, agents: usize, view: f32) -> Simulation {
    crowd_in([World::torus, World::bounded, World::open][topology](300.0, 200.0), agents, view)
}

fn crowd_in(world: World, agents: usize, view: f32) -> Simulation {
    let others = Species::new("others", agents / 3).view_distance(view);
    let scene = Scene::new(world).species(flock(agents).view_distance(view)).species(others);
    scene.build().unwrap()
}

/// Ids of a species in ascending order, each with its offset from a point.
fn all(
    crowd: &Simulation,
    from: impl Into<Point>,
    species: Option<usize>,
) -> Vec<(AgentId, [f32; 3])> {
    let from = from.into();
    let agents = crowd.ids_ascending().map(|id| (id, crowd.agent(id).unwrap()));
    let agents = agents.filter(|(_, agent)| species.is_none_or(|one| agent.species == one));
    agents
        .map(|(id, agent)| (id, crowd.displacement(from, in_world(crowd, agent.position))))
        .collect()
}

fn sq([x, y, z]: [f32; 3]) -> f32 {
    x * x + y * y + z * z
}

/// A point with as many coordinates as the world has axes.
fn in_world(crowd: &Simulation, at: [f32; 3]) -> Point {
    if crowd.world().depth.is_some() { at.into() } else { [at[0], at[1]].into() }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn every_question_has_the_answer_of_a_search_of_all_agents(
        topology in 0..3_usize,
        agents in 0..200_usize,
        view in 2.0_f32..120.0,
        steps in 0..4_u64,
        depth in prop::option::of(10.0_f32..300.0),
        from in [-400.0_f32..700.0, -400.0_f32..700.0, -200.0_f32..400.0],
        radius in 0.0_f32..500.0,
        size in [0.0_f32..400.0, 0.0_f32..300.0, 0.0_f32..300.0],
        count in 0..30_usize,
        of_others: bool,
    ) {
        let world = [World::torus, World::bounded, World::open][topology](300.0, 200.0);
        let mut crowd = crowd_in(World { depth, ..world }, agents, view);
        crowd.run(steps).unwrap();
        let corners = [from, [0, 1, 2].map(|axis| from[axis] + size[axis])];
        let middle = [0, 1, 2].map(|axis| from[axis] + size[axis] / 2.0);
        let [from, middle] = [from, middle].map(|at| in_world(&crowd, at));
        let corners = corners.map(|at| in_world(&crowd, at));
        let (name, species) = if of_others { (Some("others"), Some(1)) } else { (None, None) };
        let all = all(&crowd, from, species);
        // If rounding decides, either answer is right.
        let sure = |edge: f32, is: f32| (edge - is).abs() > 1.0e-3;

        let mut found = Vec::new();
        crowd.agents_within_into(from, radius, name, &mut found).unwrap();
        prop_assert!(found.is_sorted());
        for (id, offset) in &all {
            if sure(radius, sq(*offset).sqrt()) {
                prop_assert_eq!(found.contains(id), sq(*offset).sqrt() < radius, "{}", id);
            }
        }
        crowd.agents_in_rectangle_into(corners, name, &mut found).unwrap();
        for (id, _) in &all {
            let at = in_world(&crowd, crowd.agent(*id).unwrap().position);
            let offset = crowd.displacement(middle, at);
            let mut outside = (0..at.len()).map(|axis| offset[axis].abs() - size[axis] / 2.0);
            if outside.clone().all(|along| sure(along, 0.0)) {
                prop_assert_eq!(found.contains(id), outside.all(|along| along < 0.0), "{}", id);
            }
        }
        crowd.nearest_agents_into(from, count, name, &mut found).unwrap();
        let mut nearest: Vec<f32> = all.iter().map(|(_, offset)| sq(*offset).sqrt()).collect();
        nearest.sort_by(f32::total_cmp);
        prop_assert_eq!(found.len(), count.min(all.len()));
        for (id, distance) in found.iter().zip(nearest) {
            let at = in_world(&crowd, crowd.agent(*id).unwrap().position);
            let offset = crowd.displacement(from, at);
            prop_assert!((sq(offset).sqrt() - distance).abs() < 1.0e-3);
        }
    }
}

#[test]
fn answers_follow_agents_that_move_come_and_go() {
    let mut crowd = crowd(0, 0, 20.0);
    let at_edge = |crowd: &Simulation| crowd.agents_within([299.0, 1.0], 5.0, None).unwrap();
    assert!(at_edge(&crowd).is_empty());
    let id = crowd.spawn("flock", [1.0, 199.0], [1.0, 0.0]).unwrap();
    assert_eq!(at_edge(&crowd), [id], "across the corner");
    crowd.set(Vector::Position, id, [100.0, 100.0]).unwrap();
    assert!(at_edge(&crowd).is_empty());
    crowd.set(Vector::Position, id, [299.0, 3.0]).unwrap();
    assert_eq!(at_edge(&crowd), [id]);
    crowd.remove(id).unwrap();
    assert!(at_edge(&crowd).is_empty());
}

#[test]
fn answers_follow_agents_from_cell_to_cell() {
    let mut crowd = crowd(0, 60, 20.0);
    let at = [250.0, 30.0];
    let near = |crowd: &Simulation| {
        let mut found = Vec::new();
        crowd.agents_within_into(at, 40.0, None, &mut found).unwrap();
        let expected = all(crowd, at, None).into_iter().filter(|(_, offset)| sq(*offset) < 1_600.0);
        assert_eq!(found, expected.map(|(id, _)| id).collect::<Vec<_>>());
        found
    };
    let before = near(&crowd);
    let far = crowd.ids_ascending().find(|id| !before.contains(id)).unwrap();
    crowd.set(Vector::Position, far, at).unwrap();
    assert!(near(&crowd).contains(&far));
    crowd.remove(far).unwrap();
    assert_eq!(near(&crowd), before);
    let come = crowd.spawn("others", at, [1.0, 0.0]).unwrap();
    assert!(near(&crowd).contains(&come));
    crowd.run(200).unwrap();
    assert_ne!(near(&crowd), before);
}

#[test]
fn agents_on_the_edges_and_corners_of_a_rectangle_are_in_it() {
    let mut crowd = crowd(1, 0, 20.0);
    let rows = [15.0, 20.0, 25.0].map(|y| [15.0, 20.0, 25.0].map(|x| [x, y]));
    let all = crowd
        .spawn_many("flock", &Spawn::at(rows.as_flattened()).headings(&[[1.0, 0.0]; 9]))
        .unwrap();
    let found = crowd.agents_in_rectangle([[15.0; 2], [25.0; 2]], None).unwrap();
    assert_eq!(found, all);
}

/// Regression: a rounded center and rounded half sides lost agents exactly on an edge.
#[test]
fn rectangles_between_any_two_agents_include_both_to_the_last_bit() {
    const SIZE: [f32; 2] = [300.0, 200.0];
    for topology in 0..3 {
        let mut crowd = crowd(topology, 0, 20.0);
        let mut at: Vec<[f32; 2]> = (0..24).map(|k| [12.9 * k as f32, 8.6 * k as f32]).collect();
        at.extend([[0.1, 0.1], [0.3, 0.3], [1.0e-9, 1.0e-9], SIZE.map(f32::next_down), SIZE]);
        let headings = vec![[1.0, 0.0]; at.len()];
        let ids = crowd.spawn_many("flock", &Spawn::at(&at).headings(&headings)).unwrap();
        let places: Vec<[f32; 2]> =
            ids.iter().map(|&id| crowd.get(Vector::Position, id).unwrap()).collect();
        for (&low, &end) in at.iter().flat_map(|low| at.iter().map(move |end| (low, end))) {
            // Where the end is below the start, the rectangle crosses the seam of a torus.
            let high = [0, 1].map(|axis| match end[axis] {
                end if end < low[axis] => end + SIZE[axis],
                end => end,
            });
            let is_in = |place: &[f32; 2]| {
                (0..2).all(|axis| {
                    let images = if topology == 0 { -1..=2 } else { 0..=0 };
                    let image = |k| f64::from(place[axis]) + f64::from(k) * f64::from(SIZE[axis]);
                    let within = f64::from(low[axis])..=f64::from(high[axis]);
                    images.map(image).any(|along| within.contains(&along))
                })
            };
            let found = crowd.agents_in_rectangle([low, high], None).unwrap();
            let expected: Vec<AgentId> = ids
                .iter()
                .zip(&places)
                .filter(|(_, place)| is_in(place))
                .map(|(&id, _)| id)
                .collect();
            assert_eq!(found, expected, "{low:?} to {high:?}, topology {topology}");
        }
    }
    let mut crowd = crowd(1, 0, 20.0);
    let at_the_wall = crowd.spawn("flock", [300.0, 0.0], [1.0, 0.0]).unwrap();
    let found = crowd.agents_in_rectangle([[0.2, 0.0], [300.0, 0.0]], None).unwrap();
    assert_eq!(found, [at_the_wall]);
}

#[test]
fn agents_on_a_circle_are_in_it() {
    let mut crowd = crowd(1, 0, 20.0);
    let at = [[25.0, 20.0], [20.0, 15.0], [23.0, 24.0], [25.01, 20.0]];
    let all = crowd.spawn_many("flock", &Spawn::at(&at).headings(&[[1.0, 0.0]; 4])).unwrap();
    let found = crowd.agents_within([20.0; 2], 5.0, None).unwrap();
    assert_eq!(found, all[..3]);
}

#[test]
fn of_equally_near_agents_the_lower_index_comes_first() {
    let mut crowd = crowd(1, 0, 20.0);
    let at = [[110.0, 100.0], [100.0, 90.0], [100.0, 110.0], [90.0, 100.0]];
    let all = crowd.spawn_many("flock", &Spawn::at(&at).headings(&[[1.0, 0.0]; 4])).unwrap();
    let mut found = Vec::new();
    for count in 0..=4 {
        crowd.nearest_agents_into([100.0; 2], count, None, &mut found).unwrap();
        assert_eq!(found, all[..count]);
    }
}

#[test]
fn more_agents_than_there_are_may_be_asked_for() {
    let crowd = crowd(0, 9, 20.0);
    assert_eq!(crowd.nearest_agents([1.0; 2], usize::MAX, None).unwrap().len(), 12);
}

#[test]
fn points_far_outside_the_world_have_nearest_agents() {
    let mut scene = Scene::new(World::bounded(100.0, 100.0)).species(Species::new("a", 10));
    for world in [World::bounded(100.0, 100.0), World::open(100.0, 100.0)] {
        scene.world = world;
        let crowd = scene.build().unwrap();
        for far in [[1.0e8, 0.0], [-3.0e38, 3.0e38]] {
            assert_eq!(crowd.nearest_agents(far, 4, Some("a")).unwrap().len(), 4, "{far:?}");
        }
        let at = |id| crowd.agent(id).unwrap().position[0];
        let nearest = crowd.nearest_agents([1.0e8, 0.0], 10, None).unwrap();
        assert!(at(nearest[0]) > at(nearest[9]) - 10.0, "rounding decides among the near");
    }
}

#[test]
fn questions_that_make_no_sense_are_refused() {
    let crowd = crowd(0, 9, 20.0);
    assert!(crowd.agents_within([0.0; 2], -1.0, None).is_err());
    assert!(crowd.agents_within([f32::NAN, 0.0], 1.0, None).is_err());
    assert!(crowd.agents_in_rectangle([[2.0; 2], [1.0; 2]], None).is_err());
    assert!(crowd.nearest_agents([f32::INFINITY, 0.0], 1, None).is_err());
    let error = crowd.nearest_agents([0.0; 2], 1, Some("other")).unwrap_err();
    assert!(error.to_string().contains("did you mean `others`?"), "{error}");
}

#[test]
fn between_two_states_agents_take_the_shortest_way() {
    let mut crowd = crowd(0, 100, 20.0);
    let (mut from, mut to, mut between) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..60 {
        crowd.get_all_into(Vector::Position, AgentOrder::Id, &mut from).unwrap();
        crowd.step().unwrap();
        crowd.get_all_into(Vector::Position, AgentOrder::Id, &mut to).unwrap();
        crowd.interpolate_into(&from, &to, 0.25, &mut between).unwrap();
        for ((&from, &to), &between) in from.iter().zip(&to).zip(&between) {
            assert!((0.0..300.0).contains(&between[0]) && (0.0..200.0).contains(&between[1]));
            let [whole, part] = [to, between].map(|at| sq(crowd.displacement(from, at)).sqrt());
            assert!((part - 0.25 * whole).abs() < 1.0e-3, "{from:?} {between:?} {to:?}");
        }
    }
    // Full vectors and remainders give the same bits at every level.
    crowd.interpolate_into(&from, &to, 0.25, &mut between).unwrap();
    for level in Level::available() {
        crowd.set_execution(crowd.execution().level(level)).unwrap();
        for points in [0, 1, 3, 4, 9] {
            let fewer = crowd.interpolate(&from[..points], &to[..points], 0.25).unwrap();
            assert_eq!(fewer, between[..points], "{level:?}, {points} points");
        }
    }
    assert!(crowd.interpolate(&from, &to[1..], 0.5).is_err());
    assert!(crowd.interpolate(&from, &to, 1.5).is_err());
}

#[test]
fn between_two_states_in_space_agents_take_the_shortest_way() {
    let mut crowd = crowd_in(World::torus(90.0, 60.0).depth(40.0), 100, 20.0);
    let (mut from, mut to, mut between) = (Vec::new(), Vec::new(), Vec::new());
    let mut wrapped = [0; 3];
    for _ in 0..60 {
        crowd.get_all_into(InSpace(Vector::Position), AgentOrder::Id, &mut from).unwrap();
        crowd.step().unwrap();
        crowd.get_all_into(InSpace(Vector::Position), AgentOrder::Id, &mut to).unwrap();
        crowd.interpolate_into(&from, &to, 0.25, &mut between).unwrap();
        for ((&from, &to), &between) in from.iter().zip(&to).zip(&between) {
            for (axis, size) in [90.0, 60.0, 40.0].into_iter().enumerate() {
                assert!((0.0..size).contains(&between[axis]), "{between:?}");
                wrapped[axis] += u32::from((to[axis] - from[axis]).abs() > size / 2.0);
            }
            let [whole, part] = [to, between].map(|at| crowd.displacement(from, at));
            let off = [0, 1, 2].map(|axis| part[axis] - 0.25 * whole[axis]);
            assert!(sq(off).sqrt() < 1.0e-3, "{from:?} {between:?} {to:?}");
        }
    }
    assert!(wrapped.into_iter().all(|agents| agents > 0), "all seams are crossed: {wrapped:?}");
    for level in Level::available() {
        crowd.set_execution(crowd.execution().level(level)).unwrap();
        for points in [0, 1, 3, 4, 9] {
            let fewer = crowd.interpolate(&from[..points], &to[..points], 0.25).unwrap();
            assert_eq!(fewer, between[..points], "{level:?}, {points} points");
        }
    }
}
