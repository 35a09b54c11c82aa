"""What a tool is: its name and words, its arguments and result, and the errors that it reports."""
