"""The benchmarks: a folder each."""
