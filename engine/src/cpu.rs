//! Whether this CPU can run what was compiled.
//!
//! The kernels' instructions are chosen at compile time (`target-cpu=native` in this
//! repository), so a binary carried to an older machine would die of an illegal
//! instruction. Binaries call [`require_build_features`] first thing in `main`.

use raw_cpuid::CpuId;

macro_rules! features {
    ($($name:literal => $present:expr,)+) => {
        /// The instruction sets beyond the baseline that this build uses.
        #[must_use]
        pub fn build_features() -> Vec<&'static str> {
            let mut names = Vec::new();
            $(if cfg!(target_feature = $name) { names.push($name); })+
            names
        }

        /// The first instruction set that this build uses and this CPU lacks.
        ///
        /// The processor is asked directly: the standard library's detection answers "yes"
        /// at compile time for whatever the build was allowed to use.
        #[must_use]
        pub fn missing_feature() -> Option<&'static str> {
            let cpu = CpuId::new();
            let basic = cpu.get_feature_info();
            let extended = cpu.get_extended_feature_info();
            let amd = cpu.get_extended_processor_and_feature_identifiers();
            $({
                #[allow(clippy::redundant_closure_call)]
                let present: Option<bool> = ($present)(&basic, &extended, &amd);
                if cfg!(target_feature = $name) && !present.unwrap_or(false) {
                    return Some($name);
                }
            })+
            None
        }
    };
}

type Basic = Option<raw_cpuid::FeatureInfo>;
type Extended = Option<raw_cpuid::ExtendedFeatures>;
type Amd = Option<raw_cpuid::ExtendedProcessorFeatureIdentifiers>;

features! {
    "sse3" => |b: &Basic, _: &Extended, _: &Amd| b.as_ref().map(|b| b.has_sse3()),
    "ssse3" => |b: &Basic, _: &Extended, _: &Amd| b.as_ref().map(|b| b.has_ssse3()),
    "sse4.1" => |b: &Basic, _: &Extended, _: &Amd| b.as_ref().map(|b| b.has_sse41()),
    "sse4.2" => |b: &Basic, _: &Extended, _: &Amd| b.as_ref().map(|b| b.has_sse42()),
    "popcnt" => |b: &Basic, _: &Extended, _: &Amd| b.as_ref().map(|b| b.has_popcnt()),
    "avx" => |b: &Basic, _: &Extended, _: &Amd| b.as_ref().map(|b| b.has_avx() && b.has_oxsave()),
    "fma" => |b: &Basic, _: &Extended, _: &Amd| b.as_ref().map(|b| b.has_fma()),
    "f16c" => |b: &Basic, _: &Extended, _: &Amd| b.as_ref().map(|b| b.has_f16c()),
    "movbe" => |b: &Basic, _: &Extended, _: &Amd| b.as_ref().map(|b| b.has_movbe()),
    "avx2" => |_: &Basic, e: &Extended, _: &Amd| e.as_ref().map(|e| e.has_avx2()),
    "bmi1" => |_: &Basic, e: &Extended, _: &Amd| e.as_ref().map(|e| e.has_bmi1()),
    "bmi2" => |_: &Basic, e: &Extended, _: &Amd| e.as_ref().map(|e| e.has_bmi2()),
    "lzcnt" => |_: &Basic, _: &Extended, a: &Amd| a.as_ref().map(|a| a.has_lzcnt()),
    "avx512f" => |_: &Basic, e: &Extended, _: &Amd| e.as_ref().map(|e| e.has_avx512f()),
    "avx512dq" => |_: &Basic, e: &Extended, _: &Amd| e.as_ref().map(|e| e.has_avx512dq()),
    "avx512cd" => |_: &Basic, e: &Extended, _: &Amd| e.as_ref().map(|e| e.has_avx512cd()),
    "avx512bw" => |_: &Basic, e: &Extended, _: &Amd| e.as_ref().map(|e| e.has_avx512bw()),
    "avx512vl" => |_: &Basic, e: &Extended, _: &Amd| e.as_ref().map(|e| e.has_avx512vl()),
    "avx512ifma" => |_: &Basic, e: &Extended, _: &Amd| e.as_ref().map(|e| e.has_avx512_ifma()),
    "avx512vbmi" => |_: &Basic, e: &Extended, _: &Amd| e.as_ref().map(|e| e.has_avx512vbmi()),
    "avx512vbmi2" => |_: &Basic, e: &Extended, _: &Amd| e.as_ref().map(|e| e.has_avx512vbmi2()),
    "avx512vnni" => |_: &Basic, e: &Extended, _: &Amd| e.as_ref().map(|e| e.has_avx512vnni()),
    "avx512bitalg" => |_: &Basic, e: &Extended, _: &Amd| e.as_ref().map(|e| e.has_avx512bitalg()),
    "avx512vpopcntdq" => |_: &Basic, e: &Extended, _: &Amd| e.as_ref().map(|e| e.has_avx512vpopcntdq()),
}

/// The name of the CPU, as it gives it itself.
#[must_use]
pub fn cpu_name() -> String {
    let brand = CpuId::new().get_processor_brand_string();
    brand.map_or_else(|| "unknown CPU".into(), |brand| brand.as_str().trim().to_owned())
}

/// Ends the process with exit code 2 and a plain message if this CPU lacks an instruction
/// set that the binary was built for. Call it first thing in `main`.
#[inline(never)]
pub fn require_build_features() {
    if let Some(feature) = missing_feature() {
        eprintln!(
            "error: this program was built for CPUs with `{feature}`, which this CPU ({}) lacks.\n\
             Rebuild it on this machine with `cargo build --release`, or for any machine with\n\
             `RUSTFLAGS=\"-C target-cpu=x86-64-v3\" cargo build --release`.",
            cpu_name()
        );
        std::process::exit(2);
    }
}
