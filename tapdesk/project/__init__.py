"""The work of a user as one value, and its file."""
