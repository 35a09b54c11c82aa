"""People and programs at the table: studies, invitations, who came, their pages, and what they say afterwards."""
