"""Sessions aligned with each other: what each of them has of the same, in rows of one item a session."""
