"""What the data show that a user should know."""
