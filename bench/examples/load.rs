//! Keeps one core busy in random bursts of 0.2 to 2 s, to test measurements under background load:
//! `cargo run --release -p flockwork-bench --example load -- SEED SECONDS`

use std::hint::black_box;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

fn main() -> Result<(), std::num::ParseIntError> {
    let mut words = std::env::args().skip(1);
    let mut number = |usual: u64| words.next().map_or(Ok(usual), |word| word.parse());
    let mut random = Xoshiro256PlusPlus::seed_from_u64(number(1)?);
    let end = Duration::from_secs(number(60)?);
    let mut time = || Duration::from_millis(200 + random.next_u64() % 1_801);
    let begun = Instant::now();
    let mut work = 0_u64;
    while begun.elapsed() < end {
        let (burst, length) = (Instant::now(), time());
        while burst.elapsed() < length {
            work = black_box(work.wrapping_add(1));
        }
        sleep(time());
    }
    Ok(())
}
