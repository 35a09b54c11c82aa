"""Making TRIP-Bench's tasks over any world, by rule."""
