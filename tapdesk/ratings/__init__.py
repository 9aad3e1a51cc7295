"""The data: ratings, patterns, and how files become them."""
