"""An installation that an earlier version left, for the tests that open it. `make.py` makes it anew."""
