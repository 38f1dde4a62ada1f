//! Measures the cost of unusual agents by timing crowds with and without them.

use flockwork::{Error, ErrorKind, ErrorLocation, Scene};

use super::group::{Group, SMALL, point_of_size};
use crate::experiment::Experiment;
use crate::failure::Failure;
use crate::options::Request;
use crate::uneven::{self, NAIVE_LOOP};
use crate::variant::Variant;

pub(super) fn groups(request: &Request, sizes: &[usize]) -> Result<Vec<Group>, Failure> {
    if let Some(part) = &request.only {
        check_only(part, request.dimensions)?;
    }
    let mut groups = Vec::new();
    for &n in sizes {
        let group = |name: &str, scene: &Scene, variant| {
            let (point, scene) = (point_of_size(name, n, sizes), scene.clone().seed(request.seed));
            Group::new(Experiment::Uneven, point, n, scene, &[variant])
        };
        let fleeing = uneven::named("flee nearest of 10 within 10 views", n, request.dimensions);
        groups.push(group(NAIVE_LOOP, &fleeing, Variant::NaiveLoop));
        let [crowds, small] = [n, n.min(SMALL)].map(|n| uneven::all(n, request.dimensions));
        for (crowd, small) in crowds.iter().zip(small) {
            let is_asked = |part: &String| crowd.name.contains(part.as_str());
            if crowd.is_ideal() || request.only.as_ref().is_none_or(is_asked) {
                let small = Some(small.scene.seed(request.seed));
                let group = group(&crowd.name, &crowd.scene, Variant::CellsSimd);
                groups.push(Group { small, ..group });
            }
        }
    }
    Ok(groups)
}

fn check_only(part: &str, dimensions: u32) -> Result<(), Failure> {
    let crowds = uneven::all(SMALL, dimensions);
    if crowds.iter().any(|crowd| crowd.name.contains(part)) {
        return Ok(());
    }
    let known: Vec<String> = crowds.into_iter().map(|crowd| crowd.name).collect();
    // `part` may be any part of a name, so compare it with equally many words of each name.
    let similarity = |name: &String| {
        let words: Vec<&str> = name.split(' ').collect();
        let parts = words.windows(part.split(' ').count().min(words.len()));
        let similarities =
            parts.map(|words| strsim::normalized_damerau_levenshtein(&words.join(" "), part));
        similarities.fold(0.0, f64::max)
    };
    let similar = known.iter().filter(|name| similarity(name) > 0.4);
    let nearest = similar.max_by(|a, b| similarity(a).total_cmp(&similarity(b))).cloned();
    let (at, field) = (ErrorLocation::default(), String::new());
    let (kind, name) = ("crowd in --only", part.to_owned());
    Err(Error::new(ErrorKind::UnknownName { at, kind, field, name, nearest, known }).into())
}
