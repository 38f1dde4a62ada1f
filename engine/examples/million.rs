//! A million agents, with a progress bar and the time per agent-step.
//! `-- 100000 20` sets the numbers of agents and steps.

use std::env::args;
use std::time::Instant;

use flockwork::Scene;
use indicatif::{ProgressBar, ProgressStyle};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let agents = args().nth(1).map_or(Ok(1_000_000), |agents| agents.parse())?;
    let steps = args().nth(2).map_or(Ok(40), |steps| steps.parse())?;

    let mut crowd = Scene::named("stress")?.agents(agents).build()?;
    crowd.step()?; // The first step allocates working memory.
    println!(
        "{} agents, {} of {} threads, {:?}, {} MB",
        crowd.len(),
        crowd.threads_in_use(),
        crowd.execution().threads,
        crowd.execution().level,
        crowd.bytes() / 1_000_000,
    );

    let style = ProgressStyle::with_template("{bar:40} step {pos} of {len}, {eta} left")?;
    let bar = ProgressBar::new(steps).with_style(style);
    let start = Instant::now();
    for _ in 0..steps {
        crowd.step()?;
        bar.inc(1);
    }
    let seconds = start.elapsed().as_secs_f64();
    bar.finish_and_clear();

    let agent_steps = crowd.len() as f64 * steps as f64;
    println!(
        "{steps} steps in {seconds:.2} s: {:.1} ns per agent-step",
        seconds * 1.0e9 / agent_steps
    );
    println!("state {:016x}", crowd.state_hash());

    assert_eq!((crowd.len(), crowd.tick()), (agents, steps + 1));
    let (now, [width, height]) = (crowd.agents(), crowd.world_size());
    assert!(now.x.iter().all(|x| (0.0..width).contains(x)));
    assert!(now.y.iter().all(|y| (0.0..height).contains(y)));
    Ok(())
}
