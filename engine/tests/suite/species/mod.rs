mod alike;
mod refusals;
mod several;
mod starts;
