#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| flockwork_fuzz::part(input));
