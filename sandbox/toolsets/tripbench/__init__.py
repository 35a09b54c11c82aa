"""TRIP-Bench's toolset: 18 tools that answer in text, over places and services with their products."""
