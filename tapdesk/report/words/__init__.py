"""Sentences about numbers, made by rules."""
