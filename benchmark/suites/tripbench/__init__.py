"""TRIP-Bench: long conversations with users who change their minds."""
