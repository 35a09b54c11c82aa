"""TTG (Ju et al. 2024): a request becomes constraints, these a program in whole numbers, which HiGHS solves."""
