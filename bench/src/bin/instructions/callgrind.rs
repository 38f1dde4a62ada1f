//! Runs the workloads under valgrind and parses callgrind's instruction counts.

use std::path::Path;
use std::process::Command;

use flockwork::cpu::LEVEL_VARIABLE;

use crate::workloads::Workload;

pub(crate) fn version() -> Option<String> {
    let output = Command::new("valgrind").arg("--version").output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

pub(crate) fn count(workloads: &[Workload]) -> Result<Vec<f64>, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let folder =
        std::env::temp_dir().join(format!("flockwork-instructions-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let counted = run(&program, &folder).and_then(|hashes| {
        let pairs = workloads.iter().zip(hashes).enumerate();
        pairs.map(|(k, (workload, hash))| per_agent(workload, &hash, k, &folder)).collect()
    });
    let _ = std::fs::remove_dir_all(&folder);
    let counted: Vec<f64> = counted?;
    if counted.len() == workloads.len() {
        Ok(counted)
    } else {
        Err(format!("valgrind ran only {} of {} workloads", counted.len(), workloads.len()))
    }
}

/// Runs all workloads under callgrind, which writes one file for each. Returns the state hashes.
fn run(program: &Path, folder: &Path) -> Result<Vec<String>, String> {
    let output = Command::new("valgrind")
        // The environment may request an instruction set that valgrind lacks;
        // each workload sets its own level.
        .env_remove(LEVEL_VARIABLE)
        .arg("--tool=callgrind")
        .arg(format!("--callgrind-out-file={}", folder.join("counts").display()))
        // The patterns must differ: valgrind 3.19 ignores a second option with the same pattern.
        .arg("--toggle-collect=*workloads::counted*")
        .arg("--dump-after=instructions::workloads::counted")
        .arg(program)
        .arg("--steps")
        .output()
        .map_err(|error| format!("valgrind: {error}"))?;
    if !output.status.success() {
        return Err(format!("valgrind failed:\n{}", String::from_utf8_lossy(&output.stderr)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
}

/// Returns the instructions per agent of workload `k`. Fails if valgrind changes the final state.
fn per_agent(workload: &Workload, hash: &str, k: usize, folder: &Path) -> Result<f64, String> {
    let (agents, expected) = workload.outcome();
    if hash != format!("{expected:016x}") {
        return Err(format!("{}: the state differs under valgrind", workload.name));
    }
    let path = folder.join(format!("counts.{}", k + 1));
    let text =
        std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    match instructions(&text) {
        Some(count) if count > 0 => Ok(count as f64 / agents as f64),
        _ => Err(format!("{}: callgrind counted nothing", workload.name)),
    }
}

fn instructions(text: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix("summary: "))?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_total_is_read_from_a_callgrind_file() {
        let text = "# callgrind format\nversion: 1\nevents: Ir\nsummary: 12345\n\nfn=(1) main\n";
        assert_eq!(instructions(text), Some(12_345));
        assert_eq!(instructions("totals: 5"), None);
    }
}
