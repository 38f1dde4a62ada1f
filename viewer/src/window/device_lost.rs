//! What happens when the display or the GPU goes away: the viewer says so and ends.
//!
//! Nobody returns an error then. winit and wgpu panic, and Xlib ends the program by itself.

use std::panic::{self, PanicHookInfo};
use std::process;

use crate::error::Error;

/// From now on. Films need no end: they are complete after every picture.
pub(crate) fn end_clearly() {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |panic| match cause(panic) {
        Some(cause) => end(&cause),
        None => usual(panic),
    }));
    #[cfg(target_os = "linux")]
    x11::handle_lost_display();
}

/// What a panic of winit or wgpu says, on one line.
fn cause(panic: &PanicHookInfo<'_>) -> Option<String> {
    let file = panic.location()?.file();
    let theirs = ["winit", "wgpu"].iter().any(|name| file.contains(name));
    let words = panic.payload_as_str()?.split_whitespace();
    theirs.then(|| words.collect::<Vec<_>>().join(" "))
}

fn end(cause: &str) -> ! {
    let what = format!("the display or the GPU is gone ({cause})");
    eprintln!("error: {}", Error::Drawing(what));
    process::exit(2)
}

#[cfg(target_os = "linux")]
mod x11 {
    use std::ffi::c_int;

    use x11_dl::xlib::{Display, Xlib};

    pub(super) fn handle_lost_display() {
        // Without Xlib there is no such display.
        let Ok(xlib) = Xlib::open() else { return };
        // SAFETY: Xlib takes a handler at any time; this one neither returns nor unwinds.
        unsafe { (xlib.XSetIOErrorHandler)(Some(lost)) };
    }

    unsafe extern "C" fn lost(_: *mut Display) -> c_int {
        super::end("the connection is broken")
    }
}
