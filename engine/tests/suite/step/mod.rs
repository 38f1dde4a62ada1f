mod bounds;
mod car_like;
mod combine;
mod locomotion;
mod non_penetration;
mod runaways;
mod smoothing;
mod threads;
