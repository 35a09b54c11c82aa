"""A planner without a model: legs by search, sights by a greedy choice, the best draft by the rules."""
