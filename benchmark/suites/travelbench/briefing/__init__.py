"""What agents over a model are told of TravelBench."""
