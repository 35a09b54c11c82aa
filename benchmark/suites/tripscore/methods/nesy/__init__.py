"""NESY (Shao et al. 2024): a request becomes statements about the plan, which a depth-first search keeps."""
