//! The kernel of a custom behavior, compiled for every lane type.
//!
//! A generic function cannot be called through an object, but its copies for the lane types can:
//! they are listed here, and each lane type knows its own.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use wide::{f32x4, f32x8, f32x16};

use crate::batch::Batch;
use crate::behaviors::custom::Custom;
use crate::custom::behavior::CustomBehavior;
use crate::math::force::Force;
use crate::math::lanes::Lanes;
use crate::math::pair::Pair;
use crate::math::width::{Avx2x1, Avx2x4, Avx2x8, Avx512x16};

/// A copy of a kernel; it gets the parameters.
type Kernel<L> = for<'b, 'a> fn(&dyn Any, &'b mut Batch<'a, L>) -> Force<L>;

/// Lanes that the kernels of custom behaviors are compiled for.
pub(crate) trait Compiled: Lanes {
    fn kernel(all: &Kernels) -> Kernel<Self>;
}

macro_rules! kernels {
    ($($name:ident: $lanes:ty,)+) => {
        /// The copies of a kernel.
        pub(crate) struct Kernels {
            $($name: Kernel<$lanes>,)+
        }

        impl Kernels {
            pub(super) const fn of<T: CustomBehavior>() -> Self {
                Self { $($name: compute::<T, $lanes>,)+ }
            }
        }

        $(impl Compiled for $lanes {
            #[inline(always)]
            fn kernel(all: &Kernels) -> Kernel<Self> {
                all.$name
            }
        })+
    };
}

#[cfg(target_arch = "x86_64")]
kernels! {
    one: f32,
    four: f32x4,
    eight: f32x8,
    sixteen: f32x16,
    avx2_one: Avx2x1,
    avx2_four: Avx2x4,
    avx2_eight: Avx2x8,
    avx2_sixteen: Pair<Avx2x8>,
    avx512_sixteen: Avx512x16,
}

#[cfg(not(target_arch = "x86_64"))]
kernels! {
    one: f32,
    four: f32x4,
    eight: f32x8,
    sixteen: f32x16,
    pair_of_eight: Pair<f32x8>,
}

fn compute<T: CustomBehavior, L: Lanes>(
    parameters: &dyn Any,
    batch: &mut Batch<'_, L>,
) -> Force<L> {
    let parameters: &T = parameters.downcast_ref().expect("a kernel gets its own parameters");
    let force = AssertUnwindSafe(|| {
        L::compiled(
            #[inline(always)]
            || parameters.force(batch),
        )
    });
    // What it leaves behind is not looked at again: the step is refused.
    catch_unwind(force).unwrap_or_else(|panic| {
        let message = format!("behavior `{}` panicked: {}", T::NAME, message(&*panic));
        resume_unwind(Box::new(message))
    })
}

/// What a panic says.
pub(crate) fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("without a message")
}

/// The unweighted force of behavior `number` of its species on every agent of a batch.
#[inline(always)]
pub(crate) fn force<L: Compiled>(
    custom: &Custom,
    number: usize,
    batch: &mut Batch<'_, L>,
) -> Force<L> {
    batch.scratch.behavior = number;
    let kernels: &Kernels = custom.0.compiled().downcast_ref().expect("all are made from kernels");
    L::kernel(kernels)(custom.0.as_any(), batch)
}
