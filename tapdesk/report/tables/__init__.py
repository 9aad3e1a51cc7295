"""Tables as values, and as lines of text."""
