"""Two to four sessions side by side: what was different about them, what they came to, said, called and planned.

The first session is the base, and the others are compared with it.
"""
