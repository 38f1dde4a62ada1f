//! Ranks that are MPI processes.
//!
//! `cargo test -p flockwork-cluster --features mpi --test mpi` runs this program under `mpirun`,
//! with 1, 2, 3, 4 and 7 ranks on this machine. When run directly under a launcher, the program
//! takes its ranks' task as an argument, such as `checks`, `scenes` or one of the failures below.

mod checks;
mod crowd;
mod fragile;
mod mpirun;

use std::io::Read;
use std::panic::catch_unwind;
use std::path::Path;
use std::process::{Child, Command, ExitCode};
use std::thread;
use std::time::{Duration, Instant};

use flockwork::Scene;
use flockwork_cluster::failure::Failure;
use flockwork_cluster::rank::Rank;
use flockwork_cluster::transport::mpi::{self, Mpi};
use flockwork_cluster::transport::{Exchange, Incoming, Lost, Outgoing, Transport};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.as_slice() {
        [task, options @ ..] if !task.starts_with('-') => run_rank(task, options),
        _ => launch(),
    }
}

fn run_rank(task: &str, options: &[String]) -> ExitCode {
    let done = mpi::run(|transport| -> Result<(), Failure> {
        match task {
            "checks" => check_all(transport)?,
            "scenes" => step_all_scenes(transport)?,
            "behaviors" => panic_in_a_behavior(transport)?,
            "big" => send_gigabytes(transport, options[0].parse().expect("a number of bytes"))?,
            failure => fail_on_rank_1(transport, failure, &options[0])?,
        }
        Ok(())
    });
    done.expect("MPI starts");
    ExitCode::SUCCESS
}

fn check_all(transport: &mut Mpi) -> Result<(), Lost> {
    for chunk_size in [1 << 30, 50_000] {
        transport.set_chunk_size(chunk_size);
        for (name, check) in checks::ALL {
            let start = Instant::now();
            check(transport)?;
            if transport.rank() == 0 {
                println!("{name}, chunks of {chunk_size} bytes: {:.1?}", start.elapsed());
            }
        }
    }
    let again = mpi::run(|_| Ok::<_, Lost>(())).err().map(|error| error.to_string());
    assert_eq!(again.as_deref(), Some("this process has already started MPI"));
    Ok(())
}

/// Steps every scene, moves borders in most steps, and compares each step's hash with that of one
/// host.
fn step_all_scenes(transport: &mut Mpi) -> Result<(), Failure> {
    for name in Scene::names() {
        let scene = crowd::few(name);
        let ranks = transport.ranks();
        let mut rank = Rank::new(&scene, transport)?;
        for (step, expected) in (0..).zip(crowd::hashes_of_one_host(&scene, 12)) {
            rank.step_with(crowd::borders(step, ranks))?;
            assert_eq!(rank.state_hash()?, expected, "{name}, step {step}");
        }
    }
    Ok(())
}

/// A panicking behavior fails the step with the same error on all ranks as with threads, and the
/// ranks continue.
fn panic_in_a_behavior(transport: &mut Mpi) -> Result<(), Failure> {
    let scene = fragile::scene();
    let expected = crowd::hashes_of_one_host(&scene, 6)[5];
    let (hash, message) = fragile::panics_once(&scene, transport)?;
    assert_eq!(hash, expected);
    assert!(message.starts_with("rank ") && message.ends_with(fragile::SAID), "{message}");
    Ok(())
}

/// Sends more bytes than a `c_int` can count, to the next rank and in an all-gather.
fn send_gigabytes(transport: &mut Mpi, length: usize) -> Result<(), Lost> {
    let (rank, ranks) = (transport.rank(), transport.ranks());
    let bytes = |rank: usize| (0..length).map(move |at| (at / 1_000_003 + rank) as u8);
    let own: Vec<u8> = bytes(rank).collect();
    let (from, to) = ((rank + ranks - 1) % ranks, (rank + 1) % ranks);
    let mut incoming = [Incoming { from, pieces: 2, bytes: Vec::new() }];
    let outgoing = [Outgoing { to, piece: b"first" }, Outgoing { to, piece: &own }];
    transport.exchange(&outgoing, &mut incoming, &mut || false)?;
    let [Incoming { bytes: received, .. }] = incoming;
    assert!(received.starts_with(b"first") && received[5..].iter().copied().eq(bytes(from)));
    drop(received);
    let mut gathered = Vec::new();
    transport.all_gather(&own, &mut gathered)?;
    let all = gathered.iter().enumerate();
    all.for_each(|(rank, received)| assert!(received.iter().copied().eq(bytes(rank))));
    Ok(())
}

/// Rank 1 fails in the named way while the other ranks wait in the named call.
fn fail_on_rank_1(transport: &mut Mpi, failure: &str, wait: &str) -> Result<(), Lost> {
    // Barrier: all ranks have started. MPI itself detects ranks that are missing at startup.
    transport.min(0)?;
    if transport.rank() == 1 {
        match failure {
            "panics" => panic!("out of {}", "feathers"),
            "panics-while-others-compute" => {
                let outgoing = [Outgoing { to: 0, piece: b"bytes" }];
                transport.exchange(&outgoing, &mut [], &mut || panic!("out of {}", "feathers"))?;
            }
            "catches-panics" => {
                let caught = || panic!("out of {}", "feathers");
                thread::spawn(caught).join().expect_err("it panics");
                catch_unwind(caught).expect_err("it panics");
                return transport.min(0).map(drop);
            }
            "fails" => transport.fail("position of agent 7 is not finite"),
            "is-killed" => {
                let id = std::process::id().to_string();
                Command::new("kill").args(["-9", &id]).status().expect("it can be killed");
            }
            "exits" => std::process::exit(3),
            other => panic!("unknown failure {other}"),
        }
    }
    let mut incoming = [Incoming { from: 1, pieces: 1, bytes: Vec::new() }];
    match wait {
        "sum" => transport.sum(&mut [1, 2]),
        "gather" => transport.all_gather(b"bytes", &mut Vec::new()),
        "min" => transport.min(0).map(drop),
        "receive" => transport.exchange(&[], &mut incoming, &mut || false),
        other => panic!("unknown wait {other}"),
    }
}

/// Waits for a launcher, and returns whether it succeeded, and its output. If it is still running
/// after `seconds`, kills it, and returns its output as the error. But if only the launcher is left
/// then, it is treated as failed instead: after an abort, Open MPI 4.1.4 sometimes waits for itself
/// in `PMIx_server_finalize`.
fn ended(mut started: Child, seconds: u64) -> Result<(bool, String), String> {
    let until = Instant::now() + Duration::from_secs(seconds);
    let printed = [collect(started.stdout.take()), collect(started.stderr.take())];
    let succeeded = wait(&mut started, until);
    let printed = printed.map(|thread| thread.join().expect("text is read")).concat();
    succeeded.map(|succeeded| (succeeded, printed.clone())).ok_or(printed)
}

fn collect(from: Option<impl Read + Send + 'static>) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut text = Vec::new();
        from.expect("it is a pipe").read_to_end(&mut text).expect("the program prints");
        String::from_utf8_lossy(&text).into_owned()
    })
}

fn wait(started: &mut Child, until: Instant) -> Option<bool> {
    while Instant::now() < until {
        if let Some(status) = started.try_wait().expect("it can be waited for") {
            return Some(status.success());
        }
        thread::sleep(Duration::from_millis(20));
    }
    let ended_all = !has_living_ranks(started);
    started.kill().expect("it can be ended");
    started.wait().expect("it can be waited for");
    ended_all.then_some(false)
}

/// True if a process that `mpirun` started is still running, or if that is unknown.
fn has_living_ranks(mpirun: &Child) -> bool {
    let of_mpirun = ["--ppid", &mpirun.id().to_string(), "-o", "stat="];
    let Ok(listed) = Command::new("ps").args(of_mpirun).output() else { return true };
    String::from_utf8_lossy(&listed.stdout).lines().any(|state| !state.starts_with('Z'))
}

/// Runs this program on `ranks` ranks, and returns whether it succeeded, and its output. Restarts a
/// launcher once if it fails without output, since Open MPI 4.1.4 sometimes hangs before it starts
/// a rank.
fn run_ranks(ranks: usize, arguments: &[&str], seconds: u64) -> (bool, String) {
    let program = std::env::current_exe().expect("this program has a path");
    let run = || {
        ended(mpirun::start(ranks, &program, arguments), seconds).unwrap_or_else(|printed| {
            panic!("{arguments:?} on {ranks} ranks has not ended after {seconds} s:\n{printed}")
        })
    };
    let (succeeded, printed) = run();
    if succeeded || !printed.is_empty() { (succeeded, printed) } else { run() }
}

fn launch() -> ExitCode {
    for ranks in [1, 2, 3, 4, 7] {
        let start = Instant::now();
        let (succeeded, printed) = run_ranks(ranks, &["checks"], 300);
        assert!(succeeded, "{ranks} ranks:\n{printed}");
        println!("{ranks} ranks do what a transport has to do: {:.1?}", start.elapsed());
    }
    for ranks in [1, 2, 3, 4, 7] {
        let start = Instant::now();
        let (succeeded, printed) = run_ranks(ranks, &["scenes"], 300);
        assert!(succeeded, "{ranks} ranks:\n{printed}");
        println!("{ranks} ranks step every scene as one host does: {:.1?}", start.elapsed());
    }
    for (failure, said) in [
        ("panics", "rank 1 failed: out of feathers"),
        ("panics-while-others-compute", "rank 1 failed: out of feathers"),
        ("fails", "rank 1 failed: position of agent 7 is not finite"),
        ("is-killed", "process rank 1"),
        ("exits", "exit"),
    ] {
        for wait in ["sum", "gather", "receive"] {
            let start = Instant::now();
            let (succeeded, printed) = run_ranks(3, &[failure, wait], 20);
            assert!(!succeeded && printed.contains(said), "{failure}, {wait}:\n{printed}");
            println!("a rank that {failure} ends all in {wait}: {:.1?}", start.elapsed());
        }
    }
    let (succeeded, printed) = run_ranks(3, &["catches-panics", "min"], 20);
    assert!(succeeded && !printed.contains("rank 1 failed"), "{printed}");
    println!("a panic that the program catches ends no rank");
    let (succeeded, printed) = run_ranks(3, &["behaviors"], 60);
    assert!(succeeded && printed.matches("panicked at").count() == 1, "{printed}");
    println!("a panic in a behavior refuses the step on all ranks by name");
    for (input, said) in
        [(["--scene", "strss"], "unknown scene `strss`"), (["--agents", "x"], "invalid value 'x'")]
    {
        let program = Path::new(env!("CARGO_BIN_EXE_flockwork-cluster"));
        let output = mpirun::start(3, program, &input).wait_with_output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert_eq!(errors.matches(said).count(), 1, "{errors}");
        println!("bad input is refused once: {said}");
    }
    ExitCode::SUCCESS
}
