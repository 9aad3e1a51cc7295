"""Files of every kind to cells."""
