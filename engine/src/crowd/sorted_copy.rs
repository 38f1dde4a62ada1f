use std::ops::Range;

use crate::crowd::columns::{Attributes, Motion, PaddedTail};
use crate::crowd::sort::Sorter;
use crate::crowd::sought::Sought;
use crate::crowd::target::{Pose, SharedTarget};
use crate::grid::Grid;
use crate::grid::strays::Strays;
use crate::world::space::Space;

/// The crowd in cell order. A step swaps these columns with the state's and then writes the next
/// state to `motion`.
#[derive(Debug)]
pub(crate) struct SortedCopy {
    pub(crate) sorter: Sorter,
    pub(crate) motion: Motion,
    pub(crate) attributes: Attributes,
    pub(crate) surroundings: Surroundings,
}

/// Finds the neighbors and targets of agents in cell order.
#[derive(Debug)]
pub(crate) struct Surroundings {
    pub(crate) grid: Grid,
    pub(crate) strays: Strays,
    pub(crate) tail: PaddedTail,
    /// Agents of each species in the plan's `sought`.
    pub(crate) sought: Vec<Sought>,
    pub(crate) shared_targets: Vec<SharedTarget>,
    pub(crate) slots: Vec<u32>,
    pub(crate) own_targets: Vec<Option<Pose<f32>>>,
}

impl Surroundings {
    /// Fills the tail, and fills the cells of sought species from the agents in `slots`.
    pub(crate) fn fill(&mut self, slots: Range<usize>, motion: &Motion, attributes: &Attributes) {
        self.tail.fill(motion, attributes);
        let plan = self.grid.plan();
        self.sought.resize_with(plan.sought.len(), Sought::default);
        for (sought, &species) in self.sought.iter_mut().zip(&plan.sought) {
            sought.fill(self.grid.space(), species, slots.clone(), (motion, attributes));
        }
    }
}

impl SortedCopy {
    pub(crate) fn new(space: &Space, shared_targets: Vec<SharedTarget>) -> Self {
        Self {
            sorter: Sorter::default(),
            motion: Motion::default(),
            attributes: Attributes::default(),
            surroundings: Surroundings {
                grid: Grid::new(space),
                strays: Strays::new(),
                tail: PaddedTail::default(),
                sought: Vec::new(),
                shared_targets,
                slots: Vec::new(),
                own_targets: Vec::new(),
            },
        }
    }

    /// Fills the slot table, which is needed only if a behavior uses `Target::Own`.
    pub(crate) fn index_slots(&mut self, indices: usize) {
        if self.attributes.target.is_empty() {
            return;
        }
        let slots = &mut self.surroundings.slots;
        slots.resize(indices, 0);
        for (slot, &index) in (0..).zip(&self.attributes.index) {
            slots[index as usize] = slot;
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.motion.bytes()
            + self.attributes.bytes()
            + self.sorter.bytes()
            + self.surroundings.strays.bytes()
            + self.surroundings.sought.iter().map(Sought::bytes).sum::<usize>()
            + self.surroundings.slots.capacity() * size_of::<u32>()
            + self.surroundings.grid.starts.capacity() * size_of::<u32>()
    }
}
