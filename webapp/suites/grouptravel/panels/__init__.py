"""The panels that only sessions of GroupTravelBench have."""
