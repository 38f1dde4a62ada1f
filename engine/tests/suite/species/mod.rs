mod refusals;
mod several;
mod starts;
