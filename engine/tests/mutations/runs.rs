//! Runs the tests of a changed copy of the workspace.

use std::collections::{BTreeMap, HashMap};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use crate::Mutation;
use crate::copies::{copy, workspace};

const SUITE: &[&str] = &["-p", "flockwork-suite"];
const UNIT_TESTS: &[&str] = &["-p", "flockwork", "--lib"];
const BENCH: &[&str] = &["-p", "flockwork-bench"];
const VIEWER: &[&str] = &["-p", "flockwork-viewer"];

/// Compares each behavior alone with the reference.
const EACH: &str = "every_behavior_with_force_to_spare_gives_the_references_force";

/// Tests that compare random scenes. They catch most mistakes that the tests of a single area miss.
const RANDOM: [&str; 4] = ["random_scenes", "slab::sequences", "variants::", "reference::"];

/// Part of cargo's message about a test binary.
const TESTED: &str = "\"test\":true},\"features\"";

/// A test that takes longer is assumed to hang.
const PATIENCE: Duration = Duration::from_secs(600);

#[derive(Clone)]
struct Binary {
    package: PathBuf,
    file: PathBuf,
}

pub(crate) struct Runs {
    root: PathBuf,
    built: HashMap<&'static [&'static str], Vec<Binary>>,
    /// Results without a mistake: true if the named test passes, or if the selected tests end.
    pass: BTreeMap<String, bool>,
}

impl Runs {
    pub(crate) fn of(root: &Path, changed: &BTreeMap<String, String>) -> Self {
        copy(workspace(), root, changed);
        Self { root: root.to_owned(), built: HashMap::new(), pass: BTreeMap::new() }
    }

    /// Finds a test that fails with a mistake: tries `earlier` first, then the tests that the
    /// mistake's name selects, and finally all tests. `number` is `None` if the mistake is the only
    /// one in the copy.
    pub(crate) fn first_failure(
        &mut self,
        number: Option<usize>,
        mutation: &Mutation,
        earlier: Option<&str>,
    ) -> Option<String> {
        let (package, others) = match mutation.package() {
            "bench" => (BENCH, vec![]),
            "viewer" => (VIEWER, vec![]),
            _ => {
                let own = [(UNIT_TESTS, mutation.area()), (SUITE, EACH)];
                let random = RANDOM.map(|filter| (SUITE, filter));
                (SUITE, [&own[..], &random, &[(UNIT_TESTS, "")]].concat())
            }
        };
        let first = earlier.into_iter().chain([mutation.area()]).map(|filter| (package, filter));
        let mut order = first.chain(others).chain([(package, "")]);
        order.find_map(|(selection, filter)| {
            let binaries = self.binaries(selection);
            binaries.iter().find_map(|binary| self.failure(binary, filter, number))
        })
    }

    fn binaries(&mut self, selection: &'static [&'static str]) -> Vec<Binary> {
        let build = || {
            let output = Command::new(env!("CARGO"))
                .args(["test", "--no-run", "--quiet", "--message-format=json-render-diagnostics"])
                .args(selection)
                .current_dir(&self.root)
                // The copies share no target folder, because their binaries would have the same
                // names.
                .env("CARGO_TARGET_DIR", self.root.join("target"))
                .env("CARGO_INCREMENTAL", "1")
                .env("CARGO_PROFILE_DEV_DEBUG", "0")
                .env("CARGO_PROFILE_TEST_DEBUG", "0")
                .output()
                .unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            let messages = String::from_utf8(output.stdout).unwrap();
            messages.lines().filter(|line| line.contains(TESTED)).filter_map(binary).collect()
        };
        self.built.entry(selection).or_insert_with(build).clone()
    }

    /// Returns the first test that fails with a mistake, unless that test also fails without it.
    fn failure(&mut self, binary: &Binary, filter: &str, number: Option<usize>) -> Option<String> {
        let mut command = binary.command(filter);
        if let Some(number) = number {
            command.env("FLOCKWORK_MUTATION", number.to_string());
        }
        let mut tests = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let output = BufReader::new(tests.stdout.take().unwrap());
        let (lines, received) = channel();
        thread::spawn(move || output.lines().try_for_each(|line| lines.send(line.ok()?).ok()));
        let failed = loop {
            match received.recv_timeout(PATIENCE) {
                Ok(line) => {
                    let name = line.strip_prefix("test ");
                    let failed = name.and_then(|name| name.strip_suffix(" ... FAILED"));
                    if let Some(test) = failed
                        && (number.is_none() || self.passes(binary, test))
                    {
                        break Some(test.to_owned());
                    }
                }
                Err(RecvTimeoutError::Timeout) => break Some("a test that hangs".to_owned()),
                Err(RecvTimeoutError::Disconnected) => {
                    let status = tests.wait().unwrap();
                    let aborted = status.code().is_none() && self.ends(binary, filter);
                    break aborted.then(|| format!("an aborted test: {status}"));
                }
            }
        };
        let _ = tests.kill();
        tests.wait().unwrap();
        failed
    }

    /// True if, without a mistake, the tests that `filter` selects end at all.
    fn ends(&mut self, binary: &Binary, filter: &str) -> bool {
        *self.pass.entry(format!("all of `{filter}`")).or_insert_with(|| {
            let output = binary.command(filter).output().unwrap();
            output.status.code().is_some()
        })
    }

    fn passes(&mut self, binary: &Binary, test: &str) -> bool {
        *self.pass.entry(test.to_owned()).or_insert_with(|| {
            let output = binary.command(test).arg("--exact").output().unwrap();
            output.status.success()
        })
    }
}

/// Reads cargo's message about a built test.
fn binary(message: &str) -> Option<Binary> {
    let value = |key: &str| {
        let (_, after) = message.split_once(&format!("\"{key}\":\""))?;
        Some(PathBuf::from(after.split_once('"')?.0))
    };
    Some(Binary {
        package: value("manifest_path")?.parent()?.to_owned(),
        file: value("executable")?,
    })
}

impl Binary {
    fn command(&self, filter: &str) -> Command {
        let mut command = Command::new(&self.file);
        command
            .arg(filter)
            .current_dir(&self.package)
            .env("CARGO_MANIFEST_DIR", &self.package)
            .env("PROPTEST_RNG_SEED", "20040101");
        command
    }
}
