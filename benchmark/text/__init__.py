"""Reading texts: numbers, sentences and JSON as people and models write them, within bounds."""
