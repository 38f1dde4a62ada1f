mod axes;
mod climb;
mod refusals;
mod seams;
mod soak;
mod solid;
mod twins;
