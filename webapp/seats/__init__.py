"""Who sits at the table of a session, a row each, and the inboxes of those who act from outside."""
