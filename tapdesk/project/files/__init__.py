"""The project's file: written whole, read with suspicion."""
