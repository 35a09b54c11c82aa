"""Plans of TRIP-Bench with one thing wrong: mutators that each aim at a constraint, and may break what they declare.

Where a mutator changes a plan, what to, and by how much is drawn at random. What must fail is reckoned from the world
here, never asked of the rules that are under test.
"""
