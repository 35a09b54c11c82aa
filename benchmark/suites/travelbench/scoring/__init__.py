"""From what judges and agents write to the figures of a run and of a set of runs."""
