"""Whether Inspect reads what we write: its own reader, in an environment of its own (`make test-inspect`)."""
