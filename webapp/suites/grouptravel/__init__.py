"""GroupTravelBench on the pages."""
