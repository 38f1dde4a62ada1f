//! Tests of the engine by topic; those of a behavior are in `behaviors/<name>.rs`.

mod behaviors;
mod common;
mod crowd;
mod depth;
mod embedding;
mod files;
mod grid;
mod guarantees;
mod inspect;
mod kernels;
mod layout;
mod outside;
mod pages;
mod polygons;
mod reference;
mod scene;
mod scenery;
mod simulation;
mod slab;
mod snapshot;
mod sort;
mod sources;
mod species;
mod step;
mod torus;
mod world;
