"""Colours, pictures and marks of the window."""
