"""Situations in which the program speaks: what is asked, of which data, and nothing of what is said then."""
