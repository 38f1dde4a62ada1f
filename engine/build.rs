//! Warns of builds whose kernels would run at a fraction of their speed.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let features = variable("CARGO_CFG_TARGET_FEATURE");
    let has = |feature: &str| features.split(',').any(|other| other == feature);
    if variable("CARGO_CFG_TARGET_ARCH") == "x86_64" && !(has("avx2") && has("fma")) {
        println!(
            "cargo::warning=flockwork is compiled without AVX2 and FMA: same results, several \
             times slower. Set RUSTFLAGS=\"-C target-cpu=native\" for this machine, or \
             \"-C target-cpu=x86-64-v3\" for any x86-64 CPU since about 2015."
        );
    }
}
