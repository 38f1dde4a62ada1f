use flockwork::Simulation;

use crate::peers::nearest_offset;
use crate::rungs::Vec2;

/// Ten view distances of the plain crowd, in world units.
const REACH: f32 = 500.0;
/// Number of fish whose nearest shark the engine confirms.
const VERIFIED: usize = 20;

/// The naive way to flee on a torus: every fish looks at every shark.
pub struct NaiveLoop {
    size: Vec2,
    fish: Vec<Vec2>,
    sharks: Vec<Vec2>,
    /// For each fish, the number of the nearest shark in reach, and the direction away from it.
    away: Vec<Option<(usize, Vec2)>>,
}

impl NaiveLoop {
    pub const ID: &str = "naive-loop";

    /// Copies the positions of a crowd whose first species flees its second.
    #[must_use]
    pub fn of(crowd: &Simulation) -> Self {
        let state = crowd.agents();
        let of_species = |species: u8| -> Vec<Vec2> {
            let slots = (0..crowd.len()).filter(|slot| state.species[*slot] == species);
            slots.map(|slot| Vec2::new(state.x[slot], state.y[slot])).collect()
        };
        let [fish, sharks] = [of_species(0), of_species(1)];
        let [width, height] = crowd.world_size();
        Self { size: Vec2::new(width, height), away: vec![None; fish.len()], fish, sharks }
    }

    pub fn run(&mut self) {
        for (fish, away) in self.fish.iter().zip(&mut self.away) {
            let (mut nearest, mut least) = (None, REACH * REACH);
            for (number, shark) in self.sharks.iter().enumerate() {
                let (x, y) = ((shark.x - fish.x).abs(), (shark.y - fish.y).abs());
                let (x, y) = (x.min(self.size.x - x), y.min(self.size.y - y));
                let distance_sq = x * x + y * y;
                if distance_sq < least {
                    (nearest, least) = (Some(number), distance_sq);
                }
            }
            let inverse = 1.0 / least.sqrt();
            let away_from = |shark| -nearest_offset(*fish, self.sharks[shark], self.size) * inverse;
            *away = nearest.map(|shark| (shark, away_from(shark)));
        }
    }

    /// Compares the nearest sharks of some fish with the engine's. Returns a hash of all of them.
    ///
    /// # Errors
    /// If a fish has another nearest shark.
    pub fn verify(&self, crowd: &Simulation) -> Result<u64, String> {
        let step = self.fish.len().div_ceil(VERIFIED).max(1);
        for (fish, away) in self.fish.iter().zip(&self.away).step_by(step) {
            let point = [fish.x, fish.y];
            let refused = |error: flockwork::Error| error.to_string();
            let ids = crowd.nearest_agents(point, 1, Some("shark")).map_err(refused)?;
            let mut expected = None;
            for id in ids {
                let [x, y, _] = crowd.agent(id).map_err(refused)?.position;
                let [dx, dy, _] = crowd.displacement(point, [x, y]);
                if dx.hypot(dy) < REACH {
                    expected = Some([x, y]);
                }
            }
            let found = away.map(|(number, _)| [self.sharks[number].x, self.sharks[number].y]);
            if found != expected {
                return Err(format!("flees {found:?}, but the engine finds {expected:?}"));
            }
        }
        let number = |away: &Option<(usize, Vec2)>| away.map_or(0, |(number, _)| number as u64 + 1);
        Ok(self.away.iter().fold(0, |hash: u64, away| {
            hash.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ number(away)
        }))
    }
}
