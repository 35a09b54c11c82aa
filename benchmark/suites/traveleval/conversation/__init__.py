"""A TravelEval session: a query, the agent's plan, the end."""
