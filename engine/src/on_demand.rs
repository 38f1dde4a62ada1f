use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// A lazy value: the first reader after a change computes it while other readers wait.
/// An outdated value is kept, so that the next computation can reuse its memory.
///
/// Do not compute the value on a thread that may run another reader's work while it waits:
/// see [`Workers::for_query`](crate::parallel::Workers::for_query).
#[derive(Debug)]
pub(crate) struct OnDemand<T> {
    current: OnceLock<T>,
    outdated: Mutex<Option<T>>,
}

impl<T> Default for OnDemand<T> {
    fn default() -> Self {
        Self { current: OnceLock::new(), outdated: Mutex::new(None) }
    }
}

impl<T> OnDemand<T> {
    /// Recomputes the value if it is outdated. `compute` gets the old value, to reuse its memory.
    #[inline]
    pub(crate) fn get(&self, compute: impl FnOnce(Option<T>) -> T) -> &T {
        self.current.get_or_init(|| {
            let outdated = self.lock().take();
            compute(outdated)
        })
    }

    pub(crate) fn current(&self) -> Option<&T> {
        self.current.get()
    }

    pub(crate) fn current_mut(&mut self) -> Option<&mut T> {
        self.current.get_mut()
    }

    /// The value, even if it is outdated.
    pub(crate) fn latest_mut(&mut self) -> Option<&mut T> {
        let Self { current, outdated } = self;
        current.get_mut().or(outdated_mut(outdated).as_mut())
    }

    pub(crate) fn take_current(&mut self) -> Option<T> {
        self.current.take()
    }

    pub(crate) fn take_outdated(&mut self) -> Option<T> {
        outdated_mut(&mut self.outdated).take()
    }

    pub(crate) fn put_current(&mut self, value: T) {
        self.current = OnceLock::from(value);
    }

    pub(crate) fn put_outdated(&mut self, value: T) {
        *outdated_mut(&mut self.outdated) = Some(value);
    }

    /// Call this after the computation's inputs change.
    pub(crate) fn outdate(&mut self) {
        if let Some(value) = self.current.take() {
            self.put_outdated(value);
        }
    }

    pub(crate) fn bytes(&self, of: impl Fn(&T) -> usize) -> usize {
        match self.current.get() {
            Some(value) => of(value),
            None => self.lock().as_ref().map_or(0, of),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<T>> {
        self.outdated.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn outdated_mut<T>(outdated: &mut Mutex<Option<T>>) -> &mut Option<T> {
    outdated.get_mut().unwrap_or_else(PoisonError::into_inner)
}
