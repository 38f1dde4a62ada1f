mod refusals;
mod several;
