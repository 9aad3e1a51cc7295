"""One picture a file: its numbers, and how they are drawn."""
