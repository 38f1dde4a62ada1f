/// Species parameter that an agent can override. Snapshots store limits in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    MaxSpeed,
    MaxForce,
    Mass,
    Radius,
    FieldOfView,
    /// 1 for agents that non-penetration does not push, else 0.
    Immovable,
}

impl Limit {
    pub(crate) const ALL: [Self; 6] = [
        Self::MaxSpeed,
        Self::MaxForce,
        Self::Mass,
        Self::Radius,
        Self::FieldOfView,
        Self::Immovable,
    ];

    pub(crate) fn bit(self) -> u8 {
        1 << self as u8
    }

    pub(crate) fn range(self) -> (&'static str, f32, f32, &'static str) {
        match self {
            Self::MaxSpeed => ("max_speed", 1.0e-3, 1.0e5, "units/s"),
            Self::MaxForce => ("max_force", 0.0, 1.0e9, "mass·units/s²"),
            Self::Mass => ("mass", 1.0e-3, 1.0e6, ""),
            Self::Radius => ("radius", 0.0, 1.0e4, "world units"),
            Self::FieldOfView => ("field_of_view", 0.0, 360.0, "degrees"),
            Self::Immovable => ("immovable", 0.0, 1.0, ""),
        }
    }
}

/// An agent is an outlier if it is given a radius or a maximum speed above this many times the
/// largest of all species.
const OUTLIER_FACTOR: f32 = 4.0;
/// If more than this fraction of the crowd is given outlying values at once, the values are treated
/// as usual.
const MAX_OUTLIER_FRACTION: f32 = 0.125;

/// Records which limits, targets and species were ever set for individual agents, and how many
/// agents joined. Columns and state hashes depend on this record, so it is part of the state and
/// the same in every slab.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Overrides {
    /// Bit set of the [`Limit`]s that any agent has ever overridden.
    pub(crate) limits: u8,
    /// Highest `max_speed` ever set for an agent. Like `radius`, it affects search distances.
    pub(crate) max_speed: f32,
    pub(crate) radius: f32,
    /// Highest speed and radius ever set that did not make the agent an outlier.
    pub(crate) usual_speed: f32,
    pub(crate) usual_radius: f32,
    pub(crate) target_points: bool,
    pub(crate) species: bool,
    /// Next value for the column `joined`, or 0 if no agent has joined since the start.
    pub(crate) joined: u64,
}

impl Overrides {
    pub(crate) fn has(&self, limit: Limit) -> bool {
        self.limits & limit.bit() != 0
    }

    /// Records that `values` are set in a crowd of `agents`. `largest` is the largest value of all
    /// species.
    pub(crate) fn add(
        &mut self,
        limit: Limit,
        values: impl Iterator<Item = f32> + Clone,
        (agents, largest): (usize, f32),
    ) {
        self.limits |= limit.bit();
        let (highest, usual) = match limit {
            Limit::MaxSpeed => (&mut self.max_speed, &mut self.usual_speed),
            Limit::Radius => (&mut self.radius, &mut self.usual_radius),
            Limit::MaxForce | Limit::Mass | Limit::FieldOfView | Limit::Immovable => return,
        };
        let is_far = |value: &f32| *value > OUTLIER_FACTOR * largest;
        let many =
            values.clone().filter(is_far).count() as f32 > MAX_OUTLIER_FRACTION * agents as f32;
        *highest = values.clone().fold(*highest, f32::max);
        *usual = values.filter(|value| many || !is_far(value)).fold(*usual, f32::max);
    }

    /// For [radius, maximum speed], true if an agent may have an outlying value.
    pub(crate) fn has_outliers(&self) -> [bool; 2] {
        [self.usual_radius < self.radius, self.usual_speed < self.max_speed]
    }
}
