//! Requirements for every transport. All ranks run the same check together.

use std::thread;
use std::time::Duration;

use flockwork_cluster::transport::{Incoming, Lost, Outgoing, Transport};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

pub(crate) type Check = fn(&mut dyn Transport) -> Result<(), Lost>;

pub(crate) const ALL: [(&str, Check); 6] = [
    ("random messages arrive", random_messages_arrive),
    ("big messages go all ways at once", big_messages_go_all_ways_at_once),
    ("computing goes on until it is done", computing_goes_on_until_it_is_done),
    ("sums and minima are those of all ranks", sums_and_minima_are_those_of_all_ranks),
    ("everybody gets the bytes of all ranks", everybody_gets_the_bytes_of_all_ranks),
    ("waiting is measured", waiting_is_measured),
];

type Pieces = Vec<Vec<u8>>;

fn random(seed: u64) -> impl FnMut(usize) -> usize {
    let mut generator = Xoshiro256PlusPlus::seed_from_u64(seed);
    move |below| (generator.next_u64() % below as u64) as usize
}

fn bytes(key: u64, length: usize) -> Vec<u8> {
    let start = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let byte = |at: usize| (start.wrapping_add(at as u64).wrapping_mul(start | 1) >> 56) as u8;
    (0..length).map(byte).collect()
}

/// Pieces of one message, derived from a seed so that sender and receiver agree. There are often
/// none.
fn message(exchange: usize, from: usize, to: usize) -> Pieces {
    let seed = ((exchange << 20) + (from << 10) + to) as u64;
    let mut below = random(seed);
    let count = below(6).saturating_sub(1) as u64;
    let mut piece = |number: u64| {
        let most = [1, 20, 5_000, 200_000, 3_000_000][[0, 1, 2, 2, 2, 3, 3, 4][below(8)]];
        let length = if most > 200_000 && below(8) > 0 { 4_096 } else { below(most) };
        bytes(seed << 16 | number, length)
    };
    (0..count).map(&mut piece).collect()
}

fn random_messages_arrive(transport: &mut dyn Transport) -> Result<(), Lost> {
    let (rank, ranks) = (transport.rank(), transport.ranks());
    let mut buffers = vec![b"what was here before".to_vec(); ranks];
    let mut to_others = transport.bytes_sent();
    for exchange in 0..40 {
        let mut order: Vec<usize> = (0..ranks).collect();
        if exchange % 2 == 1 {
            order.reverse();
        }
        let mine: Vec<(usize, Pieces)> =
            (0..ranks).map(|to| (to, message(exchange, rank, to))).collect();
        let sent = mine.iter().flat_map(|(to, pieces)| pieces.iter().map(|piece| (*to, piece)));
        let outgoing: Vec<_> = sent.map(|(to, piece)| Outgoing { to, piece }).collect();
        let expected = order.iter().map(|&from| (from, message(exchange, from, rank)));
        let expected: Vec<(usize, Pieces)> =
            expected.filter(|(_, pieces)| !pieces.is_empty()).collect();
        let incoming = expected.iter().zip(&mut buffers).map(|((from, pieces), bytes)| {
            let bytes = std::mem::take(bytes);
            Incoming { from: *from, pieces: pieces.len(), bytes }
        });
        let mut incoming: Vec<_> = incoming.collect();
        let mut stretches = (exchange + rank) % 5;
        transport.exchange(&outgoing, &mut incoming, &mut || {
            stretches = stretches.saturating_sub(1);
            stretches > 0
        })?;
        for (at, ((from, pieces), received)) in expected.iter().zip(incoming).enumerate() {
            let same = pieces.concat() == received.bytes;
            assert!(same, "exchange {exchange}: rank {rank} got other bytes than {from} sent");
            buffers[at] = received.bytes;
        }
        let others = mine.iter().filter(|&&(to, _)| to != rank);
        to_others += others.map(|(_, pieces)| pieces.concat().len() as u64).sum::<u64>();
        assert_eq!(transport.bytes_sent(), to_others);
    }
    Ok(())
}

fn big_messages_go_all_ways_at_once(transport: &mut dyn Transport) -> Result<(), Lost> {
    let (rank, ranks) = (transport.rank(), transport.ranks());
    let own = bytes(rank as u64, 8_000_000);
    let pieces = [&own[..5_000_000], &own[5_000_000..]];
    let outgoing: Vec<_> =
        (0..ranks).flat_map(|to| pieces.map(|piece| Outgoing { to, piece })).collect();
    let mut incoming: Vec<_> =
        (0..ranks).map(|from| Incoming { from, pieces: 2, bytes: Vec::new() }).collect();
    transport.exchange(&outgoing, &mut incoming, &mut || false)?;
    for Incoming { from, bytes: received, .. } in incoming {
        assert!(received == bytes(from as u64, 8_000_000), "from {from} to {rank}");
    }
    Ok(())
}

fn computing_goes_on_until_it_is_done(transport: &mut dyn Transport) -> Result<(), Lost> {
    for stretches in [1, 2, 9] {
        let mut computed = 0;
        transport.exchange(&[], &mut [], &mut || {
            computed += 1;
            computed < stretches
        })?;
        assert_eq!(computed, stretches);
    }
    Ok(())
}

fn sums_and_minima_are_those_of_all_ranks(transport: &mut dyn Transport) -> Result<(), Lost> {
    let (rank, ranks) = (transport.rank(), transport.ranks());
    for round in 0..20 {
        for count in [0, 1, 5, 3_000] {
            let value = |rank: usize, at: usize| {
                (u64::MAX / 3 * 2).wrapping_add((rank * at + round) as u64)
            };
            let mut values: Vec<u64> = (0..count).map(|at| value(rank, at)).collect();
            transport.sum(&mut values)?;
            let sum = |at| (0..ranks).fold(0, |sum: u64, rank| sum.wrapping_add(value(rank, at)));
            assert_eq!(values, (0..count).map(sum).collect::<Vec<_>>());
        }
        let value = |rank: usize| u64::MAX - ((rank * 5 + round) % 7) as u64;
        let min = transport.min(value(rank))?;
        assert_eq!(Some(min), (0..ranks).map(value).min());
    }
    Ok(())
}

fn everybody_gets_the_bytes_of_all_ranks(transport: &mut dyn Transport) -> Result<(), Lost> {
    let (rank, ranks) = (transport.rank(), transport.ranks());
    let mut gathered = vec![b"what was here before".to_vec(); 9];
    for round in 0..12 {
        let own = |rank: usize| {
            let length = [0, 1, 77, 10_000, 400_000][(rank + round) % 5];
            bytes((round * ranks + rank) as u64, length * usize::from(round % 4 > 0))
        };
        transport.all_gather(&own(rank), &mut gathered)?;
        assert!(gathered == (0..ranks).map(own).collect::<Vec<_>>(), "round {round}, rank {rank}");
    }
    Ok(())
}

fn waiting_is_measured(transport: &mut dyn Transport) -> Result<(), Lost> {
    let rank = transport.rank();
    let to_all: Vec<_> = (0..transport.ranks()).map(|to| Outgoing { to, piece: b"late" }).collect();
    let outgoing = if rank == 0 { &to_all[..] } else { &[] };
    // On a busy machine other ranks are occasionally late, so the check may be repeated.
    for _ in 0..20 {
        transport.min(0)?;
        let before = transport.waited();
        if rank == 0 {
            thread::sleep(Duration::from_millis(100));
        }
        let mut incoming = [Incoming { from: 0, pieces: 1, bytes: Vec::new() }];
        transport.exchange(outgoing, &mut incoming, &mut || false)?;
        let waited = transport.waited() - before;
        let mut not_measured = [u64::from(rank != 0 && waited.as_millis() < 50)];
        transport.sum(&mut not_measured)?;
        if not_measured == [0] {
            return Ok(());
        }
    }
    panic!("rank 0 is late, and waiting for it is not measured")
}
