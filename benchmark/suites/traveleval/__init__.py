"""TravelEval: queries of travellers for one city, plans as JSON, metrics in six groups (Table 1 of the paper)."""
