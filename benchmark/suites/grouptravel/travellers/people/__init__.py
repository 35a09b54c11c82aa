"""What the page of a traveller's seat tells the person who takes it: pure functions of their view."""
