//! Estimates of a crowd's memory.

use std::collections::BTreeSet;

use crate::crowd::limits::{Limit, Overrides};
use crate::crowd::target::Target;
use crate::scene::Scene;
use crate::simulation::required_columns::RequiredColumns;
use crate::simulation::{Setting, Simulation};

const COPIES: u64 = 2;
const CELLS: u64 = 4;
/// Lists reserve room for at least this many agents.
const MIN_RESERVED: u64 = 4;
/// Fixed memory per crowd, in 4-byte words, for the minimum grid, the parallel sort and strays.
const MIN_WORDS: u64 = 3072;
/// Words per agent of a species that is searched for in cells of its own.
const SOUGHT: u64 = 14;
/// Bytes per scattered obstacle or wall, including its index entries.
const BYTES_PER_SCATTERED: u64 = 256;
const WORD: u64 = 4;

impl Scene {
    /// Estimated upper bound on memory, in bytes: the running simulation's [`Simulation::bytes`]
    /// plus scattered scenery. Taking a snapshot needs up to 50% more.
    ///
    /// Building a scene fails with [`ErrorKind::Memory`] if the system has less memory.
    ///
    /// [`Simulation::bytes`]: crate::Simulation::bytes
    /// [`ErrorKind::Memory`]: crate::ErrorKind::Memory
    #[must_use]
    pub fn estimated_bytes(&self) -> u64 {
        let populations: Vec<usize> = self.species.iter().map(|species| species.agents).collect();
        self.estimated_bytes_with(self.agents_at_start(), &populations, &Overrides::default())
    }

    pub(crate) fn estimated_bytes_with(
        &self,
        agents: usize,
        populations: &[usize],
        overrides: &Overrides,
    ) -> u64 {
        let required = RequiredColumns::new(self, overrides);
        let words = |needed: bool, count: u64| if needed { count } else { 0 };
        let axes = self.world.axes() as u64;
        let motion = required.motion().into_iter().map(u64::from).sum::<u64>();
        let motion = motion + required.columns.len() as u64;
        let limits =
            u64::from(required.limits.count_ones()) + words(required.has(Limit::FieldOfView), 1);
        let targets = words(required.target, 1) + words(required.target_points, axes);
        let attributes = 1
            + words(required.species, 1)
            + targets
            + words(required.joined, 2)
            + limits
            + words(required.overridden, 1);
        let sort = 3;
        let ids = 2 + words(required.target, 1) + words(required.joined, 1);
        let per_agent = WORD * (COPIES * (motion + attributes) + sort + ids + CELLS);
        let sought_agents = self.sought_agents(agents, populations) as u64;
        let sought = (WORD * SOUGHT).saturating_mul(sought_agents);
        let agents = (agents as u64).max(MIN_RESERVED);
        // Words per agent in `History`: for each ring, 2 per sample and 2 each for `sums` and
        // `spare`; plus 2 row indices.
        let of_samples = |samples: u32| (axes - 1) * 2 * (u64::from(samples) + 2) + 2;
        let history = self.heading_samples.map_or(0, of_samples);
        // The history doubles its capacity when it grows, hence the power of two.
        let capacity = agents.checked_next_power_of_two().unwrap_or(u64::MAX);
        let history = (WORD * history).saturating_mul(capacity);
        let scattered = self.scatter.as_ref().map_or(0, |list| list.wanted(self.agents_at_start()));
        let scattered = BYTES_PER_SCATTERED.saturating_mul(scattered as u64);
        let parts = [agents.saturating_mul(per_agent), history, sought, scattered];
        parts.into_iter().fold(WORD * MIN_WORDS, u64::saturating_add)
    }

    /// Upper bound on the number of agents, out of `agents`, that belong to rare species and are
    /// nearest targets.
    fn sought_agents(&self, agents: usize, populations: &[usize]) -> usize {
        let named = self.targets().filter_map(|target| match target {
            Target::Nearest { species, .. } => Some(species),
            _ => None,
        });
        let named: BTreeSet<String> = named.collect();
        let sought = self.species.iter().zip(populations);
        let sought = sought.filter(|(species, _)| named.contains(&species.name));
        let few = sought.map(|(_, &count)| count).filter(|&count| count <= agents / 4);
        few.fold(0, usize::saturating_add)
    }
}

impl Simulation {
    /// [`Scene::estimated_bytes`] for the agents that the crowd has now, and for values set for
    /// single agents.
    #[must_use]
    pub fn estimated_bytes(&self) -> u64 {
        let Setting { scene, populations, .. } = &self.setting;
        scene.estimated_bytes_with(self.len(), populations, &self.state.overrides)
    }
}

#[cfg(test)]
mod tests {
    use crate::behaviors::Seek;
    use crate::crowd::target::Target;
    use crate::scene::Scene;
    use crate::scene::species::Species;
    use crate::simulation::Simulation;
    use crate::simulation::population::Spawn;
    use crate::simulation::property::Number;
    use crate::world::World;

    #[test]
    fn what_is_set_for_single_agents_is_part_of_the_estimate() {
        let fans = Species::new("fan", 9_000).behavior(Seek { weight: 1.0, target: Target::Own });
        let scene = Scene::new(World::torus(900.0, 900.0)).species(fans);
        let figures = |set: &dyn Fn(&mut Simulation)| {
            let mut simulation = scene.build().unwrap();
            set(&mut simulation);
            simulation.run(2).unwrap();
            [simulation.bytes() as u64, simulation.estimated_bytes()]
        };
        // Looking up an agent by id allocates memory as well.
        let [bytes, estimated] =
            figures(&|simulation| assert!(simulation.slot_of(simulation.id_at(0)).is_ok()));
        let limits = [
            (Number::MaxSpeed, 9.0),
            (Number::MaxForce, 9.0),
            (Number::Mass, 9.0),
            (Number::Radius, 9.0),
            (Number::FieldOfView, 9.0),
            (Number::Immovable, 1.0),
        ];
        let with_limits = figures(&|simulation| {
            limits
                .iter()
                .for_each(|&(limit, to)| simulation.set(limit, simulation.id_at(0), to).unwrap());
        });
        let with_point = figures(&|simulation| {
            simulation.set_own_target(simulation.id_at(0), [1.0; 2]).unwrap();
        });
        for [bytes_with, estimated_with] in [with_limits, with_point] {
            assert!(bytes_with > bytes, "it takes memory");
            assert!(bytes_with <= estimated_with, "{bytes_with} of {estimated_with}");
            let [more, estimated_more] = [bytes_with - bytes, estimated_with - estimated];
            assert!(more <= estimated_more, "{more}, {estimated_more}");
        }
    }

    /// Regression: the estimate counted the agents at the start.
    #[test]
    fn crowds_that_grew_and_their_snapshots_take_at_most_the_estimate() {
        let sharks = Species::new("shark", 10);
        let seek = Seek { weight: 1.0, target: Target::nearest("shark") };
        let fish = Species::new("fish", 40).behavior(seek);
        let scene = Scene::new(World::torus(900.0, 900.0)).species(sharks).species(fish);
        let mut simulation = scene.build().unwrap();
        assert_eq!(simulation.estimated_bytes(), scene.estimated_bytes());
        for (species, count) in [("fish", 40_000), ("shark", 9_000)] {
            simulation.spawn_many(species, &Spawn::at(&vec![[1.0, 2.0]; count])).unwrap();
        }
        simulation.set(Number::Mass, simulation.id_at(0), 9.0).unwrap();
        let estimated = simulation.estimated_bytes();
        let snapshot = simulation.snapshot();
        assert!(snapshot.state.bytes() as u64 <= estimated / 2);
        let mut built = snapshot.build().unwrap();
        built.run(2).unwrap();
        assert!(built.bytes() as u64 <= estimated && estimated <= 3 * built.bytes() as u64);
        assert_eq!(built.estimated_bytes(), estimated);
    }
}
