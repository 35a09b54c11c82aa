"""GroupTravelBench: a group of travellers with private preferences plans a trip with one agent."""
