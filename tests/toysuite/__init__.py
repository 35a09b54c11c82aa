"""A benchmark as small as one can be: the agent finds out a number that the other player knows.

It shows what a suite has to bring, and that nothing outside it needs to know of it.
"""
