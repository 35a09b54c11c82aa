"""From what travellers write to what they want."""
