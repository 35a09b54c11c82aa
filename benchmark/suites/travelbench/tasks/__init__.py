"""TravelBench's tasks: as published, in files, in lists, and what their files tell together."""
