mod checks;

use std::time::{Duration, Instant};

use flockwork_cluster::transport::threads::{Threads, run};
use flockwork_cluster::transport::{Exchange, Incoming, Lost, Outgoing, Transport};

#[test]
fn threads_do_what_a_transport_has_to_do() {
    for ranks in [1, 2, 3, 4, 7] {
        for (name, check) in checks::ALL {
            let checked = run(ranks, |transport| check(transport));
            assert_eq!(checked, Ok(vec![(); ranks]), "{name}, {ranks} ranks");
        }
    }
}

#[test]
fn results_come_in_the_order_of_ranks() {
    let numbers = run(5, |transport| Ok::<_, Lost>(transport.rank()));
    assert_eq!(numbers, Ok(vec![0, 1, 2, 3, 4]));
}

type Wait = fn(&mut Threads) -> Result<(), Lost>;

const WAITS: [Wait; 5] = [
    |transport| transport.sum(&mut [1, 2]),
    |transport| transport.min(3).map(drop),
    |transport| transport.all_gather(b"bytes", &mut Vec::new()),
    |transport| {
        let mut incoming = [Incoming { from: 1, pieces: 1, bytes: Vec::new() }];
        transport.exchange(&[], &mut incoming, &mut || false)
    },
    |transport| transport.exchange(&[Outgoing { to: 1, piece: &[] }], &mut [], &mut || false),
];

/// Rank 1 of three fails while the others wait. Returns the [`Lost`] error that they all report.
fn failure(fail: impl Fn(&mut Threads) -> Result<(), String> + Sync) -> Lost {
    let failures = WAITS.map(|wait| {
        let start = Instant::now();
        let failed = run(3, |transport| {
            if transport.rank() == 1 {
                return fail(transport);
            }
            let lost = wait(transport).expect_err("rank 1 does not come");
            assert_eq!(lost.rank, 1);
            Err(lost.to_string())
        });
        assert!(start.elapsed() < Duration::from_secs(5), "took {:?}", start.elapsed());
        failed.expect_err("rank 1 fails")
    });
    let [first, others @ ..] = failures;
    assert!(others.iter().all(|other| *other == first), "{first}, but {others:?}");
    first
}

#[test]
fn a_rank_that_panics_ends_all() {
    let lost = failure(|_| panic!("out of {}", "feathers"));
    assert_eq!(lost.to_string(), "rank 1 failed: out of feathers");
    let lost = failure(|_| std::panic::panic_any(7));
    assert_eq!(lost.to_string(), "rank 1 failed: without a message");
}

#[test]
fn a_rank_that_returns_an_error_ends_all() {
    let lost = failure(|_| Err("position of agent 7 is not finite".to_owned()));
    assert_eq!(lost.to_string(), "rank 1 failed: position of agent 7 is not finite");
}

#[test]
fn a_rank_that_fails_and_stays_ends_all() {
    let lost = failure(|transport| {
        transport.fail("no more disk");
        transport.fail("second thoughts");
        Ok(())
    });
    assert_eq!(lost.to_string(), "rank 1 failed: no more disk");
}

#[test]
fn a_rank_that_ends_early_ends_all() {
    let lost = failure(|_| Ok(()));
    assert_eq!(lost.to_string(), "rank 1 failed: it ended while other ranks waited for it");
}

#[test]
fn ranks_that_are_done_with_each_other_may_end() {
    // Rank 2 ends at once while the others still exchange messages.
    let exchanged = run(3, |transport| {
        let rank = transport.rank();
        for _ in 0..200 * usize::from(rank < 2) {
            let mut incoming = [Incoming { from: 1 - rank, pieces: 1, bytes: Vec::new() }];
            let outgoing = [Outgoing { to: 1 - rank, piece: b"still here" }];
            transport.exchange(&outgoing, &mut incoming, &mut || false)?;
        }
        Ok::<_, Lost>(())
    });
    assert_eq!(exchanged, Ok(vec![(); 3]));
}

fn mismatch(program: impl Fn(&mut Threads) -> Result<(), Lost> + Sync) -> String {
    run(2, program).expect_err("the ranks do not agree").to_string()
}

#[test]
fn a_message_that_nobody_expects_is_noticed() {
    let said = mismatch(|transport| {
        let outgoing = [Outgoing { to: 1, piece: b"surprise" }];
        if transport.rank() == 0 {
            return transport.exchange(&outgoing, &mut [], &mut || false);
        }
        transport.exchange(&[], &mut [], &mut || false)?;
        let mut incoming = [Incoming { from: 0, pieces: 1, bytes: Vec::new() }];
        transport.exchange(&[], &mut incoming, &mut || false)
    });
    assert!(said.contains("rank 0 sent rank 1 a message in an exchange"), "{said}");
}

#[test]
fn a_message_of_other_pieces_is_noticed() {
    let said = mismatch(|transport| {
        let mut incoming = [Incoming { from: 0, pieces: 3, bytes: Vec::new() }];
        let outgoing = [Outgoing { to: 1, piece: b"one" }, Outgoing { to: 1, piece: b"two" }];
        match transport.rank() {
            0 => transport.exchange(&outgoing, &mut [], &mut || false),
            _ => transport.exchange(&[], &mut incoming, &mut || false),
        }
    });
    assert!(said.contains("with the wrong number of pieces"), "{said}");
}

#[test]
fn a_rank_that_does_not_exist_is_refused() {
    let said = mismatch(|transport| {
        transport.exchange(&[Outgoing { to: 2, piece: &[] }], &mut [], &mut || false)
    });
    assert!(said.ends_with("there is no rank 2, only 2"), "{said}");
}
