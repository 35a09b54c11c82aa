"""Queries for any world that keep the paper's rules: drawn, put into words, sampled."""
