"""What functions of x and t are like: bounds, jumps, how finely they must be looked at."""
