mod ways;
