"""What the agent says: questions, requests to yield, progress, and when to stop asking."""
