use flockwork::behaviors::External;
use flockwork::kernel::{Batch, Force, Lanes, behavior};
use flockwork::{ErrorKind, Number, Scene, Simulation, Snapshot, Species, World};

use super::behaviors::Everything;
use crate::common::snapshots::{BODY, NO_LIMITS, sealed};
use crate::common::variants::assert_variants_agree;

fn crowd(agents: usize) -> Simulation {
    scene(agents).build().unwrap()
}

fn scene(agents: usize) -> Scene {
    let fish = Species::new("fish", agents).column("hunger", [2.0, 3.0]).column("group", 7.0);
    let shark = Species::new("shark", 10).column("fear", -1.0);
    Scene::new(World::torus(300.0, 300.0)).species(fish).species(shark)
}

#[test]
fn columns_start_as_their_species_says_and_at_0_elsewhere() {
    let crowd = crowd(100);
    assert_eq!(crowd.agents().column_names().collect::<Vec<_>>(), ["fear", "group", "hunger"]);
    let species = crowd.agents().species;
    for (slot, &kind) in species.iter().enumerate() {
        let [fear, group, hunger] =
            ["fear", "group", "hunger"].map(|name| crowd.agents().column(name).unwrap()[slot]);
        if kind == 0 {
            assert_eq!((fear, group), (0.0, 7.0));
            assert!((2.0..3.0).contains(&hunger));
        } else {
            assert_eq!((fear, group, hunger), (-1.0, 0.0, 0.0));
        }
    }
    let hunger = &crowd.agents().column("hunger").unwrap()[..100];
    assert!(hunger.windows(2).all(|pair| pair[0] != pair[1]), "each agent draws its own");
}

#[test]
fn columns_stay_with_their_agents() {
    let mut crowd = crowd(3_000);
    let ids: Vec<_> = crowd.agents().ids().collect();
    for (k, &id) in ids.iter().enumerate() {
        crowd.set(Number::Column("group"), id, k as f32).unwrap();
    }
    crowd.run(200).unwrap();
    for id in ids.iter().step_by(7) {
        crowd.remove(*id).unwrap();
    }
    let new = crowd.spawn("fish", [1.0, 1.0], [1.0, 0.0]).unwrap();
    crowd.run(100).unwrap();
    for (k, &id) in ids.iter().enumerate().filter(|(k, _)| k % 7 > 0) {
        let slot = crowd.slot_of(id).unwrap();
        assert_eq!(crowd.agents().column("group").unwrap()[slot], k as f32);
    }
    let slot = crowd.slot_of(new).unwrap();
    assert_eq!(crowd.agents().column("group").unwrap()[slot], 7.0);
}

#[test]
fn the_state_hash_knows_columns() {
    let (mut a, b) = (crowd(50), crowd(50));
    assert_eq!(a.state_hash(), b.state_hash());
    let id = a.agents().id(3);
    a.set(Number::Column("hunger"), id, 0.125).unwrap();
    assert_ne!(a.state_hash(), b.state_hash());
}

#[test]
fn snapshots_keep_columns() {
    let mut crowd = crowd(400);
    crowd.run(20).unwrap();
    let id = crowd.agents().id(9);
    crowd.set(Number::Column("fear"), id, 0.5).unwrap();
    let bytes = crowd.snapshot().to_bytes();
    let mut other = Snapshot::from_bytes(&bytes).unwrap().build().unwrap();
    assert_eq!(other.agents().column("fear").unwrap(), crowd.agents().column("fear").unwrap());
    crowd.run(20).unwrap();
    other.run(20).unwrap();
    assert_eq!(other.state_hash(), crowd.state_hash());
}

/// Splits the body of a snapshot of 14 agents into the part before the column `hunger`, its list,
/// and the part after it.
fn with_hunger(bytes: &[u8]) -> (&[u8], [&[u8]; 2]) {
    let (list, body) = (8 + 4 * 14, &bytes[BODY..]);
    let (rest, lists) = body.split_at(body.len() - NO_LIMITS.len() - list);
    assert_eq!(lists[..8], 14_u64.to_le_bytes());
    let (hunger, end) = lists.split_at(list);
    (rest, [hunger, end])
}

#[test]
fn a_snapshot_with_an_infinite_column_is_refused() {
    let bytes = crowd(4).snapshot().to_bytes();
    let (rest, [hunger, end]) = with_hunger(&bytes);
    let infinite = [&hunger[..16], &f32::INFINITY.to_le_bytes(), &hunger[20..]].concat();
    let bytes = sealed(&[rest, &infinite, end].concat());
    let error = Snapshot::from_bytes(&bytes).unwrap_err().to_string();
    assert!(error.contains("column hunger[2] = inf: must be finite"), "{error}");
}

#[test]
fn a_snapshot_with_a_column_of_the_wrong_length_is_refused() {
    let bytes = crowd(4).snapshot().to_bytes();
    let (rest, [hunger, end]) = with_hunger(&bytes);
    for wrong in [0, 13] {
        let list = [&(wrong as u64).to_le_bytes()[..], &hunger[8..8 + 4 * wrong]].concat();
        let bytes = sealed(&[rest, &list, end].concat());
        let error = Snapshot::from_bytes(&bytes).unwrap_err().to_string();
        let expected = format!("column hunger has {wrong} entries, not 14");
        assert!(error.contains(&expected), "{error}");
    }
    let error = Snapshot::from_bytes(&sealed(rest)).unwrap_err().to_string();
    assert!(error.contains("column hunger"), "{error}");
}

#[test]
fn a_column_added_while_running_starts_as_defined() {
    let mut crowd = crowd(100);
    crowd.run(10).unwrap();
    let id = crowd.agents().id(0);
    crowd.set(Number::Column("hunger"), id, 9.0).unwrap();
    let fish = crowd.scene().species[0].clone();
    crowd.set_species(&fish.column("age", 4.0)).unwrap();
    let slot = crowd.slot_of(id).unwrap();
    assert_eq!(crowd.agents().column("hunger").unwrap()[slot], 9.0);
    let ages = crowd.agents().column("age").unwrap();
    assert_eq!(ages.iter().sum::<f32>(), 400.0, "a shark's is 0");

    let mut fish = crowd.scene().species[0].clone();
    fish.columns.remove("age");
    crowd.set_species(&fish).unwrap();
    assert_eq!(crowd.agents().column_names().len(), 3);
    crowd.run(10).unwrap();
}

#[test]
fn unknown_columns_are_refused_by_name() {
    let mut crowd = crowd(5);
    let error = crowd.agents().column("huger").unwrap_err().to_string();
    assert!(error.contains("unknown column `huger`; did you mean `hunger`?"), "{error}");
    let id = crowd.agents().id(0);
    let error = crowd.set(Number::Column("hunger"), id, f32::NAN).unwrap_err().to_string();
    let expected = format!("columns.hunger of agent {id} = NaN: must be a finite number");
    assert_eq!(error, expected);
}

behavior! {
    /// Takes the square root of 1 − fever.
    struct Fever: "fever" {
        weight: f32 = 0.0, 0.0 to 1.0e6;
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        let fever = batch.column(0);
        batch.set_column(0, fever + (L::splat(1.0) - fever).sqrt() - L::splat(1.0));
        Force::none()
    }

    fn columns(&self) -> Vec<&str> {
        vec!["fever"]
    }
}

#[test]
fn a_step_refuses_a_column_that_is_not_finite() {
    let fish = Species::new("fish", 50).behavior(Fever::default());
    let mut crowd = Scene::new(World::torus(300.0, 300.0)).species(fish).build().unwrap();
    crowd.run(3).unwrap();
    let (before, id) = (crowd.state_hash(), crowd.agents().id(7));
    crowd.set(Number::Column("fever"), id, 2.0).unwrap();
    match crowd.step().unwrap_err().kind() {
        ErrorKind::NotFinite { tick: 3, what, id: wrong, value } => {
            assert_eq!((*wrong, what.as_str()), (id, "column `fever`"));
            assert!(value.is_nan());
        }
        error => panic!("{error}"),
    }
    crowd.set(Number::Column("fever"), id, 0.0).unwrap();
    assert_eq!(crowd.state_hash(), before, "the refused step changed nothing");
    crowd.step().unwrap();
}

#[test]
fn more_columns_than_16_are_refused() {
    let species = (0..17).fold(Species::new("a", 1), |s, k| s.column(format!("c{k}"), 0.0));
    let error = Scene::new(World::torus(9.0, 9.0)).species(species).check().unwrap_err();
    assert_eq!(error.to_string(), "number of columns = 17: must be at most 16");
}

#[test]
fn sixteen_columns_work_in_every_way() {
    let species = (0..12).fold(Species::new("a", 90), |s, k| s.column(format!("c{k}"), [0.0, 1.0]));
    let species = species
        .behavior(External::default())
        .behavior(Everything { target: [1.0, 2.0].into(), ..Everything::default() });
    assert_variants_agree(&Scene::new(World::bounded(200.0, 200.0)).species(species), 5);
}
