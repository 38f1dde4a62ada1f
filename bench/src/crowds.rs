//! Crowds that isolate the cost of one behavior or of one rule for combining forces.
//! Some behaviors are written as an external crate would write them: separation, once with its own
//! sweep and once with the shared sums, and a force with an exponential.

use flockwork::behaviors::{Alignment, Cohesion, Separation, Wander};
use flockwork::kernel::{Batch, Force, Lanes, Vec3, behavior};
use flockwork::{
    Behavior, Combine, FlowField, Scatter, Scattered, Scene, Species, Target, Topology,
    WaypointPath, World,
};

/// Returns a crowd with about 16 neighbors per agent, steered only by `behavior`.
/// The world has a path, a flow field, a leader, and Buckland's density of obstacles and walls.
pub fn steered_by(behavior: Behavior, agents: usize) -> Scene {
    let mut scene = flock_of(Species::new("agent", agents).behavior(with_targets(behavior)));
    scene.species.push(Species::new("leader", 1).view_distance(1.0));
    scene
}

/// Returns a crowd of one species with about 16 neighbors per agent,
/// in the same world as `steered_by` but without the leader.
pub fn flock_of(species: Species) -> Scene {
    let agents = species.agents.max(1) as f32;
    let side = (agents * std::f32::consts::PI * species.view_distance.powi(2) / 16.0).sqrt();
    let scattered = |size| Scattered { per_thousand_agents: 10.0, size, ..Scattered::default() };
    let corners = [[0.2, 0.2], [0.8, 0.3], [0.7, 0.8], [0.3, 0.7]];
    Scene {
        world: World { topology: Topology::Bounded, ..World::torus(side, side) },
        points: [("middle".to_owned(), [side / 2.0; 2].into())].into(),
        paths: vec![WaypointPath {
            name: "round".into(),
            points: corners.map(|corner| corner.map(|share| share * side).into()).to_vec(),
            closed: true,
        }]
        .into(),
        flow: Some(
            FlowField { columns: 16, degrees: (0..256).map(|k| (k * 37 % 360) as f32).collect() }
                .into(),
        ),
        scatter: Some(Scatter {
            obstacles: Some(scattered([10.0, 30.0])),
            walls: Some(scattered([30.0, 90.0])),
        }),
        ..Scene::default()
    }
    .species(species)
}

/// Returns two crowds of `thousands` × 1000 agents that only wander, with one wall per thousand
/// agents. The first crowd's walls only repel agents; the second crowd's walls are solid.
pub fn behind_walls(thousands: u32, pushes: u32) -> [Scene; 2] {
    let mut scene = steered_by(Wander::default().into(), 1_000 * thousands as usize);
    scene.scatter = None;
    scene.species[0].radius = 2.0.into();
    let walls = Scattered::new(thousands).size([100.0, 100.0]);
    let scene = scene.scatter_walls(walls).non_penetration(pushes);
    [scene.clone(), scene.solid(true)]
}

/// Returns crowds for each behavior alone, including those written outside the engine, with their
/// names.
pub fn alone(agents: usize) -> impl Iterator<Item = (&'static str, Scene)> {
    let alone = move |behavior: Behavior| (behavior.name(), steered_by(behavior, agents));
    Behavior::all().into_iter().map(alone).chain(outside(agents))
}

pub fn combined(agents: usize) -> [(&'static str, Scene); 3] {
    [
        ("prioritized", Combine::Prioritized),
        ("weighted_sum", Combine::WeightedSum),
        ("dithered", Combine::Dithered),
    ]
    .map(|(name, combine)| {
        let flock = Species::new("agent", agents)
            .combine(combine)
            .behavior(Separation::default())
            .behavior(Alignment::default())
            .behavior(Cohesion { weight: 40.0, ..Cohesion::default() })
            .behavior(Wander::default());
        (name, flock_of(flock))
    })
}

fn with_targets(mut behavior: Behavior) -> Behavior {
    use flockwork::behaviors::FieldValue;
    let mut fields = behavior.fields();
    for field in &mut fields {
        match &mut field.value {
            FieldValue::Target(target) => {
                *target = match field.name {
                    "target" | "b" => Target::named("middle"),
                    _ => Target::member("leader", 0),
                };
            }
            FieldValue::Path(path) => *path = "round".into(),
            FieldValue::Optional(distance) if field.name == "search_distance" => {
                *distance = Some(100.0);
            }
            _ => {}
        }
    }
    behavior.set_fields(fields);
    behavior
}

behavior! {
    /// Steers away from each neighbor, more strongly from nearer ones.
    struct Repulsion: "repulsion" {
        /// Multiplier applied to the force; 0 disables the behavior.
        weight: f32 = 0.0, 0.0 to 1.0e6;
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        let mut push = Vec3::zero();
        batch.for_each_neighbor(
            #[inline(always)]
            |neighbor| {
                let inverse = L::splat(1.0) / neighbor.distance_sq;
                push = neighbor.offset.mul_add_where(neighbor.seen, inverse, push);
            },
        );
        (-push).into()
    }
}

behavior! {
    /// Steers away from each neighbor, using the sums that all behaviors share.
    struct SharedRepulsion: "shared_repulsion" {
        /// Multiplier applied to the force; 0 disables the behavior.
        weight: f32 = 0.0, 0.0 to 1.0e6;
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        (-batch.inverse_offset()).into()
    }

    fn reads_all_sums(&self) -> bool {
        false
    }
}

behavior! {
    /// Pushes agents apart, less with distance (Helbing and Molnár 1995).
    struct SocialForce: "social_force" {
        /// Multiplier applied to the force; 0 disables the behavior.
        weight: f32 = 0.0, 0.0 to 1.0e6;
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        let push = batch.sum_over_neighbors(
            #[inline(always)]
            |neighbor| {
                let distance = neighbor.distance_sq.sqrt();
                neighbor.offset * (-(distance * L::splat(-0.2)).exp() / distance)
            },
        );
        push.into()
    }
}

fn outside(agents: usize) -> [(&'static str, Scene); 3] {
    let weight = Separation::default().weight;
    [
        ("separation, outside", steered_by(Repulsion { weight }.into(), agents)),
        ("separation, outside, shared sums", steered_by(SharedRepulsion { weight }.into(), agents)),
        ("social force, outside", steered_by(SocialForce { weight }.into(), agents)),
    ]
}
