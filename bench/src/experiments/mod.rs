use crate::experiments::group::Group;
use crate::failure::Failure;
use crate::method::Method;
use crate::options::{Measurement, Request};

pub(crate) mod group;
mod kernels;
mod plain;
mod scenes;

type Groups = fn(&Request) -> Result<Vec<Group>, Failure>;

const ALL: [(Measurement, Groups); 9] = [
    (Measurement::Scaling, plain::scaling),
    (Measurement::Ladder, plain::ladder),
    (Measurement::Density, plain::density),
    (Measurement::CellSize, plain::cell_size),
    (Measurement::Threads, plain::threads),
    (Measurement::Levels, plain::levels),
    (Measurement::Scenes, scenes::groups),
    (Measurement::Kernels, kernels::groups),
    (Measurement::Peers, plain::peers),
];

/// Returns the crowds of a measurement with their methods; never empty. The roofline uses
/// the crowds of `scaling`, with the methods that come closest to the machine's limits.
pub(crate) fn groups(asked: Measurement, request: &Request) -> Result<Vec<Group>, Failure> {
    let near_the_limit = [Method::AllPairsSimd, Method::CellsSimd, Method::CellsSimdMt(None)];
    let (of, usual) = match asked {
        Measurement::Roofline => (Measurement::Scaling, &near_the_limit[..]),
        other => (other, &[][..]),
    };
    let chosen = if request.methods.is_empty() { usual } else { &request.methods };
    let is_chosen = |method: &Method| {
        chosen.is_empty() || chosen.iter().any(|choice| method.is_chosen_by(*choice))
    };
    let mut all = Vec::new();
    for (_, groups) in ALL.into_iter().filter(|(it, _)| *it == of || of == Measurement::All) {
        all.extend(groups(request)?);
    }
    for group in &mut all {
        group.methods.retain(is_chosen);
    }
    all.retain(|group| !group.methods.is_empty());
    if all.is_empty() {
        let message = format!("{} has no rows for these methods", asked.name());
        return Err(Failure::Input { path: "the options".into(), message });
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
    fn every_row_has_an_id_of_its_own_in_plain_text() {
        for line in ["--quick", "--seed 1", "--n 100", "--n 100,1000", "--threads 1,2,4"] {
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
            ids(&planned(Measurement::Scaling, "--n 1k,2k --methods cells-simd")).collect();
        assert_eq!(rows, ["scaling/cells-simd/1000", "scaling/cells-simd/2000"]);
        let all: Vec<String> = ids(&planned(Measurement::All, "--threads 1,2")).collect();
        for id in [
            "density/cells-scalar/100000 agents, 4 neighbors",
            "cell-size/cells-simd/100000 agents, cells of 0.25",
            "ladder/book-cells/10000",
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
        let count = |line: &str, method| {
            let groups = planned(Measurement::Scaling, line);
            groups.iter().filter(|group| group.methods.contains(&method)).count()
        };
        assert_eq!(count("--quick", Method::NextBest), 8);
        assert_eq!(count("--quick", Method::CellsSimdAgain), 1);
        assert_eq!(count("--n 100", Method::CellsSimdAgain), 1);
        assert_eq!(count("--n 100 --methods cells-simd", Method::NextBest), 0);
    }

    #[test]
    fn every_measurement_takes_every_requested_size_and_the_seed() {
        let own = [Measurement::All, Measurement::Roofline];
        for measurement in Measurement::value_variants().iter().filter(|it| !own.contains(it)) {
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
        let own = Method::Level(Level::found());
        assert!(groups[0].methods.contains(&own), "{:?}", groups[0].methods);
        assert_eq!(groups[0].methods.len(), 1 + Level::available().count());
    }

    #[test]
    fn crowds_over_budget_do_not_shorten_repeats() {
        let steps = |line: &str| -> Vec<u64> {
            planned(Measurement::Scaling, line).iter().map(|group| group.steps).collect()
        };
        // Predicted scalar step times: all pairs 0.12 s, 1.5 s and 300 s (skipped); cells 0.15 s.
        assert_eq!(steps("--n 10k,35k,500k"), [4, 1, 4]);
        assert_eq!(steps("--n 500k --budget 2000"), [1]);
        assert_eq!(steps("--n 1M"), [1]);
    }
}
