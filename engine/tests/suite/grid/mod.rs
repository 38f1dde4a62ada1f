mod cell_size;
mod neighbors;
mod random_scenes;
