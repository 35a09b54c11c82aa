"""Plans: their form, and what is in them."""
