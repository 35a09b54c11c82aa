"""Rewards of plans for programs that train models: batches, the processes that score them, the server before them."""
