"""A benchmark about plans, as small as one can be: an agent plans days in a city, and its guest wants to sleep late.

It shows what a suite has to tell of its plans so that every shared page shows them, and that nothing else is needed.
"""
