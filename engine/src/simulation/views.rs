use crate::behaviors::fields::FieldValue;
use crate::behaviors::neighborhood::Neighborhood;
use crate::crowd::limits::{Limit, Overrides};
use crate::crowd::shared::View;
use crate::crowd::target::Target;
use crate::scene::Scene;
use crate::simulation::required_columns::RequiredColumns;
use crate::simulation::spawn;

pub(super) struct Views {
    pub(super) all: Vec<View>,
    pub(super) of_behaviors: Vec<usize>,
    pub(super) nearest: Vec<(Target, View)>,
}

impl Views {
    pub(super) fn new(
        scene: &Scene,
        required: &RequiredColumns,
        overrides: &Overrides,
        number: usize,
    ) -> Self {
        let species = &scene.species[number];
        let view =
            |neighborhood: &Neighborhood| view(scene, required, overrides, number, neighborhood);
        let mut all = vec![view(&Neighborhood::default())];
        let mut of_behaviors = Vec::new();
        for behavior in &species.behaviors {
            let neighborhood = behavior.as_steer().neighborhood().cloned().unwrap_or_default();
            let new = view(&neighborhood);
            let is_known = |known: &View| {
                let View { number, reads_all_sums, .. } = *known;
                View { number, reads_all_sums, ..new.clone() } == *known
            };
            let number = all.iter().position(is_known).unwrap_or(all.len());
            if number == all.len() {
                all.push(View { number, ..new });
            }
            all[number].reads_all_sums |= behavior.reads_all_sums();
            of_behaviors.push(number);
        }
        let targets = species.behaviors.iter().flat_map(|behavior| behavior.fields());
        let nearest = targets.filter_map(|field| {
            let FieldValue::Target(target) = field.value else { return None };
            let Target::Nearest { species, distance, field_of_view } = target.clone() else {
                return None;
            };
            let neighborhood = Neighborhood { distance, field_of_view, species: vec![species] };
            Some((target, view(&neighborhood)))
        });
        Self { nearest: nearest.collect(), all, of_behaviors }
    }

    pub(super) fn search_radius(&self) -> f32 {
        let views = self.all.iter().chain(self.nearest.iter().map(|(_, view)| view));
        views.map(|view| view.search_radius).fold(0.0, f32::max)
    }
}

fn view(
    scene: &Scene,
    required: &RequiredColumns,
    overrides: &Overrides,
    number: usize,
    neighborhood: &Neighborhood,
) -> View {
    let own = &scene.species[number];
    let includes_radius = own.view_includes_radius;
    let radii_differ = required.has(Limit::Radius);
    let uniform_radius = if includes_radius && !radii_differ { own.radius.max() } else { 0.0 };
    let largest_radius =
        if includes_radius { scene.largest_radius().max(overrides.radius) } else { 0.0 };
    let distance = neighborhood.distance.unwrap_or(own.view_distance);
    let degrees = neighborhood.field_of_view.unwrap_or(own.field_of_view);
    let counts =
        |name: &String| neighborhood.species.is_empty() || neighborhood.species.contains(name);
    let counts: Vec<bool> = scene.species.iter().map(|species| counts(&species.name)).collect();
    View {
        number: 0,
        distance: distance + uniform_radius,
        adds_radius: includes_radius && radii_differ,
        search_radius: distance + largest_radius,
        cos_signed_sq: (degrees < 360.0).then(|| spawn::view_cos(degrees)),
        uses_agent_angle: neighborhood.field_of_view.is_none(),
        includes_itself: counts[number],
        species: if counts.contains(&false) { counts } else { Vec::new() },
        reads_all_sums: false,
    }
}
