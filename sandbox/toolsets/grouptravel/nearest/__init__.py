"""What the built-in simulator answers, tool by tool: from records of the very thing asked for, or not at all."""
