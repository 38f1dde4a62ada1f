//! Draws an explanation over the crowd: what an agent sees, the inputs of its behaviors,
//! and the force of each behavior. The window's legend explains the colors of the marks.

use flockwork::angle::sin_cos;
use flockwork::behaviors::FlowFollowing;
use flockwork::inspect::{Explanation, Feature, Mark, Shape};
use flockwork::{AgentId, AgentState, Behavior, Number, Simulation, Species};

use super::camera::{Camera, flat};
use super::projection::{Projection, edges_along};
use super::route::{DrawnRoute, ROUTE};
use crate::Error;
use crate::raster::{Canvas, Tint, length};

// Okabe and Ito's colors, which color-blind viewers can tell apart. Blue and red are lighter here,
// for contrast with the dark background.
const ORANGE: Tint = Tint::new([230, 159, 0]);
const SKY: Tint = Tint::new([86, 180, 233]);
const GREEN: Tint = Tint::new([0, 158, 115]);
const YELLOW: Tint = Tint::new([240, 228, 66]);
const BLUE: Tint = Tint::new([74, 142, 224]);
const RED: Tint = Tint::new([224, 104, 14]);
const PURPLE: Tint = Tint::new([204, 121, 167]);
const WHITE: Tint = Tint::new([236, 239, 244]);
const RESULT: Tint = Tint::new([104, 110, 124]);
const GRAY: Tint = Tint::new([128, 138, 156]);

/// Borders of the cells searched for neighbors. A border shared by two cells is drawn twice.
const CELL: Tint = Tint { opacity: 0.5, ..Tint::new([72, 84, 112]) };
const QUERY: Tint = Tint { opacity: 0.8, ..Tint::new([92, 104, 130]) };

const FORCES: [(&str, Tint); 7] = [
    ("orange", ORANGE),
    ("sky blue", SKY),
    ("green", GREEN),
    ("yellow", YELLOW),
    ("purple", PURPLE),
    ("red", RED),
    ("blue", BLUE),
];

/// An arrow for the maximum force is as long as the view distance, clamped to this range in pixels.
const ARROW_RANGE: (f32, f32) = (48.0, 180.0);
/// Arrows for forces before truncation: their opacity, and their maximum length relative to the
/// longest truncated force or the maximum force, whichever is greater.
const UNCUT_OPACITY: f32 = 0.45;
const MAX_UNCUT_LENGTH: f32 = 2.0;
/// Minimum radius of the rings around agents, in pixels.
const MIN_RING_RADIUS: f32 = 5.0;

/// In scenes with more agents than this, no agent is explained until the user picks one.
const MAX_AGENTS_TO_AUTO_EXPLAIN: usize = 64;

pub(crate) struct Explained {
    pub(crate) id: AgentId,
    pub(crate) why: Explanation,
    pub(crate) state: AgentState,
    max_force: f32,
    field_of_view: f32,
    radius: f32,
    neighbors: Vec<([f32; 3], f32)>,
    /// Routes that the agent's species follows.
    pub(super) routes: Vec<DrawnRoute>,
}

/// Symbol, color and meaning of the marks in every explanation.
const LEGEND: [(&str, Tint, &str); 6] = [
    ("○", WHITE, "the agent; fainter: its neighbors"),
    ("○", GRAY, "view distance"),
    ("□", QUERY, "area searched for neighbors"),
    ("→", ORANGE, "kept part of each force, in its color"),
    ("→", Tint::new([120, 92, 40]), "faint: the force before it is cut"),
    ("→", RESULT, "all forces together"),
];

/// Finds agents by the index part of their ids. A newer agent may have reused an old index.
pub(crate) fn find(simulation: &Simulation, numbers: &[u32]) -> Result<Vec<AgentId>, Error> {
    let agents = simulation.agents();
    let find = |&number: &u32| {
        let id = agents.ids().find(|id| id.index == number);
        id.ok_or(Error::NoAgent { number, agents: simulation.len() })
    };
    numbers.iter().map(find).collect()
}

/// The agent explained first in a small scene: the first agent whose species has the behavior
/// that the scene is named after, or else the first agent. `None` in larger scenes.
pub(crate) fn shown_first(simulation: &Simulation) -> Option<AgentId> {
    let scene = simulation.scene();
    let name = scene.name.replace('-', "_");
    let has = |kind: &Species| kind.behaviors.iter().any(|behavior| behavior.name() == name);
    let kind = scene.species.iter().position(has).unwrap_or(0);
    let agents = simulation.agents();
    let slot = agents.species.iter().position(|&one| usize::from(one) == kind).unwrap_or(0);
    (1..=MAX_AGENTS_TO_AUTO_EXPLAIN).contains(&simulation.len()).then(|| agents.id(slot))
}

pub(crate) fn color(number: usize) -> (&'static str, Tint) {
    FORCES[number % FORCES.len()]
}

impl Explained {
    pub(crate) fn all(
        simulation: &Simulation,
        ids: &[AgentId],
    ) -> Result<Vec<Self>, flockwork::Error> {
        ids.iter().map(|&id| Self::of(simulation, id)).collect()
    }

    fn of(simulation: &Simulation, id: AgentId) -> Result<Self, flockwork::Error> {
        let why = simulation.explain(id)?;
        let state = simulation.agent(id)?;
        let kinds = &simulation.scene().species;
        // Rings also enclose marks, which show the largest radius of the species.
        let radius = |id: AgentId, kind: usize| -> Result<f32, flockwork::Error> {
            Ok(simulation.get(Number::Radius, id)?.max(kinds[kind].radius_range()[1]))
        };
        let place = |&id: &AgentId| {
            let state = simulation.agent(id)?;
            Ok((state.position, radius(id, state.species)?))
        };
        let kind = &kinds[state.species];
        let routes = kind.behaviors.iter().filter_map(|behavior| match behavior {
            Behavior::FlowFollowing(FlowFollowing { route, .. }) => route.as_deref(),
            _ => None,
        });
        Ok(Self {
            id,
            state,
            routes: routes
                .map(|name| DrawnRoute::of(simulation, name))
                .collect::<Result<_, _>>()?,
            max_force: simulation.get(Number::MaxForce, id)?,
            field_of_view: simulation.get(Number::FieldOfView, id)?,
            radius: radius(id, state.species)?,
            neighbors: why.neighbors.iter().map(place).collect::<Result<_, _>>()?,
            why,
        })
    }

    /// Returns each behavior's index, name and force. The force reads "1.2 of 3.4" (lengths after
    /// and before truncation) or "not reached".
    pub(crate) fn reasons(&self) -> Vec<(usize, &'static str, String)> {
        let contributions = self.why.contributions.iter().map(|contribution| {
            let (kept, all) = (size(contribution.kept), size(contribution.force));
            (contribution.number, contribution.behavior, format!("{kept:.1} of {all:.1}"))
        });
        let all = self.why.unreached.iter();
        let unreached = all.map(|(number, name)| (*number, *name, "not reached".into()));
        contributions.chain(unreached).collect()
    }

    pub(crate) fn summary(&self) -> String {
        let force = size(self.why.force);
        let neighbors = self.why.neighbors.len();
        let plural = if neighbors == 1 { "" } else { "s" };
        format!("agent {}: force {force:.1}, {neighbors} neighbor{plural}", self.id.index)
    }

    pub(crate) fn legend(&self) -> Vec<(&'static str, Tint, &'static str)> {
        let mut lines = LEGEND.to_vec();
        if !self.routes.is_empty() {
            lines.push(("→", ROUTE, "way to the goal, and contours of its distance"));
        }
        for mark in self.why.contributions.iter().flat_map(|contribution| &contribution.marks) {
            let (tint, means) = meaning(mark.feature);
            if lines.iter().all(|(_, _, known)| *known != means) {
                lines.push(("●", tint, means));
            }
        }
        lines
    }

    pub(crate) fn draw(&self, projection: Projection, camera: &Camera, canvas: &mut Canvas<'_>) {
        let mut pen = Pen { projection, camera, canvas };
        self.draw_view(&mut pen);
        for mark in self.why.contributions.iter().flat_map(|contribution| &contribution.marks) {
            draw_mark(mark, &mut pen);
        }
        self.draw_forces(&mut pen);
    }

    fn draw_view(&self, pen: &mut Pen<'_, '_>) {
        let at = self.state.position;
        let distance = self.why.view_distance;
        for cell in self.why.cells.iter().flat_map(|cells| cells.boxes()) {
            // Cells of the agent's own layer, drawn at its height.
            pen.frame(cell.map(|[x, y]| [x, y, at[2]]), CELL);
        }
        pen.frame(self.why.query, QUERY);
        pen.ring(at, distance, 1.0, GRAY.faint(0.6));
        if self.field_of_view < 360.0 {
            let heading = self.state.heading;
            let aside = pen.across(heading);
            for side in [0.5, -0.5] {
                let (sin, cos) = sin_cos((side * self.field_of_view).to_radians());
                let edge = [0, 1, 2].map(|k| heading[k] * cos + aside[k] * sin);
                let end = [0, 1, 2].map(|k| at[k] + distance * edge[k]);
                pen.line([at, end], 1.0, GRAY.faint(0.6));
            }
        }
        // When zoomed out, the rings around neighbors shrink with the view, so they do not merge.
        let least = (MIN_RING_RADIUS * pen.canvas.scale / pen.camera.zoom).min(distance / 5.0);
        for (neighbor, radius) in &self.neighbors {
            pen.ring(*neighbor, least.max(2.0 * radius), 1.0, WHITE.faint(0.5));
        }
        pen.ring_around(at, 2.2 * self.radius, 2.0, WHITE);
    }

    /// Draws, bottom to top: the resulting force; each force before truncation, faintly;
    /// and each force after truncation, longest first.
    fn draw_forces(&self, pen: &mut Pen<'_, '_>) {
        let size = |force| size(force) as f32;
        let mut contributions: Vec<_> = self.why.contributions.iter().collect();
        contributions.sort_by(|a, b| size(b.kept).total_cmp(&size(a.kept)));
        let kept = contributions.iter().map(|contribution| size(contribution.kept));
        let longest = kept.fold(self.max_force, f32::max);
        let view = self.why.view_distance * pen.camera.zoom;
        let [least, most] = [ARROW_RANGE.0, ARROW_RANGE.1].map(|end| end * pen.canvas.scale);
        let scale = view.clamp(least, most) / longest.max(f32::MIN_POSITIVE);

        let [x, y] = pen.place(self.state.position);
        let mut arrow = |force: [f32; 3], thickness: f32, tint: Tint| {
            let [along_x, along_y] = flat(pen.projection.direction(force));
            let tip = [x + along_x * scale, y - along_y * scale];
            if size(force) * scale >= 1.0 {
                pen.canvas.arrow([[x, y], tip], thickness, tint);
            }
        };
        arrow(self.why.force, 5.0, RESULT);
        for contribution in &contributions {
            // A much longer arrow would just look like a line across the picture.
            let shown = (MAX_UNCUT_LENGTH * longest / size(contribution.force)).min(1.0);
            if contribution.force != contribution.kept {
                let (_, tint) = color(contribution.number);
                arrow(
                    contribution.force.map(|along| along * shown),
                    1.5,
                    tint.faint(UNCUT_OPACITY),
                );
            }
        }
        for contribution in contributions {
            let (_, tint) = color(contribution.number);
            arrow(contribution.kept, 2.5, tint);
        }
    }
}

fn size(force: [f32; 3]) -> f64 {
    let [x, y, z] = force.map(f64::from);
    length([length([x, y]), z])
}

fn meaning(feature: Feature) -> (Tint, &'static str) {
    match feature {
        Feature::Target
        | Feature::Goal
        | Feature::ChosenHidingSpot
        | Feature::HidingSpot
        | Feature::Waypoint => (YELLOW, "goal"),
        Feature::Predicted | Feature::Span => (PURPLE, "prediction"),
        Feature::Feeler | Feature::DetectionBox => (SKY, "sensing ahead"),
        Feature::Hit | Feature::Threat | Feature::ClearArea => (RED, "threat"),
        Feature::WanderCircle | Feature::WanderTarget => (GREEN, "randomness"),
        _ => (GRAY, "range"),
    }
}

fn draw_mark(mark: &Mark, pen: &mut Pen<'_, '_>) {
    let (tint, _) = meaning(mark.feature);
    let tint = if mark.feature == Feature::HidingSpot { tint.faint(0.5) } else { tint };
    let dot = match mark.feature {
        Feature::HidingSpot => 2.5,
        Feature::ChosenHidingSpot | Feature::Hit => 5.0,
        _ => 4.0,
    };
    match mark.shape {
        Shape::Point(at) if mark.feature == Feature::Target => pen.ring_around(at, 0.0, 1.5, tint),
        Shape::Point(at) => pen.dot(at, dot, tint),
        Shape::Line(ends) => pen.line(ends, 1.5, tint),
        Shape::Circle { center, radius } => pen.ring(center, radius, 1.5, tint),
        Shape::Box(corners) => {
            for k in 0..4 {
                pen.line([corners[k], corners[(k + 1) % 4]], 1.5, tint);
            }
        }
    }
}

struct Pen<'a, 'b> {
    projection: Projection,
    camera: &'a Camera,
    canvas: &'a mut Canvas<'b>,
}

impl Pen<'_, '_> {
    fn place(&self, at: [f32; 3]) -> [f32; 2] {
        self.camera.to_screen(flat(self.projection.place(at)))
    }

    /// Unit vector in the plane of the picture, to the left of a heading as it is drawn.
    fn across(&self, heading: [f32; 3]) -> [f32; 3] {
        let [x, y, z] = self.projection.direction(heading);
        let length = if z == 0.0 { 1.0 } else { (x * x + y * y).sqrt().max(1.0e-6) };
        self.projection.direction_in_world([-y / length, x / length, 0.0])
    }

    fn dot(&mut self, at: [f32; 3], pixels: f32, tint: Tint) {
        self.canvas.disk(self.place(at), pixels * self.canvas.scale, tint);
    }

    fn line(&mut self, ends: [[f32; 3]; 2], thickness: f32, tint: Tint) {
        let ends = ends.map(|end| self.place(end));
        self.canvas.line(ends, thickness, tint);
    }

    fn ring(&mut self, center: [f32; 3], radius: f32, thickness: f32, tint: Tint) {
        let radius = radius * self.camera.zoom;
        self.canvas.ring(self.place(center), radius, thickness, tint);
    }

    /// Draws the edges of a box.
    fn frame(&mut self, [low, high]: [[f32; 3]; 2], tint: Tint) {
        if !self.projection.is_turned() {
            let [low, high] = [low, high].map(|corner| self.place(corner));
            return self.canvas.outline(low, high, tint);
        }
        let corners = self.projection.corners([low, high]).map(flat);
        let corners = corners.map(|corner| self.camera.to_screen(corner));
        let axes = if low[2] == high[2] { 0..2 } else { 0..3 };
        for [from, to] in axes.flat_map(edges_along) {
            if low[2] < high[2] || from < 4 {
                self.canvas.line([corners[from], corners[to]], 1.0, tint);
            }
        }
    }

    /// Draws a ring that stays visible at any zoom: its radius is at least [`MIN_RING_RADIUS`].
    fn ring_around(&mut self, center: [f32; 3], radius: f32, thickness: f32, tint: Tint) {
        let least = MIN_RING_RADIUS * self.canvas.scale;
        let radius = (radius * self.camera.zoom).max(least);
        self.canvas.ring(self.place(center), radius, thickness, tint);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raster::{BACKGROUND, Pixel};
    use flockwork::behaviors::{Seek, Separation};
    use flockwork::{Combine, Scene, World};

    fn seeker() -> (Simulation, AgentId) {
        let seek = Seek { target: [80.0, 50.0].into(), ..Seek::default() };
        let kind = Species::new("seeker", 0).view_distance(30.0).behavior(seek);
        let mut one = Scene::new(World::bounded(100.0, 100.0)).species(kind).build().unwrap();
        let id = one.spawn("seeker", [50.0, 50.0], [0.0, 1.0]).unwrap();
        (one, id)
    }

    fn picture(explained: &Explained, camera: &Camera) -> Vec<Pixel> {
        let mut pixels = vec![BACKGROUND; 200 * 200];
        explained.draw(Projection::default(), camera, &mut Canvas::new(200, &mut pixels));
        pixels
    }

    #[test]
    fn draws_the_agent_its_view_its_target_and_its_force() {
        let (one, id) = seeker();
        let explained = Explained::of(&one, id).unwrap();
        let camera = Camera::new([50.0, 50.0], 2.0, [200.0, 200.0]);
        let pixels = picture(&explained, &camera);
        let lit = |x: usize, y: usize| pixels[y * 200 + x] != BACKGROUND;
        assert!(lit(100, 86), "the ring around the agent");
        assert!(lit(100, 40) && lit(100, 159), "the view distance");
        assert!(lit(160, 95), "the target");
        assert!(explained.summary().ends_with(", 0 neighbors"));
        assert!(lit(116, 116), "the force, which also brakes the agent's upward motion");
        assert!(!lit(60, 100), "and nothing on the other side");
    }

    /// Regression: when zoomed out, the rings around many neighbors merged into a white blob.
    #[test]
    fn neighbors_seen_from_afar_leave_gaps() {
        let fish = Species { radius: 0.5.into(), ..Species::new("fish", 0) };
        let kind = fish.view_distance(10.0).behavior(Separation::default());
        let mut many = Scene::new(World::bounded(100.0, 100.0)).species(kind).build().unwrap();
        let id = many.spawn("fish", [50.0, 50.0], [0.0, 1.0]).unwrap();
        for k in 0..16 {
            let (sin, cos) = sin_cos(k as f32);
            many.spawn("fish", [50.0 + 8.0 * cos, 50.0 + 8.0 * sin], [0.0, 1.0]).unwrap();
        }
        let explained = Explained::of(&many, id).unwrap();
        let pixels = picture(&explained, &Camera::new([50.0, 50.0], 1.0, [200.0, 200.0]));
        let bright = pixels.iter().filter(|pixel| pixel[1] > 60).count();
        assert!(bright < 400, "{bright} bright pixels");
    }

    /// Regression: explanations showed the values of the species.
    #[test]
    fn values_of_single_agents_are_explained() {
        let (mut one, id) = seeker();
        let wanted = [(Number::MaxForce, 7.0), (Number::FieldOfView, 90.0), (Number::Radius, 5.0)];
        for (number, value) in wanted {
            one.set(number, id, value).unwrap();
        }
        let Explained { max_force, field_of_view, radius, .. } = Explained::of(&one, id).unwrap();
        assert_eq!([max_force, field_of_view, radius], wanted.map(|(_, value)| value));
    }

    #[test]
    fn one_neighbor_is_no_plural() {
        let (mut two, id) = seeker();
        two.spawn("seeker", [55.0, 50.0], [0.0, 1.0]).unwrap();
        assert!(Explained::of(&two, id).unwrap().summary().ends_with(", 1 neighbor"));
    }

    #[test]
    fn the_part_cut_from_a_force_is_faint() {
        let (one, id) = seeker();
        let mut explained = Explained::of(&one, id).unwrap();
        let contribution = &mut explained.why.contributions[0];
        (contribution.force, contribution.kept) =
            ([2.0 * explained.max_force, 0.0, 0.0], [explained.max_force, 0.0, 0.0]);
        contribution.marks.clear();
        explained.why.force = [0.0; 3];
        let camera = Camera::new([50.0, 50.0], 2.0, [200.0, 200.0]);
        let light = |pixels: &[Pixel], x: usize| u32::from(pixels[100 * 200 + x][0]);
        let pixels = picture(&explained, &camera);
        let (kept, cut) = (light(&pixels, 130), light(&pixels, 180));
        assert!(kept > cut && cut > 2 * u32::from(BACKGROUND[0]), "{kept} {cut}");
        explained.why.contributions[0].force = [explained.max_force, 0.0, 0.0];
        assert_eq!(light(&picture(&explained, &camera), 180), u32::from(BACKGROUND[0]));
    }

    #[test]
    fn two_behaviors_of_the_same_name_have_different_colors() {
        let seek = |x: f32| Seek { target: [x, 50.0].into(), ..Seek::default() };
        let kind = Species::new("torn", 0).behavior(seek(80.0)).behavior(seek(20.0));
        let kind = Species { combine: Combine::WeightedSum, ..kind };
        let mut one = Scene::new(World::bounded(100.0, 100.0)).species(kind).build().unwrap();
        let id = one.spawn("torn", [50.0, 50.0], [0.0, 1.0]).unwrap();
        let mut explained = Explained::of(&one, id).unwrap();
        explained.why.contributions.iter_mut().for_each(|contribution| contribution.marks.clear());
        explained.why.force = [0.0; 3];
        let camera = Camera::new([50.0, 50.0], 2.0, [200.0, 200.0]);
        let pixels = picture(&explained, &camera);
        let shows = |tint: Tint| pixels.iter().any(|pixel| pixel[..3] == tint.color);
        assert!(shows(color(0).1) && shows(color(1).1) && color(0).0 != color(1).0);
    }

    #[test]
    fn draws_the_query_and_the_cells_it_reads() {
        let kind = Species::new("fish", 0).view_distance(20.0).behavior(Separation::default());
        let mut one = Scene::new(World::bounded(100.0, 100.0)).species(kind).build().unwrap();
        let id = one.spawn("fish", [50.0, 50.0], [0.0, 1.0]).unwrap();
        let explained = Explained::of(&one, id).unwrap();
        let camera = Camera::new([50.0, 50.0], 2.0, [200.0, 200.0]);
        let pixels = picture(&explained, &camera);
        let at = |[x, y]: [f32; 2]| {
            let [x, y] = camera.to_screen([x, y]);
            pixels[y as usize * 200 + x as usize]
        };
        assert_ne!(at([30.0, 35.0]), BACKGROUND, "the left edge of the box");
        for [low, high] in explained.why.cells[0].boxes() {
            assert_ne!(at([low[0], low[1] + 0.3]), BACKGROUND, "the lower left of a cell");
            let middle = [(low[0] + high[0]) / 2.0, (low[1] + high[1]) / 2.0];
            let far = (middle[0] - 50.0).abs() > 21.0 || (middle[1] - 50.0).abs() > 21.0;
            assert!(!far || at(middle) == BACKGROUND, "nothing inside a cell");
        }
    }

    #[test]
    fn explaining_does_not_change_the_crowd() {
        let crowd = || Scene::named("flock").unwrap().build().unwrap();
        let (mut plain, mut looked_at) = (crowd(), crowd());
        let ids = find(&looked_at, &[0, 7, 599]).unwrap();
        for _ in 0..5 {
            plain.step().unwrap();
            assert_eq!(Explained::all(&looked_at, &ids).unwrap().len(), 3);
            looked_at.step().unwrap();
        }
        assert_eq!(plain.state_hash(), looked_at.state_hash());
    }

    /// Regression: scenes about feelers or boxes showed them only after a click on an agent.
    #[test]
    fn a_scene_of_few_agents_begins_with_the_agent_that_it_is_about() {
        for (name, behavior) in
            [("pursuit", "pursuit"), ("hide", "hide"), ("look-ahead", "look_ahead")]
        {
            let scene = Scene::named(name).unwrap().build().unwrap();
            let id = shown_first(&scene).unwrap();
            let kind = &scene.scene().species[scene.agent(id).unwrap().species];
            assert!(kind.behaviors.iter().any(|known| known.name() == behavior), "{name}");
        }
        assert_eq!(shown_first(&Scene::named("flock").unwrap().build().unwrap()), None);
    }

    #[test]
    fn missing_agents_are_rejected() {
        let (one, _) = seeker();
        assert!(find(&one, &[0]).is_ok());
        let error = find(&one, &[0, 1]).unwrap_err().to_string();
        assert!(error.contains("no agent 1"), "{error}");
    }

    #[test]
    fn agents_are_found_by_number_after_reuse() {
        let mut flock = Scene::named("flock").unwrap().build().unwrap();
        let first = find(&flock, &[3]).unwrap()[0];
        flock.remove(first).unwrap();
        let error = find(&flock, &[3]).unwrap_err().to_string();
        assert!(error.contains("no agent 3") && error.contains("removed"), "{error}");
        let heir = flock.spawn("fish", [50.0, 50.0], [1.0, 0.0]).unwrap();
        assert_eq!((heir.index, heir.generation), (3, 1));
        assert_eq!(find(&flock, &[3]).unwrap(), [heir]);
    }

    #[test]
    fn any_camera_that_shows_the_agent_shows_its_explanation_and_infinite_cameras_show_nothing() {
        let (one, id) = seeker();
        let explained = Explained::of(&one, id).unwrap();
        let mut shown = 0;
        for zoom in [1.0e-30, 1.0, 1.0e30, f32::INFINITY, f32::NAN] {
            for x in [50.0, 0.0, -1.0e30, f32::INFINITY, f32::NAN] {
                let camera = Camera::new([x, 50.0], zoom, [200.0, 200.0]);
                let pixels = picture(&explained, &camera);
                let is_lit = |k: usize| pixels[k] != BACKGROUND;
                let at = camera.to_screen(flat(explained.state.position));
                if at.iter().all(|place| (0.0..200.0).contains(place)) {
                    let near =
                        |k: usize| ((k % 200) as f32 - at[0]).hypot((k / 200) as f32 - at[1]) < 9.0;
                    assert!((0..pixels.len()).any(|k| near(k) && is_lit(k)), "{camera:?}");
                    shown += 1;
                } else if !(zoom.is_finite() && x.is_finite()) {
                    assert!(!(0..pixels.len()).any(is_lit), "{camera:?}");
                }
            }
        }
        assert_eq!(shown, 6);
    }
}
