mod cells;
mod census;
mod explain;
mod forces;
