"""TripScore on the pages."""
