//! The periodic images of a torus.

use super::camera::Camera;
use super::view::View;

/// Where the world's origin is drawn: on a torus, also in each periodic image that the picture
/// shows.
pub(crate) fn images(view: &View, camera: &Camera) -> Vec<[f32; 2]> {
    /// More images show nothing new, and each costs a pass over the crowd.
    const MAX_IMAGES: f32 = 2.0;
    let [width, height] = view.world;
    if !view.repeats {
        return vec![[0.0, 0.0]];
    }
    let (low, high) =
        (camera.to_world([0.0, camera.size[1]]), camera.to_world([camera.size[0], 0.0]));
    let range = |low: f32, high: f32, size: f32| {
        let from = (low / size).floor().clamp(-MAX_IMAGES, MAX_IMAGES) as i32;
        let to = (high / size).floor().clamp(-MAX_IMAGES, MAX_IMAGES) as i32;
        from..=to
    };
    let (across, up) = (range(low[0], high[0], width), range(low[1], high[1], height));
    up.flat_map(|v| across.clone().map(move |u| [u as f32 * width, v as f32 * height])).collect()
}
