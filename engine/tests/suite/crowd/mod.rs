mod columns;
mod ids;
mod velocities;
