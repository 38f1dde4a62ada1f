//! Starting ranks as processes of this machine.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// Starts `mpirun` with a program.
pub(crate) fn start<S: AsRef<OsStr>>(ranks: usize, program: &Path, arguments: &[S]) -> Child {
    let mut command = Command::new("mpirun");
    command.args(["--oversubscribe", "-n", &ranks.to_string()]).arg(program).args(arguments);
    // Machines that test are often containers, where everybody is root.
    command.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("mpirun is installed")
}
