//! Whether this CPU can run what was compiled.
//!
//! The kernels' instructions are chosen at compile time (`target-cpu=native` in this
//! repository), so a binary copied to an older machine would crash with an illegal
//! instruction. Binaries call [`require_build_features`] first thing in `main`.
//!
//! The check itself is compiled for the same instruction sets, so it has to work without
//! them: plain register tests, and a message that is assembled at compile time and
//! written by the (baseline) standard library. It queries the processor directly, because the
//! standard library's own detection answers "yes" for every feature the build may use.

/// The features kernels gain most from.
#[cfg(target_arch = "x86_64")]
const HELPFUL: [&str; 4] = ["fma", "avx2", "avx512f", "avx512dq"];

/// Whether the CPU has the feature of a bit. Does not check that the operating system saves the
/// registers: where it does not, a program that uses them cannot run at all.
#[cfg(target_arch = "x86_64")]
macro_rules! has {
    ($leaf:literal, $register:ident, $bit:literal) => {{
        use raw_cpuid::native_cpuid::cpuid_count;
        // The first leaf of each range reports the last.
        let last = cpuid_count($leaf & 0x8000_0000_u32, 0).eax;
        last >= $leaf && cpuid_count($leaf, 0).$register & (1 << $bit) != 0
    }};
}

#[cfg(target_arch = "x86_64")]
macro_rules! features {
    ($($name:literal: $leaf:literal $register:ident $bit:literal,)+) => {
        /// The instruction sets beyond the baseline that this build uses.
        #[must_use]
        pub fn build_features() -> Vec<&'static str> {
            let mut names = Vec::new();
            $(if cfg!(target_feature = $name) { names.push($name); })+
            names
        }

        /// Instruction sets that this CPU has, that this build does not use, and that would make
        /// the kernels faster: wide vectors and fused multiply-add. The results are the same
        /// without them. See the crate's documentation for how to build with them.
        #[must_use]
        pub fn unused_features() -> Vec<&'static str> {
            let mut names = Vec::new();
            $(
                let unused = HELPFUL.contains(&$name) && !cfg!(target_feature = $name);
                if unused && has!($leaf, $register, $bit) {
                    names.push($name);
                }
            )+
            names
        }

        /// The message to the user if this CPU lacks something that this build uses.
        #[inline(never)]
        fn complaint() -> Option<&'static str> {
            $(if cfg!(target_feature = $name) && !has!($leaf, $register, $bit) {
                return Some(concat!(
                    "error: this program was built for CPUs with `", $name,
                    "`, which this CPU lacks.\n",
                    "Rebuild it on this machine with `cargo build --release`, or for any ",
                    "recent x86-64 CPU with\n",
                    "`RUSTFLAGS=\"-C target-cpu=x86-64-v3\" cargo build --release`.\n",
                ));
            })+
            None
        }
    };
}

#[cfg(target_arch = "x86_64")]
features! {
    "sse3": 1 ecx 0,
    "ssse3": 1 ecx 9,
    "fma": 1 ecx 12,
    "sse4.1": 1 ecx 19,
    "sse4.2": 1 ecx 20,
    "movbe": 1 ecx 22,
    "popcnt": 1 ecx 23,
    "avx": 1 ecx 28,
    "f16c": 1 ecx 29,
    "bmi1": 7 ebx 3,
    "avx2": 7 ebx 5,
    "bmi2": 7 ebx 8,
    "lzcnt": 0x8000_0001 ecx 5,
    "avx512f": 7 ebx 16,
    "avx512dq": 7 ebx 17,
    "avx512ifma": 7 ebx 21,
    "avx512cd": 7 ebx 28,
    "avx512bw": 7 ebx 30,
    "avx512vl": 7 ebx 31,
    "avx512vbmi": 7 ecx 1,
    "avx512vbmi2": 7 ecx 6,
    "avx512vnni": 7 ecx 11,
    "avx512bitalg": 7 ecx 12,
    "avx512vpopcntdq": 7 ecx 14,
}

#[cfg(not(target_arch = "x86_64"))]
mod other {
    /// The instruction sets beyond the baseline that this build uses: none that could be
    /// missing.
    #[must_use]
    pub fn build_features() -> Vec<&'static str> {
        Vec::new()
    }

    /// Instruction sets that this CPU has, that this build does not use, and that would make
    /// the kernels faster: none.
    #[must_use]
    pub fn unused_features() -> Vec<&'static str> {
        Vec::new()
    }

    pub(super) fn complaint() -> Option<&'static str> {
        None
    }
}

#[cfg(not(target_arch = "x86_64"))]
use other::complaint;
#[cfg(not(target_arch = "x86_64"))]
pub use other::{build_features, unused_features};

/// The name of the CPU as it reports it, or else its architecture.
#[must_use]
pub fn cpu_name() -> String {
    #[cfg(target_arch = "x86_64")]
    if let Some(brand) = raw_cpuid::CpuId::new().get_processor_brand_string() {
        return brand.as_str().trim().to_owned();
    }
    std::env::consts::ARCH.to_owned()
}

/// Ends the process with exit code 2 and a plain message if this CPU lacks an instruction
/// set that the binary was built for. Call it first thing in `main`, and everything else
/// from a function that is not inlined into `main`.
#[inline(never)]
pub fn require_build_features() {
    if let Some(message) = complaint() {
        use std::io::Write;
        // Nothing can be done if even this fails.
        let _ = std::io::stderr().write_all(message.as_bytes());
        std::process::exit(2);
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_feature_is_used_or_unused_but_not_both() {
        let (used, unused) = (super::build_features(), super::unused_features());
        assert!(used.iter().all(|name| !unused.contains(name)), "{used:?}, {unused:?}");
        // This test runs with every feature it was built for.
        assert_eq!(super::complaint(), None);
    }
}
