//! Makes the calls of the Python tests in Rust. Each line of standard input is a call,
//! and each line of standard output is its result.

use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::str::FromStr;

use flockwork::{AgentId, AgentOrder, Error, Number, Scene, Simulation, Snapshot, Spawn, Vector};

struct Replay {
    crowd: Simulation,
    kept: Option<Snapshot>,
}

fn main() {
    let mut replay: Option<Replay> = None;
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("a line of text");
        let (call, rest) = line.split_once(' ').unwrap_or((&line, ""));
        let said = match (call, &mut replay) {
            ("scene", _) => Scene::load(rest).and_then(|scene| scene.build()).map(|crowd| {
                replay = Some(Replay { crowd, kept: None });
                String::new()
            }),
            (_, Some(replay)) => replay.call(call, rest),
            (_, None) => panic!("{line} before any scene"),
        };
        let said = said.unwrap_or_else(|error| error.code().to_owned());
        writeln!(out, "{said}").expect("a reader");
        out.flush().expect("a reader");
    }
}

impl Replay {
    fn call(&mut self, call: &str, rest: &str) -> Result<String, Error> {
        let crowd = &mut self.crowd;
        let done = match call {
            "hash" => return Ok(format!("{:016x}", crowd.state_hash())),
            "step" => crowd.run(parsed(rest)),
            "threads" => crowd.set_execution(crowd.execution().threads(parsed(rest))),
            "keep" => {
                self.kept = Some(crowd.snapshot());
                Ok(())
            }
            "restore" => {
                self.kept.iter().for_each(|kept| crowd.restore(kept));
                Ok(())
            }
            "species" => Scene::load(rest).and_then(|scene| crowd.set_species(&scene.species[0])),
            "point" => {
                let (name, at) = rest.split_once(' ').expect("a name");
                crowd.set_point(name, pairs(at)[0])
            }
            "spawn" => {
                let (species, rest) = rest.split_once(' ').expect("a species");
                let mut lists = rest.split(';');
                let positions = pairs(lists.next().expect("positions"));
                let (mut vectors, mut hunger) = (BTreeMap::new(), None);
                for list in lists {
                    match list.split_once(' ').expect("a name and numbers") {
                        ("columns", numbers) => hunger = Some(self::list(numbers)),
                        (name, numbers) => drop(vectors.insert(name, pairs(numbers))),
                    }
                }
                let spawn = Spawn {
                    headings: vectors.get("headings").map(Vec::as_slice),
                    velocities: vectors.get("velocities").map(Vec::as_slice),
                    columns: hunger
                        .iter()
                        .map(|hunger: &Vec<f32>| ("hunger", &hunger[..]))
                        .collect(),
                    ..Spawn::at(&positions)
                };
                let added = crowd.spawn_many(species, &spawn)?;
                return Ok(added.into_iter().map(|id| format!("{} ", number(id))).collect());
            }
            "convert" => {
                let (species, agents) = rest.split_once(' ').expect("a species");
                crowd.change_species(&ids(agents), species)
            }
            "aim" => crowd.set_own_target(ids(rest)[0], ids(rest)[1]),
            "remove" => crowd.remove_many(&ids(rest)),
            "neighbors" => {
                let seen = crowd.neighbors(ids(rest)[0])?;
                return Ok(seen.into_iter().map(|id| format!("{} ", number(id))).collect());
            }
            "set" => {
                let (what, rest) = rest.split_once(' ').expect("a property");
                let (agents, values) = rest.split_once(';').expect("agents and values");
                match what {
                    "position" => set(crowd, Vector::Position, agents, pairs(values)),
                    "velocity" => set(crowd, Vector::Velocity, agents, pairs(values)),
                    "heading" => set(crowd, Vector::Heading, agents, pairs(values)),
                    "own_target" => set(crowd, Vector::OwnTarget, agents, pairs(values)),
                    "max_speed" => set(crowd, Number::MaxSpeed, agents, list(values)),
                    "mass" => set(crowd, Number::Mass, agents, list(values)),
                    "radius" => set(crowd, Number::Radius, agents, list(values)),
                    column => set(crowd, Number::Column(column), agents, list(values)),
                }
            }
            other => panic!("no such call: {other}"),
        };
        done.map(|()| String::new())
    }
}

/// `agents` is `id` or `slot`, the order of values for all agents, or a list of ids.
fn set<P: flockwork::Property>(
    crowd: &mut Simulation,
    property: P,
    agents: &str,
    values: Vec<P::Value>,
) -> Result<(), Error> {
    match agents {
        "id" => crowd.set_all(property, AgentOrder::Id, &values),
        "slot" => crowd.set_all(property, AgentOrder::Slot, &values),
        some => crowd.set_many(property, &ids(some), &values),
    }
}

fn parsed<T: FromStr>(text: &str) -> T {
    text.parse().unwrap_or_else(|_| panic!("not a number: {text}"))
}

fn list<T: FromStr>(text: &str) -> Vec<T> {
    text.split_whitespace().map(parsed).collect()
}

fn pairs(text: &str) -> Vec<[f32; 2]> {
    list(text).as_chunks().0.to_vec()
}

fn ids(text: &str) -> Vec<AgentId> {
    let id = |number: u64| AgentId { index: number as u32, generation: (number >> 32) as u32 };
    list(text).into_iter().map(id).collect()
}

fn number(id: AgentId) -> u64 {
    u64::from(id.generation) << 32 | u64::from(id.index)
}
