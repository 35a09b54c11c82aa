"""What runs lost, and why: found in logs and scores, and folded into groups."""
