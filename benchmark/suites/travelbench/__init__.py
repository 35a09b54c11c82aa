"""TravelBench: an assistant answers requests of travellers, asks where it must, and says when it can't help."""
