"""Making data for TravelBench: who can be helped, in how many turns, which requests differ, whose profile it is."""
