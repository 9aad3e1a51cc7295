"""Issued files: what they say, and whether it still holds."""
