use crate::behaviors::{FieldValue, Neighborhood};
use crate::crowd::limits::Limit;
use crate::crowd::params::View;
use crate::crowd::target::Target;
use crate::scene::Scene;
use crate::simulation::first_values;
use crate::simulation::required_columns::RequiredColumns;

pub(super) struct Views {
    pub(super) all: Vec<View>,
    pub(super) of_behaviors: Vec<usize>,
    pub(super) nearest: Vec<(Target, View)>,
}

impl Views {
    pub(super) fn new(scene: &Scene, required: &RequiredColumns, species_index: usize) -> Self {
        let species = &scene.species[species_index];
        let view = |neighborhood: &Neighborhood| view(scene, required, species_index, neighborhood);
        let mut all = vec![view(&Neighborhood::default())];
        let mut of_behaviors = Vec::new();
        for behavior in &species.behaviors {
            let neighborhood = behavior.as_steer().neighborhood().cloned().unwrap_or_default();
            let new = view(&neighborhood);
            let is_same = |other: &View| {
                let View { index, reads_all_sums, is_read, .. } = *other;
                View { index, reads_all_sums, is_read, ..new.clone() } == *other
            };
            let index = all.iter().position(is_same).unwrap_or(all.len());
            if index == all.len() {
                all.push(View { index, ..new });
            }
            all[index].reads_all_sums |= behavior.reads_all_sums();
            all[index].is_read |= behavior.reads_neighbors();
            of_behaviors.push(index);
        }
        let targets = species.behaviors.iter().flat_map(|behavior| behavior.fields());
        let nearest = targets.filter_map(|field| {
            let FieldValue::Target(target) = field.value else { return None };
            let Target::Nearest { species, distance, field_of_view, line_of_sight } =
                target.clone()
            else {
                return None;
            };
            let neighborhood = Neighborhood { distance, field_of_view, species: vec![species] };
            Some((target, View { is_read: true, line_of_sight, ..view(&neighborhood) }))
        });
        Self { nearest: nearest.collect(), all, of_behaviors }
    }
}

fn view(
    scene: &Scene,
    required: &RequiredColumns,
    species_index: usize,
    neighborhood: &Neighborhood,
) -> View {
    let species = &scene.species[species_index];
    let includes_radius = species.view_includes_radius;
    let radii_differ = required.has(Limit::Radius);
    let uniform_radius = if includes_radius && !radii_differ { species.radius.max() } else { 0.0 };
    let distance = neighborhood.distance.unwrap_or(species.view_distance);
    let degrees = neighborhood.field_of_view.unwrap_or(species.field_of_view);
    let counts =
        |name: &String| neighborhood.species.is_empty() || neighborhood.species.contains(name);
    let counts: Vec<bool> = scene.species.iter().map(|species| counts(&species.name)).collect();
    View {
        distance: distance + uniform_radius,
        adds_radius: includes_radius && radii_differ,
        cos_signed_sq: (degrees < 360.0).then(|| first_values::view_cos(degrees)),
        uses_agent_angle: neighborhood.field_of_view.is_none(),
        includes_itself: counts[species_index],
        species: if counts.contains(&false) { counts } else { Vec::new() },
        ..View::default()
    }
}
