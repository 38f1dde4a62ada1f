use std::ffi::OsStr;
use std::path::Path;
use std::process::{Child, Command, Stdio};

pub(crate) fn start<S: AsRef<OsStr>>(ranks: usize, program: &Path, arguments: &[S]) -> Child {
    let mut command = Command::new("mpirun");
    command.args(["--oversubscribe", "-n", &ranks.to_string()]).arg(program).args(arguments);
    // Test machines are often containers, where every user is root.
    command.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("mpirun is installed")
}
