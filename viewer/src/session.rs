//! A session owns a crowd and applies the user's actions to it. The session runs on its own thread
//! (`session/worker.rs`) and does not depend on the window, so tests need no window.

mod blocks;
mod building;
pub(crate) mod comparison;
pub(crate) mod controls;
pub(crate) mod crowds;
pub(crate) mod frame;
pub(crate) mod stepping;
pub(crate) mod worker;

use std::fmt::Display;
use std::sync::Arc;

use building::Building;
use comparison::Comparer;
use controls::{Controls, Edits};
use flockwork::{AgentId, Execution, Partition, Point, Scene, Simulation, Snapshot, Topology};
use frame::{Frame, Readings};

use crate::Error;
use crate::options::Options;
use crate::picture::explanation::{self, Explained};
use crate::picture::projection::{Projection, in_space};

/// Larger crowds cannot use all pairs, because a step would take more than ten seconds.
const MAX_ALL_PAIRS_AGENTS: usize = 300_000;

/// Name of the point that follows the mouse while no button is pressed.
pub(crate) const CURSOR: &str = "cursor";

pub(crate) struct Session {
    simulation: Simulation,
    controls: Controls,
    shown: Readings,
    explained: Vec<AgentId>,
    dragged_point: Option<String>,
    /// Simulated time not yet covered by steps, in seconds.
    unstepped_time: f64,
    /// True if the session was stopped at the last `advance`. The next call ignores `elapsed`.
    was_stopped: bool,
    /// Duration of each step since the last frame, in milliseconds.
    step_times: Vec<f32>,
    /// Number of crowds and states that were replaced.
    crowd: u32,
    checkpoint: Option<Checkpoint>,
    building: Option<Building>,
    /// True if a state was saved, false if not. `None` once the window has shown the outcome.
    written: Option<bool>,
    queued_steps: u32,
    /// Conditions of the measurements: the number of agents, and how steps are computed. Changing
    /// either discards all measurements, as does a new crowd.
    setup: Option<(usize, Execution)>,
    /// Copies of the crowd for a comparison that has no result yet.
    comparer: Option<Comparer>,
    comparison_done: bool,
}

/// A change to the session, which its own thread applies between steps.
type Update = Box<dyn FnOnce(&mut Session) + Send>;

struct Checkpoint {
    snapshot: Snapshot,
    edits: Edits,
    original: Arc<Scene>,
}

impl Session {
    pub(crate) fn new(options: &Options) -> Result<Self, Error> {
        let simulation = options.build()?;
        check_all_pairs(simulation.execution().partition, simulation.len())?;
        options.check_angle(&simulation)?;
        let mut explained = explanation::find(&simulation, &options.explain)?;
        if explained.is_empty() {
            explained.extend(explanation::shown_first(&simulation));
        }
        let mut session = Self::of(simulation, explained);
        session.controls.look = options.look();
        Ok(session)
    }

    pub(crate) fn of(simulation: Simulation, explained: Vec<AgentId>) -> Self {
        let scene = simulation.scene().clone();
        Self {
            controls: Controls::of(&simulation),
            shown: Readings { original: Arc::new(scene), ..Readings::default() },
            explained,
            dragged_point: None,
            unstepped_time: 0.0,
            was_stopped: false,
            step_times: Vec::new(),
            crowd: 0,
            checkpoint: None,
            building: None,
            written: None,
            queued_steps: 0,
            setup: None,
            comparer: None,
            comparison_done: false,
            simulation,
        }
    }

    #[cfg(test)]
    pub(crate) fn named(name: &str) -> Self {
        Self::of(Scene::named(name).unwrap().build().unwrap(), Vec::new())
    }

    pub(crate) fn new_frame(&mut self) -> Box<Frame> {
        let mut frame = Box::<Frame>::default();
        self.fill(&mut frame);
        frame
    }

    pub(crate) fn fill(&mut self, frame: &mut Frame) {
        self.renew_readings();
        self.explained.retain(|&id| self.simulation.agent(id).is_ok());
        let explained = Explained::all(&self.simulation, &self.explained);
        frame.view.explained = self.ok_or_notify(explained).unwrap_or_default();
        frame.view.crowd = self.crowd;
        frame.view.update(&self.simulation, self.controls.look);
        frame.controls.clone_from(&self.controls);
        frame.step_times.append(&mut self.step_times);
        self.shown.seed = self.simulation.scene().seed;
        self.shown.hash = self.is_stopped().then(|| self.simulation.state_hash());
        self.shown.work = self.building.as_ref().map(Building::progress);
        frame.readings.clone_from(&self.shown);
        // Each message is shown once.
        self.shown.message.clear();
        self.written = None;
    }

    fn renew_readings(&mut self) {
        let setup = Some((self.simulation.len(), self.simulation.execution()));
        if setup != self.setup {
            self.setup = setup;
            self.shown.setups += 1;
            self.step_times.clear();
            self.comparer = None;
            self.comparison_done = false;
            self.shown.comparison = None;
        }
    }

    /// Applies every control that has changed, and resets any whose value the engine rejects.
    pub(crate) fn set(&mut self, wanted: Controls) {
        if wanted.epoch != self.controls.epoch {
            return;
        }
        self.shown.message.clear();
        if wanted.edits != self.controls.edits && !self.check_editable() {
            return;
        }
        let before = &mut std::mem::replace(&mut self.controls, wanted);
        self.apply(
            before,
            |all| &mut all.threads,
            |simulation, threads| simulation.set_execution(simulation.execution().threads(threads)),
        );
        self.apply(before, |all| &mut all.partition, set_partition);
        self.edit(before, |all| &mut all.steps_per_second, |scene, to| scene.steps_per_second = to);
        let passes = self.simulation.scene().passes();
        if self.controls.edits.non_penetration == before.edits.non_penetration {
            self.controls.edits.non_penetration = passes;
        }
        before.edits.non_penetration = passes;
        self.edit(
            before,
            |all| &mut all.non_penetration,
            |scene, to| (scene.non_penetration, scene.non_penetration_per_second) = (to, None),
        );
        self.edit(before, |all| &mut all.solid, |scene, to| scene.solid = to);
        self.edit(before, |all| &mut all.heading_samples, |scene, to| scene.heading_samples = to);
        self.edit(before, |all| &mut all.cell_size, |scene, to| scene.cell_size = to);
        let original = Arc::clone(&self.shown.original);
        self.apply(
            before,
            |all| &mut all.edits.standing,
            |simulation, standing| simulation.set_scenery(&standing.in_scene(&original)),
        );
        for (kind, before) in before.edits.species.drain(..).enumerate() {
            let edited = self.controls.edits.species[kind].effective();
            if self.controls.edits.species[kind] != before
                && !self.try_apply(|simulation| simulation.set_species(&edited))
            {
                self.controls.edits.species[kind] = before;
            }
        }
    }

    fn apply<T: Copy + PartialEq, E: Display>(
        &mut self,
        before: &mut Controls,
        control: impl Fn(&mut Controls) -> &mut T,
        set: impl FnOnce(&mut Simulation, T) -> Result<(), E>,
    ) {
        let (before, wanted) = (*control(before), *control(&mut self.controls));
        if wanted != before && !self.try_apply(|simulation| set(simulation, wanted)) {
            *control(&mut self.controls) = before;
        }
    }

    fn edit<T: Copy + PartialEq>(
        &mut self,
        before: &mut Controls,
        control: fn(&mut Edits) -> &mut T,
        set: fn(&mut Scene, T),
    ) {
        let edit = |simulation: &mut Simulation, to| simulation.edit(|scene| set(scene, to));
        self.apply(before, |all| control(&mut all.edits), edit);
    }

    /// Resets all state that depends on the old crowd. Must be called after replacing the crowd.
    fn begin(&mut self, said: String) {
        self.setup = None;
        self.crowd += 1;
        self.queued_steps = 0;
        self.dragged_point = None;
        self.shown.failure = None;
        self.shown.message = said;

        let fits = check_all_pairs(self.simulation.execution().partition, self.simulation.len());
        if let Err(why) = fits {
            self.controls.partition = Partition::Cells;
            let cells = self.simulation.execution().partition(Partition::Cells);
            self.try_apply(|simulation| simulation.set_execution(cells));
            self.shown.message = format!("switched to cells: {why}");
        }
    }

    pub(crate) fn explain(&mut self, number: Option<u32>) {
        let numbers: Vec<u32> = number.into_iter().collect();
        self.explained = explanation::find(&self.simulation, &numbers).unwrap_or_default();
    }

    /// Grabs the named point (e.g. the sheepdog's target) that is nearest to a position in the
    /// picture, and moves it there.
    pub(crate) fn grab_point(&mut self, at: [f32; 2]) {
        let projection = Projection::of(&self.simulation, self.controls.look.angle);
        let away = |point: Point| {
            let from = self.below(at, point, projection);
            let [dx, dy, _] = projection.direction(self.simulation.displacement(from, point));
            dx * dx + dy * dy
        };
        let points = self.simulation.scene().points.iter();
        let nearest = points.min_by(|(_, a), (_, b)| away(**a).total_cmp(&away(**b)));
        self.dragged_point = nearest.map(|(name, _)| name.clone());
        self.drag_point(at);
    }

    pub(crate) fn drag_point(&mut self, to: [f32; 2]) {
        match self.dragged_point.clone() {
            Some(name) => self.move_point(&name, to),
            None => self.shown.message = "no agent here steers by a point that can be moved".into(),
        }
    }

    pub(crate) fn follow_cursor(&mut self, to: [f32; 2]) {
        if self.building.is_none() {
            self.move_point(CURSOR, to);
        }
    }

    pub(crate) fn move_point(&mut self, name: &str, to: [f32; 2]) {
        let projection = Projection::of(&self.simulation, self.controls.look.angle);
        let point = self.simulation.scene().points.get(name).copied();
        let to = self.wrap(self.below(to, point.unwrap_or_else(|| to.into()), projection));
        if self.check_editable() {
            self.try_apply(|simulation| simulation.set_point(name, to));
        }
    }

    /// Returns the point of the world that is drawn at a point of the picture, at the same distance
    /// from the viewer as `like`.
    fn below(&self, [x, y]: [f32; 2], like: Point, projection: Projection) -> Point {
        if self.simulation.world().depth.is_none() {
            return [x, y].into();
        }
        let [_, _, z] = projection.place(in_space(like));
        projection.place_in_world([x, y, z]).into()
    }

    /// On a torus, wraps a position outside the world back into it.
    fn wrap(&self, mut place: Point) -> Point {
        if self.simulation.world().topology != Topology::Torus {
            return place;
        }
        let sides = self.simulation.world_size().into_iter().chain(self.simulation.world().depth);
        for (along, side) in place.iter_mut().zip(sides) {
            let within = along.rem_euclid(side);
            *along = if within == side { within.next_down() } else { within };
        }
        place
    }

    fn try_apply<E: Display>(
        &mut self,
        act: impl FnOnce(&mut Simulation) -> Result<(), E>,
    ) -> bool {
        let done = act(&mut self.simulation);
        self.ok_or_notify(done).is_some()
    }

    fn ok_or_notify<T>(&mut self, result: Result<T, impl Display>) -> Option<T> {
        result.map_err(|why| self.shown.message = why.to_string()).ok()
    }
}

fn check_all_pairs(partition: Partition, agents: usize) -> Result<(), Error> {
    match partition {
        Partition::AllPairs if agents > MAX_ALL_PAIRS_AGENTS => {
            Err(Error::AllPairs { agents, limit: MAX_ALL_PAIRS_AGENTS })
        }
        _ => Ok(()),
    }
}

fn set_partition(simulation: &mut Simulation, partition: Partition) -> Result<(), Error> {
    check_all_pairs(partition, simulation.len())?;
    Ok(simulation.set_execution(simulation.execution().partition(partition))?)
}

#[cfg(test)]
mod tests;
