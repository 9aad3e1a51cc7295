"""Pictures as data, and their catalog."""
