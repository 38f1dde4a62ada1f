use std::ops::Range;
use std::sync::Arc;

use crate::behaviors::steer::Steer;
use crate::behaviors::{Behavior, outside};
use crate::cpu::Instructions;
use crate::crowd::Partition;
use crate::crowd::id_pool::IdPool;
use crate::crowd::limits::{Limit, Overrides};
use crate::crowd::params::{BehaviorInputs, SpeciesParams};
use crate::error::Error;
use crate::grid::groups::Plan;
use crate::math::angle::sin_cos;
use crate::math::lanes::dispatch::Method;
use crate::math::random;
use crate::memory;
use crate::parallel::{Workers, default_threads};
use crate::scene::Scene;
use crate::scene::species::{Combine, Locomotion};
use crate::scenery::IndexRanges;
use crate::simulation::execution::Execution;
use crate::simulation::plan::sizes;
use crate::simulation::required_columns::RequiredColumns;
use crate::simulation::spawn;
use crate::simulation::targets::shared_targets;
use crate::simulation::views::Views;
use crate::simulation::{Executor, Setting, Simulation, State, Workspace};

impl Scene {
    /// Checks the scene and builds its simulation, with all agents at their start positions.
    ///
    /// # Errors
    /// If the crowd needs more memory than is available, or if a field is out of range.
    /// For the first such field, the error gives the name, value and range.
    pub fn build(&self) -> Result<Simulation, Error> {
        Simulation::part(self, 0, 1)?.with_default_threads()
    }
}

impl Simulation {
    /// Builds the simulation of a part of the scene's agents, which steps on the caller's thread.
    pub(crate) fn part(scene: &Scene, part: usize, parts: usize) -> Result<Self, Error> {
        let scene = scene.resolved()?;
        let space = scene.checked_space()?;
        outside::claim(scene.outside())?;
        let agents = scene.agents_at_start();
        let range = agents_of_part(agents, part, parts);
        memory::check(scene.estimated_bytes() / parts as u64)?;
        let instructions = Instructions::used()?;
        let mut simulation = Self {
            setting: Setting {
                space,
                species: Vec::new(),
                kinds: Vec::new(),
                populations: scene.species.iter().map(|species| species.agents).collect(),
                plan: Arc::default(),
                scenery: Arc::new(scene.new_scenery(&space)?),
                required: RequiredColumns::new(&scene, &Overrides::default()),
                scene,
            },
            state: State::default(),
            workspace: Workspace::default(),
            execution: Executor {
                settings: Execution {
                    partition: Partition::default(),
                    method: Method::default(),
                    level: instructions.level(),
                    threads: 1,
                },
                workers: Workers::default(),
                instructions,
            },
        };
        let range = range.start as u32..range.end as u32;
        spawn::populate(&simulation.setting, range, &mut simulation.state)?;
        simulation.state.ids = IdPool::full(agents);
        simulation.derive_params();
        let samples = simulation.setting.scene.heading_samples;
        let axes = simulation.setting.space.axes();
        simulation.state.history.reset(samples, &simulation.state.motion, axes);
        Ok(simulation)
    }

    pub(crate) fn with_default_threads(mut self) -> Result<Self, Error> {
        self.set_execution(self.execution().threads(default_threads()?))?;
        Ok(self)
    }

    pub(crate) fn derive_params(&mut self) {
        let scene = &self.setting.scene;
        let overrides = &self.state.overrides;
        let required = RequiredColumns::new(scene, overrides);
        let mut species: Vec<_> =
            (0..scene.species.len()).map(|index| species_params(scene, &required, index)).collect();
        let kinds = kinds(scene, &species);
        let populations = &mut self.setting.populations;
        populations.resize(species.len(), 0);
        let agents = sizes(populations);
        let (space, scenery) = (&self.setting.space, &self.setting.scenery);
        let max_lift = if scene.solid { scenery.shapes(space).max_lift } else { 0.0 };
        let plan = Plan::chosen(scene, space, (&mut species, &kinds, &agents), overrides, max_lift);
        for (index, species) in species.iter_mut().enumerate() {
            (species.index, species.group) = (index, plan.group_of(index));
        }
        // Agents of one kind are steered together if they are also sorted together.
        let kind = |k: usize| (kinds[k], plan.group_of[k]);
        let kinds =
            (0..kinds.len()).map(|k| (0..k).find(|&j| kind(j) == kind(k)).unwrap_or(k) as u8);
        self.setting.kinds = kinds.collect();
        (self.setting.species, self.setting.plan) = (species, Arc::new(plan));
        let largest = |range: fn(&dyn Steer) -> f32| {
            let ranges = scene.behaviors().map(|behavior| range(behavior.as_steer()));
            // Farther than any two points; the index cannot divide an infinite area into cells.
            ranges.fold(0.0, f32::max).min(1.0e8)
        };
        let (obstacle_range, wall_range) =
            (largest(|p| p.obstacle_range()), largest(|p| p.wall_range()));
        let agents = scene.species.iter().map(|species| species.agents).sum();
        let row = self.layout(agents).cell_height() as f32;
        let readers = IndexRanges { obstacle_range, wall_range, solid: scene.solid, row };
        if self.setting.scenery.readers != Some(readers) {
            Arc::make_mut(&mut self.setting.scenery).index(&self.setting.space, readers);
        }
        if let Some(sorted) = self.workspace.sorted.latest_mut() {
            sorted.surroundings.shared_targets = shared_targets(scene, &self.setting.space);
        }
        self.setting.required = required;
        self.workspace.agents_added();
        self.workspace.population_changed();
    }
}

/// For each species, the index of the first species that can be steered together with it. The
/// indices in `species` are not set yet, so equal parameters compare as equal.
fn kinds(scene: &Scene, species: &[SpeciesParams]) -> Vec<u8> {
    let definitions = &scene.species;
    let alike = |first: usize, other: usize| {
        let [one, two] =
            [first, other].map(|k| (definitions[k].combine, &definitions[k].behaviors));
        one == two
            && species[first] == species[other]
            && !definitions[first].behaviors.iter().any(Behavior::reads_species)
    };
    let kind = |k: usize| (0..k).find(|&first| alike(first, k)).unwrap_or(k);
    (0..species.len()).map(|k| kind(k) as u8).collect()
}

fn species_params(
    scene: &Scene,
    required: &RequiredColumns,
    species_index: usize,
) -> SpeciesParams {
    let species = &scene.species[species_index];
    let views = Views::new(scene, required, species_index);
    let turn = species.max_turn_rate.map(|rate| rate * scene.dt());
    let outside = species.behaviors.iter().filter_map(Behavior::outside).count();
    let behavior_inputs = |(behavior, &view): (&Behavior, &usize)| {
        let steer = behavior.as_steer();
        let probability = species.probability_of(steer.name());
        let column = |name: &str| required.columns.iter().position(|column| column == name);
        // Adding 0 turns a weight of -0 into 0: kernels divide by weights.
        let weight = behavior.weight() + 0.0;
        let factor = match species.combine {
            Combine::Dithered => weight / probability,
            Combine::Prioritized | Combine::WeightedSum => weight,
        };
        BehaviorInputs {
            probability,
            view,
            weight: factor,
            largest_factor: match species.combine {
                Combine::Prioritized => 0.0,
                // Bounds the sum of all forces from other crates' behaviors.
                // The engine's own forces are far smaller.
                Combine::WeightedSum => weight * (outside as f32 + 0.5),
                Combine::Dithered => factor,
            },
            key: random::hash_bytes(steer.name().as_bytes()) as u32,
            columns: scene.columns_of(steer).into_iter().filter_map(column).collect(),
            obstacle_range: steer.obstacle_range(),
            wall_range: steer.wall_range(),
        }
    };
    SpeciesParams {
        index: 0,
        group: 0,
        constant_speed: species.locomotion == Locomotion::ConstantSpeed,
        controls: match species.locomotion {
            Locomotion::CarLike { throttle, brake, steering } => Some([throttle, brake, steering]),
            Locomotion::PointMass | Locomotion::ConstantSpeed => None,
        },
        limits: Limit::ALL.map(|limit| species.limit(limit).max()),
        view_distance: species.view_distance,
        turn: turn.filter(|angle| *angle < std::f32::consts::PI).map(sin_cos),
        climb: species.max_climb.map(f32::to_radians).map(sin_cos),
        inputs: species.behaviors.iter().zip(&views.of_behaviors).map(behavior_inputs).collect(),
        views: views.all,
        nearest: views.nearest,
    }
}

pub(crate) fn agents_of_part(agents: usize, part: usize, parts: usize) -> Range<usize> {
    let at = |part: usize| (agents as u128 * part as u128 / parts as u128) as usize;
    at(part)..at(part + 1)
}
