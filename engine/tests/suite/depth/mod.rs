mod axes;
mod climb;
mod refusals;
mod seams;
mod solid;
mod twins;
