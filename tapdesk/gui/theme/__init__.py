"""Colours, type, icons and the signs of numbers on screen."""
