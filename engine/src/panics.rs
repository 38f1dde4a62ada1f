//! Panics of other crates' behaviors: what they say; of those on several threads at once, one is printed.

use std::any::Any;
use std::cell::OnceCell;
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Once};

thread_local! {
    /// Whether a thread of this one's pool has panicked already; none for threads of no pool.
    static PANICKED: OnceCell<Arc<AtomicBool>> = const { OnceCell::new() };
}

/// What a panic says.
pub fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("without a message")
}

/// Makes the current thread one of those that share `panicked`.
pub(crate) fn share(panicked: &Arc<AtomicBool>) {
    PANICKED.with(|own| {
        own.get_or_init(|| Arc::clone(panicked));
    });
}

/// From now on, threads that share a flag print a panic only if it is not set yet, and set it. All
/// other panics go to the program's hook as before.
pub(crate) fn print_the_first_only() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let print = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if is_first() {
                print(info);
            }
        }));
    });
}

fn is_first() -> bool {
    let is_first = |own: &OnceCell<Arc<AtomicBool>>| {
        own.get().is_none_or(|panicked| !panicked.swap(true, Relaxed))
    };
    PANICKED.try_with(is_first).unwrap_or(true)
}
