"""What the rules say of a plan at a turn, and of runs."""
