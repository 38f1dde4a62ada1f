//! In a scene with several species, those with few agents get their own style and larger marks, so
//! that hunters and hiders are easy to see. Their colors still show headings.

/// A species with more agents than this is drawn as a plain crowd, with [`Role::NONE`].
const MAX_AGENTS_WITH_ROLE: usize = 64;
/// Species with at most this many agents get larger marks.
const MAX_AGENTS_ENLARGED: usize = 8;
const ENLARGED: f32 = 1.35;
/// Minimum mark radius in species with a role: normal and enlarged, in pixels at display scale 1.
const MIN_RADIUS: [f32; 2] = [4.0, 6.0];

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Style {
    #[default]
    Solid,
    Outlined,
    Hollow,
    Cored,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Role {
    pub(crate) style: Style,
    pub(crate) enlarged: f32,
    pub(crate) min_radius: f32,
}

impl Role {
    pub(crate) const NONE: Self = Self { style: Style::Solid, enlarged: 1.0, min_radius: 0.0 };
}

/// Returns each species' role. The largest species (the first, if tied) gets [`Role::NONE`].
pub(crate) fn roles(counts: &[usize]) -> Vec<Role> {
    let largest = counts.iter().copied().max().unwrap_or(0);
    let crowd = counts.iter().position(|&count| count == largest);
    let mut styles = [Style::Outlined, Style::Hollow, Style::Cored].into_iter().cycle();
    let role = |(kind, &count): (usize, &usize)| {
        if count > MAX_AGENTS_WITH_ROLE || Some(kind) == crowd {
            return Role::NONE;
        }
        let few = count <= MAX_AGENTS_ENLARGED && count < largest;
        Role {
            style: styles.next().unwrap_or_default(),
            enlarged: if few { ENLARGED } else { 1.0 },
            min_radius: MIN_RADIUS[usize::from(few)],
        }
    };
    counts.iter().enumerate().map(role).collect()
}

#[cfg(test)]
mod tests {
    use Style::{Cored, Hollow, Outlined, Solid};

    use super::*;

    #[test]
    fn the_few_among_many_stand_out() {
        let styles = |counts: &[usize]| -> Vec<Style> {
            roles(counts).iter().map(|role| role.style).collect()
        };
        assert_eq!(styles(&[600]), [Solid]);
        assert_eq!(styles(&[299, 1]), [Solid, Outlined]);
        assert_eq!(
            styles(&[6, 6, 6]),
            [Solid, Outlined, Hollow],
            "each can be told from the others"
        );
        assert_eq!(styles(&[9, 1, 1, 1]), [Solid, Outlined, Hollow, Cored]);
        assert_eq!(styles(&[100_000, 500, 1]), [Solid, Solid, Outlined]);
        assert!(styles(&[]).is_empty());
        let enlarged = |counts: &[usize]| -> Vec<bool> {
            roles(counts).iter().map(|role| role.enlarged > 1.0).collect()
        };
        assert_eq!(enlarged(&[12, 1]), [false, true]);
        assert_eq!(enlarged(&[6, 6, 6]), [false; 3]);
    }
}
