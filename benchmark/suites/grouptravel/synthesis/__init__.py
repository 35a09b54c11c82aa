"""Making tasks: from resources to skeletons, preference tables, openings and validation."""
