"""Where the user's work is kept."""
