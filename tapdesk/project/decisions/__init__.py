"""What was decided about the ratings, one kind a file."""
