mod widths;
