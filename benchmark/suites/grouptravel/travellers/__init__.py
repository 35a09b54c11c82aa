"""The travellers that a machine plays: scripted ones, and ones that speak through a model."""
