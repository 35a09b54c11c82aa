"""Making TripScore's synthetic queries over any world, by rule."""
