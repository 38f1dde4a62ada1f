use flockwork::behaviors::{
    Alignment, Arrive, Cohesion, Cruise, Evade, FlockRules, HideInFlock, Neighborhood,
    ObstacleAvoidance, Pursuit, Seek, Separation, VelocityMatching, WallAvoidance, Wander,
};
use flockwork::{Combine, Locomotion, Scattered, Scene, Species, Start, Target, Wall, World};

use super::{bounded, first, torus};

pub(super) fn flock() -> Scene {
    let fish = Species::new("fish", 600)
        .behavior(Separation::default())
        .behavior(Alignment::default())
        .behavior(Cohesion { weight: 40.0, ..Cohesion::default() })
        .behavior(Wander::default());
    Scene::new(World::torus(960.0, 600.0))
        .name("flock")
        .about("The book's shoal: separation, alignment, cohesion and wander on a torus.")
        .species(fish)
}

pub(super) fn flocking(
    species: Species,
    [separation, alignment, cohesion]: [f32; 3],
    neighborhood: &Neighborhood,
) -> Species {
    let neighborhood = || neighborhood.clone();
    species
        .behavior(Separation { weight: separation, neighborhood: neighborhood() })
        .behavior(Alignment { weight: alignment, neighborhood: neighborhood() })
        .behavior(Cohesion {
            weight: cohesion,
            neighborhood: neighborhood(),
            ..Cohesion::default()
        })
}

fn wary_fish(agents: usize, neighborhood: &Neighborhood) -> Species {
    let fish = Species::new("fish", agents)
        .behavior(WallAvoidance::default())
        .behavior(ObstacleAvoidance::default())
        .behavior(Evade { weight: 2.0, pursuer: first("shark"), threat_range: Some(100.0) });
    flocking(fish, [200.0, 200.0, 40.0], neighborhood).behavior(Wander::default())
}

fn shark() -> Species {
    Species::new("shark", 1)
        .max_speed(70.0)
        .radius(10.0)
        .behavior(WallAvoidance::default())
        .behavior(ObstacleAvoidance::default())
        .behavior(Wander::default())
}

#[expect(clippy::approx_constant, reason = "π as the scene files round it")]
fn shoal(name: &str, about: &str) -> Scene {
    torus(name, about)
        .heading_samples(10)
        .species(wary_fish(299, &Neighborhood::of(["fish"])).max_turn_rate(3.1416))
        .species(shark())
}

pub(super) fn another_big_shoal() -> Scene {
    shoal(
        "another-big-shoal",
        "The big shoal in open water, to inspect cells, queries and neighborhoods.",
    )
    .cell_size(1.71)
}

pub(super) fn big_shoal() -> Scene {
    let tank = [
        [60.0, 20.0],
        [940.0, 20.0],
        [980.0, 60.0],
        [980.0, 540.0],
        [940.0, 580.0],
        [60.0, 580.0],
        [20.0, 540.0],
        [20.0, 60.0],
    ];
    let mut scene = shoal(
        "big-shoal",
        "The book's shoal: 299 fish that flock and wander, wary of a slower shark.",
    );
    let farther = WallAvoidance { feeler_length: 90.0, ..WallAvoidance::default() };
    scene.species[0].behaviors[0] = farther.into();
    scene.wall(Wall::new(tank).closed()).scatter_obstacles(Scattered::new(7).gap(60.0))
}

pub(super) fn heavy() -> Scene {
    Scene::new(World::with_mean_neighbors(16.0))
        .name("heavy")
        .about(
            "A massive shoal with every feature: a shark, obstacles, walls, bodies and smoothed \
             headings.",
        )
        .non_penetration(1)
        .heading_samples(10)
        .scatter_obstacles(Scattered::per_thousand_agents(10.0).gap(20.0))
        .scatter_walls(Scattered::per_thousand_agents(10.0).size([30.0, 90.0]))
        .species(wary_fish(100_000, &Neighborhood::default()))
        .species(shark())
}

fn massive(mean_neighbors: f32, name: &str, about: &str, start: Start) -> Scene {
    let bird = Species::new("bird", 100_000)
        .locomotion(Locomotion::ConstantSpeed)
        .start(start)
        .behavior(Separation { weight: 400.0, ..Separation::default() })
        .behavior(Alignment { weight: 400.0, ..Alignment::default() })
        .behavior(Cohesion { weight: 60.0, ..Cohesion::default() });
    Scene::new(World::with_mean_neighbors(mean_neighbors)).name(name).about(about).species(bird)
}

pub(super) fn stress() -> Scene {
    let about = "A massive crowd that flocks: 16 neighbors on average, whatever its size.";
    massive(16.0, "stress", about, Start::default())
}

pub(super) fn stress_clustered() -> Scene {
    let about =
        "A massive crowd that starts in dense clusters: the hard case for grids and threads.";
    massive(4.0, "stress-clustered", about, Start::in_clusters(300, 400.0))
}

pub(super) fn birds() -> Scene {
    let hawk = || Target::nearest("hawk");
    let bird = Species::new("bird", 400)
        .view_distance(90.0)
        .field_of_view(340.0)
        .max_speed([130.0, 150.0])
        .radius(4.0)
        .behavior(ObstacleAvoidance::default())
        .behavior(Evade { pursuer: hawk(), threat_range: Some(70.0), ..Evade::default() })
        .behavior(HideInFlock { weight: 8.0, threat: hawk(), ..HideInFlock::default() });
    let kind = || Neighborhood::of(["bird"]);
    let bird = bird
        .behavior(Separation { weight: 600.0, ..Separation::default() })
        .behavior(Alignment { weight: 120.0, neighborhood: kind() })
        .behavior(Cohesion { weight: 40.0, neighborhood: kind(), ..Cohesion::default() })
        .behavior(Seek { weight: 0.4, target: Target::named("food") })
        .behavior(Wander {
            weight: 8.0,
            radius: 2.0,
            distance: 4.0,
            jitter: 40.0,
            ..Wander::default()
        })
        .behavior(Cruise { weight: 8.0, speed: 70.0 });
    let hawk = Species::new("hawk", 3)
        .view_distance(160.0)
        .max_speed(125.0)
        .max_force(300.0)
        .radius(9.0)
        .max_turn_rate(2.5)
        .behavior(ObstacleAvoidance::default())
        .behavior(Pursuit { weight: 20.0, evader: Target::nearest("bird"), ..Pursuit::default() })
        .behavior(Wander::default());
    Scene::new(World::torus(1280.0, 800.0))
        .name("birds")
        .about(
            "Birds that flock, look for food and avoid towers; from hawks they flee, faster, \
             into the flock.",
        )
        .point("food", [900.0, 560.0])
        .scatter_obstacles(Scattered::new(9).size([14.0, 34.0]).gap(80.0))
        .species(bird)
        .species(hawk)
}

pub(super) fn boids() -> Scene {
    let within = |distance, degrees| Neighborhood::within(distance).field_of_view(degrees);
    let only = |weight, neighborhood| FlockRules {
        weight,
        alignment: 0.0,
        cohesion: 0.0,
        separation: 0.0,
        neighborhood,
        ..FlockRules::default()
    };
    let boid = Species::new("boid", 400)
        .view_distance(9.0)
        .max_speed(9.0)
        .max_force(27.0)
        .radius(0.5)
        .combine(Combine::WeightedSum)
        .locomotion(Locomotion::ConstantSpeed)
        .behavior(FlockRules { separation: 1.0, ..only(12.0, within(5.0, 270.0)) })
        .behavior(Alignment { weight: 8.0, neighborhood: within(7.5, 90.0) })
        .behavior(FlockRules { cohesion: 1.0, ..only(8.0, within(9.0, 197.3)) });
    Scene::new(World::torus(125.0, 75.0))
        .name("boids")
        .about(
            "Reynolds's boids as in OpenSteer: each of the three rules looks at its own distance \
             and angle.",
        )
        .species(boid)
}

pub(super) fn non_penetration() -> Scene {
    let body = Species::new("body", 300)
        .view_distance(30.0)
        .max_speed([60.0, 100.0])
        .max_force(300.0)
        .radius([4.0, 12.0])
        .behavior(Separation { weight: 0.0, ..Separation::default() })
        .behavior(Arrive { weight: 4.0, target: Target::named("center"), ..Arrive::default() })
        .behavior(Wander { weight: 4.0, ..Wander::default() });
    bounded(
        "non-penetration",
        "A crowd that pushes towards one point and cannot overlap; with more separation it keeps \
         apart by itself.",
    )
    .non_penetration(4)
    .point("center", [500.0, 300.0])
    .species(body)
}

pub(super) fn flock_rules() -> Scene {
    let agent = Species::new("agent", 500)
        .view_distance(60.0)
        .max_speed(120.0)
        .locomotion(Locomotion::ConstantSpeed)
        .combine(Combine::WeightedSum)
        .behavior(FlockRules { weight: 120.0, cohesion: 0.9, ..FlockRules::default() });
    Scene::new(World::torus(1280.0, 800.0))
        .name("flock-rules")
        .about("Flocking by three unit vectors at constant speed.")
        .species(agent)
}

pub(super) fn velocity_matching() -> Scene {
    let agent = Species::new("agent", 200)
        .view_distance(70.0)
        .max_speed([40.0, 140.0])
        .radius(5.0)
        .behavior(Separation::default())
        .behavior(VelocityMatching { weight: 2.0, ..VelocityMatching::default() });
    torus(
        "velocity-matching",
        "Strangers that fall into step: the whole crowd ends up at one velocity.",
    )
    .species(agent)
}

pub(super) fn wander() -> Scene {
    let wanderer = |name, agents, wander| {
        Species::new(name, agents).radius(10.0).max_speed(100.0).behavior(wander)
    };
    let twitchy = Wander { radius: 3.0, distance: 3.0, jitter: 400.0, ..Wander::default() };
    let gliding = Wander { radius: 1.0, distance: 4.0, jitter: 20.0, ..Wander::default() };
    let noise = Wander { noise: Some(1.5), ..Wander::default() };
    torus(
        "wander",
        "Wanderers with their circles: as in the book, twitching, gliding, and by coherent noise.",
    )
    .species(wanderer("book", 12, Wander::default()))
    .species(wanderer("twitchy", 4, twitchy))
    .species(wanderer("gliding", 4, gliding))
    .species(wanderer("noise", 4, noise))
}
