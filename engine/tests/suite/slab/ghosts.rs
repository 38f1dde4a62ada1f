//! Slabs have ghosts only of agents that their own agents may search for.

use std::collections::BTreeSet;

use flockwork::behaviors::{Flee, Neighborhood, Separation, Wander};
use flockwork::slab::Slab;
use flockwork::{Number, Scene, Species, Start, Target, Topology, World};

use super::slabs::{Slabs, random_borders};
use crate::common::agents::id;

const SLABS: usize = 8;
const HEIGHT: f32 = 160.0;
const VIEW: f32 = 1.0;
const FAR: f32 = 30.0 * VIEW;
/// The slab that owns the shark.
const OWNER: usize = 3;
/// The middle of that slab.
const SHARK_Y: f32 = HEIGHT * (OWNER as f32 + 0.5) / SLABS as f32;

fn fish(agents: usize) -> Species {
    Species::new("fish", agents).view_distance(VIEW).max_speed(1.0).behavior(Separation::default())
}

fn shark() -> Species {
    Species::new("shark", 1).start(Start::in_circle([20.0, SHARK_Y], 0.0)).max_speed(1.0)
}

fn near(species: &str) -> Neighborhood {
    Neighborhood { species: vec![species.into()], ..Neighborhood::default() }
}

fn even(rows: u32) -> Vec<u32> {
    (0..=SLABS as u32).map(|slab| slab * rows / SLABS as u32).collect()
}

/// Steps a crowd in slabs of equal height, and asserts that it equals the undivided crowd.
fn stepped<const KINDS: usize>(species: [Species; KINDS]) -> Slabs {
    let scene = Scene::new(World::bounded(40.0, HEIGHT));
    let scene = species.into_iter().fold(scene, Scene::species);
    let (mut whole, mut parts) = (scene.build().unwrap(), Slabs::new(&scene, SLABS));
    whole.step().unwrap();
    parts.step(|rows| Some(even(rows))).unwrap();
    parts.assert_are(&whole, "after a step");
    parts
}

fn ghosts(parts: &Slabs) -> Vec<usize> {
    parts.slabs.iter().map(Slab::ghosts).collect()
}

/// Lower and upper bounds on the number of a species' agents in the rows of other slabs that the
/// shark can see. A row is about as high as a fish's view distance.
fn around_the_shark(parts: &Slabs, species: u8) -> [usize; 2] {
    let others = parts.slabs.iter().filter(|slab| slab.number() != OWNER);
    let agents = others.flat_map(|slab| slab.agents().y.iter().zip(slab.agents().species));
    let apart = agents.filter(|(_, kind)| **kind == species).map(|(y, _)| (y - SHARK_Y).abs());
    let apart: Vec<f32> = apart.collect();
    [FAR - 0.1, FAR + 2.5 * VIEW].map(|far| apart.iter().filter(|apart| **apart <= far).count())
}

#[test]
fn a_far_seeing_shark_deepens_the_halo_of_its_slab_only() {
    let plain = stepped([fish(12_000)]);
    let shark = shark().view_distance(FAR).behavior(Separation::default());
    let parts = stepped([fish(12_000), shark]);
    let bytes = |parts: &Slabs, slab: usize| {
        (parts.slabs[slab].ghosts() * parts.slabs[slab].bytes_per_ghost()) as f64
    };
    for slab in (0..SLABS).filter(|&slab| slab != OWNER) {
        let [plain, bytes] = [&plain, &parts].map(|parts| bytes(parts, slab));
        assert!(plain > 0.0 && bytes <= 1.2 * plain, "slab {slab}: {bytes} instead of {plain}");
        assert_eq!(parts.slabs[slab].reach(), 1);
    }
    let (owner, [least, most]) = (&parts.slabs[OWNER], around_the_shark(&parts, 0));
    assert!((least..=most).contains(&owner.ghosts()), "{} of {least} to {most}", owner.ghosts());
    // The shark sees 30 rows, of which about ten are the slab's own.
    assert!((20..=21).contains(&owner.reach()), "{}", owner.reach());
}

#[test]
fn a_shark_that_looks_for_tuna_has_no_ghosts_of_other_fish_from_afar() {
    let plain = ghosts(&stepped([fish(12_000)]));
    let behavior = Separation { neighborhood: near("tuna"), ..Separation::default() };
    let shark = shark().view_distance(FAR).behavior(behavior);
    let tuna = Species { name: "tuna".into(), ..fish(600) };
    let parts = stepped([fish(12_000), shark, tuna]);
    let [least, most] = around_the_shark(&parts, 2);
    let others = plain[OWNER] * 11 / 10;
    let owner = parts.slabs[OWNER].ghosts();
    assert!(least > 100 && others < 1000);
    assert!((least..=most + others).contains(&owner), "{owner} of {least} to {most} and {others}");
}

#[test]
fn fish_that_look_for_sharks_from_afar_have_ghosts_of_sharks_only() {
    let plain = ghosts(&stepped([fish(12_000)]));
    let target = Target::Nearest {
        species: "shark".into(),
        distance: Some(FAR),
        field_of_view: None,
        line_of_sight: false,
    };
    let wary = fish(12_000).behavior(Flee { target, ..Flee::default() });
    let parts = stepped([wary, shark().view_distance(VIEW)]);
    for (slab, (found, plain)) in ghosts(&parts).into_iter().zip(plain).enumerate() {
        let sharks = match slab.abs_diff(OWNER) {
            1 => 1..=1,
            2 => 0..=1,
            _ => 0..=0,
        };
        assert!(sharks.contains(&(found - plain)), "slab {slab}: {found} instead of {plain}");
    }
}

/// Sharks see far, tuna look for sharks and other tuna, and whales are large. All cross borders
/// that seldom move, so halos and borders change in different steps.
#[test]
fn far_seeing_agents_cross_borders_and_keep_the_bits() {
    for topology in [Topology::Torus, Topology::Bounded, Topology::Open] {
        for non_penetration in [0, 1, 2] {
            let target = Target::Nearest {
                species: "shark".into(),
                distance: Some(25.0),
                field_of_view: None,
                line_of_sight: false,
            };
            let wander = Wander { weight: 300.0, ..Wander::default() };
            let of_tuna = Separation { neighborhood: near("tuna"), ..Separation::default() };
            let tuna = Species::new("tuna", 60).view_distance(20.0).behavior(of_tuna);
            let shark = Species::new("shark", 5).view_distance(40.0).max_speed(200.0);
            let whale = Species::new("whale", 2).radius(1.5).max_speed(90.0).view_distance(3.0);
            let scene = Scene::new(World { topology, ..World::torus(50.0, 150.0) })
                .species(fish(1_200).view_distance(2.5).radius(0.1))
                .species(tuna.radius(0.2).behavior(Flee { target, ..Flee::default() }))
                .species(shark.radius(0.5).behavior(Separation::default()).behavior(wander.clone()))
                .species(whale.behavior(wander))
                .non_penetration(non_penetration);
            let (mut whole, mut parts) = (scene.build().unwrap(), Slabs::new(&scene, SLABS));
            if non_penetration == 2 {
                // Makes one shark far larger than all others.
                let shark = id(1_260);
                whole.set(Number::Radius, shark, 7.0).unwrap();
                parts.each_slab(|slab| slab.set(Number::Radius, shark, 7.0), &Ok(()));
            }
            let (mut draw, mut depths) = (7, BTreeSet::new());
            for step in 0..60 {
                whole.step().unwrap();
                let moves = step % 20 == 19;
                parts.step(|rows| moves.then(|| random_borders(&mut draw, rows, SLABS))).unwrap();
                parts.assert_are(&whole, &format!("{topology:?}, {non_penetration}, step {step}"));
                depths.extend(parts.slabs.iter().map(Slab::reach));
            }
            assert!(depths.len() > 3, "{topology:?}, {non_penetration}: {depths:?}");
        }
    }
}
