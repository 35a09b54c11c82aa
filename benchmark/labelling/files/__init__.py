"""Files of labels: written for other programs, and read when labels were made elsewhere."""
