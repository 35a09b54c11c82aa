"""Agents that refine what they plan: by what rules find in a draft, or along a tree."""
