//! Chooses how a crowd is sorted and searched: its groups, searches and height of rows.
//!
//! The choice depends on the present number of agents in each species, rounded to a power of two.
//! It therefore changes rarely while a crowd runs, and a restored crowd gets the same plan.

use crate::crowd::limits::{Limit, Overrides};
use crate::crowd::params::{SpeciesParams, View};
use crate::grid::groups::{MAX_GROUPS, Plan, Reach, farther, farthest};
use crate::scene::Scene;
use crate::simulation::Simulation;
use crate::world::space::Space;

/// Species that see this many times as far as others are sorted apart.
const UNLIKE_REACH: f32 = 1.5;
/// Species with this many times the extent of others are sorted apart, if radii are read.
const UNLIKE_EXTENT: f32 = 4.0;
/// In a scene of at most `FEW_SPECIES` species, each species with at least `LARGE_FRACTION` of all
/// agents is sorted apart, because a batch of one species takes only one pass.
const FEW_SPECIES: usize = 4;
const LARGE_FRACTION: f64 = 0.05;
/// A view may use another view's longer search if it reaches at least this fraction as far.
const SHARED_REACH: f32 = 0.5;
/// The height of rows is one of the reaches divided by one of these numbers.
const HEIGHT_DIVISORS: [f32; 4] = [1.0, 2.0, 3.0, 4.0];
/// Maximum number of reaches to try: the time to choose grows with this number and with the number
/// of searches.
const MAX_HEIGHTS: usize = 64;
/// Species with at most this fraction of all agents are searched for in cells of their own, which
/// one thread fills.
const MAX_SOUGHT_FRACTION: f64 = 0.125;
/// Rows lower than the largest reach must save at least this fraction of the cost.
const LEAST_GAIN: f64 = 0.05;
/// Number of lanes that estimates assume.
const LANES: f64 = 8.0;
/// Fraction of a row by which a reach may exceed whole rows without reading another row.
const ROUNDING: f64 = 1.0e-3;
/// Cost of a run of slots, relative to the test of one candidate. Sweeps test one candidate at a
/// time, contact searches several.
const RUN_COST: f64 = 4.0;
const CONTACT_RUN_COST: f64 = 24.0;

/// Rounds each population to a power of two; 0 remains 0.
pub(super) fn sizes(populations: &[usize]) -> Vec<usize> {
    let size = |&agents: &usize| match agents {
        0 => 0,
        _ => 1 << ((2 * (agents as u128).pow(2)).ilog2() / 2),
    };
    populations.iter().map(size).collect()
}

impl Simulation {
    /// Call this after the number of agents of a species has changed.
    pub(crate) fn plan_anew(&mut self) {
        if sizes(&self.setting.populations) != self.setting.plan.sizes {
            self.derive_params();
        }
    }
}

/// A search that a step makes for all agents of a group, and the cost of each run of slots.
struct Cost {
    group: usize,
    agents: f64,
    reach: Reach,
    run: f64,
}

/// Traits in which species must be alike to be sorted together.
struct Traits {
    fraction: f64,
    /// One flag per view that names species, true if the view includes this species.
    seen_by: Vec<bool>,
    farthest: f32,
    extent: f32,
}

impl Plan {
    /// Chooses the groups, gives each view its search, and chooses the height of rows.
    pub(super) fn chosen(
        scene: &Scene,
        space: &Space,
        (species, kinds, agents): (&mut [SpeciesParams], &[u8], &[usize]),
        overrides: &Overrides,
        max_lift: f32,
    ) -> Self {
        let mut plan = Self { sizes: agents.to_vec(), max_lift, ..Self::default() };
        let adds_radii =
            |one: &SpeciesParams| one.all_views().any(|view| view.is_read && view.adds_radius);
        let adds_radii = species.iter().any(adds_radii);
        plan.choose_sought(species);
        let has_outliers = plan.choose_usual(scene, species, overrides, adds_radii);
        plan.choose_groups(scene, species, kinds, (adds_radii, has_outliers));
        let groups = plan.group_of.iter().copied().chain(plan.outliers).max();
        plan.agents.extend((0..=groups.unwrap_or(0)).map(|_| 0));
        for (species_index, &[radius, speed]) in plan.usual.iter().enumerate() {
            let group = plan.group_of(species_index);
            plan.agents[group] += agents[species_index];
            plan.radii[group] = plan.radii[group].max(radius);
            plan.moves[group] = plan.moves[group].max(speed * scene.dt());
        }
        if let Some(outliers) = plan.outliers.map(usize::from) {
            plan.radii[outliers] = plan.radii.into_iter().fold(overrides.radius, f32::max);
            let farthest = overrides.max_speed * scene.dt();
            plan.moves[outliers] = plan.moves.into_iter().fold(farthest, f32::max);
        }
        let mut costs = Vec::new();
        for (species_index, one) in species.iter_mut().enumerate() {
            let group = plan.group_of(species_index);
            let agents = agents[species_index] as f64;
            let mut views: Vec<&mut View> = one.all_views_mut().collect();
            for view in &mut views {
                view.reach = plan.reach(view);
                view.search_radius = farthest(view.reach);
                let is_seen = |(group, counts): (&u8, &bool)| {
                    *counts || view.reach[usize::from(*group)] == 0.0
                };
                view.names_groups =
                    plan.outliers.is_none() && plan.group_of.iter().zip(&view.species).all(is_seen);
            }
            // A view that only queries read must not widen the searches of other views.
            views.sort_by(|one, other| {
                let farther = other.search_radius.total_cmp(&one.search_radius);
                other.is_read.cmp(&one.is_read).then(farther)
            });
            let first = plan.searches.len();
            for view in views {
                if view.sought.is_some() {
                    plan.needs[group] = farther(plan.needs[group], view.reach);
                    continue;
                }
                let shared = plan.searches[first..].iter().position(|(_, farther_reach)| {
                    farther_reach
                        .iter()
                        .zip(&view.reach)
                        .all(|(&most, &reach)| (SHARED_REACH * most..=most).contains(&reach))
                });
                view.search = first + shared.unwrap_or(plan.searches.len() - first);
                if shared.is_none() {
                    plan.searches.push((group, view.reach));
                    if view.is_read {
                        costs.push(Cost { group, agents, reach: view.reach, run: RUN_COST });
                    }
                }
            }
        }
        let mut reaches: Vec<f32> = costs.iter().flat_map(|cost| cost.reach).collect();
        plan.contacts = plan.searches.len();
        if let Some(later_passes) = scene.passes().checked_sub(1) {
            // A pass pushes each agent of a pair by at most the largest radius. Rounding adds at
            // most half a spacing of coordinates, and no more than the push itself.
            let radius = farthest(plan.radii);
            let rounding = radius.min(space.largest_across() * f32::EPSILON / 2.0);
            plan.max_push = radius + rounding + max_lift;
            let pushed = 2.0 * (later_passes as f32 * plan.max_push + max_lift);
            for group in 0..plan.agents.len() {
                let contacts = plan.contact_reach(group, 1.0, &[pushed; MAX_GROUPS]);
                plan.needs[group] = farther(plan.needs[group], contacts);
                let reach = plan.contact_reach(group, 1.0, &[0.0; MAX_GROUPS]);
                plan.searches.push((group, reach));
                let agents = plan.agents[group] as f64;
                costs.push(Cost { group, agents, reach, run: CONTACT_RUN_COST });
            }
        }
        if reaches.is_empty() {
            // If no behavior reads neighbors, choose from the reaches of all other searches.
            reaches.extend(plan.searches.iter().flat_map(|(_, reach)| reach));
        }
        plan.view = plan.cheapest_height(space, reaches, &costs);
        for &Cost { group, reach, .. } in &costs {
            plan.needs[group] = farther(plan.needs[group], reach);
        }
        if let Some(outliers) = plan.outliers.map(usize::from) {
            // Agents of any species may be outliers, so outliers search as far as any group.
            plan.needs[outliers] = plan.needs.into_iter().fold(Reach::default(), farther);
        }
        for species in species {
            for (_, view) in &mut species.nearest {
                let sought = view.reach.iter().zip(&plan.agents).filter(|(reach, _)| **reach > 0.0);
                let agents = sought.map(|(_, &agents)| agents).sum::<usize>().max(1);
                let spacing = space.spacing(agents as f64) as f32;
                view.first_distance = spacing.max(plan.view);
            }
        }
        plan
    }

    /// Chooses each species' usual radius and speed. Returns true if agents that exceed these
    /// values are sorted apart.
    fn choose_usual(
        &mut self,
        scene: &Scene,
        species: &[SpeciesParams],
        overrides: &Overrides,
        adds_radii: bool,
    ) -> bool {
        let pushes = scene.passes() > 0;
        let [by_radius, by_speed] = overrides.has_outliers();
        let has_outliers = (pushes || adds_radii) && by_radius || pushes && by_speed;
        let Overrides { radius, max_speed, usual_radius, usual_speed, .. } = *overrides;
        let written = if has_outliers { [usual_radius, usual_speed] } else { [radius, max_speed] };
        let usual = |one: &SpeciesParams| {
            let own_limits =
                [Limit::Radius, Limit::MaxSpeed].map(|limit| one.limits[limit as usize]);
            [own_limits[0].max(written[0]), own_limits[1].max(written[1])]
        };
        self.usual = species.iter().map(usual).collect();
        has_outliers
    }

    fn choose_groups(
        &mut self,
        scene: &Scene,
        species: &[SpeciesParams],
        kinds: &[u8],
        (adds_radii, has_outliers): (bool, bool),
    ) {
        let all = self.sizes.iter().sum::<usize>().max(1) as f64;
        let lists: Vec<&Vec<bool>> = species
            .iter()
            .flat_map(SpeciesParams::all_views)
            .filter(|view| view.is_read && !view.species.is_empty())
            .map(|view| &view.species)
            .collect();
        let traits = |species_index: usize| {
            let (one, [radius, speed]) = (&species[species_index], self.usual[species_index]);
            let read = one.all_views().filter(|view| view.is_read);
            Traits {
                fraction: self.sizes[species_index] as f64 / all,
                seen_by: lists.iter().map(|list| list[species_index]).collect(),
                farthest: read.map(|view| view.distance).fold(0.0, f32::max),
                extent: match (scene.passes() > 0, adds_radii) {
                    (true, _) => radius + speed * scene.dt(),
                    (false, true) => radius,
                    (false, false) => 0.0,
                },
            }
        };
        let mut order: Vec<usize> = (0..species.len()).collect();
        order.sort_by_key(|&species_index| std::cmp::Reverse(self.sizes[species_index]));
        let most = MAX_GROUPS - usize::from(has_outliers);
        let mut groups: Vec<(usize, Traits)> = Vec::new();
        self.group_of = vec![0; species.len()];
        for species_index in order {
            let traits = traits(species_index);
            let large = species.len() <= FEW_SPECIES && traits.fraction >= LARGE_FRACTION;
            let alike_group = groups.iter().position(|(first, group)| {
                let alike = |a: f32, b: f32, most| a.max(b) <= most * a.min(b);
                let is_kind = || kinds[*first] == kinds[species_index];
                (!large || is_kind())
                    && group.seen_by == traits.seen_by
                    && (traits.farthest == 0.0
                        || alike(group.farthest, traits.farthest, UNLIKE_REACH))
                    && alike(group.extent, traits.extent, UNLIKE_EXTENT)
            });
            let group = alike_group.unwrap_or(if groups.len() < most { groups.len() } else { 0 });
            self.group_of[species_index] = group as u8;
            if group == groups.len() {
                groups.push((species_index, traits));
            }
        }
        self.outliers = has_outliers.then_some(groups.len() as u8);
    }

    fn choose_sought(&mut self, species: &mut [SpeciesParams]) {
        let all = self.sizes.iter().sum::<usize>() as f64;
        for (_, view) in species.iter_mut().flat_map(|species| &mut species.nearest) {
            let named = view.species.iter().position(|&counts| counts);
            let few = named.filter(|&one| self.sizes[one] as f64 <= MAX_SOUGHT_FRACTION * all);
            view.sought = few.map(|one| {
                let index = self.sought.iter().position(|&sought| usize::from(sought) == one);
                index.unwrap_or_else(|| {
                    self.sought.push(one as u8);
                    self.sought.len() - 1
                })
            });
        }
    }

    fn reach(&self, view: &View) -> Reach {
        let mut reach = Reach::default();
        let mut add = |group: usize, radius: f32| {
            let distance = view.distance + if view.adds_radius { radius } else { 0.0 };
            reach[group] = reach[group].max(distance);
        };
        for (species, &[radius, _]) in self.usual.iter().enumerate() {
            if view.species.is_empty() || view.species[species] {
                add(self.group_of(species), radius);
            }
        }
        if let Some(outliers) = self.outliers.map(usize::from) {
            add(outliers, self.radii[outliers]);
        }
        reach
    }

    /// Returns the row height with the lowest estimated cost: a reach, or a fraction of one.
    fn cheapest_height(&self, space: &Space, mut reaches: Vec<f32>, searches: &[Cost]) -> f32 {
        let extent = space.extent();
        let densities: Vec<f64> =
            self.agents.iter().map(|&agents| agents as f64 / extent).collect();
        let spacing = space.spacing(self.agents.iter().sum::<usize>().max(1) as f64);
        // Rows adjoin along one axis in flat worlds, and along two axes in worlds with depth.
        let across = |side: f64| if space.is_flat() { side } else { side * side };
        let cost = |height: f32| {
            let height = f64::from(height).max(spacing);
            let section = across(height);
            let of_search = |&Cost { group, agents, reach, run }: &Cost| {
                let length = LANES / (densities[group] * section).max(f64::MIN_POSITIVE);
                let length = length.min(f64::from(space.size.x));
                let blocks = densities.iter().zip(reach).filter(|(_, reach)| *reach > 0.0);
                let of_block = |(density, reach): (&f64, f32)| {
                    // A batch's agents may be at any height within their row.
                    let rows = across(2.0 * (f64::from(reach) / height - ROUNDING).ceil() + 1.0);
                    let tested = rows * density * section * (2.0 * f64::from(reach) + length);
                    // A search skips the rows that have no agents of the group.
                    let runs = rows.min(rows * density * section * f64::from(space.size.x));
                    tested + run * runs
                };
                agents * blocks.map(of_block).sum::<f64>()
            };
            searches.iter().map(of_search).sum::<f64>()
        };
        reaches.retain(|&reach| reach > 0.0);
        reaches.sort_by(f32::total_cmp);
        reaches.dedup();
        let &[.., largest] = &reaches[..] else { return 0.0 };
        // Steps down from the largest reach, so that it is always among those tried.
        let step = reaches.len().div_ceil(MAX_HEIGHTS);
        let mut reaches: Vec<f32> = reaches.into_iter().rev().step_by(step).collect();
        reaches.reverse();
        if reaches.len() == 1 {
            return largest;
        }
        let most = cost(largest) * (1.0 - LEAST_GAIN);
        let heights =
            reaches.iter().flat_map(|&reach| HEIGHT_DIVISORS.map(|divisor| reach / divisor));
        let costs = heights.map(|height| (height, cost(height)));
        let cheapest = costs.min_by(|one, other| one.1.total_cmp(&other.1));
        cheapest.filter(|(_, cost)| *cost < most).map_or(largest, |(height, _)| height)
    }
}
