mod files;
mod parameters;
mod params_ini;
mod refusals;
mod text;
