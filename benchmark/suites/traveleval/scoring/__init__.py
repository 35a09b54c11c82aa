"""TravelEval's rules: what a plan is worth, metric by metric."""
