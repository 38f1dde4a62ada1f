mod demos;
mod files;
mod in_code;
mod limits;
mod parameters;
mod params_ini;
mod refusals;
mod text;
