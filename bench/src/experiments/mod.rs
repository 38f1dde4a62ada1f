use std::collections::BTreeSet;

use crate::experiment::Experiment;
use crate::experiments::group::{Group, MIN_WARM_UP};
use crate::failure::{Failure, cannot_use};
use crate::options::{Measurement, Request};
use crate::variant::Variant;

pub(crate) mod group;
mod kernels;
mod plain;
mod scenes;
mod uneven;

/// Crowd sizes of each measurement, first with `--quick`, then without.
const SIZES: [(Measurement, &[usize], &[usize]); 9] = [
    (
        Measurement::Scaling,
        &[8, 32, 100, 316, 1_000, 10_000, 100_000, 1_000_000],
        // Sizes are closely spaced around the crossover, where cells become faster than all pairs.
        &[
            8, 16, 32, 64, 100, 160, 316, 1_000, 2_000, 4_000, 10_000, 31_623, 100_000, 316_228,
            1_000_000,
        ],
    ),
    (Measurement::Density, &[20_000], &[100_000]),
    (Measurement::CellSize, &[20_000], &[100_000]),
    (Measurement::Threads, &[10_000, 100_000], &[10_000, 100_000, 1_000_000]),
    (Measurement::Levels, &[10_000], &[100_000]),
    (Measurement::Scenes, &[20_000], &[100_000]),
    (Measurement::Kernels, &[5_000], &[20_000]),
    (Measurement::Uneven, &[20_000], &[100_000]),
    (Measurement::Peers, &[10_000], &[10_000, 100_000]),
];

/// Measurements of crowds in flat worlds only.
const FLAT: [Measurement; 3] = [Measurement::Scenes, Measurement::Kernels, Measurement::Peers];

/// Measurements of the plain flock alone, at one density.
const PLAIN: [Measurement; 5] = [
    Measurement::Scaling,
    Measurement::CellSize,
    Measurement::Threads,
    Measurement::Levels,
    Measurement::Peers,
];

/// Crowd size at which one row is measured twice to estimate noise:
/// at this size, steps take a few tenths of a millisecond.
const NOISE_AGENTS: f64 = 10_000.0;

/// Returns the crowds of a measurement with their variants; never empty.
pub(crate) fn groups(asked: Measurement, request: &Request) -> Result<Vec<Group>, Failure> {
    let options: [(_, _, &[Measurement]); 3] = [
        ("--mean-neighbors", request.mean_neighbors.is_some(), &PLAIN),
        ("--heavy", request.heavy.is_some(), &[Measurement::Kernels, Measurement::All]),
        ("--only", request.only.is_some(), &[Measurement::Uneven, Measurement::All]),
    ];
    for (option, given, users) in options {
        if given && !users.contains(&asked) {
            let users: Vec<String> = users.iter().map(|user| user.name()).collect();
            return Err(cannot_use(&option, &format!("it is for {}", users.join(", "))));
        }
    }
    if request.heavy.is_some() && request.in_space() {
        return Err(cannot_use(&"--heavy", &"its scene is measured in 2D only"));
    }
    let mut all = Vec::new();
    for (measurement, quick, full) in SIZES {
        let is_asked = [measurement, Measurement::All].contains(&asked);
        if !is_asked || request.in_space() && FLAT.contains(&measurement) {
            continue;
        }
        let usual = if request.quick { quick } else { full };
        let sizes = if request.n.is_empty() { usual } else { &request.n };
        let sizes: Vec<usize> = BTreeSet::from_iter(sizes).into_iter().copied().collect();
        match measurement {
            Measurement::Scenes => all.extend(scenes::groups(request, &sizes)?),
            Measurement::Kernels => all.extend(kernels::groups(request, &sizes)?),
            Measurement::Uneven => all.extend(uneven::groups(request, &sizes)?),
            _ => {
                let (experiment, variants, numbers) = plain::variants(measurement, request);
                let only_size = numbers.is_empty().then_some(None);
                for n in sizes {
                    for x in numbers.iter().copied().map(Some).chain(only_size) {
                        let group = Group::plain(request, experiment, n, x)?;
                        all.push(Group { variants: variants.clone(), ..group });
                    }
                }
            }
        }
    }
    let distance = |group: &&mut Group| (group.x / NOISE_AGENTS).ln().abs();
    let scaling = all.iter_mut().filter(|group| group.experiment == Experiment::Scaling);
    if let Some(group) = scaling.min_by(|a, b| distance(a).total_cmp(&distance(b))) {
        group.variants.push(Variant::CellsSimdAgain);
    }
    for group in &mut all {
        // Set `steps` before dropping variants, so that state hashes do not depend on `--variants`.
        group.steps = group.steps_per_repeat(request.step_seconds());
        group.variants.retain(|variant| variant.is_chosen_by(&request.variants));
        group.threads = request.threads();
        group.warm_up = group.warm_up.max(MIN_WARM_UP);
    }
    all.retain(|group| !group.variants.is_empty());
    if all.is_empty() {
        let space = if request.in_space() { " in 3D" } else { "" };
        let choice = if request.variants.is_empty() { "" } else { " for these variants" };
        let message = format!("{} has no rows{choice}{space}", asked.name());
        return Err(cannot_use(&"the options", &message));
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use clap::ValueEnum;
    use flockwork::cpu::Level;

    use super::*;
    use crate::experiments::group::ids;

    fn planned(measurement: Measurement, line: &str) -> Vec<Group> {
        groups(measurement, &Request::of(line)).unwrap()
    }

    #[test]
    fn requested_sizes_replace_the_defaults_and_are_sorted() {
        let sizes = |line: &str| -> Vec<usize> {
            planned(Measurement::Levels, line).iter().map(Group::agents).collect()
        };
        assert_eq!(sizes("--n 5k,1k,5k"), [1_000, 5_000]);
        assert_eq!(sizes("--quick"), [10_000]);
        assert_eq!(sizes("--seed 7"), [100_000]);
    }

    #[test]
    fn every_row_has_an_id_of_its_own_in_plain_text() {
        for line in ["--quick", "--seed 1", "--n 100", "--n 100,1000", "--threads 4"] {
            let mut known = HashSet::new();
            for id in ids(&planned(Measurement::All, line)) {
                assert!(!id.contains('`'), "{id}");
                assert!(known.insert(id.clone()), "{line}: {id} twice");
            }
        }
    }

    #[test]
    fn ids_are_those_that_comparisons_with_older_programs_ask_for() {
        let rows: Vec<String> =
            ids(&planned(Measurement::Scaling, "--n 1k,2k --variants cells-simd")).collect();
        assert_eq!(rows, ["scaling/cells-simd/1000", "scaling/cells-simd/2000"]);
        let all: Vec<String> = ids(&planned(Measurement::All, "--threads 2")).collect();
        for id in [
            "density/cells-scalar/100000 agents, 4 neighbors",
            "cell-size/cells-simd/100000 agents, cells of 0.25",
            "threads/cells-simd-mt-2/10000",
            "kernels/cells-scalar/wander",
            "heavy/cells-simd/without wander",
            "clustered/cells-simd/after 2,000 steps",
            "neighbor-count/zelll/10000",
        ] {
            assert!(all.iter().any(|known| known == id), "{id}");
        }
    }

    #[test]
    fn every_size_of_the_default_run_has_the_next_best_and_one_has_a_second_copy() {
        let count = |line: &str, variant| {
            let groups = planned(Measurement::Scaling, line);
            groups.iter().filter(|group| group.variants.contains(&variant)).count()
        };
        assert_eq!(count("--quick", Variant::NextBest), 8);
        assert_eq!(count("--quick", Variant::CellsSimdAgain), 1);
        assert_eq!(count("--n 100", Variant::CellsSimdAgain), 1);
        assert_eq!(count("--n 100 --variants cells-simd", Variant::NextBest), 0);
    }

    #[test]
    fn every_measurement_takes_every_requested_size_and_the_seed() {
        let single = |it: &&Measurement| **it != Measurement::All;
        for measurement in Measurement::value_variants().iter().filter(single) {
            let one = planned(*measurement, "--n 100").len();
            let two = planned(*measurement, "--n 100,200 --seed 7");
            let rows_of = |n| two.iter().filter(|group| group.agents() == n).count();
            let name = measurement.name();
            assert!(two.len() > one && rows_of(100) + rows_of(101) > 0, "{name}");
            assert!(rows_of(200) + rows_of(201) > 0, "{name}");
            assert!(two.iter().all(|group| group.scene.seed == 7), "{name}");
        }
    }

    #[test]
    fn every_level_of_this_processor_is_measured() {
        let groups = planned(Measurement::Levels, "--quick");
        let own = Variant::Level(Level::found());
        assert!(groups[0].variants.contains(&own), "{:?}", groups[0].variants);
        assert_eq!(groups[0].variants.len(), 1 + Level::available().count());
    }

    #[test]
    fn crowds_over_budget_do_not_shorten_repeats() {
        let steps = |line: &str| -> Vec<u64> {
            planned(Measurement::Scaling, line).iter().map(|group| group.steps).collect()
        };
        // Estimated scalar all-pairs steps: 0.12 s for 10k agents, 1.5 s for 35k, 300 s for 500k.
        // The last exceeds the default budget. With cells, a step of 500k agents takes 0.15 s.
        assert_eq!(steps("--n 10k,35k,500k"), [4, 1, 4]);
        assert_eq!(steps("--n 500k --budget 2000"), [1]);
        assert_eq!(steps("--n 1M"), [1]);
    }
}
