"""TravelBench on the pages."""
