//! Ends the viewer with an error message when the display or the GPU is lost: winit and wgpu panic
//! then. (Xlib, where it notices first, ends the process with a message of its own.)

use std::io::{self, Write};
use std::panic::{self, PanicHookInfo};
use std::process;

use crate::error::Error;

/// Recordings need no cleanup: they are complete after every picture.
pub(super) fn install_handler() {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        let Some(cause) = cause(panic) else { return usual(panic) };
        let what = format!("the display or the GPU was lost ({cause})");
        // Within a panic, another one would abort.
        let _ = writeln!(io::stderr(), "error: {}", Error::Drawing(what));
        process::exit(2)
    }));
}

/// The message of a panic in winit or wgpu, on one line.
fn cause(panic: &PanicHookInfo<'_>) -> Option<String> {
    let file = panic.location()?.file();
    let theirs = ["winit", "wgpu"].iter().any(|name| file.contains(name));
    let words = panic.payload_as_str()?.split_whitespace();
    theirs.then(|| words.collect::<Vec<_>>().join(" "))
}
