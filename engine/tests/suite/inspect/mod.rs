mod at_once;
mod cells;
mod explain;
mod forces;
mod neighbor_counts;
mod neighbor_rows;
