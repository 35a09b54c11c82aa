"""Who asks: a program, and a user over a model."""
