"""Who talks with the agent in the multi-turn subtask."""
