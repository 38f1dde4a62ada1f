//! All slabs of a crowd, stepped one after another in a single thread without a transport.

use flockwork::slab::{Edit, Outbox, Received, Removal, Slab};
use flockwork::{
    AgentId, Agents, Error, Number, Scene, Simulation, Snapshot, SnapshotPart, Spawn, Species,
    Target, Vector,
};

/// Messages in transit: sender, receiver, bytes.
type Mail = Vec<(usize, usize, Vec<u8>)>;

/// Order in which a receiver joins the lists of arriving agents.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Join {
    BySender,
    /// Breaks the rule: the receiver's own agents come first.
    OwnFirst,
    /// Breaks the rule: the lists of lower and of higher senders swap places.
    ByDistance,
}

pub(crate) struct Slabs {
    pub(crate) slabs: Vec<Slab>,
    pub(crate) join: Join,
    /// Breaks the rule: slabs miss the row of ghosts next to their own rows.
    pub(crate) thin: bool,
}

fn post<'a, R>(mail: &mut Mail, from: usize, fill: impl FnOnce(&mut Outbox<'a>) -> R) -> R {
    let mut out = Outbox::default();
    let result = fill(&mut out);
    mail.extend(out.messages().map(|message| (from, message.to, message.pieces.concat())));
    result
}

fn delivered(mail: &Mail, to: usize) -> std::vec::IntoIter<Received<'_>> {
    let mut messages: Vec<_> = mail.iter().filter(|(_, receiver, _)| *receiver == to).collect();
    messages.sort_by_key(|(from, ..)| *from);
    let received = messages.iter().map(|(from, _, bytes)| Received { from: *from, bytes });
    received.collect::<Vec<_>>().into_iter()
}

impl Join {
    fn apply<'m>(
        self,
        received: impl Iterator<Item = Received<'m>>,
        receiver: usize,
    ) -> Vec<Received<'m>> {
        let mut received: Vec<_> = received.collect();
        for message in &mut received {
            message.from = match self {
                Self::BySender => message.from,
                Self::OwnFirst => receiver + 1 + message.from,
                Self::ByDistance => 2 * receiver - message.from.min(2 * receiver),
            };
        }
        received.sort_by_key(|message| message.from);
        received
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

    /// Parts of all slabs, written and read back.
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

    fn each(&mut self, mut post_from: impl FnMut(&mut Slab, &mut Mail, usize)) -> Mail {
        let mut mail = Mail::new();
        for (number, slab) in self.slabs.iter_mut().enumerate() {
            post_from(slab, &mut mail, number);
        }
        mail
    }

    fn without_ghosts(&self, mut mail: Mail, take_out: impl Fn(&mut Vec<u8>)) -> Mail {
        if self.thin {
            assert_eq!(self.slabs[0].reach(), 1, "these copies are all that there are");
            mail.iter_mut().for_each(|(.., bytes)| take_out(bytes));
        }
        mail
    }

    /// Takes a step; `borders` may choose new borders, given the number of rows.
    pub(crate) fn step(
        &mut self,
        mut borders: impl FnMut(u32) -> Option<Vec<u32>>,
    ) -> Result<(), Error> {
        if self.slabs[0].has_targets() {
            let poses: Vec<Vec<u8>> =
                self.slabs.iter_mut().map(|slab| slab.target_poses().to_vec()).collect();
            self.slabs.iter_mut().for_each(|slab| slab.set_target_poses(&poses));
        }
        assert!(
            self.slabs.iter().all(|slab| slab.must_renumber() == self.slabs[0].must_renumber())
        );
        if self.slabs[0].must_renumber() {
            let joined: Vec<Vec<u8>> =
                self.slabs.iter_mut().map(|slab| slab.joined().to_vec()).collect();
            self.slabs.iter_mut().for_each(|slab| slab.renumber(&joined));
        }
        let due: Vec<bool> = self.slabs.iter_mut().map(Slab::begin).collect();
        assert!(due.iter().all(|&one| one == due[0]), "all slabs agree");
        if due[0] {
            let costs_of = |slab: &mut Slab| {
                let mut costs = Vec::new();
                slab.row_costs(&mut costs);
                costs
            };
            let costs: Vec<Vec<u64>> = self.slabs.iter_mut().map(costs_of).collect();
            let sums: Vec<u64> =
                (0..costs[0].len()).map(|row| costs.iter().map(|costs| costs[row]).sum()).collect();
            self.slabs.iter_mut().for_each(|slab| slab.balance(&sums));
        }
        if let Some(borders) = borders(self.slabs[0].all_rows()) {
            self.slabs.iter_mut().for_each(|slab| slab.set_borders(&borders).unwrap());
        }
        let join = self.join;
        let mail =
            self.each(|slab, mail, from| post(mail, from, |out| slab.send_leavers(out)).unwrap());
        let mail = self.each(|slab, mail_out, from| {
            slab.receive_leavers(join.apply(delivered(&mail, from), from));
            post(mail_out, from, |out| slab.send_ghost_counts(out));
        });
        let mail = self.without_ghosts(mail, |bytes| bytes.fill(0));
        self.each(|slab, _, to| slab.reserve_ghosts(delivered(&mail, to)));
        if self.slabs[0].has_own_targets() {
            let mail =
                self.each(|slab, mail, from| post(mail, from, |out| slab.ask_directory(out)));
            let mail = self.each(|slab, mail_out, from| {
                post(mail_out, from, |out| slab.ask_owners(delivered(&mail, from), out));
            });
            let mail = self.each(|slab, mail_out, from| {
                post(mail_out, from, |out| slab.answer(delivered(&mail, from), out));
            });
            self.each(|slab, _, to| slab.take_answers(delivered(&mail, to)));
        }

        let mut inner = Vec::new();
        let mail = self.each(|slab, mail, from| {
            let mut steering = post(mail, from, |out| slab.steer(out));
            steering.steer_round();
            inner.push(steering.finish());
        });
        let mail = self.without_ghosts(mail, Vec::clear);
        let refusals: Vec<_> = self
            .slabs
            .iter_mut()
            .zip(inner)
            .enumerate()
            .map(|(to, (slab, inner))| slab.steer_outer(inner, delivered(&mail, to)))
            .collect();
        let refusal = refusals.into_iter().flatten().min_by_key(|refusal| refusal.key);
        self.slabs.iter_mut().for_each(|slab| slab.settle(refusal.is_some()));
        if let Some(refusal) = refusal {
            return Err(refusal.error);
        }
        for iteration in 0..self.slabs[0].pushes() {
            let mail =
                self.each(|slab, mail, from| post(mail, from, |out| slab.send_positions(out)));
            self.each(|slab, _, to| slab.push_apart(iteration, delivered(&mail, to)));
        }
        self.slabs.iter_mut().for_each(|slab| slab.finish(std::time::Duration::ZERO));
        Ok(())
    }

    pub(crate) fn spawn_many(
        &mut self,
        species: &str,
        spawn: &Spawn<'_>,
    ) -> Result<Vec<AgentId>, Error> {
        let slabs = self.slabs.iter_mut();
        let mut ids = slabs.map(|slab| slab.spawn_many(species, spawn));
        let given = ids.next().unwrap();
        assert!(ids.all(|other| other == given), "all slabs agree");
        given
    }

    pub(crate) fn remove_many(&mut self, ids: &[AgentId]) -> Result<(), Error> {
        let slabs = self.slabs.iter_mut();
        let owned_by_slab: Vec<Vec<u8>> =
            slabs.map(|slab| slab.owned_among(ids).to_vec()).collect();
        let removals: Vec<_> =
            self.slabs.iter().map(|slab| slab.removal(ids, &owned_by_slab)).collect();
        let refused = removals.iter().filter(|removal| removal.is_err()).count();
        assert!(refused == 0 || refused == removals.len(), "all slabs agree");
        let removals: Vec<Removal> = removals.into_iter().collect::<Result<_, _>>()?;
        let mail = self.each(|slab, mail, from| {
            post(mail, from, |out| slab.send_gap_fillers(&removals[from], out));
        });
        for (to, (slab, removal)) in self.slabs.iter_mut().zip(removals).enumerate() {
            slab.remove(removal, delivered(&mail, to));
        }
        Ok(())
    }

    /// Sets a velocity. Either at most one slab refuses it, or all slabs do.
    pub(crate) fn set_velocity(&mut self, id: AgentId, velocity: [f32; 2]) -> Result<(), Error> {
        let slabs = self.slabs.iter_mut();
        let refused = slabs.filter_map(|slab| slab.set_velocity(id, velocity).err()).collect();
        let mut refused: Vec<Error> = refused;
        assert!(refused.len() < 2 || refused.len() == self.slabs.len(), "{refused:?}");
        refused.pop().map_or(Ok(()), Err)
    }

    /// Asserts that the slabs' combined answers equal those of the undivided crowd.
    pub(crate) fn assert_answers(&mut self, whole: &Simulation, at: [f32; 2], radius: f32) {
        for slab in &mut self.slabs {
            let crowd = slab.crowd();
            // Sorts the agents without their ghosts, which must not affect the next step.
            crowd.census();
            for (slot, id) in crowd.ids().enumerate() {
                assert_eq!(crowd.slot_of(id).unwrap(), slot);
                assert_eq!(crowd.agent(id), whole.agent(id));
                assert_eq!(crowd.own_target(id), whole.own_target(id));
                if let Ok(Target::Point(point)) = whole.own_target(id) {
                    assert_eq!(crowd.get(Vector::OwnTarget, id), Ok(point));
                }
                for number in [Number::MaxSpeed, Number::Mass, Number::Radius] {
                    assert_eq!(crowd.get(number, id), whole.get(number, id));
                }
                let smoothed = crowd.smoothed_heading_at(slot);
                assert_eq!(smoothed, whole.smoothed_heading_at(whole.slot_of(id).unwrap()));
            }
        }
        let mut joined = |ask: &dyn Fn(&Simulation, &mut Vec<AgentId>)| {
            let mut found = Vec::new();
            let answers = self.slabs.iter_mut().flat_map(|slab| {
                ask(slab.crowd(), &mut found);
                found.clone()
            });
            let mut joined: Vec<AgentId> = answers.collect();
            joined.sort_unstable();
            let mut expected = Vec::new();
            ask(whole, &mut expected);
            (joined, expected)
        };
        let high = [at[0] + radius, at[1] + radius];
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
            // The nearest agents of all are among the nearest agents of each slab.
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
        let mut results = self.slabs.iter_mut().map(|slab| slab.edit(Edit::Species(species)));
        let result = results.next().unwrap();
        assert!(results.all(|other| other == result), "all slabs agree");
        result
    }

    pub(crate) fn state_hash(&self) -> u64 {
        let sum = self.slabs.iter().fold(0, |sum: u64, slab| sum.wrapping_add(slab.hash_share()));
        self.slabs[0].state_hash(sum)
    }

    pub(crate) fn assert_are(&self, whole: &Simulation, context: &str) {
        let bits = |values: &[f32]| -> Vec<u32> { values.iter().map(|x| x.to_bits()).collect() };
        let columns = |agents: Agents<'_>| {
            let Agents { x, y, index, .. } = agents;
            [index.to_vec(), bits(x), bits(y)]
        };
        let mut joined = [const { Vec::new() }; 3];
        for slab in &self.slabs {
            let columns = columns(slab.agents());
            joined.iter_mut().zip(columns).for_each(|(joined, column)| joined.extend(column));
        }
        assert_eq!(joined, columns(whole.agents()), "{context}");
        assert_eq!(self.state_hash(), whole.state_hash(), "{context}");
        let totals = self.slabs.iter().map(Slab::heading_total);
        let total = totals.fold([0; 2], |[x, y], [dx, dy]| [x + dx, y + dy]);
        assert_eq!(self.slabs[0].alignment_order(total), whole.alignment_order(), "{context}");
    }
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
