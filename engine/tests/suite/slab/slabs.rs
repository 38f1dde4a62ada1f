//! All slabs of a crowd, each on a thread of its own while they exchange messages.

use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, OnceLock};
use std::thread;

use flockwork::slab::{Exchange, Incoming, Outgoing, Refused, Slab};
use flockwork::{
    AgentId, Agents, Error, InSpace, Number, Point, Scene, Simulation, Snapshot, SnapshotPart,
    Spawn, Species, Target, Vector,
};

/// Order in which a receiver joins the lists of arriving agents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Join {
    BySender,
    /// Breaks the rule: the lists are in descending order of senders.
    Reversed,
    /// Breaks the rule: the lists of the next lower and the next higher slab swap places.
    NeighborsSwapped,
}

pub(crate) struct Slabs {
    pub(crate) slabs: Vec<Slab>,
    pub(crate) join: Join,
    /// Breaks the rule: slabs miss the row of ghosts next to their own rows.
    pub(crate) thin: bool,
}

#[derive(Debug)]
struct Parcel {
    /// Number of calls that the sender has made: all slabs must make the same calls.
    call: usize,
    pieces: usize,
    bytes: Vec<u8>,
}

/// Channels between one slab and all slabs, including itself.
struct Channels {
    number: usize,
    to: Vec<Sender<Parcel>>,
    from: Vec<Receiver<Parcel>>,
    call: usize,
    exchanges: usize,
    join: Join,
    thin: bool,
}

/// The error if another slab has ended early or has panicked.
#[derive(Debug)]
struct Gone;

impl Channels {
    fn send(&self, to: usize, pieces: usize, bytes: Vec<u8>) -> Result<(), Gone> {
        self.to[to].send(Parcel { call: self.call, pieces, bytes }).map_err(|_| Gone)
    }

    fn receive(&self, from: usize, pieces: usize) -> Result<Vec<u8>, Gone> {
        let parcel = self.from[from].recv().map_err(|_| Gone)?;
        assert_eq!((parcel.call, parcel.pieces), (self.call, pieces), "all slabs agree");
        Ok(parcel.bytes)
    }

    fn break_rules(&self, incoming: &mut [Incoming]) {
        let swap = |incoming: &mut [Incoming], one: usize, other: usize| {
            let bytes = std::mem::take(&mut incoming[one].bytes);
            incoming[one].bytes = std::mem::replace(&mut incoming[other].bytes, bytes);
        };
        match (self.exchanges, self.join) {
            (1, Join::Reversed) => {
                let last = incoming.len().saturating_sub(1);
                (0..incoming.len() / 2).for_each(|at| swap(incoming, at, last - at));
            }
            (1, Join::NeighborsSwapped) => {
                let higher = incoming.partition_point(|message| message.from < self.number);
                if (1..incoming.len()).contains(&higher) {
                    swap(incoming, higher - 1, higher);
                }
            }
            // The second exchange sends the numbers of ghosts, the third the ghosts.
            (2, _) if self.thin => incoming.iter_mut().for_each(|message| message.bytes.fill(0)),
            (3, _) if self.thin => incoming.iter_mut().for_each(|message| message.bytes.clear()),
            _ => {}
        }
    }
}

impl Exchange for Channels {
    type Lost = Gone;

    fn exchange(
        &mut self,
        outgoing: &[Outgoing<'_>],
        incoming: &mut [Incoming],
        meanwhile: &mut dyn FnMut() -> bool,
    ) -> Result<(), Gone> {
        self.call += 1;
        self.exchanges += 1;
        for pieces in outgoing.chunk_by(|one, next| one.to == next.to) {
            let bytes: Vec<&[u8]> = pieces.iter().map(|sent| sent.piece).collect();
            self.send(pieces[0].to, pieces.len(), bytes.concat())?;
        }
        while meanwhile() {}
        for message in &mut *incoming {
            message.bytes = self.receive(message.from, message.pieces)?;
        }
        self.break_rules(incoming);
        Ok(())
    }

    fn sum(&mut self, values: &mut [u64]) -> Result<(), Gone> {
        let own: Vec<u8> = values.iter().flat_map(|value| value.to_ne_bytes()).collect();
        let mut all = Vec::new();
        self.all_gather(&own, &mut all)?;
        values.fill(0);
        for bytes in all {
            assert_eq!(bytes.len(), own.len(), "all slabs agree");
            for (sum, value) in values.iter_mut().zip(bytes.as_chunks().0) {
                *sum = sum.wrapping_add(u64::from_ne_bytes(*value));
            }
        }
        Ok(())
    }

    fn min(&mut self, value: u64) -> Result<u64, Gone> {
        let mut all = Vec::new();
        self.all_gather(&value.to_ne_bytes(), &mut all)?;
        let values = all.into_iter().map(|bytes| u64::from_ne_bytes(bytes.try_into().unwrap()));
        Ok(values.min().unwrap())
    }

    fn all_gather(&mut self, bytes: &[u8], into: &mut Vec<Vec<u8>>) -> Result<(), Gone> {
        self.call += 1;
        (0..self.to.len()).try_for_each(|to| self.send(to, 0, bytes.to_vec()))?;
        *into = (0..self.to.len()).map(|from| self.receive(from, 0)).collect::<Result<_, _>>()?;
        Ok(())
    }
}

impl Slabs {
    pub(crate) fn new(scene: &Scene, slabs: usize) -> Self {
        let slabs = (0..slabs).map(|number| Slab::new(scene, number, slabs).unwrap()).collect();
        Self { slabs, join: Join::BySender, thin: false }
    }

    pub(crate) fn of_snapshot(snapshot: &Snapshot, slabs: usize) -> Self {
        let slab = |number| Slab::from_snapshot(snapshot, number, slabs).unwrap();
        Self { slabs: (0..slabs).map(slab).collect(), join: Join::BySender, thin: false }
    }

    /// The parts of all slabs, written to bytes and read back.
    pub(crate) fn saved(&self) -> Vec<SnapshotPart> {
        let parts = self.slabs.iter().map(|slab| slab.part().to_bytes());
        parts.map(|bytes| SnapshotPart::from_bytes(&bytes).unwrap()).collect()
    }

    pub(crate) fn resume(parts: &[SnapshotPart], slabs: usize) -> Result<Self, Error> {
        let crowd = parts[0].crowd_len();
        let slab = |number| {
            let share = Slab::share(crowd, number, slabs)?;
            let mut first = 0;
            let parts = parts.iter().map(|part| {
                let range = share.start.clamp(first, first + part.len()) - first
                    ..share.end.clamp(first, first + part.len()) - first;
                first += part.len();
                (part, range)
            });
            Slab::resume(parts, number, slabs)
        };
        let slabs = (0..slabs).map(slab).collect::<Result<_, _>>()?;
        Ok(Self { slabs, join: Join::BySender, thin: false })
    }

    /// Calls `act` for all slabs at once. All slabs must get the same result, which is returned.
    fn together<R: Send + PartialEq + std::fmt::Debug>(
        &mut self,
        act: impl Fn(&mut Slab, &mut Channels) -> Result<R, Gone> + Sync,
    ) -> R {
        let count = self.slabs.len();
        let mut senders: Vec<Vec<_>> = (0..count).map(|_| Vec::new()).collect();
        let mut receivers: Vec<Vec<_>> = (0..count).map(|_| Vec::new()).collect();
        for from in &mut senders {
            for to in &mut receivers {
                let (sender, receiver) = channel();
                from.push(sender);
                to.push(receiver);
            }
        }
        let (join, thin, act) = (self.join, self.thin, &act);
        let results: Vec<_> = thread::scope(|scope| {
            let threads: Vec<_> = (self.slabs.iter_mut().zip(senders).zip(receivers).enumerate())
                .map(|(number, ((slab, to), from))| {
                    let (call, exchanges) = (0, 0);
                    let mut channels = Channels { number, to, from, call, exchanges, join, thin };
                    scope.spawn(move || act(slab, &mut channels))
                })
                .collect();
            threads.into_iter().map(thread::ScopedJoinHandle::join).collect()
        });
        let results = results
            .into_iter()
            .map(|result| result.unwrap_or_else(|payload| resume_unwind(payload)));
        let mut results =
            results.collect::<Vec<_>>().into_iter().map(|result| result.expect("all slabs agree"));
        let first = results.next().unwrap();
        assert!(results.all(|other| other == first), "all slabs agree on {first:?}");
        first
    }

    /// Takes a step; `borders` may choose new borders, given the number of rows. The error is the
    /// message of the undivided crowd's error.
    pub(crate) fn step(
        &mut self,
        borders: impl FnOnce(u32) -> Option<Vec<u32>> + Send,
    ) -> Result<(), String> {
        let (borders, chosen) = (Mutex::new(Some(borders)), OnceLock::new());
        let choose = |rows: u32| {
            let choose = || (borders.lock().unwrap().take().unwrap())(rows);
            chosen.get_or_init(choose).clone()
        };
        let stepped = self.together(|slab, channels| slab.step_with(channels, choose));
        if self.thin {
            assert_eq!(self.slabs[0].reach(), 1, "these copies are all that there are");
        }
        stepped.map_err(|Refused { message, .. }| message)
    }

    pub(crate) fn spawn_many<const D: usize>(
        &mut self,
        species: &str,
        spawn: &Spawn<'_, D>,
    ) -> Result<Vec<AgentId>, Error> {
        let slabs = self.slabs.iter_mut();
        let mut ids = slabs.map(|slab| slab.spawn_many(species, spawn));
        let given = ids.next().unwrap();
        assert!(ids.all(|other| other == given), "all slabs agree");
        given
    }

    pub(crate) fn remove_many(&mut self, ids: &[AgentId]) -> Result<(), Error> {
        self.together(|slab, channels| slab.remove_many(channels, ids))
    }

    pub(crate) fn set_velocity(&mut self, id: AgentId, velocity: Point) -> Result<(), String> {
        let set = self.together(|slab, channels| slab.set_velocity(channels, id, velocity));
        set.map_err(|Refused { message, .. }| message)
    }

    /// Asserts that the slabs' combined query results equal those of the undivided crowd. Flat
    /// worlds ignore the third coordinate of `at`.
    pub(crate) fn assert_answers(&mut self, whole: &Simulation, at: [f32; 3], radius: f32) {
        let is_deep = whole.world().depth.is_some();
        let point = |[x, y, z]: [f32; 3]| -> Point {
            if is_deep { [x, y, z].into() } else { [x, y].into() }
        };
        let (high, at) = (point(at.map(|along| along + radius)), point(at));
        for slab in &mut self.slabs {
            let crowd = slab.simulation();
            // Sorts the agents without their ghosts, which must not affect the next step.
            crowd.neighbor_counts();
            for (slot, id) in crowd.agents().ids().enumerate() {
                assert_eq!(crowd.slot_of(id).unwrap(), slot);
                assert_eq!(crowd.agent(id), whole.agent(id));
                assert_eq!(crowd.own_target(id), whole.own_target(id));
                if let Ok(Target::Point(point)) = whole.own_target(id) {
                    if is_deep {
                        let found = crowd.get(InSpace(Vector::OwnTarget), id).unwrap();
                        assert_eq!(found[..], point[..]);
                    } else {
                        assert_eq!(crowd.get(Vector::OwnTarget, id), Ok(point.xy()));
                    }
                }
                for number in [Number::MaxSpeed, Number::Mass, Number::Radius] {
                    assert_eq!(crowd.get(number, id), whole.get(number, id));
                }
                let smoothed = crowd.agents().smoothed_heading(slot);
                assert_eq!(smoothed, whole.agents().smoothed_heading(whole.slot_of(id).unwrap()));
            }
        }
        let mut joined = |ask: &dyn Fn(&Simulation, &mut Vec<AgentId>)| {
            let mut found = Vec::new();
            let answers = self.slabs.iter_mut().flat_map(|slab| {
                ask(slab.simulation(), &mut found);
                found.clone()
            });
            let mut joined: Vec<AgentId> = answers.collect();
            joined.sort_unstable();
            let mut expected = Vec::new();
            ask(whole, &mut expected);
            (joined, expected)
        };
        for species in
            whole.scene().species.iter().map(|species| Some(&*species.name)).chain([None])
        {
            let (found, expected) = joined(&|crowd, found| {
                crowd.agents_within_into(at, radius, species, found).unwrap();
            });
            assert_eq!(found, expected);
            let (found, expected) = joined(&|crowd, found| {
                crowd.agents_in_rectangle_into([at, high], species, found).unwrap();
            });
            assert_eq!(found, expected);
            // The nearest agents of the crowd are among the nearest agents of its slabs.
            let mut all = Vec::new();
            whole.nearest_agents_into(at, whole.len(), species, &mut all).unwrap();
            let (mut found, expected) =
                joined(&|crowd, found| crowd.nearest_agents_into(at, 7, species, found).unwrap());
            found.sort_by_key(|id| all.iter().position(|other| other == id));
            found.truncate(7);
            assert_eq!(found, expected);
        }
    }

    pub(crate) fn each_slab(
        &mut self,
        mut change: impl FnMut(&mut Slab) -> Result<(), Error>,
        expected: &Result<(), Error>,
    ) {
        self.slabs.iter_mut().for_each(|slab| assert_eq!(&change(slab), expected));
    }

    pub(crate) fn set_species(&mut self, species: &Species) -> Result<(), Error> {
        let mut results =
            self.slabs.iter_mut().map(|slab| slab.edit(|scene| replace_species(scene, species)));
        let result = results.next().unwrap();
        assert!(results.all(|other| other == result), "all slabs agree");
        result
    }

    pub(crate) fn state_hash(&mut self) -> u64 {
        self.together(|slab, channels| slab.state_hash(channels))
    }

    pub(crate) fn assert_are(&mut self, whole: &Simulation, context: &str) {
        let bits = |values: &[f32]| -> Vec<u32> { values.iter().map(|x| x.to_bits()).collect() };
        let columns = |agents: Agents<'_>| {
            let Agents { x, y, z, index, .. } = agents;
            let generations = agents.ids().map(|id| id.generation).collect();
            let velocities: Vec<f32> = agents.velocities().flatten().collect();
            let smoothed = (0..index.len()).filter_map(|slot| agents.smoothed_heading(slot));
            let smoothed: Vec<f32> = smoothed.flatten().collect();
            let of_motion = [x, y, z, &velocities, &smoothed].map(bits);
            [vec![index.to_vec(), generations], of_motion.to_vec()].concat()
        };
        let mut joined = vec![Vec::new(); 7];
        for slab in &self.slabs {
            assert_eq!(
                slab.agents().smoothed_heading(slab.len()),
                None,
                "ghosts are not among them"
            );
            let columns = columns(slab.agents());
            joined.iter_mut().zip(columns).for_each(|(joined, column)| joined.extend(column));
        }
        assert_eq!(joined, columns(whole.agents()), "{context}");
        let sums = self.together(|slab, channels| {
            Ok((slab.state_hash(channels)?, slab.alignment_order(channels)?))
        });
        assert_eq!(sums, (whole.state_hash(), whole.alignment_order()), "{context}");
    }
}

/// Like `Simulation::set_species`, which slabs do not have.
pub(crate) fn replace_species(scene: &mut Scene, species: &Species) {
    let own = scene.species.iter_mut().find(|own| own.name == species.name).unwrap();
    *own = Species { agents: own.agents, ..species.clone() };
}

/// Borders that differ in every step and often leave slabs without rows.
pub(crate) fn random_borders(draw: &mut u64, rows: u32, slabs: usize) -> Vec<u32> {
    let mut borders: Vec<u32> = (1..slabs)
        .map(|_| {
            *draw = draw
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (*draw >> 33) as u32 % (rows + 1)
        })
        .chain([0, rows])
        .collect();
    borders.sort_unstable();
    borders
}
