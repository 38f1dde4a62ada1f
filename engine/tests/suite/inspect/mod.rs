mod at_once;
mod cells;
mod census;
mod explain;
mod forces;
mod neighbor_rows;
