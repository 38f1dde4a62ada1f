//! The ladder of ideas: the same steps of the same crowd, from the book's loops to the engine's.
//! The book's cells come with its array of structs, the counting sort with columns.

use crate::experiments::group::{Case, Group, MEAN_NEIGHBORS, Question, workload};
use crate::experiments::request::Request;
use crate::failure::Failure;
use crate::method::Method;
use crate::rungs::Rung;

pub(crate) const NAME: &str = "ladder";

/// The rungs, from the simplest loops to the engine's.
fn rungs(threads: &[usize]) -> Vec<Case> {
    let book = Rung::ALL.map(Case::of_rung);
    let methods = [Method::CellsScalar, Method::CellsSimd, Method::CellsSimdMt];
    book.into_iter().chain(Case::all(&methods, threads)).collect()
}

/// Each rung over the one below, and the last over the first.
fn questions(cases: &[Case]) -> Vec<Question> {
    let over = |slow: &Case, fast: &Case| {
        let words = format!("{} over {}", fast.method, slow.method);
        Question::new(words, &slow.method, &fast.method)
    };
    let whole = cases.first().zip(cases.last()).map(|(first, last)| over(first, last));
    cases.windows(2).map(|pair| over(&pair[0], &pair[1])).chain(whole).collect()
}

pub(crate) fn groups(request: &Request) -> Result<Vec<Group>, Failure> {
    let cases = rungs(&request.threads);
    let group = |n: usize| {
        let scene = workload(n, MEAN_NEIGHBORS, request.seed)?;
        let questions = questions(&cases);
        Ok(Group { questions, ..Group::new(NAME, n, n as f64, scene, cases.clone()) })
    };
    let (quick, full) = ([1_000, 10_000], [1_000, 10_000, 30_000]);
    request.sizes(&quick, &full).into_iter().map(group).collect()
}
