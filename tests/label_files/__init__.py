"""Whether other libraries read our files of labels, each in an environment of its own (`make test-labels`)."""
