"""Whether a traveller would laugh: what the reference agent asks, plans and answers, counted over many sessions."""
