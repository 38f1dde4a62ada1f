//! Measures the cost of reads, writes and queries between steps, as a multiple of the same crowd's
//! step time. Each round times every measure once; results are medians over rounds.
//!
//! `cargo bench --bench state [-- AGENTS]`

use std::time::Instant;

use flockwork::{AgentId, AgentOrder, Error, Number, Scene, Simulation, Spawn, Vector};

const TURNS: usize = 41;

/// Name, promised maximum cost for 100,000 agents (as a multiple of the step time), and the calls
/// to time.
type Measure = (&'static str, Option<f64>, fn(&mut Subject) -> Result<(), Error>);

const MEASURES: [Measure; 10] = [
    ("3 neighbors and 3 column writes", Some(0.2), |crowd| {
        for k in 0..3 {
            let id = crowd.ids[k * crowd.ids.len() / 3];
            crowd.simulation.set(Number::Column("hunger"), id, k as f32)?;
            crowd.simulation.neighbors(id)?;
        }
        Ok(())
    }),
    ("agent(id) for all", Some(0.1), |crowd| {
        let mut sum = 0.0;
        for &id in &crowd.ids {
            sum += crowd.simulation.agent(id)?.position[0];
        }
        assert!(sum > 0.0);
        Ok(())
    }),
    ("two columns by id for all", Some(0.15), |crowd| {
        crowd.simulation.get_all_into(
            Number::Column("hunger"),
            AgentOrder::Id,
            &mut crowd.numbers,
        )?;
        crowd.simulation.get_all_into(Number::Column("fear"), AgentOrder::Id, &mut crowd.numbers)
    }),
    ("positions by id for all", Some(1.1), |crowd| {
        crowd.simulation.get_all_into(Vector::Position, AgentOrder::Id, &mut crowd.after)
    }),
    ("a column written by id for all", None, |crowd| {
        crowd.simulation.set_all(Number::Column("hunger"), AgentOrder::Id, &crowd.numbers)
    }),
    ("positions written by id for all", None, |crowd| {
        crowd.simulation.set_all(Vector::Position, AgentOrder::Id, &crowd.after)
    }),
    ("interpolation of all", Some(0.05), |crowd| {
        let Subject { simulation, before, after, between, .. } = crowd;
        simulation.interpolate_into(before, after, 0.5, between)
    }),
    ("the first question at a point", None, |crowd| {
        crowd.simulation.agents_within_into([500.0; 2], 50.0, None, &mut crowd.found)
    }),
    ("1,000 questions at points", None, |crowd| {
        for k in 0..1_000 {
            let at = [k as f32, 500.0];
            crowd.simulation.agents_within_into(at, 50.0, None, &mut crowd.found)?;
        }
        Ok(())
    }),
    ("1 % removed and added again", None, |crowd| {
        let some: Vec<AgentId> = crowd.ids.iter().copied().step_by(100).collect();
        let at = crowd.simulation.get_many(Vector::Position, &some)?;
        crowd.simulation.remove_many(&some)?;
        let added = crowd
            .simulation
            .spawn_many("agent", &Spawn::at(&at).headings(&vec![[1.0, 0.0]; at.len()]))?;
        crowd.ids.iter_mut().step_by(100).zip(added).for_each(|(id, new)| *id = new);
        Ok(())
    }),
];

struct Subject {
    simulation: Simulation,
    ids: Vec<AgentId>,
    numbers: Vec<f32>,
    before: Vec<[f32; 2]>,
    after: Vec<[f32; 2]>,
    between: Vec<[f32; 2]>,
    found: Vec<AgentId>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Cargo passes `--bench` to every benchmark.
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.iter().any(|word| word == "--list") {
        MEASURES.iter().for_each(|(name, ..)| println!("{name}: benchmark"));
        return Ok(());
    }
    // Ignore all other words: they are options for criterion.
    let agents = words.iter().find_map(|word| word.parse().ok()).unwrap_or(100_000);
    let mut scene = Scene::named("stress")?.agents(agents);
    let species = scene.species[0].clone().column("hunger", 1.0).column("fear", 0.0);
    scene.species[0] = flockwork::Species { name: "agent".into(), ..species };
    let mut simulation = scene.build()?;
    simulation.set_execution(simulation.execution().threads(1))?;
    simulation.run(20)?;
    let ids: Vec<AgentId> = simulation.agents().ids().collect();
    let mut before = Vec::new();
    simulation.get_all_into(Vector::Position, AgentOrder::Id, &mut before)?;
    let (numbers, after, between, found) = (vec![1.0; agents], before.clone(), vec![], vec![]);
    let mut crowd = Subject { simulation, ids, numbers, before, after, between, found };

    let mut steps = Vec::new();
    let mut alone: [Vec<f64>; MEASURES.len()] = Default::default();
    let mut added: [Vec<f64>; MEASURES.len()] = Default::default();
    for _ in 0..TURNS {
        for (((_, _, measure), alone), added) in MEASURES.iter().zip(&mut alone).zip(&mut added) {
            // This step starts right after another step, because the previous measure ended with
            // one.
            let begun = Instant::now();
            crowd.simulation.step()?;
            let step = begun.elapsed().as_secs_f64();
            let begun = Instant::now();
            measure(&mut crowd)?;
            alone.push(begun.elapsed().as_secs_f64());
            crowd.simulation.step()?;
            added.push(begun.elapsed().as_secs_f64() - step);
            steps.push(step);
        }
    }
    let step = median(&mut steps);
    println!("{agents} agents, one thread: a step takes {:.3} ms", 1.0e3 * step);
    println!("added: with the next step, which need not sort again, minus a step alone\n");
    println!("{:34} {:>9} {:>9} {:>9}", "in steps", "alone", "added", "at most");
    for (((name, most, _), alone), added) in MEASURES.iter().zip(&mut alone).zip(&mut added) {
        let most = most.map_or(String::new(), |most| format!("{most:.2}"));
        let [alone, added] = [median(alone) / step, median(added) / step];
        // A negative difference is noise.
        let added = if added < 0.0 { "none".into() } else { format!("{added:.3}") };
        println!("{name:34} {alone:>9.3} {added:>9} {most:>9}");
    }
    Ok(())
}

fn median(seconds: &mut [f64]) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}
