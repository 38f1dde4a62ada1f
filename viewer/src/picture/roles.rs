//! Which species stand out: in a scene with several, those of few agents have colors of their own
//! and larger marks, so that one sees who hunts and who hides.

/// A species of more agents is a crowd.
const MAX_AGENTS: usize = 64;
/// A species of at most this many agents has larger marks.
const MAX_ENLARGED: usize = 8;
/// How much larger.
const ENLARGED: f32 = 1.35;
/// The smallest radius of such marks, in pixels.
const MIN_RADIUS: f32 = 6.0;

/// How a species stands out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Role {
    pub(crate) has_own_color: bool,
    /// By how much its marks are enlarged.
    pub(crate) enlarged: f32,
    /// The smallest radius of its marks, in pixels.
    pub(crate) min_radius: f32,
}

impl Role {
    pub(crate) const NONE: Self = Self { has_own_color: false, enlarged: 1.0, min_radius: 0.0 };
}

/// The roles of species with these numbers of agents. The largest species has none.
pub(crate) fn roles(counts: &[usize]) -> Vec<Role> {
    let largest = counts.iter().copied().max().unwrap_or(0);
    let is_largest = |count| count == largest;
    let only_one = counts.iter().filter(|&&count| is_largest(count)).count() == 1;
    let role = |&count: &usize| {
        if counts.len() < 2 || count > MAX_AGENTS || (is_largest(count) && only_one) {
            return Role::NONE;
        }
        let few = count <= MAX_ENLARGED && !is_largest(count);
        Role {
            has_own_color: true,
            enlarged: if few { ENLARGED } else { 1.0 },
            min_radius: if few { MIN_RADIUS } else { 0.0 },
        }
    };
    counts.iter().map(role).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_few_among_many_stand_out() {
        let colored = |counts: &[usize]| -> Vec<bool> {
            roles(counts).iter().map(|role| role.has_own_color).collect()
        };
        assert_eq!(colored(&[600]), [false]);
        assert_eq!(colored(&[299, 1]), [false, true]);
        assert_eq!(colored(&[6, 6, 6]), [true; 3], "none is the crowd");
        assert_eq!(colored(&[45, 45]), [true; 2]);
        assert_eq!(colored(&[100_000, 500, 1]), [false, false, true]);
        assert!(colored(&[]).is_empty());
        let enlarged = |counts: &[usize]| -> Vec<bool> {
            roles(counts).iter().map(|role| role.enlarged > 1.0).collect()
        };
        assert_eq!(enlarged(&[12, 1]), [false, true]);
        assert_eq!(enlarged(&[6, 6, 6]), [false; 3]);
    }
}
