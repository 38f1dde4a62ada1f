//! What an experiment consists of: groups of ways to compute the same steps of the same crowd.

use flockwork::Scene;
use flockwork::cpu::Level;

use crate::failure::Failure;
use crate::method::Method;
use crate::peers::{Flock, Peer};
use crate::rungs::Rung;

/// Untimed first steps, which warm caches, threads and memory.
pub(crate) const WARM_UP_STEPS: u64 = 3;

/// Steps in a repeat. With smoothed headings, enough that one of them compacts the history.
const STEPS: u64 = 4;
const STEPS_WITH_HEADINGS: u64 = 16;

/// From this many seconds per step on, a repeat is a single step.
const LONG_STEP: f64 = 0.2;

/// One crowd, and the ways to compute its steps. They are measured in turns and must all reach
/// the same state.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) experiment: &'static str,
    /// The point on the experiment's curves, in words.
    pub(crate) point: String,
    /// The point as a number.
    pub(crate) x: f64,
    /// The scene, with the measured number of agents.
    pub(crate) scene: Scene,
    /// Steps before the measured ones.
    pub(crate) warm_up: u64,
    /// Steps in a repeat. They must not depend on the speed of the machine, or two runs would do
    /// different work.
    pub(crate) steps: u64,
    pub(crate) timed: Timed,
    pub(crate) cases: Vec<Case>,
    pub(crate) questions: Vec<Question>,
}

/// A question that the ratio of two ways answers.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub(crate) words: String,
    /// The methods whose times are divided.
    pub(crate) slow: String,
    pub(crate) fast: String,
}

/// One way to compute steps.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// The name of the curve that this is a point of.
    pub(crate) method: String,
    pub(crate) way: Way,
    /// Threads, for a method that uses more than one.
    pub(crate) threads: usize,
}

/// What computes the steps.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Way {
    /// The engine.
    Engine(Method),
    /// The engine's kernels in cell space on one thread, held to a level.
    Level(Level),
    /// Loops written without the engine, for workload W only.
    Rung(Rung),
    /// A crate that finds neighbors, on the positions of workload W: only a part of a step.
    Peer(Peer),
    /// The whole flock over another crate's search, for workload W only.
    Flock,
}

impl Way {
    /// Whether it is one of the engine's methods.
    pub(crate) fn is_one_of(self, methods: &[Method]) -> bool {
        matches!(self, Self::Engine(method) if methods.contains(&method))
    }

    /// Whether the engine computes whole steps, and so times their stages.
    pub(crate) fn is_of_engine(self) -> bool {
        matches!(self, Self::Engine(_) | Self::Level(_))
    }

    /// The expected exponent of the time of a step over the number of agents.
    pub(crate) fn expected_slope(self) -> f64 {
        match self {
            Self::Engine(method) => method.expected_slope(),
            Self::Rung(rung) => rung.expected_slope(),
            Self::Level(_) | Self::Peer(_) | Self::Flock => 1.0,
        }
    }

    /// Whether it may use more than one thread.
    pub(crate) fn uses_threads(self) -> bool {
        matches!(self, Self::Engine(Method::CellsSimdMt))
    }

    /// About how long a step takes: with all pairs 1.2 ns per pair, an eighth of that with SIMD;
    /// with cells 300 ns per agent, a tenth with SIMD.
    pub(crate) fn usual_seconds(self, agents: usize) -> f64 {
        let pairs = self.expected_slope() > 1.5;
        let ns = match self {
            Self::Engine(Method::AllPairsSimd) => 0.15,
            Self::Engine(Method::CellsSimd | Method::CellsSimdMt) | Self::Level(_) => 30.0,
            _ if pairs => 1.2,
            _ => 300.0,
        };
        (agents as f64).powf(self.expected_slope()) * ns * 1.0e-9
    }
}

/// What is timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Timed {
    /// Whole steps.
    Step,
    /// The stage that steers and moves, by the engine's own clock.
    Steer,
}

impl Case {
    pub(crate) fn new(method: impl Into<String>, way: Way, threads: usize) -> Self {
        Self { method: method.into(), way, threads }
    }

    /// A method under its own name.
    pub(crate) fn of(method: Method, threads: usize) -> Self {
        Self::new(method.id(), Way::Engine(method), threads)
    }

    /// Methods under their names, and the one for several threads once for each requested number.
    pub(crate) fn all(methods: &[Method], threads: &[usize]) -> Vec<Self> {
        let cases = |&method: &Method| -> Vec<Self> {
            if method != Method::CellsSimdMt || threads.len() == 1 {
                return vec![Self::of(method, threads[0])];
            }
            let named = |count: &usize| format!("{}-{count}", method.id());
            let case = |count| Self::new(named(count), Way::Engine(method), *count);
            threads.iter().filter(|count| **count > 1).map(case).collect()
        };
        methods.iter().flat_map(cases).collect()
    }
}

impl Group {
    /// Whole steps of `scene`, soon after its start.
    pub(crate) fn new(
        experiment: &'static str,
        point: impl ToString,
        x: f64,
        scene: Scene,
        cases: Vec<Case>,
    ) -> Self {
        let smooths = scene.heading_samples.is_some();
        Self {
            experiment,
            point: point.to_string(),
            x,
            scene,
            warm_up: WARM_UP_STEPS,
            steps: if smooths { STEPS_WITH_HEADINGS } else { STEPS },
            timed: Timed::Step,
            questions: questions_of_engine(&cases),
            cases,
        }
    }

    /// This group, asking how many times as fast as each other way one is.
    pub(crate) fn asking_how_fast(self, fast: &str) -> Self {
        let others = self.cases.iter().map(|case| &case.method).filter(|name| *name != fast);
        let question = |slow: &String| Question::new(format!("{fast} over {slow}"), slow, fast);
        Self { questions: others.map(question).collect(), ..self }
    }

    /// This group, with a single step per repeat if a step takes long in any of the ways that fit a
    /// budget of this many seconds per step.
    pub(crate) fn for_budget(self, budget: f64) -> Self {
        let seconds = |case: &Case| case.way.usual_seconds(self.agents());
        let long = |case: &Case| (LONG_STEP..2.0 * budget).contains(&seconds(case));
        let steps = if self.cases.iter().any(long) { 1 } else { self.steps };
        Self { steps, ..self }
    }

    pub(crate) fn agents(&self) -> usize {
        self.scene.agent_count()
    }

    pub(crate) fn id(&self, case: &Case) -> String {
        self.id_of(&case.method)
    }

    pub(crate) fn id_of(&self, method: &str) -> String {
        format!("{}/{method}/{}", self.experiment, self.point)
    }

    /// The name in messages.
    pub(crate) fn name(&self) -> String {
        format!("{} {}", self.experiment, self.point)
    }
}

impl Question {
    pub(crate) fn new(words: impl ToString, slow: &str, fast: &str) -> Self {
        Self { words: words.to_string(), slow: slow.to_owned(), fast: fast.to_owned() }
    }
}

/// What is asked of the engine's methods, where there are both.
fn questions_of_engine(cases: &[Case]) -> Vec<Question> {
    let has = |method: Method| cases.iter().any(|case| case.method == method.id());
    let asked = [
        ("SIMD over scalar, all pairs", Method::AllPairsScalar, Method::AllPairsSimd),
        ("SIMD over scalar, cells", Method::CellsScalar, Method::CellsSimd),
        ("cells over all pairs, scalar", Method::AllPairsScalar, Method::CellsScalar),
        ("cells over all pairs, SIMD", Method::AllPairsSimd, Method::CellsSimd),
    ];
    let asked = asked.into_iter().filter(|(_, slow, fast)| has(*slow) && has(*fast));
    let simd = Method::CellsSimd;
    let has_next_best = has(simd) && cases.iter().any(|case| case.method == Flock::ID);
    let next_best = Question::new("cells-simd over the next best", Flock::ID, simd.id());
    let threaded = cases.iter().filter(|case| case.threads > 1 && case.way.uses_threads());
    let threaded = threaded.filter(|_| has(simd)).map(|case| {
        let words = format!("{} threads over one", case.threads);
        Question::new(words, simd.id(), &case.method)
    });
    let asked = asked.map(|(words, slow, fast)| Question::new(words, slow.id(), fast.id()));
    has_next_best.then_some(next_best).into_iter().chain(asked).chain(threaded).collect()
}

/// The name of a point, with its size if the point is measured at several.
pub(crate) fn point_of_size(name: &str, agents: usize, several_sizes: bool) -> String {
    if several_sizes { format!("{name}, {agents} agents") } else { name.to_owned() }
}

/// Workload W, the scene of most experiments.
pub(crate) fn workload(agents: usize, mean_neighbors: f32, seed: u64) -> Result<Scene, Failure> {
    let mut scene = Scene::named("stress")?.seed(seed).agents(agents);
    scene.world.mean_neighbors = Some(mean_neighbors);
    Ok(scene)
}
