"""What the plans of all benchmarks have in common: how one is found in an answer, its times, its distances."""
