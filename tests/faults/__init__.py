"""A served installation in which everything fails once, by a schedule that a seed repeats (`make test-faults`)."""
