//! Tests of the engine by topic; each behavior's tests are in `behaviors/<name>.rs`.

mod behaviors;
mod common;
mod crowd;
mod depth;
mod embedding;
mod files;
mod grid;
mod guarantees;
mod inspect;
mod layout;
mod outside;
mod pages;
mod polygons;
mod reference;
mod routes;
mod scene;
mod scenery;
mod simulation;
mod slab;
mod snapshot;
mod sources;
mod species;
mod step;
mod torus;
mod variants;
mod world;
