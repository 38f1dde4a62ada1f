use flockwork::{Point, Simulation};

use crate::peers::{Vector, nearest_offset, world_size};

/// Ten view distances of the plain crowd, in world units.
const REACH: f32 = 500.0;
/// Number of fish whose nearest shark the engine confirms.
const VERIFIED: usize = 20;

/// The naive way to flee on a torus: every fish looks at every shark.
pub(crate) struct NaiveLoop<const D: usize> {
    size: Vector<D>,
    fish: Vec<Vector<D>>,
    sharks: Vec<Vector<D>>,
    /// For each fish, the index of the nearest shark in reach, and the direction away from it.
    away: Vec<Option<(usize, Vector<D>)>>,
}

impl<const D: usize> NaiveLoop<D>
where
    Point: From<[f32; D]>,
{
    pub(crate) const ID: &str = "naive-loop";

    /// Copies the positions of a crowd whose first species flees its second.
    pub(crate) fn of(crowd: &Simulation) -> Self {
        let state = crowd.agents();
        let of_species = |species: u8| -> Vec<Vector<D>> {
            let slots = (0..crowd.len()).filter(|slot| state.species[*slot] == species);
            slots.map(|slot| Vector::at([state.x, state.y, state.z], slot)).collect()
        };
        let [fish, sharks] = [of_species(0), of_species(1)];
        Self { size: world_size(crowd), away: vec![None; fish.len()], fish, sharks }
    }

    pub(crate) fn run(&mut self) {
        for (fish, away) in self.fish.iter().zip(&mut self.away) {
            let (mut nearest, mut least) = (None, REACH * REACH);
            for (number, shark) in self.sharks.iter().enumerate() {
                let offset = (*shark - *fish).map(f32::abs);
                let offset = offset.zip(self.size, |along, size| along.min(size - along));
                let distance_sq = offset.length_sq();
                if distance_sq < least {
                    (nearest, least) = (Some(number), distance_sq);
                }
            }
            let inverse = 1.0 / least.sqrt();
            let away_from = |shark| -nearest_offset(*fish, self.sharks[shark], self.size) * inverse;
            *away = nearest.map(|shark| (shark, away_from(shark)));
        }
    }

    /// Returns a hash of the nearest sharks. Fails if the engine finds a different nearest shark
    /// for one of some fish.
    pub(crate) fn verify(&self, crowd: &Simulation) -> Result<u64, String> {
        let step = self.fish.len().div_ceil(VERIFIED).max(1);
        for (Vector(fish), away) in self.fish.iter().zip(&self.away).step_by(step) {
            let refused = |error: flockwork::Error| error.to_string();
            let ids = crowd.nearest_agents(*fish, 1, Some("shark")).map_err(refused)?;
            let mut expected = None;
            for id in ids {
                let at = crowd.agent(id).map_err(refused)?.position;
                let at: [f32; D] = std::array::from_fn(|axis| at[axis]);
                let offset = Vector(crowd.displacement(*fish, at));
                if offset.length() < REACH {
                    expected = Some(Vector(at));
                }
            }
            let found = away.map(|(number, _)| self.sharks[number]);
            if found != expected {
                return Err(format!("flees {found:?}, but the engine finds {expected:?}"));
            }
        }
        let number = |away: &Option<_>| away.map_or(0, |(number, _)| number as u64 + 1);
        Ok(self.away.iter().fold(0, |hash: u64, away| {
            hash.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ number(away)
        }))
    }
}
