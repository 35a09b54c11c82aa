"""TravelEval on the pages."""
