mod agreement;
mod random_scenes;
