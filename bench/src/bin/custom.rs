//! What a behavior of another crate costs: separation, the engine's own and written anew through
//! the public trait, in turns, with the same state hash after every turn.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;
use flockwork::{Behavior, Scene, Separation, Simulation};
use flockwork_bench::failure::Failure;
use flockwork_bench::repulsion::{self, Repulsion, SharedRepulsion};
use flockwork_bench::{crowds, program};

/// Compares separation with the same behavior written through the public trait.
#[derive(Parser)]
struct Options {
    /// Number of agents.
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    agents: u32,
    /// Turns of each.
    #[arg(long, default_value_t = 41, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    turns: u32,
}

fn main() -> ExitCode {
    program::run(|options| compare(&options))
}

fn compare(options: &Options) -> Result<ExitCode, Failure> {
    let mut out = io::stdout();
    let agents = options.agents as usize;
    let own = crowds::steered_by(Separation::default().into(), agents);
    let beside_others = Scene::named("stress")?.agents(agents)?;
    writeln!(
        out,
        "ns per agent-step of steering, one thread, least of {} turns each",
        options.turns
    )?;
    writeln!(out, "{:32} {:>8} {:>8} {:>8}", "scene", "own", "anew", "ratio")?;
    let own_sweep: fn(f32) -> Behavior = |weight| Repulsion { weight }.into();
    let shared: fn(f32) -> Behavior = |weight| SharedRepulsion { weight }.into();
    for (name, scene) in [("separation alone", own), ("stress", beside_others)] {
        for (sums, other) in [("own sums", own_sweep), ("shared sums", shared)] {
            let [own, anew] = least(&scene, &repulsion::anew(scene.clone(), other), options.turns)?;
            let name = format!("{name}, {sums}");
            writeln!(out, "{name:32} {own:8.2} {anew:8.2} {:8.3}", anew / own)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The least time of a step of each scene, in ns per agent.
fn least(own: &Scene, anew: &Scene, turns: u32) -> Result<[f64; 2], Failure> {
    let build = |scene: &Scene| -> Result<Simulation, flockwork::Error> {
        let mut crowd = scene.build()?;
        crowd.set_threads(1)?;
        crowd.run(3)?;
        Ok(crowd)
    };
    let mut crowds = [build(own)?, build(anew)?];
    let mut least = [f64::MAX; 2];
    for turn in 0..turns as usize {
        for k in [turn % 2, (turn + 1) % 2] {
            crowds[k].step()?;
            let time = crowds[k].stage_times().steer.as_secs_f64();
            least[k] = least[k].min(time * 1.0e9 / crowds[k].len() as f64);
        }
        if crowds[0].state_hash() != crowds[1].state_hash() {
            return Err(Failure::WrongResult("the two reached different states".into()));
        }
    }
    Ok(least)
}
