mod agreement;
mod each_behavior;
mod memory;
mod non_penetration;
mod random_scenes;
mod sight;
