"""The 22 constraints and the reward."""
