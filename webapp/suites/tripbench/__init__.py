"""TRIP-Bench on the pages."""
