"""Synthetic data at the size of the published sandbox, the same on every machine: `python -m tests.scale`."""
