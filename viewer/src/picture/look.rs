use clap::ValueEnum;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Look {
    /// The view must have been captured for this coloring.
    pub(crate) color_by: ColorBy,
    /// Length of trails in simulated seconds; 0 for no trails.
    pub(crate) trails: f32,
    /// Display scale factor.
    pub(crate) scale: f32,
}

impl Default for Look {
    fn default() -> Self {
        Self { color_by: ColorBy::default(), trails: 0.0, scale: 1.0 }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorBy {
    /// Heading: a hue for each direction
    #[default]
    Heading,
    /// Speed, as a share of the species' largest max speed
    Speed,
    /// Species
    Species,
}

impl ColorBy {
    pub(crate) const ALL: [(&str, Self); 3] =
        [("heading", Self::Heading), ("speed", Self::Speed), ("species", Self::Species)];
}
