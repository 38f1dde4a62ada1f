//! All slabs of a crowd in one thread, one after another: what a transport does, without one.

use flockwork::slab::{Edit, Holding, Outbox, Received, Slab};
use flockwork::{AgentId, Agents, Error, Part, Scene, Simulation, Species};

/// Bytes on their way: sender, receiver, content.
type Mail = Vec<(usize, usize, Vec<u8>)>;

/// How a receiver joins the lists of agents that arrive.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Join {
    BySender,
    /// Breaks the rule: its own agents come before all others.
    OwnFirst,
    /// Breaks the rule: the lists of lower and of higher senders change places.
    ByDistance,
}

pub(crate) struct Slabs {
    pub(crate) slabs: Vec<Slab>,
    pub(crate) join: Join,
    /// Breaks the rule: slabs do not get the row of copies next to their own.
    pub(crate) thin: bool,
}

fn post<'a, R>(mail: &mut Mail, from: usize, fill: impl FnOnce(&mut Outbox<'a>) -> R) -> R {
    let mut out = Outbox::default();
    let result = fill(&mut out);
    mail.extend(out.messages().map(|message| (from, message.to, message.pieces.concat())));
    result
}

/// The messages for one slab, in the order of their senders.
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

    /// The parts of a snapshot, written and read.
    pub(crate) fn saved(&self) -> Vec<Part> {
        let parts = self.slabs.iter().map(|slab| slab.part().to_bytes());
        parts.map(|bytes| Part::from_bytes(&bytes).unwrap()).collect()
    }

    /// Goes on from them in another number of slabs.
    pub(crate) fn resume(parts: &[Part], slabs: usize) -> Result<Self, Error> {
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

    /// Every slab posts messages; returns all of them.
    fn each(&mut self, mut post_from: impl FnMut(&mut Slab, &mut Mail, usize)) -> Mail {
        let mut mail = Mail::new();
        for (number, slab) in self.slabs.iter_mut().enumerate() {
            post_from(slab, &mut mail, number);
        }
        mail
    }

    fn without_copies(&self, mut mail: Mail, take_out: impl Fn(&mut Vec<u8>)) -> Mail {
        if self.thin {
            assert_eq!(self.slabs[0].reach(), 1, "these copies are all that there are");
            mail.iter_mut().for_each(|(.., bytes)| take_out(bytes));
        }
        mail
    }

    /// Takes a step; `borders` may draw those of the step, given the number of rows.
    pub(crate) fn step(
        &mut self,
        mut borders: impl FnMut(u32) -> Option<Vec<u32>>,
    ) -> Result<(), Error> {
        if self.slabs[0].has_targets() {
            let poses: Vec<Vec<u8>> =
                self.slabs.iter_mut().map(|slab| slab.target_poses().to_vec()).collect();
            self.slabs.iter_mut().for_each(|slab| slab.set_target_poses(&poses));
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
        let mail = self.each(|slab, mail, from| post(mail, from, |out| slab.leavers(out)).unwrap());
        let mail = self.each(|slab, mail_out, from| {
            slab.arrive(join.apply(delivered(&mail, from), from));
            post(mail_out, from, |out| slab.count_lent(out));
        });
        let mail = self.without_copies(mail, |bytes| bytes.fill(0));
        self.each(|slab, _, to| slab.make_room(delivered(&mail, to)));
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
            steering.stretch();
            inner.push(steering.finish());
        });
        let mail = self.without_copies(mail, Vec::clear);
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
            let mail = self.each(|slab, mail, from| post(mail, from, |out| slab.positions(out)));
            self.each(|slab, _, to| slab.push_apart(iteration, delivered(&mail, to)));
        }
        self.slabs.iter_mut().for_each(|slab| slab.finish(std::time::Duration::ZERO));
        Ok(())
    }

    pub(crate) fn spawn(
        &mut self,
        species: &str,
        position: [f32; 2],
        heading: [f32; 2],
    ) -> Result<AgentId, Error> {
        let mut ids = self.slabs.iter_mut().map(|slab| slab.spawn(species, position, heading));
        let id = ids.next().unwrap();
        assert!(ids.all(|other| other == id), "all slabs agree");
        id
    }

    pub(crate) fn remove(&mut self, id: AgentId) -> Result<(), Error> {
        let holdings: Vec<Holding> = self.slabs.iter().map(|slab| slab.holding(id)).collect();
        let mut moved = None;
        for slab in &mut self.slabs {
            moved = slab.remove(id, &holdings)?.or(moved);
        }
        if let Some((to, message)) = moved {
            self.slabs[to].replace(id, &message);
        }
        Ok(())
    }

    /// Every slab makes this change, with the same result.
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

    /// Asserts that the slabs hold the whole crowd, slot by slot.
    pub(crate) fn assert_are(&self, whole: &Simulation, context: &str) {
        let bits = |values: &[f32]| -> Vec<u32> { values.iter().map(|x| x.to_bits()).collect() };
        let columns = |agents: Agents<'_>| {
            let Agents { x, y, index, .. } = agents;
            [index.to_vec(), bits(x), bits(y)]
        };
        let mut joined = [const { Vec::new() }; 3];
        let mut smoothed = Vec::new();
        for slab in &self.slabs {
            let columns = columns(slab.agents());
            joined.iter_mut().zip(columns).for_each(|(joined, column)| joined.extend(column));
            smoothed.extend((0..slab.agents().x.len()).map(|slot| slab.smoothed_heading_at(slot)));
        }
        assert_eq!(joined, columns(whole.agents()), "{context}");
        let smoothed_whole = (0..whole.len()).map(|slot| whole.smoothed_heading_at(slot));
        assert!(smoothed.into_iter().eq(smoothed_whole), "{context}");
        assert_eq!(self.state_hash(), whole.state_hash(), "{context}");
        let totals = self.slabs.iter().map(Slab::heading_total);
        let total = totals.fold([0; 2], |[x, y], [dx, dy]| [x + dx, y + dy]);
        assert_eq!(self.slabs[0].alignment_order(total), whole.alignment_order(), "{context}");
    }
}

/// Borders that differ in every step, and often leave slabs without rows.
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
