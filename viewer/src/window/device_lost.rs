//! Ends the viewer with an error message when the display or the GPU is lost.
//!
//! Neither returns an error then: winit and wgpu panic, and Xlib exits the process.

use std::io::{self, Write};
use std::panic::{self, PanicHookInfo};
use std::process;

use crate::error::Error;

/// Installs the handlers. Recordings need no cleanup: they are complete after every picture.
pub(crate) fn install_handlers() {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |panic| match cause(panic) {
        Some(cause) => end(&cause),
        None => usual(panic),
    }));
    #[cfg(target_os = "linux")]
    x11::handle_lost_display();
}

/// The message of a panic in winit or wgpu, on one line.
fn cause(panic: &PanicHookInfo<'_>) -> Option<String> {
    let file = panic.location()?.file();
    let theirs = ["winit", "wgpu"].iter().any(|name| file.contains(name));
    let words = panic.payload_as_str()?.split_whitespace();
    theirs.then(|| words.collect::<Vec<_>>().join(" "))
}

fn end(cause: &str) -> ! {
    let what = format!("the display or the GPU was lost ({cause})");
    // Within a panic, another one would abort.
    let _ = writeln!(io::stderr(), "error: {}", Error::Drawing(what));
    process::exit(2)
}

#[cfg(target_os = "linux")]
mod x11 {
    use std::ffi::c_int;

    use x11_dl::xlib::{Display, Xlib};

    pub(super) fn handle_lost_display() {
        // Without Xlib there is no X11 display to lose.
        let Ok(xlib) = Xlib::open() else { return };
        // SAFETY: Xlib accepts a handler at any time; this one neither returns nor unwinds.
        unsafe { (xlib.XSetIOErrorHandler)(Some(on_io_error)) };
    }

    unsafe extern "C" fn on_io_error(_: *mut Display) -> c_int {
        super::end("the connection broke")
    }
}
